"""Command models against the real tools."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from verifier.model.text import Text, lit
from verifier.shell.commands import Call, NotModelled, model, run

WORDS = ["a", "b", "ab", "1", "10", "2", "-3", "0", "1.5", "a b", "a,b", "", "x:y:z", "B", "1,2,3", "  7", "z\tq", "9.25", "aa"]  # fmt: skip
stdin = st.builds(
    lambda lines, end: "\n".join(lines) + ("\n" if lines and end else ""),
    st.lists(st.sampled_from(WORDS), max_size=6),
    st.sampled_from([True, True, True, False]),
)


def real(arguments: list[str], given_: str) -> tuple[str, int]:
    line = arguments
    if arguments[0] in ("echo", "printf"):
        line = ["bash", "-c", '"$0" "$@"', *arguments]
    done = subprocess.run(
        line,
        input=given_.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        check=False,
    )
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def check(arguments: list[str], given_: str) -> bool:
    """Compare with the real tool; false when it is not modelled."""
    if shutil.which(arguments[0]) is None:
        pytest.skip(f"{arguments[0]} is not installed")
    try:
        result = run(Call(tuple(map(lit, arguments)), lit(given_)))
    except NotModelled:
        return False
    output, status = real(arguments, given_)
    if result.stdout.known is not None:
        assert result.stdout.known == output, arguments
    if result.status is not None:
        assert (result.status == 0) == (status == 0), arguments
        assert result.status == status, arguments
    return True


NUMBERS = [
    "1",
    "2",
    "5",
    "10",
    "0",
    "-1",
    "3",
    "0.5",
    "0.1",
    "1.0",
    "2.25",
    "-0.5",
    "8",
    "100",
    "08",
]
SETS = ["a-z", "A-Z", "[:lower:]", "[:upper:]", "ab", "\\n", ",", " ", "0-9", "[:space:]", "[:alnum:]_.-", "-", "a-c", "x", "\\t", "[:digit:]", "_"]  # fmt: skip
KEYS = ["1", "2", "2,2", "1,1n", "2n", "2r", "2,3"]
number = st.sampled_from(NUMBERS)
count = st.sampled_from(["0", "1", "2", "3", "10"])


def lines_of(*parts: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.tuples(*parts).map(lambda groups: [word for group in groups for word in group])


def one(*words: str) -> st.SearchStrategy[list[str]]:
    return st.just(list(words))


def some(*options: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(options), max_size=2)


COMMANDS = st.one_of(
    lines_of(one("echo"), st.lists(st.sampled_from(["-n", "-e", "-E", "-ne", "-x", "a", "b\\tc", "\\x41", "\\0101", "\\101", "x\\cy", "-", "--", "", "\\u20ac", "\\'"]), max_size=4)),
    lines_of(one("seq"), some("-w", "-s,", "-s "), st.lists(number, min_size=1, max_size=3)),
    lines_of(one("seq", "-f"), st.lists(st.sampled_from(["%g", "%.2f", "x%03g", "%5.1f", "%e"]), min_size=1, max_size=1), st.lists(number, min_size=1, max_size=3)),
    lines_of(one("sort"), some("-n", "-r", "-u", "-rn", "-s", "-nu", "-V"), st.sampled_from([[], ["-t,", "-k2"], ["-t:", "-k2,2"], ["-k1,1n"], ["-k2"], ["-t,", "-k2n"], ["-t,", "-k2r"]])),
    lines_of(one("uniq"), some("-c", "-d", "-u")),
    lines_of(one("paste"), st.sampled_from([["-s"], ["-sd,"], ["-sd", ","], ["-s", "-d", "\\n"], ["-d,", "-", "-"], ["-s", "-d", ",:"], ["-sd", ""], ["-"], ["-sd", ",", "-"], ["-", "-", "-"]])),
    lines_of(one("tr"), some("-d", "-s", "-c", "-cs", "-cd", "-ds"), st.lists(st.sampled_from(SETS), min_size=1, max_size=2)),
    lines_of(one("cut"), st.sampled_from([["-d,"], ["-d", ":"], ["-d", " "], []]), some("-s"), st.sampled_from([["-f1"], ["-f", "2"], ["-f2-"], ["-f-2"], ["-f1,3"], ["-c1"], ["-c2-3"], ["-c", "-2"]])),
    lines_of(one("head"), st.one_of(st.builds(lambda n: ["-n", n], count), st.builds(lambda n: [f"-{n}"], count), st.builds(lambda n: ["-c", n], count), st.builds(lambda n: [f"-n-{n}"], count), one())),
    lines_of(one("tail"), st.one_of(st.builds(lambda n: ["-n", n], count), st.builds(lambda n: [f"-{n}"], count), st.builds(lambda n: ["-c", n], count), st.builds(lambda n: ["-n", f"+{n}"], count), st.builds(lambda n: ["-c", f"+{n}"], count))),
    lines_of(one("wc"), some("-l", "-w", "-c", "-m")),
    lines_of(st.sampled_from([["rev"], ["tac"], ["cat"], ["true"], ["false"], ["cat", "-"]])),
    lines_of(one("basename"), st.lists(st.sampled_from(["/a/b.sh", "a", "/", "a/b/", "//", "", "b.sh", "/x/b.sh//"]), min_size=1, max_size=1), st.sampled_from([[], [".sh"], ["b.sh"], ["h"]])),
    lines_of(one("dirname"), st.lists(st.sampled_from(["/a/b.sh", "a", "/", "a/b/", "//a", "", "a//b", "/a", "a/b/c", "//"]), min_size=1, max_size=2)),
    lines_of(one("expr"), st.lists(st.sampled_from(["1", "2", "7", "+", "-", "*", "/", "%", "(", ")", "<", "=", "&", "|", "a", "0", "-3", ">=", "!=", "length"]), min_size=1, max_size=5)),
)  # fmt: skip


@quick
@given(COMMANDS, stdin)
def test_models_agree_with_the_tools(arguments: list[str], given_: str) -> None:
    check(arguments, given_)


expressions = st.recursive(
    st.sampled_from(["1", "3", "2.5", "0.25", ".5", "10", "7", "100", "0"]),
    lambda inner: st.one_of(
        st.builds(lambda a, o, b: f"{a}{o}{b}", inner, st.sampled_from(["+", "-", "*", "/", " * ", " / "]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"-{a}", inner),
    ),
    max_leaves=4,
)  # fmt: skip


@quick
@given(expressions, st.sampled_from(["", "scale=2; ", "scale=4;", "scale=10\n"]))
def test_bc_agrees(expression: str, scale: str) -> None:
    if "--" in expression:
        return
    check(["bc"], f"{scale}{expression}\n")


@pytest.mark.parametrize(
    "line",
    [
        "echo a b", "echo -e a\\tb", "seq 1 5", "seq -s, 256 256 1024", "seq 0.1 0.1 0.5", "sort -n", "sort -u",
        "uniq -c", "paste -sd,", "tr a-z A-Z", "tr -d \\n", "cut -d, -f2", "head -n1", "tail -1", "wc -l",
        "rev", "tac", "basename /a/b.sh .sh", "dirname /a/b.sh", "expr 1 + 2", "sort -rn", "tr [:upper:] [:lower:]",
        "cat", "tr -cs A-Za-z0-9_.- -", "head -1", "tail -n 2", "wc -c", "sort -V",
    ],
)  # fmt: skip
def test_common_uses_are_modelled(line: str) -> None:
    assert check(line.split(" "), "3\n1\n2\n")


def outcome(line: str, given_: str | Text) -> Text:
    return run(
        Call(tuple(map(text, line.split(" "))), text(given_) if isinstance(given_, str) else given_)
    ).stdout


def test_holes_pass_through() -> None:
    assert outcome("echo a <X>b", "") == text("a <X>b\n")
    assert outcome("cat", "a<X>\n") == text("a<X>\n")
    assert outcome("head -n1", "a\n<X>\n") == text("a\n")
    assert outcome("tail -n1", "<X>\nb\n") == text("b\n")
    assert outcome("tail -n +2", "a\n<X>\n") == text("<X>\n")
    assert outcome("basename /<X>/b.sh .sh", "") == text("b\n")
    assert outcome("dirname /<X>/a/b.sh", "") == text("/<X>/a\n")
    lowered = outcome("tr A-Z a-z", "AB<X>CD\n")
    assert [p if isinstance(p, str) else "?" for p in lowered.key] == ["ab", "?", "cd\n"]
    assert lowered == outcome("tr A-Z a-z", "AB<X>CD\n")


@pytest.mark.parametrize(
    ("line", "given_"),
    [
        ("sort", "a<X>\n"), ("head -n2", "a\n<X>\nb\n"), ("tail -n2", "a\n<X>\nb\n"), ("basename /a/<X>", ""),
        ("dirname /<X>", ""), ("wc -l", "<X>\n"), ("cut -d, -f1", "<X>,b\n"), ("seq <X>", ""), ("sort -x", "a\n"),
        ("echo -e a\\0<X>", ""), ("head -n <X>", "a\n"), ("sort", "a\nB\n"), ("cat missing", ""),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_modelled(line: str, given_: str) -> None:
    with pytest.raises(NotModelled):
        outcome(line, given_)


def test_an_argument_from_outside_may_be_an_option() -> None:
    assert outcome("echo <X>", "").known is None
    assert len(outcome("echo <X>", "").pieces) == 1
    assert outcome("echo <X>/", "") == text("<X>/\n")


def test_tee_writes() -> None:
    result = run(Call((lit("tee"), lit("-a"), text("<X>/log")), lit("a\n")))
    assert result.stdout == lit("a\n")
    assert [(w.name, w.content, w.append) for w in result.writes] == [
        (text("<X>/log"), lit("a\n"), True)
    ]


def test_unknown_commands() -> None:
    assert model("frobnicate") is None
    with pytest.raises(NotModelled):
        run(Call((lit("date"),)))
