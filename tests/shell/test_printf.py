"""printf against real bash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import bash, needs_bash, quick, text
from verifier.model.text import hole, lit
from verifier.shell.printf import printf

flags = st.text("-+ #0", max_size=2)
widths = st.sampled_from(["", "1", "5", "8", "*"])
precisions = st.sampled_from(["", ".", ".0", ".1", ".3", ".10", ".*"])
kinds = st.sampled_from(
    ["s", "d", "i", "u", "x", "X", "o", "c", "b", "q", "Q", "f", "e", "g", "E", "G", "ld", "%", "z"]
)
conversions = st.builds(lambda *p: "%" + "".join(p), flags, widths, precisions, kinds)
plain = st.sampled_from(["a", "\\n", " ", "\\t", "\\101", "\\x41", "%%", ",", "\\\\", "\\q", "\\u20ac", '\\"', "\\c", "\\0101", "-"])  # fmt: skip
templates = st.lists(st.one_of(conversions, conversions, plain), max_size=4).map("".join)
arguments = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "a", "abc", "a b", "it's", "1", "-1", "42", "010", "0x1f", "08", " 7", "7 ", "1.5", "2.675", "0.125", "0.25",
             "2.5", "1e3", "-0.5", "1e-5", "100000", "1234567", "'a", '"', "99999999999999999999", "-3", "a\\tb", "x\\cy",
             "\\0101", "\\101", "1.005", "1.2.3", "5x", "-x", "3", "0.1", "123.456", ".5", "5.", "0", "-0"]
        ),
        st.decimals(-1000, 1000, places=3).map(str),
    ),
    max_size=4,
)  # fmt: skip


@needs_bash
@quick
@given(templates, arguments)
def test_output_and_status_agree_with_bash(template: str, given_: list[str]) -> None:
    printed = printf(lit(template), [lit(a) for a in given_])
    output, status = bash('printf -- "$@"', template, *given_)
    if printed.output.known is None:
        return
    assert printed.output.known == output
    assert printed.status in (status, None)


@pytest.mark.parametrize(
    ("template", "given_", "expected"),
    [
        ("%s-%s\\n", ["<X>", "b"], "<X>-b\n"),
        ("--x=%s ", ["a", "<X>b"], "--x=a --x=<X>b "),
        ("%%%s", ["<X>"], "%<X>"),
    ],
)
def test_holes_flow_through(template: str, given_: list[str], expected: str) -> None:
    printed = printf(lit(template), [text(a) for a in given_])
    assert printed.output == text(expected)
    assert printed.status == 0


def test_numbers_of_holes_are_holes() -> None:
    first = printf(lit("%d"), [text("<X>")])
    assert first.output.known is None
    assert first.status is None
    assert first.output == printf(lit("%d"), [text("<X>")]).output
    assert first.output != printf(lit("%5d"), [text("<X>")]).output
    number = hole("a sum", "arith:(input:X+1)")
    assert printf(lit("%d"), [number]).output == number
    assert printf(text("<X>"), []).output.known is None


def test_few_holes() -> None:
    known = [
        ("%.2f", "2.49"), ("%.2f", "2.675"), ("%d", "42"), ("%5s", "a"), ("%q", "a b"), ("%g", "0.1"),
        ("%.3f", "0.8633333"),
    ]  # fmt: skip
    for template, value in known:
        assert printf(lit(template), [lit(value)]).output.known is not None, (template, value)


def test_hostile_formats_end() -> None:
    printf(lit("%999999999s"), [lit("a")])
    printf(lit("%.999999999f"), [lit("1")])
    printf(lit("%f"), [lit("1e9999")])
    printf(lit("%1000s"), [lit("a")] * 10000)
