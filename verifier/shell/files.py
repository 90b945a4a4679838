"""Files that a command names, and where a path lies in the tree."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from verifier.model.command import Command
from verifier.model.files import file_key
from verifier.model.text import Hole, Lit, Text, hole

CALLED_FROM = "call:"
"""Symbol of what stands before a script's tree path in `$0`: nothing, or a folder and a slash."""
SUBSTITUTED = "special:/dev/fd/"
"""How the symbol of the name of a process substitution begins."""
TREE_ROOT = "root:"
"""Symbol of the absolute folder that the tree is checked out in."""
CALLED_FOLDER = "dirname(call:)"
"""Symbol of `dirname "$0"` for a script at the top of the tree."""


PLACES = (CALLED_FROM, CALLED_FOLDER, TREE_ROOT, "start:")
"""Beginnings of the symbols of folders."""


_PERHAPS = "file?:"
"""How the symbol of the content of a file begins that may not be there."""


def perhaps(key: str, reason: str, site: str) -> Text:
    """The content of a file that may be there or not."""
    return hole(reason, f"{_PERHAPS}{key}:{site}")


def is_sure(content: Text) -> bool:
    """Whether a file with this content is there for certain."""
    return not any(h.symbol.startswith(_PERHAPS) for h in content.holes)


_LINK = f"{_PERHAPS}link:"
_HARD = f"{_PERHAPS}hard:"
_FOLLOWED = 8


def link(key: str, target: str, *, symbolic: bool) -> Text:
    """The content of a name that is another name's file: see `place`."""
    return hole(f"{key} is a link to {target}", f"{_LINK if symbolic else _HARD}{target}")


def linked(content: Text | None) -> str | None:
    """The file that a name stands for whose content is a link."""
    only = content.pieces[0] if content is not None and len(content.pieces) == 1 else None
    if isinstance(only, Hole) and only.symbol.startswith((_LINK, _HARD)):
        return only.symbol[len(_LINK) :]
    return None


def is_symbolic(content: Text | None) -> bool:
    """Whether the name is a symbolic link for certain."""
    return linked(content) is not None and content.holes[0].symbol.startswith(_LINK)  # type: ignore[union-attr]


def place(files: Mapping[str, Text | None], key: str) -> str:
    """The name under which a file is kept: links are followed, those of folders too."""
    for _ in range(_FOLLOWED):
        target = linked(files.get(key))
        rest = ""
        if target is None:
            folder = key
            while target is None and "/" in folder.strip("/"):
                folder = folder.rpartition("/")[0]
                target = linked(files.get(folder))
            rest = key[len(folder) :] if target is not None else ""
        if target is None:
            return key
        key = target + rest
    return key


def named_files(command: Command) -> dict[str, Text]:
    """Of the files that the script wrote, those that the command's words or variables name."""
    texts = [word.text for word in command.argv] + list(command.env.values())
    texts += [value for text in texts if (value := _after_equals(text)) is not None]
    names = {file_key(text, command.cwd) for text in texts}
    return {name: content for name, content in command.files.items() if name in names}


def _after_equals(text: Text) -> Text | None:
    """The value of `--option=value`."""
    for index, piece in enumerate(text.pieces):
        if isinstance(piece, Lit) and "=" in piece.value:
            rest = Lit(piece.value.partition("=")[2], piece.origin)
            return Text((rest, *text.pieces[index + 1 :]))
    return None


def tree_path(path: Text) -> str | None:
    """The path inside the tree that `path` names by way of the script's own place, or None."""
    if not path.pieces or isinstance(path.pieces[0], Lit):
        return None
    first, rest = path.pieces[0], Text(path.pieces[1:]).known
    if rest is None:
        return None
    if first.symbol == CALLED_FROM:
        return normal_tree_path(rest)
    if first.symbol in (TREE_ROOT, CALLED_FOLDER) and (not rest or rest.startswith("/")):
        return normal_tree_path(rest.lstrip("/"))
    return None


def is_placed(path: Text) -> bool:
    """Whether the path is known by way of the script's own place, in the tree or outside it."""
    if not path.pieces or isinstance(path.pieces[0], Lit):
        return False
    return path.pieces[0].symbol.startswith(PLACES) and Text(path.pieces[1:]).known is not None


def normal_tree_path(path: str) -> str | None:
    """`path` without `.` and `..`; None when it leaves the tree."""
    normal = posixpath.normpath(path) if path else "."
    if normal.startswith(("..", "/")):
        return None
    return "" if normal == "." else normal
