"""Cutting and comparing texts that may have holes; everything else here builds on these."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.model.launch import Value
from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Lit, Piece, Span, Text, Word


class Missing:
    """No value was given; unlike None, which is a value."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Arg(NamedTuple):
    """One element of an argument vector after `splits` words were resolved.

    `open` marks an unquoted expansion whose number of words is unknown. `value` is what the text
    stands for when a parser built it from dotted keys or a config file. `listed` marks an open
    word that is a list of arguments, not one value that was left without quotes.
    """

    text: Text
    open: bool = False
    value: Value | Missing = MISSING
    listed: bool = False

    @property
    def known(self) -> str | None:
        return self.text.known

    @property
    def span(self) -> Span | None:
        return self.text.span


def prefix(text: Text) -> str:
    """The known characters before the first hole."""
    if text.known is not None:
        return text.known
    out: list[str] = []
    for piece in text.pieces:
        if isinstance(piece, Hole):
            break
        out.append(piece.value)
    return "".join(out)


def drop(text: Text, count: int) -> Text:
    """The text without its first `count` characters, all of which are known."""
    pieces: list[Piece] = []
    for piece in text.pieces:
        if count and isinstance(piece, Lit):
            if count >= len(piece.value):
                count -= len(piece.value)
                continue
            pieces.append(Lit(piece.value[count:], piece.origin))
            count = 0
        else:
            pieces.append(piece)
    return Text(pieces)


def take(text: Text, count: int) -> Text:
    """The first `count` characters, all of which are known."""
    pieces: list[Piece] = []
    for piece in text.pieces:
        if count <= 0 or not isinstance(piece, Lit):
            break
        pieces.append(Lit(piece.value[:count], piece.origin))
        count -= len(piece.value)
    return Text(pieces)


def partition(text: Text, separator: str) -> tuple[Text, Text] | None:
    """The parts before and after the first `separator`, when it comes before any hole."""
    index = prefix(text).find(separator)
    return None if index < 0 else (take(text, index), drop(text, index + len(separator)))


def joined(texts: Iterator[Text] | list[Text], separator: str) -> Text:
    """The texts with `separator` between them."""
    out = EMPTY
    for index, text in enumerate(texts):
        if index:
            out += Text((Lit(separator),))
        out += text
    return out


def value_of(text: Text) -> str | Text:
    """The string when it is known, else the text."""
    return text if text.known is None else text.known


def reason(text: Text) -> str:
    """Why a text is not known."""
    holes = text.holes
    return holes[0].reason if holes else "it is not known"


def hole_name(text: Text) -> str:
    """What to call an unknown text in a sentence: its input variable or its display."""
    holes = text.holes
    if len(text.pieces) == 1 and holes and holes[0].input:
        return f"${holes[0].input}"
    return f"`{text.display()}`"


def words_of(argv: tuple[Word, ...]) -> list[Arg]:
    """The arguments of one reading of an argument vector."""
    return [Arg(word.text, word.splits) for word in argv]


def known_text(value: str, like: Text) -> Text:
    """A known text that came from the same place as another."""
    origin = next((piece.origin for piece in like.pieces), None)
    return Text((Lit(value, origin),))
