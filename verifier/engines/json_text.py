"""JSON from a text with holes.

A hole inside a string is part of that string; a hole in the place of a value is that value. A
hole anywhere else could hold any structure, so the text cannot be read (`Unknowable`).

`read` accepts what Python's `json.loads` accepts: the last of duplicate keys wins, `NaN` and
`Infinity` are numbers. Numbers keep their digits (`Decimal`). `read_loosely` also reads objects
whose quotes the shell took away, quotes of the wrong kind, and trailing commas; no engine accepts
those, but no rule may be dodged by them either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from verifier.model.launch import Value
from verifier.model.text import Hole, Lit, Piece, Text

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORDS: dict[str, Value] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": Decimal("NaN"),
    "Infinity": Decimal("Infinity"),
    "-Infinity": Decimal("-Infinity"),
}
_ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_SPACE = " \t\n\r"
_MAX_DEPTH = 100


class JsonError(ValueError):
    """The text is not JSON; the message says where, as a sentence fragment."""


class Unknowable(ValueError):
    """A hole stands where structure should be."""

    def __init__(self, hole: Hole) -> None:
        super().__init__(hole.reason)
        self.hole = hole


def read(text: Text) -> Value:
    """The value of a JSON text. Raises `JsonError`, `Unknowable`."""
    if text.known is not None:
        return read_known(text.known)
    return _Scanner(text).document()


def read_known(text: str) -> Value:
    """As `read`, without holes."""
    try:
        value: Value = json.loads(
            text, parse_float=Decimal, parse_constant=lambda word: _WORDS[word]
        )
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg.lower()} at character {error.pos + 1}") from None
    except (InvalidOperation, ValueError) as error:
        raise JsonError(str(error)) from None
    except RecursionError:
        raise JsonError("it is nested too deeply") from None
    return value


def read_loosely(text: Text) -> Value:
    """The value that was meant, when the text is JSON or close to it. Raises like `read`."""
    try:
        return read(text)
    except JsonError:
        return _Loose(text).document()


class _Scanner:
    """Recursive descent over characters and holes."""

    def __init__(self, text: Text) -> None:
        self.items: list[str | Hole] = []
        for piece in text.pieces:
            if isinstance(piece, Hole):
                self.items.append(piece)
            else:
                self.items.extend(piece.value)
        self.at = 0
        self.depth = 0

    def document(self) -> Value:
        value = self.value()
        self.space()
        self.expect_end()
        return value

    def expect_end(self) -> None:
        item = self.peek()
        if isinstance(item, Hole):
            raise Unknowable(item)
        if item is not None:
            raise self.error("extra data")

    def peek(self) -> str | Hole | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def error(self, what: str) -> JsonError:
        return JsonError(f"{what} at character {self.at + 1}")

    def space(self) -> None:
        while self.at < len(self.items):
            item = self.items[self.at]
            if not isinstance(item, str) or item not in _SPACE:
                return
            self.at += 1

    def value(self) -> Value:
        self.space()
        item = self.peek()
        if item is None:
            raise self.error("expecting value")
        if isinstance(item, str) and item in "{[":
            self.depth += 1
            if self.depth > _MAX_DEPTH:
                raise JsonError("it is nested too deeply")
            self.at += 1
            result: Value = self.object() if item == "{" else self.array()
            self.depth -= 1
            return result
        if item == '"':
            return _string(self.string())
        return self.scalar()

    def object(self) -> dict[str, Value]:
        result: dict[str, Value] = {}
        self.space()
        if self.peek() == "}":
            self.at += 1
            return result
        while True:
            self.space()
            key = self.key()
            self.space()
            self.eat(":", "expecting ':' delimiter")
            result[key] = self.value()
            if self.more("}"):
                return result

    def array(self) -> list[Value]:
        result: list[Value] = []
        self.space()
        if self.peek() == "]":
            self.at += 1
            return result
        while True:
            result.append(self.value())
            if self.more("]"):
                return result

    def more(self, end: str) -> bool:
        """Whether the container ends here; else a comma was eaten."""
        self.space()
        if self.peek() == end:
            self.at += 1
            return True
        self.eat(",", "expecting ',' delimiter")
        return False

    def eat(self, wanted: str, complaint: str) -> None:
        item = self.peek()
        if isinstance(item, Hole):
            raise Unknowable(item)
        if item != wanted:
            raise self.error(complaint)
        self.at += 1

    def key(self) -> str:
        item = self.peek()
        if isinstance(item, Hole):
            raise Unknowable(item)
        if item != '"':
            raise self.error("expecting property name enclosed in double quotes")
        text = self.string()
        if text.known is None:
            raise Unknowable(text.holes[0])
        return text.known

    def string(self, quote: str = '"', strict: bool = True) -> Text:
        """A quoted string; the opening quote is next."""
        self.at += 1
        pieces: list[Piece] = []
        chars: list[str] = []
        while True:
            item = self.peek()
            if item is None:
                raise self.error("unterminated string")
            self.at += 1
            if isinstance(item, Hole):
                pieces.append(Lit("".join(chars)))
                pieces.append(item)
                chars = []
            elif item == quote:
                break
            elif item == "\\":
                chars.append(self.escape())
            elif strict and item < " ":
                raise self.error("invalid control character")
            else:
                chars.append(item)
        pieces.append(Lit("".join(chars)))
        return Text(pieces)

    def escape(self) -> str:
        item = self.peek()
        if isinstance(item, Hole):
            raise Unknowable(item)
        self.at += 1
        if item == "u":
            digits = self.items[self.at : self.at + 4]
            word = "".join(d for d in digits if isinstance(d, str))
            if not re.fullmatch(r"[0-9a-fA-F]{4}", word):
                raise self.error("invalid \\uXXXX escape")
            self.at += 4
            return self.character(int(word, 16))
        if item not in _ESCAPES:
            raise self.error("invalid \\escape")
        return _ESCAPES[item]

    def character(self, code: int) -> str:
        """The character of a `\\u` escape; a high surrogate takes the low one after it."""
        if 0xD800 <= code < 0xDC00 and self.items[self.at : self.at + 2] == ["\\", "u"]:
            word = "".join(d for d in self.items[self.at + 2 : self.at + 6] if isinstance(d, str))
            if re.fullmatch(r"[dD][c-fC-F][0-9a-fA-F]{2}", word):
                self.at += 6
                return chr(0x10000 + ((code - 0xD800) << 10) + int(word, 16) - 0xDC00)
        return chr(code)

    def scalar(self) -> Value:
        """A number, a word, or a hole in the place of a value."""
        text = self.bare(lambda item: item in _SPACE or item in ',:]}"[{')
        if text.known is None:
            return text
        if text.known in _WORDS:
            return _WORDS[text.known]
        match = _NUMBER.fullmatch(text.known)
        if match is None:
            self.at -= len(text.known)
            raise self.error("expecting value")
        return Decimal(text.known) if match.group(1) or match.group(2) else int(text.known)

    def bare(self, ends: Callable[[str], bool]) -> Text:
        """Everything up to a character that ends a bare word."""
        pieces: list[Piece] = []
        while (item := self.peek()) is not None:
            if isinstance(item, Hole):
                pieces.append(item)
            elif ends(item):
                break
            else:
                pieces.append(Lit(item))
            self.at += 1
        return Text(pieces)


class _Loose(_Scanner):
    """Reads what people write when the shell, or Python, ate or changed the quotes."""

    def document(self) -> Value:
        self.space()
        if self.peek() in ("'", '"') and self.wrapped():
            self.items = self.items[self.at + 1 : self.last()]
            self.at = 0
        self.undouble()
        value = self.value()
        self.space()
        self.expect_end()
        return value

    def last(self) -> int:
        index = len(self.items) - 1
        while index > 0 and isinstance(item := self.items[index], str) and item in _SPACE:
            index -= 1
        return index

    def wrapped(self) -> bool:
        """A quote character around the whole object, as in `'{"n":3}'`."""
        rest = [i for i in self.items[self.at + 1 :] if not (isinstance(i, str) and i in _SPACE)]
        return bool(rest) and rest[0] == "{" and rest[-1] == self.peek()

    def undouble(self) -> None:
        """`{{"a":1}}` from a template whose braces stayed doubled."""
        self.space()
        ends = self.last()
        if self.items[self.at : self.at + 2] == ["{", "{"] and self.items[ends - 1 : ends + 1] == [
            "}",
            "}",
        ]:
            self.items = self.items[self.at + 1 : ends]
            self.at = 0

    def more(self, end: str) -> bool:
        done = super().more(end)
        self.space()
        if not done and self.peek() == end:
            self.at += 1
            return True
        return done

    def key(self) -> str:
        item = self.peek()
        if isinstance(item, str) and item in "'\"":
            text = self.string(item, strict=False)
        else:
            text = _stripped(self.bare(lambda char: char in ":,{}"))
            if not text:
                raise self.error("expecting a key")
        if text.known is None:
            raise Unknowable(text.holes[0])
        return text.known

    def value(self) -> Value:
        self.space()
        item = self.peek()
        if isinstance(item, str) and item in "'\"":
            return _string(self.string(item, strict=False))
        return super().value()

    def scalar(self) -> Value:
        text = _stripped(self.bare(lambda char: char in ",]}"))
        if text.known is None:
            return text
        if not text.known:
            raise self.error("expecting value")
        try:
            return read_known(text.known)
        except JsonError:
            pythonic: dict[str, Value] = {"True": True, "False": False, "None": None}
            return pythonic.get(text.known, text.known)


def _string(text: Text) -> Value:
    return text if text.known is None else text.known


def _stripped(text: Text) -> Text:
    pieces = list(text.pieces)
    if pieces and isinstance(pieces[0], Lit):
        pieces[0] = Lit(pieces[0].value.lstrip())
    while pieces and isinstance(last := pieces[-1], Lit):
        stripped = last.value.rstrip()
        if stripped:
            pieces[-1] = Lit(stripped)
            break
        pieces.pop()
    return Text(pieces)
