"""Object literals of JavaScript as data: enough for configuration that is written as one literal.

Nothing is evaluated. What is no literal (a call, a spread, a template with an expression) becomes
`UNKNOWN`, and reading goes on behind it.
"""

from __future__ import annotations

import re
from typing import Any, Final

MAX_DEPTH = 40
MAX_VALUES = 200_000

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STRING = re.compile(
    r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`", re.DOTALL
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": "", "\r\n": ""}
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}


class _Unknown:
    """A value that only running the program would tell."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()


def constant(text: str, name: str) -> Any:
    """The literal that `const NAME = …` assigns. Raises `ValueError` when there is none."""
    match = re.search(rf"\bconst\s+{re.escape(name)}\s*=\s*", text)
    if match is None:
        raise ValueError(f"it assigns no constant {name}")
    return _Reader(text, match.end()).value(0)


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.values = 0

    def blank(self) -> str:
        """Skip what means nothing; the next character."""
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        if self.at >= len(self.text):
            raise ValueError("it ends in the middle of a literal")
        return self.text[self.at]

    def value(self, depth: int) -> Any:
        self.values += 1
        if depth > MAX_DEPTH or self.values > MAX_VALUES:
            raise ValueError("its literal is nested too deeply or too long")
        first = self.blank()
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._array(depth)
        return self._scalar()

    def _scalar(self) -> Any:
        for pattern, make in ((_STRING, _string), (_NUMBER, _number), (_NAME, _word)):
            match = pattern.match(self.text, self.at)
            if match:
                start, self.at = self.at, match.end()
                if self.blank() in ",}];)":
                    return make(match)
                self.at = start
                break
        return self._skip()

    def _skip(self) -> Any:
        """Go behind an expression: to the comma or bracket that ends it."""
        depth = 0
        while True:
            character = self.blank()
            match = _STRING.match(self.text, self.at)
            if match:
                self.at = match.end()
                continue
            if character in "([{":
                depth += 1
            elif character in ")]}":
                if depth == 0:
                    return UNKNOWN
                depth -= 1
            elif character in ",;" and depth == 0:
                return UNKNOWN
            self.at += 1

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        while self.blank() != "]":
            items.append(self.value(depth + 1))
            if self.blank() == ",":
                self.at += 1
            elif self.blank() != "]":
                raise ValueError("a list is not closed")
        self.at += 1
        return items

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        found: dict[str, Any] = {}
        while self.blank() != "}":
            key = self._key()
            found[key] = UNKNOWN if key == "..." else self.value(depth + 1)
            if key == "...":
                self._skip()
            if self.blank() == ",":
                self.at += 1
            elif self.blank() != "}":
                raise ValueError("an object is not closed")
        self.at += 1
        return found

    def _key(self) -> str:
        """A key and its colon; "..." for anything else that an object may hold."""
        for pattern in (_STRING, _NAME, _NUMBER):
            match = pattern.match(self.text, self.at)
            if match:
                start, self.at = self.at, match.end()
                if self.blank() == ":":
                    self.at += 1
                    return str(_string(match)) if pattern is _STRING else match[0]
                self.at = start
                break
        return "..."


def _string(match: re.Match[str]) -> Any:
    if match[3] is not None and "${" in match[3]:
        return UNKNOWN
    return _ESCAPE.sub(_escaped, next(group for group in match.groups() if group is not None))


def _escaped(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    return _CONTROL.get(match[3], match[3])


def _number(match: re.Match[str]) -> Any:
    text = match[0]
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _word(match: re.Match[str]) -> Any:
    return _WORDS.get(match[0], UNKNOWN)
