"""Quoting against real bash."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import bash, needs_bash, quick
from verifier.shell.quoting import decode_ansi_c, quote_printf, quote_transform

strings = st.text(
    st.sampled_from(
        "ab '\"\\$`!#~:=*?[]{}(),;<>&|^%@+-_/\n\t\x01\x1b\x7f\u00e9\u20ac\u200b\x85\ud7ff"
    ),
    max_size=6,
)


@needs_bash
@quick
@given(strings)
def test_quotes_agree_with_bash(value: str) -> None:
    output, _ = bash('x=$1; printf "%q\\0%s\\0" "$x" "${x@Q}" | tr "\\0" "\\6"', value)
    assert output == f"{quote_printf(value)}\6{quote_transform(value)}\6"


escapes = st.lists(
    st.sampled_from(["\\n", "\\t", "\\\\", "\\'", '\\"', "\\x41", "\\x4", "\\xe2\\x82\\xac", "\\101", "\\1", "\\u20ac",
                     "\\U1F600", "\\e", "\\E", "\\cA", "\\c?", "\\q", "\\x", "\\0", "\\u", "a", "1", "\\400", "\\?", "\\v", "é",
                     "\\x{41}", "\\x00", "\\u41", "\\cé"]),
    max_size=5,
).map("".join)  # fmt: skip


@needs_bash
@quick
@given(escapes)
def test_escapes_agree_with_bash(value: str) -> None:
    output, _ = bash(f"x=$'{value}'; printf %s \"$x\"")
    assert decode_ansi_c(value) == output
