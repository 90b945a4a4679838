"""Bash scripts as nodes."""

from __future__ import annotations

import sys

from verifier.shell.lexer import MAX_NESTING
from verifier.shell.nodes import Script, Source
from verifier.shell.syntax_commands import Commands
from verifier.shell.syntax_relocate import relocate

_FRAMES = 14 * MAX_NESTING + 500
"""Python calls that the deepest accepted nesting takes, and room for the caller's own."""


def parse(source: Source, *, extglob: bool = False) -> Script:
    """The commands of a text; never raises.

    Bash reads a text line by line and runs what it read before reading on: where the text stops
    being valid bash the last node is a `Bad` and nothing follows it. `extglob`: that option is on
    already when reading begins; a `shopt -s extglob` on an earlier line turns it on too.
    """
    text = source.text
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, _FRAMES))
        if "\0" not in text:
            return Commands(_ended(text), extglob=extglob).units()
        places = [index for index, char in enumerate(text) if char != "\0"]
        places += [len(text), len(text)]
        script = Commands(_ended(text.replace("\0", "")), extglob=extglob).units()
        return relocate(script, places)
    finally:
        sys.setrecursionlimit(limit)


def _ended(text: str) -> str:
    """Bash ends a last line without newline by itself, so that a backslash there vanishes."""
    return text + "\n" if text.endswith("\\") else text
