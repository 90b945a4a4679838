"""Redirections and here-documents."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.shell.lexer import END, C, Fault, Pending
from verifier.shell.nodes import BadPart, HereDocument, Literal, Part, Redirect, Word
from verifier.shell.syntax_ansi import decode
from verifier.shell.syntax_parameters import Parameters
from verifier.shell.syntax_relocate import relocate

_REDIRECT = re.compile(
    rf"(?:([0-9]+)|\{{([A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\n\0]*\])?)\}})?"
    rf"(<{C}<{C}[<-]|<{C}[<>&]|>{C}[>|&]|[<>](?!{C}\())|(&{C}>{C}>|&{C}>)"
)
_DELIMITER = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\$'((?:[^'\\]|\\.)*)'|\\(.)", re.DOTALL)
_ESCAPED = re.compile(r"\\([$`\"\\])")
_DOCUMENT_RUN = re.compile(r"[^$`\\\0]+")
_LARGEST = 2**31 - 1


@lru_cache(maxsize=256)
def _last_line(delimiter: str, tabs: bool, substituting: bool) -> re.Pattern[str]:
    """Matches the line that ends a here-document."""
    early = r"|(?=[^\n\0]*\))" if substituting else ""
    return re.compile(
        ("^\t*" if tabs else "^") + re.escape(delimiter) + rf"(?:\n|(?=\0){early})", re.MULTILINE
    )


class Redirects(Parameters):
    """Reads redirections; a here-document's body is read together with its operator."""

    def redirect(self) -> Redirect | None:
        """The redirection at the position, or None when there is none."""
        start = self.pos
        match = _REDIRECT.match(self.text, start)
        if match is None:
            return None
        number, variable, operator, both = match.groups()
        descriptor: int | str | None = variable
        if number is not None:
            descriptor = int(number[-12:])
            if len(number) > 12 or descriptor > _LARGEST:
                return None
        operator = (operator or both).replace("\\\n", "")
        self.pos = match.end()
        if self.skip() == "\n":
            self.unexpected()
        begin = self.pos
        target = self.word()
        if target is None:
            self.unexpected()
        if operator in ("<<", "<<-"):
            document = self._document(start, self.text[begin : self.pos], operator == "<<-")
            return Redirect(descriptor, operator, document, start, self.pos)
        return Redirect(descriptor, operator, target, start, self.pos)

    def redirects(self) -> tuple[Redirect, ...]:
        """Redirections behind a compound command; a word behind them is an error."""
        found: list[Redirect] = []
        while self.skip() not in ";|)\n" + END:
            redirect = self.redirect()
            if redirect is None:
                break
            found.append(redirect)
        if found and self.text[self.pos] not in ";&|)\n" + END:
            self.unexpected()
        return tuple(found)

    def finish(self) -> tuple[tuple[Redirect, ...], int]:
        """Redirections behind a compound command, and where the whole ends."""
        end = self.pos
        redirects = self.redirects()
        return redirects, redirects[-1].end if redirects else end

    def _document(self, operator: int, raw: str, tabs: bool) -> HereDocument:
        """The body that belongs to the operator just read; the position stays on its line."""
        raw = raw.replace("\\\n", "")
        quoted = any(char in raw for char in "\\'\"")
        delimiter = _DELIMITER.sub(_unquoted, raw) if quoted else raw
        if self.pending:
            newline, begin = self.pending[0].newline, self.pending[-1].end
        else:
            newline = self.newlines.get(operator, -1)
            if newline < 0:
                newline = self.text.find("\n", self.pos)
            if newline < 0:
                newline = self.size
            begin = min(newline + 1, self.size)
        last = _last_line(delimiter, tabs, self.substituting)
        if quoted or not self.continued:
            end, after = self._find_end(last, begin)
        else:
            end, after = self._find_joined_end(last, begin)
        self.pending.append(Pending(operator, newline, after))
        return HereDocument(self._body(begin, end, quoted, tabs), quoted, begin, end)

    def _find_end(self, last: re.Pattern[str], begin: int) -> tuple[int, int]:
        """Where the body ends, and where its last line does."""
        match = last.search(self.text, begin)
        return (self.size, self.size) if match is None else match.span()

    def _find_joined_end(self, last: re.Pattern[str], begin: int) -> tuple[int, int]:
        """The same where backslash-newline may join lines before they are compared."""
        text = self.text
        pos = begin
        while pos < self.size:
            end = text.find("\n", pos)
            line_end = self.size if end < 0 else end
            if text[line_end - 1] != "\\":
                match = last.match(text, pos)
                if match is not None:
                    return match.span()
                pos = line_end + 1
                continue
            end = self._joined_line_end(pos)
            joined = _CONTINUED.sub(r"\1", text[pos:end])
            match = last.match(joined + "\n")
            if match is not None and match.end() > len(joined):
                return pos, min(end + 1, self.size)
            pos = end + 1
        return self.size, self.size

    def _joined_line_end(self, pos: int) -> int:
        """Offset of the first newline from `pos` that no backslash removes."""
        match = _LOGICAL_LINE.match(self.text, pos)
        return self.size if match is None else min(match.end(), self.size)

    def _body(self, begin: int, end: int, quoted: bool, tabs: bool) -> Word:
        body = self.text[begin:end]
        places: range | list[int] = range(begin, end + 1)
        if tabs and "\t" in body:
            body, places = _without_tabs(body, begin, joined=not quoted)
        if quoted or not any(char in body for char in "$`\\"):
            parts: tuple[Part, ...] = (Literal(body, True, begin, end),) if body else ()
            return Word(parts, begin, end)
        inner = type(self)(body, self.depth, self.extglob)
        return Word(relocate(inner.document(), places), begin, end)

    def document(self) -> tuple[Part, ...]:
        """The whole text as the body of an unquoted here-document."""
        return _joined(self.settled(self._document_parts))

    def _document_parts(self) -> list[Part]:
        parts: list[Part] = []
        try:
            self.loose(parts, _DOCUMENT_RUN, "", quotes=False)
        except Fault as fault:
            parts.append(BadPart(fault.reason, min(fault.offset, self.size), self.size))
        return parts


_CONTINUED = re.compile(r"([^\\]|\\[^\n])|\\\n", re.DOTALL)
_LOGICAL_LINE = re.compile(r"(?:[^\\\n\0]|\\[^\0]|\\(?=\0))*")
_TABS = re.compile(r"^\t+", re.MULTILINE)


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """The parts with neighbouring literals (all quoted here) joined."""
    result: list[Part] = []
    run: list[Literal] = []
    for part in parts:
        if isinstance(part, Literal):
            run.append(part)
            continue
        if run:
            result.append(_one(run))
            run = []
        result.append(part)
    if run:
        result.append(_one(run))
    return tuple(result)


def _one(run: list[Literal]) -> Literal:
    return Literal("".join([part.value for part in run]), True, run[0].start, run[-1].end)


def _without_tabs(body: str, begin: int, joined: bool) -> tuple[str, list[int]]:
    """The body of `<<-` without the tabs that lines begin with, and where its characters stand.

    With `joined` a line that continues one ending in a backslash keeps its tabs.
    """
    pieces: list[str] = []
    places: list[int] = []
    position = 0
    for match in _TABS.finditer(body):
        if joined and _continues(body, match.start()):
            continue
        pieces.append(body[position : match.start()])
        places.extend(range(begin + position, begin + match.start()))
        position = match.end()
    pieces.append(body[position:])
    places.extend(range(begin + position, begin + len(body) + 1))
    return "".join(pieces), places


def _continues(body: str, start: int) -> bool:
    index = start - 2
    while index >= 0 and body[index] == "\\":
        index -= 1
    return (start - 2 - index) % 2 == 1


def _unquoted(match: re.Match[str]) -> str:
    single, double, ansi, escaped = match.groups()
    if single is not None:
        return str(single)
    if double is not None:
        return _ESCAPED.sub(r"\1", double)
    return decode(ansi) if ansi is not None else str(escaped)
