"""Arithmetic over the variables of a state."""

from __future__ import annotations

from verifier.model.text import NOWHERE, Text
from verifier.shell import arithmetic
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import Array, State, Table, Var, scalar


class Names:
    """The variables of one state, as arithmetic wants them."""

    def __init__(self, m: Machine, state: State) -> None:
        self._m = m
        self._state = state

    def get(self, name: str, subscript: Text | None) -> Text | None:
        """The value, None when unset."""
        from verifier.shell import parameters

        return parameters.arithmetic_value(self._m, self._state, name, subscript)

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        """Assign."""
        from verifier.shell import variables

        m, state = self._m, self._state
        span = m.place[0].span(m.place[1]) if m.place else NOWHERE
        how = f"assigned to {name} by arithmetic"
        variables.assign(m, state, name, value, span, subscript=subscript, how=how)

    def is_associative(self, name: str) -> bool:
        """Whether subscripts are strings."""
        from verifier.shell import variables

        return variables.is_array_name(self._state, name) == "A"


def evaluate(m: Machine, state: State, expression: Text) -> arithmetic.Result:
    """The value of an expression. Raises ShellError."""
    try:
        return arithmetic.evaluate(m.resolve(state, expression), Names(m, state))
    except arithmetic.ExpressionError as error:
        raise ShellError(str(error)) from error


def compare(m: Machine, state: State, operator: str, left: Text, right: Text) -> arithmetic.Truth:
    """`[[ left -lt right ]]`. Raises ShellError."""
    try:
        return arithmetic.compare(operator, left, right, Names(m, state))
    except arithmetic.ExpressionError as error:
        raise ShellError(str(error)) from error


def first_of(value: Text | Array | Table | None) -> Text | None:
    """`$name` of a value."""
    return scalar(Var(value))
