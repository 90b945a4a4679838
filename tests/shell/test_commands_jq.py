"""jq against the real tool (what jq 1.6 and 1.7 print differently is not modelled)."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from verifier.model.text import lit
from verifier.shell.commands import Call, NotModelled, run

needs_jq = pytest.mark.skipif(shutil.which("jq") is None, reason="compares with jq")


def modelled(arguments: list[str], given_: str = "") -> tuple[str | None, int | None] | None:
    try:
        result = run(Call(tuple(map(lit, ["jq", *arguments])), lit(given_)))
    except NotModelled:
        return None
    return result.stdout.known, result.status


def check(arguments: list[str], given_: str = "") -> bool:
    """Compare with the real tool; false when it is not modelled."""
    found = modelled(arguments, given_)
    if found is None:
        return False
    done = subprocess.run(
        ["jq", *arguments],
        input=given_.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"]},
        check=False,
    )
    assert found == (done.stdout.decode(), done.returncode), (arguments, given_)
    return True


DATA = '{"method": "mtp", "n": 3, "rate": 2.5, "list": [1, "x", null, {"k": true}], "o": {"b": 1, "a": []}}'


@needs_jq
@pytest.mark.parametrize(
    "arguments",
    [
        ["."], ["-c", "."], ["-S", "."], [".n"], ["-r", ".method"], [".list[1]"], ["-r", ".list[]"], [".list[-1].k"], [".o | keys"],
        [".x // \"none\""], ["-c", "{m: .method, n, \"q\": .o.b}"], ["-c", "[.list[] | select(. == \"x\")]"], [".list | length"],
        ["-r", '"\\(.method)-\\(.n)"'], ["-r", ".n | tostring"], ["-c", ".n = 4"], ["-c", ".o.c = .n"], ["-c", ".n += 1"],
        ["-c", ".o.b |= . * 2"], ["-c", "del(.list)"], ["-c", ". + {z: 1}"], ["-c", ". * {o: {b: 2}}"], ["-e", ".o.zz"], ["-e", ".n > 2"],
        [".n as $x | $x + 1"], ["if .n > 2 then \"a\" elif .n == 2 then \"b\" else \"c\" end"], ["-c", "to_entries | map(.key)"],
        ["-c", "with_entries(select(.key != \"list\"))"], ["-r", ".list | map(tostring) | join(\",\")"], ["-j", ".method, .n"],
        [".n / 2, .n % 2, -.n, .n * 1.5"], ["-c", "[.. | .k?]"], ["has(\"n\"), (.list | has(9))"], ["-c", ".method[1:], .list[:2]"],
        ["-c", "[range(3)], [range(1; 3)]"], ["-c", ".list | sort, unique, reverse"], ["--arg", "v", "7", "$v, ($v | tonumber)"],
        ["-c", "--argjson", "v", "{\"a\": 1}", ".o + $v"], ["-r", ".\"method\", .[\"method\"], .o[\"b\"]"], [".list[3].k and (.n | not)"],
        ["-c", ".list | first, last, (map(type) | add)"], ["-c", "[.n, .rate | floor, ceil]"], [".zz.y"], ["-r", ".method | ascii_upcase | startswith(\"M\")"],
        ["-c", "-s", "."], [".a = .b // 1"],
    ],
)  # fmt: skip
def test_usual_programs(arguments: list[str]) -> None:
    assert check(arguments, DATA)


@needs_jq
@pytest.mark.parametrize(
    "arguments",
    [
        ["-n", "--arg", "m", "mtp", "--argjson", "n", "3", "{method: $m, num_speculative_tokens: $n}"],
        ["-nc", "--arg", "m", 'a"b\\c', "{$m, l: [1, \"x\"], e: {}, f: []}"],
        ["-n", "{e: {}, f: [], g: [[]]}"], ["-n", "1, \"a\""], ["-nr", "[1, 2] | @tsv"], ["-n", "1 + 2 * 3 - 4"],
    ],
)  # fmt: skip
def test_programs_without_input(arguments: list[str]) -> None:
    assert check(arguments) or "@tsv" in arguments[-1]


values = st.sampled_from([".", ".a", ".b[0]", ".b[]", ".c.d?", "1", "2.5", '"x"', "null", "true", "[1, 2]", '{"a": 1}', ".b", "$v", ".a?", "-1", '"3"', "0.1", ".c", ".[]", "..", "empty"])  # fmt: skip
programs = st.recursive(
    values,
    lambda inner: st.one_of(
        st.builds(lambda a, o, b: f"{a} {o} {b}", inner, st.sampled_from(["+", "-", "*", "/", "==", "<", "!=", ">=", "|", ",", "//", "and", "or"]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"[{a}]", inner),
        st.builds(lambda a: f"({a})?", inner),
        st.builds(lambda f, a: f"{f}({a})", st.sampled_from(["select", "map", "has", "join", "startswith", "any", "all", "sort_by", "with_entries", "split", "range", "ltrimstr", "del"]), inner),
        st.builds(lambda a, f: f"({a} | {f})", inner, st.sampled_from(["length", "keys", "tostring", "tonumber", "type", "not", "add", "first", "to_entries", "sort", "unique", "min", "max", "floor", "ascii_upcase", "tojson", "reverse", "last"])),
        st.builds(lambda a, b: f"{{k: {a}, (\"q\"): ({b})}}", inner, inner),
        st.builds(lambda a, b, c: f"if {a} then {b} else {c} end", inner, inner, inner),
        st.builds(lambda a, b: f"{a} as $x | {b} | [., $x]", inner, inner),
        st.builds(lambda a: f'"<\\({a})>"', inner),
        st.builds(lambda p, o, a: f"{p} {o} {a}", st.sampled_from([".a", ".c.d", ".z", ".b[0]"]), st.sampled_from(["=", "|=", "+="]), inner),
    ),
    max_leaves=4,
)  # fmt: skip
inputs = st.sampled_from(['{"a": 1, "b": [3, "x", 2.5], "c": {"d": false}}', "null", "[1, [2], {}]\n\"s\"", '{"a": "x", "b": [], "c": {"d": {"a": null}}}', "12", '{"b": 1.50}', ""])  # fmt: skip


@needs_jq
@quick
@given(programs, inputs, st.sampled_from(["-c", "-r", "-S", "-e"]))
def test_programs_agree(program: str, given_: str, option: str) -> None:
    check([option, "--arg", "v", "w", program], given_)


@pytest.mark.parametrize(
    ("program", "given_"),
    [
        (".", "1.0"), (".", "1e3"), (".", "100000000000000000000"), (".", "{"), (".", "NaN"), (".a", "1"), (".[", "1"),
        ("1/0", "1"), ("input", "1 2"), ("$ENV", "1"), ("env", "1"), ("test(\"a\")", '"a"'), ("if . then 1 end", "1"),
        (".a.[0]", '{"a": [1]}'), ("{a: .x + 1}", '{"x": 1}'), ("def f: f; f", "1"), ("range(1000000000)", "1"), ("-0", "1"),
        ("{a: (1, 2)}", "1"), ("now", "1"), ("(.a)?", "1"), (". end", "1"), ("0 * -1", "1"), ("reduce .[] as $x (0; . + $x)", "[1]"),
    ],
)  # fmt: skip
def test_everything_else_is_not_modelled(program: str, given_: str) -> None:
    assert modelled([program], given_) is None


def test_holes_are_not_computed_with() -> None:
    for words, given_ in (
        ([lit("jq"), lit(".")], text('{"a": <X>}')),
        ([lit("jq"), lit("-n"), lit("--arg"), lit("a"), text("<X>"), lit("$a")], lit("")),
    ):
        with pytest.raises(NotModelled):
            run(Call(tuple(words), given_))


def test_a_file_is_read() -> None:
    call = Call((lit("jq"), lit("-r"), lit(".a"), lit("f")), None, {lit("f"): lit('{"a": "b"}')}.get)  # fmt: skip
    assert run(call).stdout == lit("b\n")
