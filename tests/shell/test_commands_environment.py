"""envsubst, printenv, checksums and base64 against the real tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from tests.shell.test_commands import check
from verifier.model.text import Text, lit
from verifier.shell.commands import Call, NotModelled, run

VALUES = {"A": lit("1"), "B": lit("x $A"), "E": lit("")}


def substituted(template: Text, *arguments: str) -> Text:
    argv = tuple(map(lit, ("envsubst", *arguments)))
    return run(Call(argv, template, variable=VALUES.get)).stdout


def test_envsubst_puts_values_in() -> None:
    template = lit("a: $A\nb: ${B} $Bx ${A ${} $1 $$A $E|\n")
    assert substituted(template) == lit("a: 1\nb: x $A  ${A ${} $1 $1 |\n")
    assert substituted(lit("$A ${B} $C"), "$B ${C}") == lit("$A x $A ")


def test_envsubst_of_unknown_text_is_not_guessed() -> None:
    with pytest.raises(NotModelled):
        substituted(text("a <X>"))


@pytest.mark.parametrize(("name", "status", "output"), [("A", 0, "1\n"), ("C", 1, "")])
def test_printenv_says_whether_it_is_set(name: str, status: int, output: str) -> None:
    result = run(Call((lit("printenv"), lit(name)), variable=VALUES.get))
    assert (result.status, result.stdout) == (status, lit(output) if output else Text(()))


@quick
@given(
    st.sampled_from(
        [["md5sum"], ["sha1sum"], ["sha256sum"], ["base64"], ["base64", "-w0"], ["base64", "-w", "8"], ["base64", "-d"]]
    ),
    st.text("abQ=+/\u00e9 \n0", max_size=40),
)  # fmt: skip
def test_codes_agree(arguments: list[str], given_: str) -> None:
    check(arguments, given_)


@quick
@given(
    st.text("ab.1", max_size=5),
    st.lists(st.sampled_from(["a", "b", ".", "\\(a\\)", "\\(.*\\)", "[ab]*", "\\.", "1\\+", "$"]), min_size=1, max_size=3),
)  # fmt: skip
def test_expr_agrees_on_matches(value: str, pattern: list[str]) -> None:
    check(["expr", f"x{value}", ":", "x" + "".join(pattern)], "")


@pytest.mark.parametrize("arguments", [["substr", "hello", "2", "3"], ["substr", "hi", "0", "3"], ["substr", "hi", "2", "9"]])  # fmt: skip
def test_expr_agrees_on_parts(arguments: list[str]) -> None:
    assert check(["expr", *arguments], "")
