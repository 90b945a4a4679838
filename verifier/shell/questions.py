"""What a test asks of an unknown text, as a formula."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.model.text import NOWHERE, Hole, Lit, Span, Text
from verifier.shell.arithmetic import Comparison, Junction, Truth
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.logic import INPUT, Predicate
from verifier.shell.machine import Machine
from verifier.shell.texts import symbol

Decide = Callable[[str | None], bool | None]


def input_is(m: Machine, name: str, value: str | None) -> int:
    """The input has this value (None: is unset)."""
    known = m.logic.equal(INPUT + name, value)
    if known is not None:
        return known
    return m.logic.atom(Predicate(INPUT + name, "eq", value, f"{name} is {value!r}", NOWHERE))


def input_null(m: Machine, name: str, or_empty: bool) -> int:
    """The input is unset (or empty)."""
    unset = input_is(m, name, None)
    return m.logic.either(unset, input_is(m, name, "")) if or_empty else unset


def hole_equals(m: Machine, hole: Hole, value: str) -> int:
    """The hole stands for exactly `value`."""
    case = m.cases.get(hole.symbol)
    if case is not None and len(case.yes) == len(case.no) == 1:
        return m.logic.choose(
            case.test, equals(m, case.yes[0].text, value), equals(m, case.no[0].text, value)
        )
    if hole.choices is not None and value not in hole.choices:
        return FALSE
    if hole.input is None:
        if _is_number(hole) and not _plain_number(value):
            return FALSE
        text = f"{shown_hole(hole)} = {value!r}"
        return m.logic.atom(Predicate(hole.symbol, "eq", value, text, _place(m, hole)))
    name = hole.input
    plain = input_is(m, name, value)
    if hole.default is None:
        return plain if value else m.logic.either(plain, input_is(m, name, None))
    null = input_null(m, name, hole.or_empty)
    if value == hole.default:
        return m.logic.either(null, plain)
    return m.logic.both(m.logic.no(null), plain)


def equals(m: Machine, text: Text, value: str) -> int:
    """The whole text is `value`."""
    if text.known is not None:
        return TRUE if text.known == value else FALSE
    pieces = list(text.pieces)
    rest = value
    while pieces and isinstance(pieces[0], Lit):
        if not rest.startswith(pieces[0].value):
            return FALSE
        rest = rest[len(pieces[0].value) :]
        pieces.pop(0)
    while pieces and isinstance(pieces[-1], Lit):
        if not rest.endswith(pieces[-1].value):
            return FALSE
        rest = rest[: len(rest) - len(pieces[-1].value)]
        pieces.pop()
    if len(pieces) == 1:
        only = pieces[0]
        assert isinstance(only, Hole)
        return hole_equals(m, only, rest)
    if not rest:
        return FALSE if any(isinstance(p, Lit) for p in pieces) else _all_empty(m, pieces)
    inner = Text(pieces)
    case = _first_case(m, inner)
    if case is not None:
        test, yes, no = case
        return m.logic.choose(test, equals(m, yes, rest), equals(m, no, rest))
    shown = f"{shown_text(inner)} = {rest!r}"
    return m.logic.atom(Predicate(f"text:{symbol(inner)}", "eq", rest, shown, _place_of(m, inner)))


def _all_empty(m: Machine, pieces: list[Lit | Hole]) -> int:
    result = TRUE
    for piece in pieces:
        if isinstance(piece, Hole):
            result = m.logic.both(result, hole_equals(m, piece, ""))
    return result


def is_empty(m: Machine, text: Text) -> int:
    """The text has no characters."""
    return equals(m, text, "")


def same(m: Machine, left: Text, right: Text) -> int:
    """Two texts say the same."""
    if left == right:
        return TRUE
    if right.known is not None:
        return equals(m, left, right.known)
    if left.known is not None:
        return equals(m, right, left.known)
    for one, two in ((left, right), (right, left)):
        case = _first_case(m, one)
        if case is not None:
            test, yes, no = case
            return m.logic.choose(test, same(m, yes, two), same(m, no, two))
    first, second = sorted((left, right), key=symbol)
    shown = f"{shown_text(left)} = {shown_text(right)}"
    name = f"same:{symbol(first)!r},{symbol(second)!r}"
    return m.logic.atom(Predicate(name, "holds", None, shown, _place_of(m, left)))


def ask(m: Machine, text: Text, kind: str, shown: str, decide: Decide) -> int:
    """Any other test of one text. `kind` names it, `decide` answers it for known characters."""
    if text.known is not None:
        answer = decide(text.known)
        if answer is not None:
            return TRUE if answer else FALSE
        return m.logic.atom(
            Predicate(f"text:{text.known!r}", kind, None, shown, _place_of(m, text))
        )
    case = _first_case(m, text)
    if case is not None:
        test, yes, no = case
        return m.logic.choose(
            test, ask(m, yes, kind, shown, decide), ask(m, no, kind, shown, decide)
        )
    if len(text.pieces) == 1:
        only = text.pieces[0]
        assert isinstance(only, Hole)
        return _ask_hole(m, only, kind, None, shown, decide)
    name = f"text:{symbol(text)}"
    return m.logic.atom(Predicate(name, kind, None, shown, _place_of(m, text)))


def _ask_hole(
    m: Machine, hole: Hole, kind: str, operand: int | None, shown: str, decide: Decide
) -> int:
    if hole.choices is not None:
        answers = {decide(choice) for choice in hole.choices}
        if len(answers) == 1 and None not in answers:
            return TRUE if answers.pop() else FALSE
    if hole.input is None:
        return m.logic.atom(Predicate(hole.symbol, kind, operand, shown, _place(m, hole), decide))

    def decide_input(value: str | None) -> bool | None:
        return decide(value or "")

    plain = m.logic.atom(
        Predicate(INPUT + hole.input, kind, operand, shown, _place(m, hole), decide_input)
    )
    if hole.default is None:
        return plain
    null = input_null(m, hole.input, hole.or_empty)
    answer = decide(hole.default)
    if answer is None:
        return plain
    return m.logic.choose(null, TRUE if answer else FALSE, plain)


def truth(m: Machine, result: Truth, *, strict: bool = False) -> int:
    """An arithmetic truth as a formula. `strict`: `[ ]`, where only integers compare at all."""
    if isinstance(result, bool):
        return TRUE if result else FALSE
    if isinstance(result, Junction):
        combine = m.logic.both if result.operator == "and" else m.logic.either
        parts = [truth(m, part, strict=strict) for part in result.parts]
        formula = parts[0]
        for part in parts[1:]:
            formula = combine(formula, part)
        return formula
    return _comparison(m, result, strict)


def _comparison(m: Machine, asked: Comparison, strict: bool) -> int:
    left, right, operator = asked.left, asked.right, asked.operator
    for one, two, turned in ((left, right, False), (right, left, True)):
        case = _first_case(m, one)
        if case is not None:
            test, yes, no = case
            return m.logic.choose(
                test,
                _decided(m, operator, yes, two, turned, strict),
                _decided(m, operator, no, two, turned, strict),
            )
    if operator in ("!=", "<", "<="):
        positive = {"!=": "==", "<": ">=", "<=": ">"}[operator]
        return m.logic.no(_comparison(m, Comparison(positive, left, right), strict))
    bound = _integer(right.known) if right.known is not None else None
    if bound is None:
        return _two_unknown(m, operator, left, right)
    words = {"==": "-eq", ">": "-gt", ">=": "-ge"}
    shown = f"{shown_text(left)} {words[operator]} {bound}"
    if operator == "==":
        return _ask_number(m, left, "numeq", bound, shown, strict)
    return _ask_number(m, left, "ge", bound + (operator == ">"), shown, strict)


def _decided(m: Machine, operator: str, one: Text, two: Text, turned: bool, strict: bool) -> int:
    left, right = (two, one) if turned else (one, two)
    a = _integer(left.known) if left.known is not None else None
    b = _integer(right.known) if right.known is not None else None
    if a is not None and b is not None:
        return TRUE if holds(operator, a, b) else FALSE
    if (left.known is not None and a is None) or (right.known is not None and b is None):
        if strict:
            return FALSE
        shown = f"{shown_text(left)} {operator} {shown_text(right)}"
        name = f"compare:{operator}:{symbol(left)!r},{symbol(right)!r}"
        return m.logic.atom(Predicate(name, "holds", None, shown, _place_of(m, left)))
    if a is not None:
        flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator)
        return _comparison(m, Comparison(flipped, right, left), strict)
    return _comparison(m, Comparison(operator, left, right), strict)


def _two_unknown(m: Machine, operator: str, left: Text, right: Text) -> int:
    if operator == ">":
        return m.logic.no(_two_unknown(m, ">=", right, left))
    if operator == "==" and symbol(left) > symbol(right):
        left, right = right, left
    shown = f"{shown_text(left)} {'-eq' if operator == '==' else '-ge'} {shown_text(right)}"
    name = f"compare:{operator}:{symbol(left)!r},{symbol(right)!r}"
    return m.logic.atom(Predicate(name, "holds", None, shown, _place_of(m, left)))


def _ask_number(m: Machine, text: Text, kind: str, bound: int, shown: str, strict: bool) -> int:
    # A text that is no integer fails every comparison of `[ ]`, so nothing follows from it.
    def decide(value: str | None) -> bool | None:
        number = _integer(value or "")
        if number is None:
            return None
        return number == bound if kind == "numeq" else number >= bound

    if len(text.pieces) == 1 and isinstance(text.pieces[0], Hole):
        only = text.pieces[0]
        if only.default is not None and _integer(only.default) is None and not strict:
            name = f"text:{only.symbol}"
            return m.logic.atom(Predicate(name, kind, bound, shown, _place(m, only), decide))
        return _ask_hole(m, only, kind, bound, shown, decide)
    name = f"text:{symbol(text)}"
    return m.logic.atom(Predicate(name, kind, bound, shown, _place_of(m, text), decide))


def holds(operator: str, a: int, b: int) -> bool:
    return {
        "==": a == b,
        "!=": a != b,
        "<": a < b,
        "<=": a <= b,
        ">": a > b,
        ">=": a >= b,
    }[operator]


def _integer(value: str) -> int | None:
    stripped = value.strip(" \t\n")
    digits = stripped[1:] if stripped[:1] in ("-", "+") else stripped
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        return None
    if len(digits) > 1 and digits.startswith("0"):
        return None
    return int(stripped)


def _first_case(m: Machine, text: Text) -> tuple[int, Text, Text] | None:
    """The text under the test that one of its holes depends on, and under its negation."""
    if not m.cases:
        return None
    for index, piece in enumerate(text.pieces):
        case = m.cases.get(piece.symbol) if isinstance(piece, Hole) else None
        if case is not None and len(case.yes) == len(case.no) == 1:
            before, after = text.pieces[:index], text.pieces[index + 1 :]
            return (
                case.test,
                Text((*before, *case.yes[0].text.pieces, *after)),
                Text((*before, *case.no[0].text.pieces, *after)),
            )
    return None


def _is_number(hole: Hole) -> bool:
    return hole.symbol.startswith(NUMBERS)


NUMBERS = ("arith:", "count(", "status:", "number:")
"""How the symbols of holes begin that are decimal numbers for certain."""


def _plain_number(value: str) -> bool:
    digits = value[1:] if value.startswith("-") else value
    return digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0")


_INPUT = re.compile(r"input:(\w+)(:?-[\w./-]*)?")
_COMPUTED = re.compile(rf"arith:\(((?:{_INPUT.pattern}|[\d\s()%*/+<>=!&|^~?:-])+)\)")
"""The symbol of a number that is computed from inputs alone."""
_VARIABLE = re.compile(
    r"([A-Za-z_]\w*) (?:differs between branches|is set in some branches only|is not known)"
)
"""The reason of a value that is all of a variable's."""
_LONG = 120


def _named(found: re.Match[str]) -> str:
    return f"${{{found[1]}{found[2]}}}" if found[2] else found[1]


def shown_hole(hole: Hole) -> str:
    """A hole as a person would write it."""
    if hole.input is None:
        variable = _VARIABLE.fullmatch(hole.reason)
        if variable is not None:
            return f"${variable[1]}"
        computed = _COMPUTED.fullmatch(hole.symbol)
        if computed is None or len(hole.symbol) > _LONG:
            return f"<{hole.reason}>"
        return f"$(({_INPUT.sub(_named, computed[1])}))"
    if hole.default is None:
        return f"${hole.input}"
    return f"${{{hole.input}{':' if hole.or_empty else ''}-{hole.default}}}"


def shown_text(text: Text) -> str:
    """A text as a person would write it in a test."""
    return "".join(p.value if isinstance(p, Lit) else shown_hole(p) for p in text.pieces)


def _place(m: Machine, hole: Hole) -> Span:
    """Where the hole came from; names in arithmetic have no place but their command's."""
    return hole.origin.span if hole.origin is not None else _here(m)


def _place_of(m: Machine, text: Text) -> Span:
    return text.span or _here(m)


def _here(m: Machine) -> Span:
    return m.place[0].span(m.place[1]) if m.place is not None else NOWHERE
