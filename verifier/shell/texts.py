"""Cutting and joining `Text` without losing where its parts came from.

Positions count one per known character and one per hole, so a hole is one symbol.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifier.model.text import EMPTY, Hole, Lit, Piece, Text

try:
    # As the standard library's `random` does it: hashlib would load OpenSSL.
    from _sha1 import sha1  # type: ignore[import-not-found]
except ImportError:
    from hashlib import sha1

HOLE_MARK = "\ufffc"
"""Stands for a hole in a string that is looked at; see `marked`."""


def marked(text: Text) -> tuple[str, int]:
    """The characters with `HOLE_MARK` for each hole, and a bit set of the holes' positions."""
    values: list[str] = []
    bits = position = 0
    for piece in text.pieces:
        if isinstance(piece, Lit):
            values.append(piece.value)
            position += len(piece.value)
        else:
            values.append(HOLE_MARK)
            bits |= 1 << position
            position += 1
    return "".join(values), bits


def length(text: Text) -> int:
    """Known characters plus one per hole."""
    return sum(len(p.value) if isinstance(p, Lit) else 1 for p in text.pieces)


def cut(text: Text, start: int, end: int | None = None) -> Text:
    """The part from `start` to `end` (both counted as in `length`), origins kept."""
    pieces: list[Piece] = []
    position = 0
    for piece in text.pieces:
        size = len(piece.value) if isinstance(piece, Lit) else 1
        low = max(start - position, 0)
        high = size if end is None else min(end - position, size)
        if low < high:
            if isinstance(piece, Lit) and (low > 0 or high < size):
                piece = Lit(piece.value[low:high], piece.origin)
            pieces.append(piece)
        position += size
    return Text(pieces)


def join(texts: Iterable[Text], separator: Text = EMPTY) -> Text:
    """The texts in a row with `separator` between them."""
    pieces: list[Piece] = []
    for index, text in enumerate(texts):
        if index:
            pieces.extend(separator.pieces)
        pieces.extend(text.pieces)
    return Text(pieces)


def symbol(text: Text) -> str:
    """A name for what the text says: equal texts have equal symbols."""
    if text.known is not None:
        return text.known
    return "".join(p if isinstance(p, str) else p[0] for p in text.key)


def digest(content: object) -> str:
    """A short name for a value: equal ones have equal names, in every process."""
    name: str = sha1(repr(content).encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return name


def derived(reason: str, operation: str, *operands: Text) -> Text:
    """One hole for the result of a pure function, named after the function and its operands.

    The same operation on equal texts gives the same symbol, so equal results stay equal.
    """
    names = ",".join(_quoted(text) for text in operands)
    origin = next((p.origin for text in operands for p in text.holes if p.origin), None)
    return Text((Hole(reason, f"{operation}({names})", origin),))


def _quoted(text: Text) -> str:
    """Known parts in quotes, so that no two different operand lists read the same."""
    return "+".join(repr(p) if isinstance(p, str) else p[0] for p in text.key) or "''"
