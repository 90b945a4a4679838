"""Tells a command apart by path again: joined paths left values that depend on the path, and a
launch is read best when each of its values is one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Piece, Text, Word
from verifier.shell.logic import is_central
from verifier.shell.machine import Case, Machine
from verifier.shell.options import IMPORTANT
from verifier.shell.texts import symbol


class Way(NamedTuple):
    """A condition and what the words are under it."""

    condition: int
    words: tuple[Word, ...]


def ways(
    m: Machine, condition: int, words: Iterable[Word], environment: Mapping[str, Text]
) -> list[int]:
    """Conditions under which the words are decided, as far as `limits.ways` lets them be.

    They exclude each other and together are `condition`. What speculative decoding depends on is
    decided first, then the first words. The rest of the environment counts when all of it can be
    decided.
    """
    words = tuple(word for word in words if _open(m, word))
    found = [Way(condition, words)]
    central = tuple(Word(text, True) for name, text in environment.items() if is_central(name))
    central = tuple(word for word in central if _open(m, word))
    if central:
        found = [way._replace(words=words) for way in _decided(m, [Way(condition, central)])]
    if words:
        found = _decided(m, found)
    others = tuple(Word(text, True) for text in environment.values())
    others = tuple(word for word in others if _open(m, word))
    if others:
        found = _wholly_decided(m, [way._replace(words=others) for way in found]) or found
    return [way.condition for way in found]


def _decided(m: Machine, start: list[Way]) -> list[Way]:
    """The ways, told apart as far as the limit lets them be."""
    pending = list(start)
    result: list[Way] = []
    while pending:
        way = pending.pop(0)
        sides = _sides(m, way)
        if len(sides) > 1 and len(pending) + len(result) + 2 > m.limits.ways:
            sides = []
        pending += sides
        result += [] if sides else [way]
    return result


def _wholly_decided(m: Machine, start: list[Way]) -> list[Way] | None:
    """The ways in which everything is decided; None when there would be too many."""
    pending = list(start)
    result: list[Way] = []
    while pending:
        way = pending.pop(0)
        sides = _sides(m, way)
        pending += sides
        result += [] if sides else [way]
        if len(pending) + len(result) > m.limits.ways:
            return None
    return result


def _sides(m: Machine, way: Way) -> list[Way]:
    """The way where the first open test of its words holds and where it fails, as far as each can
    be; nothing when no test is open."""
    test = _first_test(m, way.words)
    if test is None:
        return []
    sides = zip(m.logic.split(way.condition, test), (True, False), strict=True)
    return [Way(side, _under(m, way.words, test, holds)) for side, holds in sides if side]


def _open(m: Machine, word: Word) -> bool:
    return any(type(piece) is Hole and piece.symbol in m.cases for piece in word.text.pieces)


def _first_test(m: Machine, words: tuple[Word, ...]) -> int | None:
    first = None
    for word in words:
        for test, important in _tests(m, word.text):
            if important:
                return test
            first = test if first is None else first
    return first


def _tests(m: Machine, text: Text) -> Iterator[tuple[int, bool]]:
    """The tests that a text depends on, and whether they are about speculative decoding."""
    for piece in text.pieces:
        case = m.cases.get(piece.symbol) if type(piece) is Hole else None
        if case is not None and not _tells_nothing(m, case):
            yield case.test, _is_about_drafts(m, piece.symbol, case)  # type: ignore[union-attr]


def _tells_nothing(m: Machine, case: Case) -> bool:
    """Whether tests of what programs print decide between values that are not known either way."""
    if not m.logic.support(case.test) & m.logic.gates:
        return False
    return all(
        len(words) == 1 and all(type(piece) is Hole for piece in words[0].text.pieces)
        for words in (case.yes, case.no)
    )


def _is_about_drafts(m: Machine, name: str, case: Case) -> bool:
    found = m.about_drafts.get(name)
    if found is None:
        inner = [symbol(word.text) for word in (*case.yes, *case.no)]
        found = any(mark in shown for shown in inner for mark in IMPORTANT)
        m.about_drafts[name] = found
    return found


def _under(m: Machine, words: tuple[Word, ...], test: int, holds: bool) -> tuple[Word, ...]:
    """The words that are still open where `test` holds, or does not."""
    return tuple(
        after for word in words for after in _chosen(m, word, test, holds) if _open(m, after)
    )


def _chosen(m: Machine, word: Word, test: int, holds: bool) -> tuple[Word, ...]:
    pieces: list[Piece] = []
    changed = False
    for piece in word.text.pieces:
        case = m.cases.get(piece.symbol) if type(piece) is Hole else None
        if case is None or case.test != test:
            pieces.append(piece)
            continue
        side = case.yes if holds else case.no
        if len(word.text.pieces) == 1:
            return tuple(w for inner in side for w in _chosen(m, inner, test, holds))
        changed = True
        for inner in side:
            for w in _chosen(m, inner, test, holds):
                pieces.extend(w.text.pieces)
    return (Word(Text(pieces), word.splits),) if changed else (word,)
