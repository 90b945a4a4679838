"""Python programs that only compute and print, against Python itself."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from verifier.model.text import lit
from verifier.shell.commands import Call, NotModelled, run


def modelled(arguments: list[str], given_: str = "") -> tuple[str | None, int | None] | None:
    try:
        result = run(Call(tuple(map(lit, ["python3", *arguments])), lit(given_)))
    except NotModelled:
        return None
    return result.stdout.known, result.status


@pytest.mark.parametrize(
    ("arguments", "given_"),
    [
        (["-c", "print((2.49-1)/3)"], ""),
        (["-c", "print(round((2.49-1)/3, 4))"], ""),
        (["-c", "print(f'{(3.3-1)/3:.4f}')"], ""),
        (["-c", "import sys; print((float(sys.argv[1])-1)/int(sys.argv[2]))", "2.49", "3"], ""),
        (["-c", "import math\nprint(math.ceil(10/3), math.floor(-1.5), math.sqrt(2))"], ""),
        (["-c", "import json; print(json.dumps({'method': 'mtp', 'num_speculative_tokens': 3, 'x': [1.5, None, True]}))"], ""),
        (["-c", "import json,sys; print(json.dumps(json.loads(sys.stdin.read())))"], '{"a": [1, 2.50]}'),
        (["-c", "import json,sys; d=json.load(sys.stdin); print(d['a'][0], d.get('b', 'none'))"], '{"a": [1, 2.50]}'),
        (["-c", "print(','.join(str(i) for i in range(1, 4)))"], ""),
        (["-c", "print(*[2**i for i in range(5)], sep=',', end='')"], ""),
        (["-c", "import sys; sys.exit(0 if 2.5 > 2 else 1)"], ""),
        (["-c", "import sys\nif 2.5 > 3:\n    print('a')\nelse:\n    sys.exit(1)\n"], ""),
        (["-c", "print('%.2f|%5d|%s' % (1.005, 42, 'x'), '{:>8}{:.1f}'.format('a', 2.25))"], ""),
        (["-c", "print(7//2, -7//2, 7%3, -7%3, 2**-1, 10/2, 1e16, 0.1+0.2, 10**20)"], ""),
        (["-c", "print(max(1, 2.5), min([3, 1]), abs(-3), sum([1, 2]), int('12') + int(3.9), len('abc'))"], ""),
        (["-c", "print('a-b-c'.replace('-', '_').upper(), 'x,y'.split(','), ' a '.strip(), 'abc'[::-1])"], ""),
        (["-", "4"], "import sys\nn = int(sys.argv[1])\nfor i in range(n):\n    if i % 2:\n        print(i, end=' ')\nprint(sys.argv[0])\n"),
        ([], "import sys\nprint(len(sys.argv), sys.argv[0] == '')\n"),
        (["-u", "-c", "import sys; sys.stdout.write('x\\n'); print('y', file=sys.stderr)"], ""),
        (["-c", "a, b = 3, 4; a += b; print(a, b, a > b > 1, a and 0 or 'z', not a)"], ""),
        (["-c", "print([x for x in [1, 2, 3] if x > 1], dict(a=1), (1,), 'a' in 'abc', None is None)"], ""),
        (["-c", "print(f'{1.5}{\"a\"!r:>5}', True, 3 == 3.0, str(1.0), repr('q'))"], ""),
        (["-c", "from math import ceil as up; print(up(2.1))"], ""),
        (["-c", "for k, v in {'a': 1, 'b': 2}.items(): print(k, v)"], ""),
    ],
)  # fmt: skip
def test_usual_programs(arguments: list[str], given_: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], input=given_.encode(), capture_output=True, check=False
    )
    assert modelled(arguments, given_) == (done.stdout.decode(), done.returncode)


def executed(program: str) -> str | None:
    """What the program prints when this interpreter runs it."""
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(program, "<program>", "exec"), {})  # noqa: S102
    except Exception:
        return None
    return output.getvalue()


leaves = st.sampled_from(["0", "1", "3", "2.49", "-1", "0.1", "7", "'a'", "'3.5'", "[1, 2]", "(1, 'b')", "True", "None", "x", "{'k': 1}", "''", "1e3"])  # fmt: skip
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda a, o, b: f"{a} {o} {b}", inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<", "==", "!=", ">=", "and", "or", "in"]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"-{a}", inner),
        st.builds(lambda a: f"not {a}", inner),
        st.builds(lambda a, b, c: f"({a} if {b} else {c})", inner, inner, inner),
        st.builds(lambda f, a: f"{f}({a})", st.sampled_from(["int", "float", "str", "round", "abs", "len", "sum", "max", "sorted", "list", "repr", "bool", "math.ceil", "json.dumps", "range", "zip", "enumerate"]), inner),
        st.builds(lambda a, b: f"round({a}, {b})", inner, inner),
        st.builds(lambda a, b: f"({a})[{b}]", inner, inner),
        st.builds(lambda a, m: f"({a}).{m}", inner, st.sampled_from(["upper()", "replace('a', 'bb')", "split('.')", "get('k')", "keys()", "zfill(3)", "join(['x', 'y'])", "format(1)", "startswith('a')", "is_integer()"])),
        st.builds(lambda a: f"[i for i in {a}]", inner),
        st.builds(lambda a, s: "f'{" + a.replace("'", '"') + ":" + s + "}'", inner, st.sampled_from(["", ".2f", "d", ">5", "05.1f", "g", ",", "e", "%"])),
    ),
    max_leaves=4,
)  # fmt: skip


@quick
@given(st.lists(expressions, min_size=1, max_size=2))
def test_expressions_agree(parts: list[str]) -> None:
    program = f"import math, json\nx = 2.5\nprint({', '.join(parts)})\n"
    found = modelled(["-c", program])
    if found is not None:
        assert found == (executed(program), 0)


@pytest.mark.parametrize(
    "program",
    [
        "import subprocess; print(1)", "print(open('x').read())", "print(1/0)", "print(10**10**10)", "print('a'*10**9)",
        "while True: pass", "print(undefined)", "print(zip([1], [2]))", "print(range(3))", "print({}.keys())",
        "[print(i) for i in range(3)]", "x = (i for i in [1])\nprint(list(x), list(x))", "def f(*a): pass", "print(",
        "print(sum([0.1]*10))", "print(__import__('os'))", "print((1).__class__)", "print(lambda: 0)", "print({1, 2})",
        "import sys; print(sys.version)", "print('\\u00e9')", "print(f'{\"a\".join(\"b\")}' f'{1}')", "exec('print(1)')",
        "x = [0]*4000\nprint([x]*4000)", "print('{0.__class__}'.format(1))", "print('{:1000000}'.format(1))", "print('%1000000d' % 1)",
        "print('a'.join(['b'*9999]*9999))", "import sys\nprint(sys.stdin.read(), sys.stdin.read())", "print(2.0**5000)", "print = 3",
    ],
)  # fmt: skip
def test_everything_else_is_not_modelled(program: str) -> None:
    assert modelled(["-c", program]) is None


@pytest.mark.parametrize("arguments", [["-m", "vllm.entrypoints.openai.api_server"], ["run.py"], ["-i"], ["-c"], ["-V"]])  # fmt: skip
def test_other_commands_are_not_modelled(arguments: list[str]) -> None:
    assert modelled(arguments, "") is None


def test_holes_are_not_computed_with() -> None:
    known = run(Call((lit("python3"), lit("-c"), lit("import sys; print(sys.argv[1])"), lit("1"), text("<X>"))))  # fmt: skip
    assert known.stdout == lit("1\n")
    for program, argument in (("print(<X>)", "1"), ("import sys; print(sys.argv[1])", "<X>")):
        with pytest.raises(NotModelled):
            run(Call((lit("python3"), lit("-c"), text(program), text(argument))))
