"""Bash scripts as nodes."""

from __future__ import annotations

from verifier.shell.nodes import Script, Source
from verifier.shell.syntax_commands import Commands


def parse(source: Source, *, extglob: bool = False) -> Script:
    """The commands of a text; never raises.

    Where the text stops being valid bash the last node is a `Bad`. `extglob`: the option is on
    already when reading begins.
    """
    return Commands(source.text, extglob=extglob).units()
