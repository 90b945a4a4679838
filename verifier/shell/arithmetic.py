"""Shell arithmetic: `$(( ))`, `(( ))`, `let`, subscripts, `[[ a -lt b ]]`.

64-bit signed integers that wrap around, C operators, and variables whose values are expressions
themselves. An operand that is a hole gives a hole, named after the whole expression
("arith:(2*input:CONC)"), unless the result provably does not depend on it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from verifier.model.text import Text


class ExpressionError(Exception):
    """Bash would print this message and the command would fail with status 1."""


class Variables(Protocol):
    """What arithmetic needs of the shell's variables."""

    def get(self, name: str, subscript: Text | None) -> Text | None:
        """The value, None when unset. A subscript of an indexed array is a decimal number."""

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        """Assign; `value` is a decimal number or a hole."""

    def is_associative(self, name: str) -> bool:
        """Whether subscripts of `name` are strings and not expressions."""


class Comparison(NamedTuple):
    """An undecided comparison of two integers.

    `operator` is one of `== != < <= > >=`; `left` is never a known number when `right` is not
    (`20 >= CONC` reads `CONC <= 20`). A bare hole `x` reads `x != 0`.
    """

    operator: str
    left: Text
    right: Text


class Junction(NamedTuple):
    """`&&` ("and") or `||` ("or") of undecided parts; decided parts are gone already."""

    operator: str
    parts: tuple[Truth, ...]


Truth = bool | Comparison | Junction


class Result(NamedTuple):
    """`value` is a decimal number or one hole; `truth` says whether it is not zero."""

    value: Text
    truth: Truth


def evaluate(expression: Text, variables: Variables) -> Result:
    """Evaluate an expression (after parameter expansion and quote removal).

    Assignments go to `variables` in order. Raises ExpressionError.
    """
    raise NotImplementedError


def compare(operator: str, left: Text, right: Text, variables: Variables) -> Truth:
    """`[[ left -lt right ]]`: `operator` is one of `-eq -ne -lt -le -gt -ge`."""
    raise NotImplementedError


def test_integer(text: Text) -> int | None:
    """An operand of `[ a -lt b ]`: decimal only, blanks around it allowed.

    None when it is a hole; raises ExpressionError ("integer expression expected") otherwise.
    """
    raise NotImplementedError


def negate(truth: Truth) -> Truth:
    """`! truth`, with the comparisons turned round."""
    raise NotImplementedError
