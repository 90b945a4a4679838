"""A folder of the local disk as a tree."""

from __future__ import annotations

import os
import stat

from verifier.model.tree import Unreadable

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_FILES = 200_000

_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__"})


class LocalTree:
    """Files below `root`. Links are followed as long as they stay below `root`."""

    def __init__(self, root: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> None:
        self.root = os.path.realpath(root)
        """The folder, links resolved."""
        self._inside = self.root.rstrip(os.sep) + os.sep
        self._max_bytes = max_bytes
        self.name = str(root)

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None when there is no such file."""
        try:
            place = self._place(path)
            status = os.stat(place)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise Unreadable(f"{path}: {_why(error)}") from None
        if stat.S_ISDIR(status.st_mode):
            return None
        if not stat.S_ISREG(status.st_mode):
            # Opening a FIFO or a device could wait for ever.
            raise Unreadable(f"{path} is not a regular file")
        if status.st_size > self._max_bytes:
            raise Unreadable(
                f"{path} has {status.st_size:,} bytes; the limit is {self._max_bytes:,}"
            )
        try:
            with open(place, "rb") as stream:
                data = stream.read(self._max_bytes + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unreadable(f"{path}: {_why(error)}") from None
        if len(data) > self._max_bytes:
            raise Unreadable(f"{path} has more than {self._max_bytes:,} bytes")
        return data

    def is_dir(self, path: str) -> bool:
        """Whether there is a folder of that name inside the tree."""
        try:
            return os.path.isdir(self._place(path))
        except (OSError, ValueError, Unreadable):
            return False

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Paths of all files below `folder`, sorted; linked folders are not entered."""
        found: list[str] = []
        start = self._place(folder)
        for here, folders, names in os.walk(start):
            folders[:] = [f for f in folders if f not in _SKIPPED_FOLDERS]
            relative = os.path.relpath(here, start)
            prefix = "/".join(p for p in (folder.strip("/"), relative) if p not in ("", "."))
            prefix = prefix.replace(os.sep, "/")
            found.extend(f"{prefix}/{name}" if prefix else name for name in names)
            if len(found) > MAX_FILES:
                raise Unreadable(f"{folder or self.name} holds more than {MAX_FILES:,} files")
        return tuple(sorted(found))

    def _place(self, path: str) -> str:
        """The real place of `path`; refuses what leads out of the tree."""
        if path.startswith("/") or ".." in path.split("/"):
            raise Unreadable(f"{path!r} leads out of {self.name}")
        place = os.path.realpath(os.path.join(self.root, path))
        if place != self.root and not place.startswith(self._inside):
            raise Unreadable(f"{path} is a link that leads out of {self.name}")
        return place


def _why(error: Exception) -> str:
    """The operating system's reason without its number and path."""
    return (getattr(error, "strerror", None) or str(error)).lower()
