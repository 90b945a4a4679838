"""Bash scripts as nodes."""

from __future__ import annotations

from verifier.shell.nodes import Bad, Script, Source
from verifier.shell.recursion import deep
from verifier.shell.syntax_commands import Commands
from verifier.shell.syntax_relocate import relocate

_LARGE = 20_000
"""Characters from which function bodies are read only when they are used: libraries define many
functions and scripts call few. A syntax error in such a body shows as `Bad` on use only."""


def parse(source: Source, *, extglob: bool = False) -> Script:
    """The commands of a text; never raises.

    Bash reads a text line by line and runs what it read before reading on: where the text stops
    being valid bash the last node is a `Bad` and nothing follows it. `extglob`: that option is on
    already when reading begins; a `shopt -s extglob` on an earlier line turns it on too.
    """
    text = source.text
    with deep():
        if "\0" not in text:
            return _script(text, extglob)
        places = [index for index, char in enumerate(text) if char != "\0"]
        places += [len(text), len(text)]
        return relocate(_script(text.replace("\0", ""), extglob), places)


def _script(text: str, extglob: bool) -> Script:
    if text.endswith("\\"):
        text += "\n"  # Bash ends a last line by itself, so that a backslash there vanishes.
    parser = Commands(text, extglob=extglob)
    parser.lazy = 50 if len(text) > _LARGE else 0
    script = parser.units()
    if parser.deferring and script.commands and isinstance(script.commands[-1], Bad):
        script = Commands(text, extglob=extglob).units()
    return script
