"""Characters of a bash script: blanks, comments, operators, and what all levels must remember."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from verifier.model.record import NamedTuple
from verifier.shell.nodes import Part, Script

T = TypeVar("T")

MAX_REREADS = 50
"""How often one command may be read again to find where its here-documents begin."""

MAX_NESTING = 120
"""Commands, substitutions and parameter expansions inside one another; deeper input is refused."""

END = "\0"
"""Stands after the last character, so that looking ahead never leaves the text. Bash drops NUL
bytes from scripts, so it cannot occur in them."""

C = r"(?:\\\n)*"
"""Line continuations, which vanish everywhere but in single quotes, comments and quoted
here-documents."""

_SKIPPED = frozenset(" \t#\\")
"""How what is skipped begins."""
_SKIP = re.compile(r"(?:[ \t]|\\\n)*(?:#[^\n\0]*)?")
_CONTINUATION = re.compile(r"(?:\\\n)+")
_OPERATOR = re.compile(rf"&{C}&|\|{C}[|&]|;{C};{C}&|;{C}[;&]|[&|;\n()]")
_TOKEN = re.compile(r"[^ \t\n;&|()<>\0]+|\n|[;&|<>]+|[()]")


class Fault(Exception):
    """The text is not valid bash at `offset`; nothing from there on can be trusted."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class Reread(Exception):
    """A here-document's body does not start after the newline first assumed; parse again."""


class Pending(NamedTuple):
    """A here-document whose operator was read and whose line has not ended yet."""

    operator: int
    newline: int
    """Offset of the newline before its body; the end of the text when there is none."""
    end: int
    """Offset where its body's last line has been left."""


class Lexer:
    """A position in a text, and what must be remembered while moving it."""

    def __init__(self, text: str, depth: int = 0, extglob: bool = False) -> None:
        self.text = text + END
        self.size = len(text)
        self.pos = 0
        self.depth = depth
        self.extglob = extglob
        self.continued = "\\\n" in text
        self.substituting = False
        """Inside `$( … )` or `<( … )`, where `EOF)` ends a here-document too."""
        self.pending: list[Pending] = []
        self.newlines: dict[int, int] = {}
        """Operator of a here-document → newline before its body, where the guess was wrong."""
        self.read: dict[int, tuple[Part, int]] = {}
        """Substitutions by start, so that trying two readings of `((` stays linear."""

    def fault(self, reason: str, offset: int | None = None) -> NoReturn:
        raise Fault(reason, self.pos if offset is None else offset)

    def unexpected(self) -> NoReturn:
        """Refuse the token at the position, in bash's words."""
        token = _TOKEN.match(self.text, self.pos)
        if token is None:
            self.fault("syntax error: unexpected end of file")
        name = "newline" if token[0] == "\n" else token[0][:40]
        self.fault(f"syntax error near unexpected token `{name}'")

    def unclosed(self, closer: str, opened: int) -> NoReturn:
        """Refuse a construct that the end of the text leaves open."""
        self.fault(f"unexpected end of file while looking for matching `{closer}'", opened)

    def deeper(self) -> None:
        """Count one level of nesting; the caller takes it back."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fault("nested too deeply")

    def skip(self) -> str:
        """Pass blanks, continuations and a comment; return the next character."""
        char = self.text[self.pos]
        if char not in _SKIPPED:
            return char
        match = _SKIP.match(self.text, self.pos)
        assert match is not None
        self.pos = match.end()
        return self.text[self.pos]

    def after_continuations(self, pos: int) -> int:
        """The offset past any `\\`-newline pairs at `pos`."""
        match = _CONTINUATION.match(self.text, pos)
        return pos if match is None else match.end()

    def operator(self) -> tuple[str, int]:
        """The control operator at the position ("" when there is none) and its end."""
        match = _OPERATOR.match(self.text, self.pos)
        if match is None:
            return "", self.pos
        return match[0].replace("\\\n", ""), match.end()

    def newline(self) -> None:
        """Pass the newline at the position and the bodies of here-documents that follow it."""
        if not self.pending:
            self.pos += 1
            return
        first = self.pending[0]
        if first.newline != self.pos:
            self.newlines[first.operator] = self.pos
            raise Reread
        self.pos = self.pending[-1].end
        self.pending.clear()

    def skip_newlines(self) -> str:
        """Pass blanks, comments and newlines; return the next character."""
        while (char := self.skip()) == "\n":
            self.newline()
        return char

    def substitution(self, opener: int, start: int) -> Script:
        """The commands from `start` up to and including `)`; `opener` is where it began."""
        raise NotImplementedError

    def settled(self, read: Callable[[], T]) -> T:
        """What `read` returns once every here-document's body was found where it is."""
        start, depth = self.pos, self.depth
        for _ in range(MAX_REREADS):
            try:
                return read()
            except Reread:
                self.pos, self.depth = start, depth
                self.substituting = False
                self.pending.clear()
                self.read.clear()
        raise Fault("too many here-documents behind strings of several lines", start)
