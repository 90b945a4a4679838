"""Operators that make another text of a value: lengths, patterns, slices, cases."""

from __future__ import annotations

from collections.abc import Callable

from verifier.model.record import replace
from verifier.model.text import EMPTY, Hole, Lit, Text, Word, lit
from verifier.shell import nodes, patterns, questions, sums, variables
from verifier.shell.elements import Elements, Found, count
from verifier.shell.fetching import script_name
from verifier.shell.files import CALLED_FROM
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import Array, State
from verifier.shell.texts import cut, derived


class Undecided(Exception):
    """An operator fails for one of the values that a text may have: those where `test` decides."""

    def __init__(self, test: int) -> None:
        super().__init__()
        self.test = test


def length_of(m: Machine, state: State, p: nodes.Parameter, found: Found) -> Text:
    """`${#x}`: of a text, or the number of elements."""
    if isinstance(found, Elements):
        return count(m, found.items)
    if found is None:
        return lit("0")

    def measure(text: Text) -> Text | None:
        return None if text.known is None else lit(str(len(text.known)))

    return lift(m, m.resolve(state, found), measure, "length of an unknown text", "count")


def lift(
    m: Machine,
    text: Text,
    function: Callable[[Text], Text | None],
    reason: str,
    operation: str,
    *operands: Text,
) -> Text:
    """`function` of a text that may be unknown; cases and defaults are taken apart."""
    if len(text.holes) == 1 and text.holes[0].choices is not None:
        same = _same_for_all(text, text.holes[0].choices, function)
        if same is not None:
            return same
    result = function(text)
    if result is not None:
        return result
    for index, piece in enumerate(text.pieces):
        if not isinstance(piece, Hole):
            continue
        before, after = text.pieces[:index], text.pieces[index + 1 :]
        case = m.cases.get(piece.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            test, yes, no = case.test, case.yes[0].text.pieces, case.no[0].text.pieces
        elif piece.input is not None and piece.default is not None:
            test = questions.input_null(m, piece.input, piece.or_empty)
            yes = lit(piece.default, piece.origin).pieces
            plain = Hole(
                f"{piece.input} is an input",
                f"input:{piece.input}",
                piece.origin,
                input=piece.input,
            )
            no = (plain,)
        else:
            continue
        try:
            one = lift(m, Text((*before, *yes, *after)), function, reason, operation, *operands)
            two = lift(m, Text((*before, *no, *after)), function, reason, operation, *operands)
        except ShellError as error:
            raise Undecided(test) from error
        return m.case(test, one, two, reason)
    return derived(reason, operation, text, *operands)


def _same_for_all(
    text: Text, choices: tuple[str, ...], function: Callable[[Text], Text | None]
) -> Text | None:
    """The result when it does not depend on which of its values the hole has."""
    results = [
        function(Text(Lit(c) if isinstance(p, Hole) else p for p in text.pieces)) for c in choices
    ]
    first = results[0] if results else None
    return first if first is not None and all(one == first for one in results) else None


def operated(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> Found:
    """The value after an operator."""
    operator = p.operator
    if operator == ":":
        return _slice(m, state, p, found)
    if operator.startswith("@"):
        from verifier.shell import transformations

        return transformations.transformed(m, state, p, name, found)
    if found is None:
        return None
    change, described = _changer(m, state, p)
    reason = f"${{{name}{operator}…}} of an unknown text"

    def one(text: Text) -> Text:
        return lift(m, m.resolve(state, text), change, reason, f"change{operator}", *described)

    if isinstance(found, Text):
        return one(found)
    words = [w for item in found.items for w in m.resolve_word(state, item)]
    items = tuple(
        Word(derived(reason, f"each{operator}", w.text, *described), True)
        if w.splits
        else Word(one(w.text))
        for w in words
    )
    return Elements(items, found.star)


def _changer(
    m: Machine, state: State, p: nodes.Parameter
) -> tuple[Callable[[Text], Text | None], tuple[Text, ...]]:
    from verifier.shell import expand

    operator = p.operator
    pieces = expand.pattern_of(m, state, p.argument) if p.argument is not None else ()
    described = [Text(q for text, _ in pieces for q in text.pieces)]
    extended = state.opt("extglob")
    pattern = None
    if p.argument is not None:
        nocase = p.operator.startswith("/") and state.opt("nocasematch")
        pattern = patterns.compile_pattern(pieces, extglob=extended, nocase=nocase)
    if operator in ("#", "##", "%", "%%"):
        remove = patterns.remove_prefix if operator[0] == "#" else patterns.remove_suffix
        longest = len(operator) == 2
        assert pattern is not None
        chosen = pattern
        folders = operator == "##" and [(t.known, quoted) for t, quoted in pieces] == [
            ("*/", False)
        ]

        def strip(text: Text) -> Text | None:
            found = remove(text, chosen, longest=longest)
            return _behind_folder(text) if found is None and folders else found

        return strip, tuple(described)
    if operator in ("^", "^^", ",", ",,", "~", "~~"):
        return (lambda text: patterns.change_case(text, operator, pattern)), tuple(described)
    replacement = expand.pattern_of(m, state, p.argument2) if p.argument2 is not None else ()
    if not state.opt("patsub_replacement"):
        replacement = tuple((text, True) for text, _ in replacement)
    described.append(Text(q for text, _ in replacement for q in text.pieces))
    compiled = pattern if pattern is not None else patterns.compile_pattern(())
    return (lambda text: patterns.substitute(text, compiled, replacement, mode=operator)), tuple(
        described
    )


def _behind_folder(text: Text) -> Text | None:
    """`${0##*/}`: before the script's own path stands nothing, or a folder and a slash."""
    first = text.pieces[0]
    rest = Text(text.pieces[1:])
    if isinstance(first, Hole) and first.symbol == CALLED_FROM and "/" not in (rest.known or "/"):
        return rest
    return None


def _slice(m: Machine, state: State, p: nodes.Parameter, found: Found) -> Found:
    from verifier.shell import expand

    assert p.argument is not None
    texts = [expand.text_of(m, state, w) for w in (p.argument, p.argument2) if w is not None]
    offset = variables.arithmetic_value(m, state, texts[0])
    length = None if p.argument2 is None else variables.arithmetic_value(m, state, texts[1])
    unknown = offset is None or (p.argument2 is not None and length is None)
    if found is None:
        return None
    if isinstance(found, Text):
        text = m.resolve(state, found)
        where = lit(f"{offset}:{'' if p.argument2 is None else length}")
        if unknown:
            places = [sums.evaluate(m, state, t).value for t in texts]
            return derived("part of a text at an unknown place", "part", text, *places)
        reason = "part of an unknown text"
        _long_enough(m, state, text, offset or 0, length)
        try:
            return lift(
                m, text, lambda t: _substring(t, offset or 0, length), reason, "part", where
            )
        except Undecided as error:
            m.decide(state, error.test)
            return derived(reason, "part", text, where)
    if p.subscript is not None and isinstance(variables.lookup(m, state, p.name), Text):
        # Of a scalar, `${x[@]:1}` is a part of its text.
        return _slice(m, state, replace(p, subscript=None), found.items[0].text)
    if unknown or any(w.splits for w in found.items):
        return _vague_slice(m, state, p, found, None if unknown else offset, length)
    return Elements(_slice_items(m, state, p, found, offset or 0, length), found.star)


def _long_enough(m: Machine, state: State, text: Text, offset: int, length: int | None) -> None:
    """Tell apart an unknown text too short for a negative length, which is an error."""
    if length is None or length >= 0 or offset < 0 or text.known is not None:
        return
    least = offset - length
    known = sum(len(piece.value) for piece in text.pieces if isinstance(piece, Lit))
    if known >= least:
        return
    shown = f"{questions.shown_text(text)} has {least} characters or more"

    def decide(value: str | None) -> bool:
        return len(value or "") >= least

    if not m.decide(state, questions.ask(m, text, f"length:{least}", shown, decide)):
        raise ShellError(f"{length}: substring expression < 0")


def _vague_slice(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    found: Elements,
    offset: int | None,
    length: int | None,
) -> Elements:
    items = found.items
    skip = offset - 1 if offset is not None and p.name in ("@", "*") else offset
    if length is None and skip is not None and 0 <= skip <= len(items):
        if not any(w.splits for w in items[:skip]):
            return Elements(items[skip:], found.star)
    where = m.site(state, p.start) if offset is None else ""
    name = f"slice{offset}:{length}:{where}"
    word = Word(derived("part of a list of unknown length", name, *(w.text for w in items)), True)
    return Elements((word,), found.star)


def _slice_items(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    found: Elements,
    offset: int,
    length: int | None,
) -> tuple[Word, ...]:
    items = found.items
    if p.name in ("@", "*"):
        zero = script_name(state)
        if offset < 0:
            offset += len(items) + 1
            if offset < 0:
                return ()
        numbered = (
            [(0, Word(zero)), *enumerate(items, 1)] if offset == 0 else list(enumerate(items, 1))
        )
    else:
        value = variables.lookup(m, state, p.name)
        indices = value.indices if isinstance(value, Array) and value.indices else None
        numbered = list(zip(indices or range(len(items)), items, strict=True))
        if offset < 0:
            offset += (numbered[-1][0] + 1) if numbered else 0
            if offset < 0:
                return ()
    rest = [word for number, word in numbered if number >= offset]
    if length is None:
        return tuple(rest)
    if length < 0:
        raise ShellError(f"{length}: substring expression < 0")
    return tuple(rest[:length])


def _substring(text: Text, offset: int, length: int | None) -> Text | None:
    known = text.known
    if known is None:
        first = text.pieces[0]
        head = len(first.value) if isinstance(first, Lit) else 0
        if 0 <= offset <= head and length is None:
            return cut(text, offset)
        if offset >= 0 and length is not None and length >= 0 and offset + length <= head:
            return cut(text, offset, offset + length)
        return None
    size = len(known)
    start = offset if offset >= 0 else size + offset
    if start < 0 or start > size:
        return EMPTY
    if length is None:
        return cut(text, start)
    end = start + length if length >= 0 else size + length
    if end < start:
        raise ShellError(f"{length}: substring expression < 0")
    return cut(text, start, min(end, size))
