"""A tree that remembers: what was read, and the bytes, so that nothing is fetched twice."""

from __future__ import annotations

from verifier.model.tree import Tree, Unreadable

_MOST_BYTES = 2_000_000


class WatchedTree:
    """Wraps a tree. `seen` collects the paths asked for, found or not; folders end in a slash."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._kept: dict[str, bytes | None] = {}
        self.seen: set[str] = set()
        self.name = tree.name

    @property
    def root(self) -> str:
        """Where a local tree lies, or "" for any other."""
        return str(getattr(self._tree, "root", "") or "")

    def read(self, path: str) -> bytes | None:
        self.seen.add(path)
        if path in self._kept:
            return self._kept[path]
        data = self._tree.read(path)
        if data is None or len(data) <= _MOST_BYTES:
            self._kept[path] = data
        return data

    def is_dir(self, path: str) -> bool:
        self.seen.add(f"{path}/")
        return self._tree.is_dir(path)

    def files(self, folder: str = "") -> tuple[str, ...]:
        self.seen.add(f"{folder}/")
        return self._tree.files(folder)

    def text(self, path: str) -> str:
        """The file as text; empty when there is none or it cannot be read."""
        try:
            data = self.read(path)
        except Unreadable:
            return ""
        return "" if data is None else data.decode("utf-8", "replace")
