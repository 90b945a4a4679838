"""Which command is run, where that depends on the path: each of those that it can be."""

from __future__ import annotations

from verifier.model.command import program_name
from verifier.model.text import Hole, Text, Word, lit
from verifier.shell import questions, splitting, variables
from verifier.shell.commands.wrapper_options import SPECS
from verifier.shell.machine import Machine, input_text
from verifier.shell.state import State

Side = tuple[int, tuple[Word, ...]]
"""A condition, and the words that run under it."""


def is_open(argv: list[Word]) -> bool:
    """Whether the program may depend on the path."""
    name = program_name(argv[0])
    return name is None or (name in SPECS and any(word.splits for word in argv))


def told_apart(m: Machine, state: State, argv: list[Word]) -> list[tuple[State, list[Word]]]:
    """The states in which it is decided which program the words name, as far as `limits.ways` lets
    it be, and the words there."""
    pending = [(state, argv)]
    done: list[tuple[State, list[Word]]] = []
    while pending:
        s, words = pending.pop(0)
        room = len(pending) + len(done) + 2 <= m.limits.ways
        sides = _sides(m, s, words) if room and words else None
        if sides is None:
            done.append((s, words))
            continue
        place, told = sides
        for number, (condition, chosen) in enumerate(told):
            other = s if number == len(told) - 1 else s.copy()
            other.cond = condition
            pending.append((other, [*words[:place], *chosen, *words[place + 1 :]]))
    return done


def _sides(m: Machine, state: State, argv: list[Word]) -> tuple[int, list[Side]] | None:
    """The place of the word that decides on the program, and what it is; None when none does."""
    name = program_name(argv[0])
    if name is None:
        found = _of_word(m, state, argv[0])
        return None if found is None else (0, found)
    if name in SPECS:
        # Words of a list may be options of the wrapper, or the command itself.
        for place, word in enumerate(argv[1:], 1):
            case = m.words_case(word)
            if case is not None:
                return place, _possible(m, state, case.test, case.yes, case.no)
            if not word.splits and not _is_option(word):
                return None
    return None


def _is_option(word: Word) -> bool:
    known = word.text.known
    return known is None or known.startswith("-") or "=" in known or known.isdigit()


def _of_word(m: Machine, state: State, word: Word) -> list[Side] | None:
    case = m.words_case(word)
    if case is not None:
        return _possible(m, state, case.test, case.yes, case.no)
    for place, piece in enumerate(word.text.pieces):
        if not isinstance(piece, Hole):
            continue
        before, after = word.text.pieces[:place], word.text.pieces[place + 1 :]
        case = m.cases.get(piece.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            sides = [
                _words(m, state, Text((*before, *side[0].text.pieces, *after)), word.splits)
                for side in (case.yes, case.no)
            ]
            return _possible(m, state, case.test, *sides)
        if piece.input is not None and piece.default is not None:
            null = questions.input_null(m, piece.input, piece.or_empty)
            given = Text((*before, *input_text(piece.input, piece.origin).pieces, *after))
            default = Text((*before, *lit(piece.default, piece.origin).pieces, *after))
            sides = [_words(m, state, text, word.splits) for text in (default, given)]
            return _possible(m, state, null, *sides)
    whole = Word(word.text)
    if word.splits and program_name(whole):
        if m.place is not None:
            reason = f"the folder of {word.text.display()} has no blanks in its name"
            m.assume(m.place[0].span(m.place[1]), reason)
        return [(state.cond, (whole,))]
    return None


def _words(m: Machine, state: State, text: Text, splits: bool) -> tuple[Word, ...]:
    """A text that may be split as the words it is where it is known."""
    if not splits or text.known is None:
        return (Word(text, splits),)
    fragments = [splitting.Fragment(text, splits=True)]
    return tuple(Word(f.text) for f in splitting.split_fields(fragments, variables.ifs(m, state)))


def _possible(
    m: Machine, state: State, test: int, yes: tuple[Word, ...], no: tuple[Word, ...]
) -> list[Side]:
    conditions = m.logic.split(state.cond, test)
    return [(c, words) for c, words in zip(conditions, (yes, no), strict=True) if c]
