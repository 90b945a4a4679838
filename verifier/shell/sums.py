"""Arithmetic over the variables of a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verifier.model.text import NOWHERE, Hole, Piece, Text, lit
from verifier.shell import arithmetic
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import Array, State, Table, Var, scalar

_MOST = 4
"""So many values of one expression that depend on the path are told apart."""


class Names:
    """The variables of one state, as arithmetic wants them."""

    def __init__(
        self, m: Machine, state: State, chosen: Mapping[str, Text | None] | None = None
    ) -> None:
        self._m = m
        self._state = state
        self._chosen = chosen or {}
        """What holes are taken to stand for, by symbol; None: the variable is unset."""
        self.read: list[Text] = []
        self.changed = False

    def get(self, name: str, subscript: Text | None) -> Text | None:
        """The value, None when unset."""
        from verifier.shell import fetching

        value = fetching.arithmetic_value(self._m, self._state, name, subscript)
        if value is not None and value.known is None:
            filled = _filled(value, self._chosen)
            if filled is None:
                if self._state.opt("nounset"):
                    raise arithmetic.ExpressionError(f"{name}: unbound variable")
                return None
            self.read.append(filled)
            return filled
        return value

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        """Assign."""
        from verifier.shell import variables

        self.changed = True

        m, state = self._m, self._state
        span = m.place[0].span(m.place[1]) if m.place else NOWHERE
        how = f"assigned to {name} by arithmetic"
        variables.assign(m, state, name, value, span, subscript=subscript, how=how)

    def is_associative(self, name: str) -> bool:
        """Whether subscripts are strings."""
        from verifier.shell import variables

        return variables.is_array_name(self._state, name) == "A"

    def expanded(self, subscript: Text, key: bool) -> Text:
        """A subscript with quotes or `$` in it."""
        from verifier.shell import expand

        return expand.subscript_again(self._m, self._state, subscript, key)


def evaluate(m: Machine, state: State, expression: Text) -> arithmetic.Result:
    """The value of an expression. Raises ShellError."""
    names = Names(m, state)
    expression = m.resolve(state, expression)
    try:
        result = arithmetic.evaluate(expression, names)
    except arithmetic.ExpressionError as error:
        raise ShellError(str(error)) from error
    if result.value.known is not None or not m.cases or names.changed:
        return result
    return _by_case(m, state, expression, names, result, {}) or result


def _by_case(
    m: Machine,
    state: State,
    expression: Text,
    names: Names,
    result: arithmetic.Result,
    chosen: Mapping[str, Text | None],
) -> arithmetic.Result | None:
    """The result as a value that depends on the path when a value in it does."""
    case = None
    if len(chosen) < _MOST and result.value.known is None:
        shown = _filled(expression, chosen)
        case = _first_case(m, names.read if shown is None else (shown, *names.read))
    if case is None:
        return result
    symbol, test, sides = case
    results = []
    for side in sides:
        more = {**chosen, symbol: side}
        inner = Names(m, state, more)
        try:
            shown = _filled(expression, more)
            if shown is None:
                return None
            found = arithmetic.evaluate(shown, inner)
        except arithmetic.ExpressionError:
            return None
        if inner.changed:
            return None
        whole = _by_case(m, state, expression, inner, found, more)
        if whole is None:
            return None
        results.append(whole)
    one, two = results
    hole = result.value.pieces[0]
    value = m.case(test, one.value, two.value, getattr(hole, "reason", ""), hole.origin)
    truth = result.truth
    if isinstance(one.truth, bool) and isinstance(two.truth, bool):
        truth = arithmetic.Comparison("!=", value, lit("0"))
        if value.known is not None:
            truth = value.known != "0"
    return arithmetic.Result(value, truth)


def _first_case(
    m: Machine, texts: Iterable[Text]
) -> tuple[str, int, tuple[Text | None, Text | None]] | None:
    for text in texts:
        for hole in text.holes:
            case = m.cases.get(hole.symbol)
            if case is None or len(case.yes) > 1 or len(case.no) > 1:
                continue
            if len(text.pieces) == 1 or (case.yes and case.no):
                yes, no = (side[0].text if side else None for side in (case.yes, case.no))
                return hole.symbol, case.test, (yes, no)
    return None


def _filled(text: Text, chosen: Mapping[str, Text | None]) -> Text | None:
    """The text with what its holes are taken to stand for; None when it is not set at all."""
    while any(hole.symbol in chosen for hole in text.holes):
        pieces: list[Piece] = []
        for piece in text.pieces:
            if isinstance(piece, Hole) and piece.symbol in chosen:
                found = chosen[piece.symbol]
                if found is None:
                    return None
                pieces.extend(found.pieces)
            else:
                pieces.append(piece)
        text = Text(pieces)
    return text


def compare(m: Machine, state: State, operator: str, left: Text, right: Text) -> arithmetic.Truth:
    """`[[ left -lt right ]]`. Raises ShellError."""
    try:
        return arithmetic.compare(operator, left, right, Names(m, state))
    except arithmetic.ExpressionError as error:
        raise ShellError(str(error)) from error


def first_of(value: Text | Array | Table | None) -> Text | None:
    """`$name` of a value."""
    return scalar(Var(value))
