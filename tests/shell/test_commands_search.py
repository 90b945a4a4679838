"""grep and sed against the real tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick
from tests.shell.test_commands import check, stdin

ATOMS = ["a", "b", ".", "[ab]", "[^a]", "[0-9]", "a*", "b\\+", "\\.", "^", "$", "[[:digit:]]*", "\\(a\\)", "\\(a\\|b\\)", "x", ":", " ", ",", "[a-z]*", ".*", "\\(.*\\)", "a\\?", "[0-9]\\{2\\}", "*", "+", "a+", "(a|b)", "(a)", "b?", "1", "/"]  # fmt: skip
expressions = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4).map("".join)
REPLACEMENTS = ["", "X", "<&>", "\\1", "[\\1]", "\\&", "a\\nb", "\\/", "x y"]
flags = st.sampled_from(["", "g", "p", "2", "gp", "I", "gI"])
ADDRESSES = ["", "1", "2", "$", "/a/", "1,2", "2,$", "/a/,/b/", "1!", "/1/!", "2,1", "/a/,2"]


@quick
@given(
    st.lists(
        st.sampled_from(["-q", "-E", "-F", "-v", "-o", "-c", "-i", "-x", "-m1", "-h"]), max_size=2
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


@pytest.mark.parametrize(
    "arguments",
    [
        ["grep", "-q", "a"], ["grep", "-E", "^(a|b)"], ["grep", "-v", "^#"], ["grep", "-c", "."], ["grep", "-oE", "[0-9]+"],
        ["grep", "-F", "a.b"], ["grep", "-i", "A"], ["sed", "s/a/b/g"], ["sed", "s|/|_|g"], ["sed", "-n", "1p"],
        ["sed", "-n", "s/^\\([a-z]*\\).*/\\1/p"], ["sed", "-E", "s/([0-9]+)/<\\1>/"], ["sed", "s/[\\/:@#]/_/g"],
        ["sed", "-e", "s/^a//", "-e", "s/b$//"], ["sed", "/a/d"], ["sed", "$d"], ["sed", "2q"], ["sed", "s/.*_gen_\\([0-9]*\\).*/\\1/"],
    ],
)  # fmt: skip
def test_common_uses_are_modelled(arguments: list[str]) -> None:
    assert check(arguments, "a:b/c\nx_gen_12_y\n#c 3\nab\n")
