"""Names of files, as a script writes them, made comparable."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from verifier.model.text import Hole, Lit, Text, lit

_STARTS = ("start:", "special:PWD", "input:PWD")
"""Symbols of the folder that the script is started in."""


def is_start(path: Text) -> bool:
    """Whether it is the folder that the script is started in."""
    pieces = path.pieces
    return len(pieces) == 1 and isinstance(pieces[0], Hole) and pieces[0].symbol in _STARTS


def file_key(path: Text, cwd: Text | None = None) -> str:
    """A name under which a file that the script wrote is found again.

    The same for `./x`, `x` and `a/../x`; inputs read `$NAME`, other unknown parts `<symbol>`.
    `cwd` is the folder of a relative path, None for the one the script was started in.
    """
    pieces = path.pieces
    if pieces and isinstance(pieces[0], Hole) and pieces[0].symbol in _STARTS:
        # `$PWD/x` before any `cd` is `x`.
        pieces, cwd = (Lit("."), *pieces[1:]), None
    name = "".join(p.value if isinstance(p, Lit) else _name(p) for p in pieces)
    if cwd is not None and not is_absolute(path):
        name = f"{file_key(cwd)}/{name}"
    if not name:
        return ""
    normal = posixpath.normpath(name)
    return normal[1:] if normal.startswith("//") else normal


def glob_key(
    pieces: Sequence[tuple[Text, bool]], cwd: Text | None = None
) -> list[tuple[Text, bool]]:
    """A pattern for keys from one for paths: pieces of text, and whether each is quoted."""
    parts = [(p, quoted) for text, quoted in pieces for p in text.pieces]
    relative = not is_absolute(Text(p for p, _ in parts))
    if parts and isinstance(parts[0][0], Hole) and parts[0][0].symbol in _STARTS:
        parts[0] = (Lit("."), False)
    made = [
        (lit(p.value if isinstance(p, Lit) else _name(p)), q or isinstance(p, Hole))
        for p, q in parts
    ]
    if made and not made[0][1] and (made[0][0].known or "").startswith("./"):
        made[0] = (lit((made[0][0].known or "")[2:]), False)
    if relative and cwd is not None and file_key(cwd) != ".":
        made.insert(0, (lit(file_key(cwd) + "/"), True))
    return made


def is_absolute(path: Text) -> bool:
    """Whether the path begins at the root, or at an unknown place that a folder name holds."""
    if not path.pieces:
        return False
    first = path.pieces[0]
    return first.value.startswith("/") if isinstance(first, Lit) else True


def _name(hole: Hole) -> str:
    if hole.input is not None and hole.default is None:
        return f"${hole.input}"
    return f"<{hole.symbol}>"
