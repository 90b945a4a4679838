"""POSIX regular expressions of grep, sed and awk in terms of Python's.

Only what means the same everywhere is translated. Python's engine takes the first match that
works and POSIX the longest: without alternatives and repeated groups these are the same,
because an item of one character that can match never shortens what later items can reach.
"""

from __future__ import annotations

import re
from math import comb
from typing import Literal

from verifier.model.record import dataclass, field
from verifier.shell.commands import NotModelled
from verifier.shell.ereg import CLASSES

Flavour = Literal["basic", "extended", "awk"]

_RANGE = re.compile(r"[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]")
_WORK = 20_000_000
"""Steps that the search in one line may take at the very most."""


@dataclass(slots=True)
class Expression:
    """A translated expression."""

    pattern: re.Pattern[str]
    groups: int
    repeats: int
    """Repetitions without a limit: each multiplies the steps of a search by the length."""
    extent: bool
    """Whether the match, and not only its existence, is POSIX's."""
    bytewise: bool
    """Whether it means the same for any characters outside ASCII."""

    def _check(self, subject: str) -> None:
        if not self.bytewise and not subject.isascii():
            raise NotModelled("what is a character depends on the locale")
        depth = self.repeats + (1 if self.extent else 2)
        if comb(len(subject) + depth, depth) > _WORK:
            raise NotModelled("the line is too long for this expression")

    def found(self, subject: str) -> bool:
        self._check(subject)
        return self.pattern.search(subject) is not None

    def match(self, subject: str, start: int = 0) -> re.Match[str] | None:
        """The leftmost longest match. Raises NotModelled when it may not be Python's."""
        self._check(subject)
        match = self.pattern.search(subject, start)
        if match is not None and not self.extent:
            for end in range(len(subject), match.end(), -1):
                # `$` is seen too early here, which only refuses too much.
                if self.pattern.fullmatch(subject, match.start(), end):
                    raise NotModelled("which part matches is left to the longest alternative")
        return match

    def whole(self, subject: str) -> bool:
        """Whether the whole subject can be a match."""
        self._check(subject)
        return self.pattern.fullmatch(subject) is not None


def fixed(source: str, *, nocase: bool = False) -> Expression:
    """What matches this text only."""
    if nocase and not source.isascii():
        raise NotModelled("capitals other than ASCII")
    flags = re.ASCII | (re.IGNORECASE if nocase else re.NOFLAG)
    return Expression(re.compile(re.escape(source), flags), 0, 0, True, bool(source) and not nocase)


def translate(
    source: str, flavour: Flavour, *, nocase: bool = False, controls: bool = False
) -> Expression:
    """Translate an expression; `controls`: `\\n` and `\\t` are known. Raises NotModelled."""
    if not source.isascii() or len(source) > 1000:
        raise NotModelled("this regular expression")
    translator = _Translator(source, flavour, controls)
    translator.run()
    flags = re.DOTALL | re.ASCII | (re.IGNORECASE if nocase else 0)
    try:
        pattern = re.compile("".join(translator.out), flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise NotModelled("this regular expression") from error
    bytewise = translator.bytewise and not nocase and pattern.search("") is None
    return Expression(pattern, pattern.groups, translator.repeats, translator.extent, bytewise)


@dataclass(slots=True)
class _Translator:
    source: str
    flavour: Flavour
    controls: bool
    position: int = 0
    out: list[str] = field(default_factory=list)
    repeats: int = 0
    extent: bool = True
    bytewise: bool = True
    atom: str = ""
    """What a repetition would repeat: nothing (""), "one", a "group", or one "repeating"."""
    open: list[bool] = field(default_factory=list)
    """For each open group: whether it holds a repetition."""

    def run(self) -> None:
        holds = False
        while self.position < len(self.source):
            kind, value = self._token()
            if kind == "one":
                self.out.append(value)
                self.atom = "one"
            elif kind == "anchor":
                self.out.append(value)
                self.atom = ""
            elif kind == "open":
                self.open.append(holds)
                holds = False
                self.out.append("(")
                self.atom = ""
            elif kind == "close":
                if not self.open or self.out[-1] in ("(", "|"):
                    raise NotModelled("this group of a regular expression")
                self.atom = "repeating" if holds else "group"
                holds = self.open.pop() or holds
                self.out.append(")")
            elif kind == "or":
                if not self.out or self.out[-1] in ("(", "|"):
                    raise NotModelled("an empty alternative")
                self.extent = False
                self.out.append("|")
                self.atom = ""
            else:
                self._repeat(value)
                holds = True
        if self.open or (self.out and self.out[-1] == "|"):
            raise NotModelled("this group of a regular expression")

    def _repeat(self, value: str) -> None:
        if self.atom in ("", "repeating"):
            raise NotModelled("this repetition of a regular expression")
        if self.atom == "group":
            self.extent = False
        if value in "*+" or value.endswith(",}"):
            self.repeats += 1
        self.out.append(value)
        self.atom = ""

    def _token(self) -> tuple[str, str]:
        char = self.source[self.position]
        if char == "[":
            return "one", self._bracket()
        self.position += 1
        if char == "\\":
            return self._escape()
        if char == ".":
            self.bytewise = False
            return "one", "."
        if self.flavour == "basic":
            return self._basic(char)
        if char in "()|":
            return {"(": "open", ")": "close", "|": "or"}[char], char
        if char in "*+?":
            return "repeat", char
        if char == "{":
            return "repeat", self._interval("}")
        if char in "^$":
            return "anchor", "^" if char == "^" else "\\Z"
        return "one", re.escape(char)

    def _basic(self, char: str) -> tuple[str, str]:
        first = not self.out or self.out[-1] in ("(", "|")
        rest = self.source[self.position :]
        if char == "*":
            if first or self.out[-1] == "^":
                return "one", "\\*"
            return "repeat", char
        if char == "^" and first:
            return "anchor", "^"
        if char == "$" and (not rest or rest.startswith(("\\)", "\\|"))):
            return "anchor", "\\Z"
        return "one", re.escape(char)

    def _escape(self) -> tuple[str, str]:
        if self.position >= len(self.source):
            raise NotModelled("a backslash at the end of a regular expression")
        char = self.source[self.position]
        self.position += 1
        if self.flavour == "basic":
            if char in "()|":
                return {"(": "open", ")": "close", "|": "or"}[char], char
            if char in "+?":
                return "repeat", char
            if char == "{":
                return "repeat", self._interval("\\}")
        if char in "nt" and (self.controls or self.flavour == "awk"):
            return "one", f"\\{char}"
        if self.flavour != "awk" and char in "wWsS":
            if char in "WS":
                self.bytewise = False
            return "one", {"w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]"}.get(char, f"\\{char}")
        if char.isalnum() or char in "<>`'\n" or (self.flavour == "awk" and char in '"&'):
            raise NotModelled(f"\\{char} in a regular expression")
        return "one", re.escape(char)

    def _interval(self, end: str) -> str:
        if self.flavour == "awk":
            raise NotModelled("a counted repetition in awk")
        match = re.compile(r"(\d{1,2})(,(\d{0,2}))?" + re.escape(end)).match(
            self.source, self.position
        )
        if match is None or (match[3] and int(match[3]) < int(match[1])):
            raise NotModelled("this repetition of a regular expression")
        self.position = match.end()
        return f"{{{match[1]}{match[2] or ''}}}"

    def _bracket(self) -> str:
        source, self.position = self.source, self.position + 1
        out = ["["]
        if source[self.position : self.position + 1] == "^":
            out.append("^")
            self.bytewise = False
            self.position += 1
        first = True
        while True:
            char = source[self.position : self.position + 1]
            if not char:
                raise NotModelled("an open bracket in a regular expression")
            if char == "]" and not first:
                self.position += 1
                return "".join(out) + "]"
            first = False
            if source.startswith("[:", self.position):
                name, closed, _ = source[self.position + 2 :].partition(":]")
                if not closed or name not in CLASSES:
                    raise NotModelled("this class of a regular expression")
                out.append(CLASSES[name])
                self.position += len(name) + 4
            elif source.startswith(("[.", "[="), self.position):
                raise NotModelled("this class of a regular expression")
            else:
                out.append(self._member())

    def _member(self) -> str:
        """One character or range of a bracket."""
        source, start = self.source, self.position
        char = source[start]
        if char == "\\" and self.flavour == "awk":
            follower = source[start + 1 : start + 2]
            if not follower or (follower.isalnum() and follower not in "nt") or follower == '"':
                raise NotModelled("this escape in a bracket")
            self.position += 2
            if source[self.position : self.position + 1] == "-":
                raise NotModelled("a range from an escaped character")
            return f"\\{follower}" if follower in "nt" else re.escape(follower)
        if char == "\\" and (source[start + 1 : start + 2] in tuple("nt\\]") or self.controls):
            raise NotModelled("a backslash in a bracket")
        if source[start + 1 : start + 2] == "-" and source[start + 2 : start + 3] not in ("]", ""):
            bounds = source[start : start + 3]
            if not _RANGE.fullmatch(bounds) or bounds[0] > bounds[2]:
                raise NotModelled("a range that depends on the locale")
            self.position += 3
            return bounds
        self.position += 1
        return re.escape(char)
