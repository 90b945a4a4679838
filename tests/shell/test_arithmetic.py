"""Arithmetic against real bash, and with holes against every filling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import bash, filled, needs_bash, quick, text
from verifier.model.text import Text, lit
from verifier.shell.arithmetic import (
    Comparison,
    ExpressionError,
    Junction,
    Truth,
    compare,
    evaluate,
    negate,
)
from verifier.shell.arithmetic import test_integer as read_integer


class Table:
    """Variables in a dictionary; `m` is associative."""

    def __init__(self, values: dict[tuple[str, str | None], Text]) -> None:
        self.values = values

    def get(self, name: str, subscript: Text | None) -> Text | None:
        key = None if subscript is None else subscript.known
        if key is None and (name, "0") in self.values:
            key = "0"
        return self.values.get((name, key))

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        key = None if subscript is None else subscript.known
        if key is None and (name, "0") in self.values:
            key = "0"
        self.values[name, key] = value

    def is_associative(self, name: str) -> bool:
        return name == "m"


def table(**values: str) -> Table:
    return Table({(name, None): text(value) for name, value in values.items()})


numbers = st.sampled_from(
    ["0", "1", "2", "3", "7", "010", "0x1F", "2#101", "64#@_", "36#z", "16#fF", "08", "1a", "2#3",
     "9223372036854775807", "9223372036854775808", "100000000000000000000", "1#1", "65#1", "10#"]
)  # fmt: skip
names = st.sampled_from(
    ["a", "b", "c", "e", "u", "a++", "--b", "v[1]", "v[a]", "m[k]", "++v[0]", "v"]
)
binary = st.sampled_from(
    "+ - * / % ** << >> < > <= >= == != & | ^ && || , = += -= *= /= %= <<= >>= &= |= ^=".split()
)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(lambda x, o, y: f"{x}{o}{y}", inner, binary, inner),
        st.builds(lambda x, o, y: f"{x} {o} {y}", inner, binary, inner),
        st.builds(lambda x: f"({x})", inner),
        st.builds(
            lambda o, x: f"{o}{x}", st.sampled_from(["!", "~", "-", "+", "- ", "--", "++"]), inner
        ),
        st.builds(lambda x, y, z: f"{x}?{y}:{z}", inner, inner, inner),
    )


expressions = st.recursive(st.one_of(numbers, names), _compound, max_leaves=6)

SETUP = "a=3 b=-2 c='a+1' e=; v=(5 6); declare -A m=([k]=4);"
SHOW = 'printf \'%s,\' $a $b "$c" "$e" ${v[0]} ${v[1]} ${v[3]-u} ${m[k]} ${u-u}'


def start() -> Table:
    return Table(
        {
            ("a", None): lit("3"), ("b", None): lit("-2"), ("c", None): lit("a+1"),
            ("e", None): lit(""), ("v", "0"): lit("5"), ("v", "1"): lit("6"), ("m", "k"): lit("4"),
        }
    )  # fmt: skip


def shown(variables: Table) -> str:
    keys: list[tuple[str, str | None]] = [
        ("a", None), ("b", None), ("c", None), ("e", None), ("v", "0"), ("v", "1"), ("v", "3"),
        ("m", "k"), ("u", None),
    ]  # fmt: skip
    return "".join((variables.values.get(k, lit("u")).known or "") + "," for k in keys)


@needs_bash
@quick
@given(expressions)
def test_known_expressions_agree_with_bash(expression: str) -> None:
    output, _ = bash(f"{SETUP} (({expression})); s=$?; {SHOW}; echo $s; echo $(({expression}))")
    variables = start()
    try:
        result = evaluate(lit(expression), variables)
        status = 0 if result.truth else 1
        value = evaluate(lit(expression), Table(dict(variables.values))).value.known
    except ExpressionError:
        status, value = 1, None
    first, _, rest = output.partition("\n")
    assert f"{shown(variables)}{status}" == first
    if value is not None:
        assert value == rest.rstrip("\n")


def holds(truth: Truth, holes: dict[str, str]) -> bool:
    if isinstance(truth, bool):
        return truth
    if isinstance(truth, Junction):
        return (all if truth.operator == "and" else any)(holds(p, holes) for p in truth.parts)
    answer = compare(
        {"==": "-eq", "!=": "-ne", "<": "-lt", "<=": "-le", ">": "-gt", ">=": "-ge"}[
            truth.operator
        ],
        lit(filled(truth.left, holes)),
        lit(filled(truth.right, holes)),
        table(),
    )
    assert isinstance(answer, bool)
    return answer


hole_operands = st.sampled_from(
    ["0", "1", "2", "x", "y", "<X>", "n", "k", "n++", "(x)", "n=x", "k=5"]
)
hole_expressions = st.recursive(
    hole_operands,
    lambda inner: st.one_of(
        st.builds(
            lambda x, o, y: f"{x} {o} {y}",
            inner,
            st.sampled_from("+ - * < <= > >= == != && || ,".split()),
            inner,
        ),
        st.builds(lambda x: f"!{x}", inner),
        st.builds(lambda x: f"({x})", inner),
        st.builds(lambda x, y, z: f"{x} ? {y} : {z}", inner, inner, inner),
    ),
    max_leaves=5,
)


@quick
@given(hole_expressions)
def test_holes_agree_with_every_filling(expression: str) -> None:
    opened = table(x="<X>", y="<Y>", n="2", k="<X>")
    try:
        result = evaluate(text(expression), opened)
    except ExpressionError:
        return
    for x in ("0", "1", "2", "1+1", "5"):
        for y in ("0", "3"):
            holes = {"input:X": x, "input:Y": y}
            closed = table(x=x, y=y, n="2", k=x)
            try:
                want = evaluate(lit(filled(text(expression), holes)), closed)
            except ExpressionError:
                continue
            if result.value.known is not None:
                assert result.value == want.value
            truth = result.truth
            if isinstance(truth, bool):
                assert truth == want.truth
            elif "+" not in x:
                nested = [truth]
                for part in nested:
                    nested += part.parts if isinstance(part, Junction) else ()  # type: ignore[arg-type]
                pieces = [
                    hole.symbol
                    for part in nested
                    if isinstance(part, Comparison)
                    for side in part[1:]
                    for hole in side.holes
                ]
                if all(symbol in holes for symbol in pieces):
                    assert holds(truth, holes) == want.truth
            for key, value in opened.values.items():
                if value.known is not None:
                    assert value == closed.values[key], key


@pytest.mark.parametrize(
    ("expression", "symbol"),
    [
        ("2*x", "arith:(2*input:X)"),
        ("2 * x + n", "arith:((2*input:X)+2)"),
        ("x", "arith:(input:X)"),
        ("d", "arith:(input:X*2)"),
        ("d/2", "arith:((input:X*2)/2)"),
        ("<arith:(input:X*2)>/2", None),
        ("2*<X>", "arith:(2*$input:X)"),
        ("0*x", "arith:(0*input:X)"),
        ("-x", "arith:(-input:X)"),
        ("x?1:2", "arith:(input:X?1:2)"),
    ],
)
def test_symbols(expression: str, symbol: str | None) -> None:
    variables = table(x="<X>", n="2")
    variables.values["d", None] = evaluate(lit("x*2"), variables).value
    value = evaluate(text(expression), variables).value
    assert value.known is None
    if symbol is not None:
        assert value.holes[0].symbol == symbol


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0 && x", "0"),
        ("1 || x", "1"),
        ("1 ? 5 : x", "5"),
        ("x ? 5 : 5", "5"),
        ("0 && <X>", None),
        ("1 ? 5 : <X>", None),
        ("x, 3", "3"),
        ("<X>, 3", None),
        ("0 * x", None),
        ("x == x", None),
        ("1<X> + 1", None),
        ("1 <X> 2", None),
    ],
)
def test_what_holes_leave_decided(expression: str, value: str | None) -> None:
    try:
        assert evaluate(text(expression), table(x="<X>")).value.known == value
    except ExpressionError:
        pytest.fail("a hole may hold an operator")


def test_truths() -> None:
    variables = table(x="<X>", n="4")
    assert evaluate(lit("x <= 20"), variables).truth == Comparison("<=", text("<X>"), lit("20"))
    assert evaluate(lit("20 >= x"), variables).truth == Comparison("<=", text("<X>"), lit("20"))
    assert evaluate(lit("!(x > n)"), variables).truth == Comparison("<=", text("<X>"), lit("4"))
    assert evaluate(text("<X>"), variables).truth == Comparison("!=", text("<X>"), lit("0"))
    both = evaluate(lit("x > 1 && x < 9 && n == 4"), variables).truth
    assert both == Junction(
        "and", (Comparison(">", text("<X>"), lit("1")), Comparison("<", text("<X>"), lit("9")))
    )
    assert negate(both) == Junction(
        "or", (Comparison("<=", text("<X>"), lit("1")), Comparison(">=", text("<X>"), lit("9")))
    )
    assert compare("-lt", lit("x"), lit("3"), variables) == Comparison("<", text("<X>"), lit("3"))


def test_undecided_branches_leave_holes() -> None:
    variables = table(x="<X>", n="2")
    evaluate(lit("x > 1 ? (n = 5) : (n = 6)"), variables)
    assert variables.values["n", None].known is None
    variables = table(x="<X>", n="2")
    evaluate(lit("x && (n = 2)"), variables)
    assert variables.values["n", None].known == "2"


def test_integers_of_test() -> None:
    assert read_integer(lit(" 012 ")) == 12
    assert read_integer(text("<X>")) is None
    with pytest.raises(ExpressionError):
        read_integer(lit("1+1"))


def test_a_variable_that_is_its_own_value_is_an_error() -> None:
    with pytest.raises(ExpressionError):
        evaluate(lit("x"), table(x="y", y="x"))
    assert evaluate(lit("x"), table(x="n ? (n--, x) : 7", n="3")).value.known == "7"


def test_deep_expressions_are_unknown() -> None:
    many = {f"x{i}": f"x{i + 1}" for i in range(200)}
    assert evaluate(lit("x0"), table(**many)).value.known is None
    assert evaluate(lit("(" * 5000 + "1" + ")" * 5000), table()).value.known is None
    assert evaluate(lit("-" * 5000 + "1"), table()).value.known is None
