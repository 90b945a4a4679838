"""Runs a model once for each value of what depends on the path: the output depends on it too."""

from __future__ import annotations

from verifier.model.record import replace
from verifier.model.text import Hole, Text, Word
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.machine import Case, Machine
from verifier.shell.state import State

_MOST = 4
"""So many such values of one call at most are told apart."""


def by_words(
    m: Machine, state: State, model: Model, call: Call, words: tuple[Word, ...], most: int = _MOST
) -> Result | None:
    """What the command does with these words, some of which are others on other paths."""
    for index, word in enumerate(words):
        if not word.splits:
            continue
        case = m.words_case(word)
        if case is None or most == 0:
            return None
        before, after = words[:index], words[index + 1 :]
        sides = []
        for side in (case.yes, case.no):
            chosen = (*before, *side, *after)
            sides.append(by_words(m, state, model, call, chosen, most - 1))
        one, two = sides
        if one is None or two is None or (one.status, one.writes) != (two.status, two.writes):
            return None
        output = m.case(case.test, one.stdout, two.stdout, word.text.holes[0].reason)
        return replace(one, stdout=output)
    texts = tuple(m.resolve(state, word.text) for word in words)
    return by_case(m, model, replace(call, argv=texts))


def by_case(m: Machine, model: Model, call: Call, most: int = _MOST) -> Result | None:
    """What the command does; None when it is not modelled for these arguments."""
    try:
        result: Result | None = model(call)
    except NotModelled:
        result = None
    if not m.cases or most == 0 or (result is not None and not _says_less(result, call)):
        return result
    found = _first_case(m, call)
    if found is None:
        return result
    case, reason, yes, no = found
    one = by_case(m, model, yes, most - 1)
    # Most commands that are not modelled are not for any value.
    two = None if one is None else by_case(m, model, no, most - 1)
    if one is None or two is None or (one.status, one.writes) != (two.status, two.writes):
        return result
    return replace(one, stdout=m.case(case.test, one.stdout, two.stdout, reason))


def _says_less(result: Result, call: Call) -> bool:
    """Whether the output has unknown parts that no argument has: they may be known by case."""
    given = {hole.symbol for text in _texts(call) for hole in text.holes}
    return any(hole.symbol not in given for hole in result.stdout.holes)


def _texts(call: Call) -> tuple[Text, ...]:
    return call.argv if call.stdin is None else (*call.argv, call.stdin)


def _first_case(m: Machine, call: Call) -> tuple[Case, str, Call, Call] | None:
    for place, text in enumerate(_texts(call)):
        for index, piece in enumerate(text.pieces):
            case = m.cases.get(piece.symbol) if isinstance(piece, Hole) else None
            if case is None or not len(case.yes) == len(case.no) == 1:
                continue
            assert isinstance(piece, Hole)
            before, after = text.pieces[:index], text.pieces[index + 1 :]
            yes, no = (
                _with(call, place, Text((*before, *side[0].text.pieces, *after)))
                for side in (case.yes, case.no)
            )
            return case, piece.reason, yes, no
    return None


def _with(call: Call, place: int, text: Text) -> Call:
    if place == len(call.argv):
        return replace(call, stdin=text)
    return replace(call, argv=(*call.argv[:place], text, *call.argv[place + 1 :]))
