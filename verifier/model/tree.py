"""The one way everything right of the sources reads a file."""

from __future__ import annotations

from typing import Protocol


class Unreadable(Exception):
    """A file is there and cannot be read: too large, a link out of the tree, denied, gone."""


class Tree(Protocol):
    """A read-only tree of files. Paths are relative to its root, with `/`, without `..`.

    Implementations bound sizes, never follow a link out of the tree and never execute anything.
    """

    name: str
    """For messages: a folder, or `commit 1a2b3c4`."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None when there is no such file. Raises `Unreadable`."""

    def is_dir(self, path: str) -> bool:
        """Whether there is a folder of that name."""

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Paths of all files at any depth below `folder`, sorted."""
