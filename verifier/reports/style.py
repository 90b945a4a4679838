"""Colours of the terminal. Escape codes by hand: importing a library for them costs more than
the whole judgement of a script."""

from __future__ import annotations

import os
from typing import TextIO

from verifier.model.finding import Status
from verifier.model.record import dataclass

_CODES = {Status.PASS: "32", Status.NA: "2", Status.FAIL: "31", Status.UNRESOLVED: "33"}


@dataclass(frozen=True, slots=True)
class Style:
    """How to mark up a piece of text."""

    colour: bool = False

    def bold(self, text: str) -> str:
        return self._code("1", text)

    def dim(self, text: str) -> str:
        return self._code("2", text)

    def status(self, status: Status, text: str) -> str:
        """In the colour of an outcome."""
        return self._code(_CODES[status], text)

    def _code(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


PLAIN = Style()


def style_for(stream: TextIO, wish: str) -> Style:
    """`wish` is auto, always or never; auto follows NO_COLOR, FORCE_COLOR and the stream."""
    if wish != "auto":
        return Style(wish == "always")
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Style(True)
    return Style(stream.isatty() and os.environ.get("TERM") != "dumb")


def width_for(stream: TextIO) -> int:
    """Columns to fill: the terminal's, at most 100, or 80 for a file or pipe."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return 80
    return min(max(columns, 40), 100)
