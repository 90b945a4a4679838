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
        found, _ = _decided(m, [Way(condition, central)])
        found = [way._replace(words=words) for way in found]
    if words:
        found, _ = _decided(m, found)
    others = tuple(Word(text, True) for text in environment.values())
    others = tuple(word for word in others if _open(m, word))
    if others:
        wider, all_decided = _decided(m, [way._replace(words=others) for way in found])
        found = wider if all_decided else found
    return [way.condition for way in found]


def _decided(m: Machine, start: list[Way]) -> tuple[list[Way], bool]:
    """The ways, and whether everything in them is decided."""
    pending = list(start)
    result: list[Way] = []
    complete = True
    while pending:
        way = pending.pop(0)
        test = _first_test(m, way.words)
        if test is None:
            result.append(way)
            continue
        sides = m.logic.split(way.condition, test)
        if all(sides) and len(pending) + len(result) + 2 > m.limits.ways:
            complete = False
            result.append(way)
            continue
        for side, holds in zip(sides, (True, False), strict=True):
            if side:
                pending.append(Way(side, _under(m, way.words, test, holds)))
    return result, complete


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
