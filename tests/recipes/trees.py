"""A tree in memory, for tests."""

from __future__ import annotations

from collections.abc import Mapping


class MemoryTree:
    """Files by path."""

    name = "the test's files"

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self._files = {
            path: text.encode() if isinstance(text, str) else text for path, text in files.items()
        }

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def is_dir(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self._files)

    def files(self, folder: str = "") -> tuple[str, ...]:
        start = f"{folder}/" if folder else ""
        return tuple(sorted(name for name in self._files if name.startswith(start)))

    def plus(self, files: Mapping[str, str | bytes]) -> MemoryTree:
        """This tree with some files added or replaced."""
        return MemoryTree({**self._files, **files})
