"""Text that may be unknown in places, and where every part of it came from.

`Text` is what a shell variable, an argument or a file's content is to the verifier: a
sequence of known pieces and holes. Two texts are equal when they say the same thing;
where they came from does not count, so that equal states can merge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.model.record import NamedTuple


class Span(NamedTuple):
    """A place in a file. Lines and columns are 1-based and count characters; ends are exclusive."""

    path: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0)


class Origin(NamedTuple):
    """How a piece came about: this step, and the steps before it.

    `how` reads as a sentence fragment: "literal", "assigned to SPEC_CONFIG",
    "expanded from $SPEC_CONFIG", "printed by printf".
    """

    span: Span
    how: str = "literal"
    before: Origin | None = None

    def chain(self) -> Iterator[Origin]:
        """This step and every earlier one, the newest first."""
        step: Origin | None = self
        while step is not None:
            yield step
            step = step.before


class Lit(NamedTuple):
    """Known characters."""

    value: str
    origin: Origin | None = None


class Hole(NamedTuple):
    """Characters that cannot be known, and why.

    `symbol` identifies the unknown value: two holes with the same symbol stand for the same
    characters in one run ("input:CONC", "arith:(2*input:CONC)", "output:run.sh:14:3#1").
    `input` names the input variable when the hole is exactly that input's value, and `default`
    the text used instead when the input is unset (and, if `or_empty`, when it is empty).
    `choices` lists every value the hole can have when there are few and all are known.
    """

    reason: str
    symbol: str
    origin: Origin | None = None
    input: str | None = None
    default: str | None = None
    or_empty: bool = False
    choices: tuple[str, ...] | None = None


Piece = Lit | Hole


class Text:
    """An immutable sequence of pieces; adjacent known pieces keep their own origins."""

    __slots__ = ("_hash", "_key", "known", "pieces")

    pieces: tuple[Piece, ...]
    known: str | None
    """The whole text, or None when any part is a hole."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        kept: list[Piece] = []
        values: list[str] = []
        known = True
        for piece in pieces:
            if type(piece) is Lit:
                if not piece.value:
                    continue
                values.append(piece.value)
            else:
                known = False
            kept.append(piece)
        self.pieces = tuple(kept)
        self.known = "".join(values) if known else None
        self._key: tuple[str | tuple[str], ...] | None = None
        self._hash: int | None = None

    @property
    def key(self) -> tuple[str | tuple[str], ...]:
        """What the text says: known characters joined, holes as one-tuples of their symbol."""
        if self._key is None:
            parts: list[str | tuple[str]] = []
            for piece in self.pieces:
                if isinstance(piece, Hole):
                    parts.append((piece.symbol,))
                elif parts and isinstance(parts[-1], str):
                    parts[-1] += piece.value
                else:
                    parts.append(piece.value)
            self._key = tuple(parts)
        return self._key

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The unknown pieces, in order."""
        return tuple(p for p in self.pieces if isinstance(p, Hole))

    @property
    def span(self) -> Span | None:
        """Where the first piece with a known place was last touched."""
        return next((p.origin.span for p in self.pieces if p.origin is not None), None)

    def __add__(self, other: Text) -> Text:
        if not other.pieces:
            return self
        if not self.pieces:
            return other
        return Text(self.pieces + other.pieces)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Text:
            return NotImplemented
        if self.known is not None or other.known is not None:
            return self.known == other.known
        return self.key == other.key

    def __hash__(self) -> int:
        found = self._hash
        if found is None:
            found = self._hash = hash(self.key)
        return found

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def __repr__(self) -> str:
        return f"Text({self.display()!r})"

    def display(self) -> str:
        """For people: holes as `<reason>`."""
        return "".join(p.value if isinstance(p, Lit) else f"<{p.reason}>" for p in self.pieces)


EMPTY = Text()
UNKNOWN = "\ufffc"
"""Stands for a hole where a text must be a plain string, such as a key."""


def lit(value: str, origin: Origin | None = None) -> Text:
    """A wholly known text."""
    return single(Lit(value, origin)) if value else EMPTY


def single(piece: Piece) -> Text:
    """A text of one piece, which is not empty: most are, so this is the short way."""
    text = Text.__new__(Text)
    text.pieces = (piece,)
    text.known = piece.value if type(piece) is Lit else None
    text._key = text._hash = None
    return text


def hole(reason: str, symbol: str, origin: Origin | None = None) -> Text:
    """A wholly unknown text."""
    return single(Hole(reason, symbol, origin))


class Word(NamedTuple):
    """One element of an argument vector.

    `splits` is true for an unquoted expansion whose number of words is unknown: it stands for
    any number of arguments, none included. `alternatives` then lists every sequence of
    words it can stand for, when all of them are known (two branches of an `if`, say). A word in
    them may again be one that splits.
    """

    text: Text
    splits: bool = False
    alternatives: tuple[tuple[Word, ...], ...] | None = None
