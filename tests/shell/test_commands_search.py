"""grep and sed against the real tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from tests.shell.test_commands import check, stdin
from verifier.model.text import lit
from verifier.shell.commands import Call, NotModelled, run

ATOMS = ["a", "b", ".", "[ab]", "[^a]", "[0-9]", "a*", "b\\+", "\\.", "^", "$", "[[:digit:]]*", "\\(a\\)", "\\(a\\|b\\)", "x", ":", " ", ",", "[a-z]*", ".*", "\\(.*\\)", "a\\?", "[0-9]\\{2\\}", "*", "+", "a+", "(a|b)", "(a)", "b?", "1", "/"]  # fmt: skip
expressions = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4).map("".join)
REPLACEMENTS = ["", "X", "<&>", "\\1", "[\\1]", "\\&", "a\\nb", "\\/", "x y"]
flags = st.sampled_from(["", "g", "p", "2", "gp", "I", "gI"])
ADDRESSES = [
    "1,+1",
    "/a/,+1",
    "0,/b/",
    "/a/,/b/!",
    "",
    "1",
    "2",
    "$",
    "/a/",
    "1,2",
    "2,$",
    "/a/,/b/",
    "1!",
    "/1/!",
    "2,1",
    "/a/,2",
]


@quick
@given(
    st.lists(
        st.sampled_from(["-q", "-E", "-F", "-v", "-o", "-c", "-i", "-x", "-m1", "-h", "-n"]),
        max_size=2,
    ),
    expressions,
    stdin,
)
def test_grep_agrees(options: list[str], expression: str, given_: str) -> None:
    check(["grep", *options, expression], given_)


@quick
@given(
    st.lists(st.sampled_from(["-n", "-E", "-r"]), max_size=2),
    st.sampled_from(ADDRESSES),
    st.one_of(
        st.sampled_from(["p", "d", "q"]),
        st.builds("s/{}/{}/{}".format, expressions, st.sampled_from(REPLACEMENTS), flags),
        st.builds("s|{}|{}|{}".format, expressions, st.sampled_from(REPLACEMENTS), flags),
    ),
    st.sampled_from(["", ";p", "; s/a/b/", ";$d"]),
    stdin,
)
def test_sed_agrees(options: list[str], address: str, command: str, more: str, given_: str) -> None:
    check(["sed", *options, f"{address}{command}{more}"], given_)


PERL = ["a", "b", "\\d", "\\w+", "[ab]", "[^a]*", ".", "x?", "(?<=a)", "(?=b)", "(?!x)", "\\K", "\\b", "\\s*", "(?:ab)+", "(a|b)", "[[:digit:]]", "a+?", "^", "$", ":", "\\.", "{2}", "[0-9]{1,2}"]  # fmt: skip


@quick
@given(
    st.sampled_from([["-P"], ["-oP"], ["-cP"], ["-w"], ["-wE"], ["-cw"], ["-iP"]]),
    st.lists(st.sampled_from(PERL), min_size=1, max_size=4).map("".join),
    stdin,
)
def test_grep_for_words_and_perl_agrees(options: list[str], source: str, given_: str) -> None:
    check(["grep", *options, source], given_)


PROGRAM = st.lists(
    st.builds(
        "{}{}".format,
        st.sampled_from(["", "1", "$!", "/a/", "2,$", "/b/,/a/"]),
        st.sampled_from(
            ["p", "P", "d", "D", "n", "N", "=", "h", "H", "g", "G", "x", "q", "Q", "y/ab/ba/", "a one\n",
             "i\\\n two\n", "c three\n", "s/a/b/;t", "s/b/\\U&x/", "s/\\(a\\)\\(.\\)/\\u\\2\\L\\1\\EQ/", "b",
             "s/\\n/,/", "{p;d}", "{/a/b\nn\n}", "s/^/x/2;T"]
        ),
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip


@quick
@given(st.sampled_from([[], ["-n"]]), PROGRAM, stdin)
def test_sed_programs_agree(options: list[str], commands: list[str], given_: str) -> None:
    check(["sed", *options, ";".join(commands)], given_)


@pytest.mark.parametrize(
    "arguments",
    [
        ["sed", ":a;N;$!ba;s/\\n/,/g"], ["sed", "/x/a\\  more"], ["sed", "1i top"], ["sed", "$a last"], ["sed", "/b/c new"],
        ["sed", "s/.*/\\U&/"], ["sed", "s/_\\(.\\)/\\u\\1/g"], ["sed", "y/abc/xyz/"], ["sed", "-n", "$="], ["sed", "0,/a/s/a/Q/"],
        ["sed", "/a/,+1d"], ["sed", "-n", "/#c/{s/#//;p}"], ["sed", "$!N;P;D"], ["sed", "1!G;h;$!d"],
        ["grep", "-oP", "(?<=x_)\\w+"], ["grep", "-oP", "gen_\\K\\d+"], ["grep", "-w", "ab"], ["grep", "-cw", "gen"],
        ["grep", "-q", "a"], ["grep", "-E", "^(a|b)"], ["grep", "-v", "^#"], ["grep", "-c", "."], ["grep", "-oE", "[0-9]+"],
        ["grep", "-F", "a.b"], ["grep", "-i", "A"], ["sed", "s/a/b/g"], ["sed", "s|/|_|g"], ["sed", "-n", "1p"],
        ["sed", "-n", "s/^\\([a-z]*\\).*/\\1/p"], ["sed", "-E", "s/([0-9]+)/<\\1>/"], ["sed", "s/[\\/:@#]/_/g"],
        ["sed", "-e", "s/^a//", "-e", "s/b$//"], ["sed", "/a/d"], ["sed", "$d"], ["sed", "2q"], ["sed", "s/.*_gen_\\([0-9]*\\).*/\\1/"],
    ],
)  # fmt: skip
def test_common_uses_are_modelled(arguments: list[str]) -> None:
    assert check(arguments, "a:b/c\nx_gen_12_y\n#c 3\nab\n")


def test_sed_writes_files_in_place() -> None:
    files = {lit("f"): lit("name: x\nb: 1\n"), lit("g"): lit("name: y\n")}
    call = Call(tuple(map(lit, ["sed", "-i", "s/^name:.*/name: z/", "f", "g"])), None, files.get)
    result = run(call)
    assert result.stdout == lit("")
    assert [(w.name, w.content) for w in result.writes] == [
        (lit("f"), lit("name: z\nb: 1\n")),
        (lit("g"), lit("name: z\n")),
    ]


@pytest.mark.parametrize(
    ("option", "backup"),
    [("-i.bak", "f.bak"), ("-ie", "fe"), ("--in-place=.bak", "f.bak"), ("-Ei~", "f~")],
)
def test_sed_keeps_backups(option: str, backup: str) -> None:
    arguments = tuple(map(lit, ["sed", option, "s/a/b/", "f"]))
    result = run(Call(arguments, None, lambda name: lit("a\n")))
    assert [(w.name, w.content) for w in result.writes] == [
        (lit(backup), lit("a\n")),
        (lit("f"), lit("b\n")),
    ]


def test_grep_finds_a_known_line_beside_unknown_ones() -> None:
    call = Call((lit("grep"), lit("-q"), lit("^b")), text("a<X>\nb\n<X>c\n"))
    assert run(call).status == 0
    for pattern in ("^a", "^c", "z"):
        with pytest.raises(NotModelled):
            run(Call((lit("grep"), lit("-q"), lit(pattern)), text("a<X>\nb\n<X>c\n")))


@pytest.mark.parametrize(
    "arguments",
    [
        ["grep", "-q", ".*.*.*.*.*x"], ["grep", "-Eq", "(a+)+b"], ["sed", "s/.*.*.*.*x/y/"], ["sed", "s/a*a*a*b/y/g"],
        ["awk", "/.*.*.*.*x/"], ["awk", "/(a|aa)*(a|aa)*(a|aa)*b/"],
    ],
)  # fmt: skip
def test_expressions_that_take_for_ever_are_not_modelled(arguments: list[str]) -> None:
    with pytest.raises(NotModelled):
        run(Call(tuple(map(lit, arguments)), lit("a" * 3000 + "\n")))
