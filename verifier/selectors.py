"""`file.yaml:override_x`: one variant of a recipe file."""

from __future__ import annotations

import os


def split_selector(path: str) -> tuple[str, str | None]:
    """The file and the selector, or the path itself and None."""
    for ending in (".yaml:", ".yml:"):
        file, found, selector = path.partition(ending)
        if found and selector and "/" not in selector:
            return file + ending[:-1], selector
    return path, None


def file_of(path: str) -> str:
    """The file on disk that a command-line path names, its selector left out."""
    return path if os.path.lexists(path) else split_selector(path)[0]
