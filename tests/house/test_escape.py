"""Nothing from a repository gets a meaning where it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from verifier.reports import escape

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = [
    "@octocat please merge",
    "a@b.example",
    "<img src=x onerror=alert(1)>",
    "</details></details>",
    "<!-- codeowner-signoff-verify sha=0123456789012345678901234567890123456789 -->",
    "```\nout of the fence\n```",
    "`` a ` b ``` c",
    "`a``b` @c `d``",
    "[link](https://evil.example)",
    "![image](https://evil.example/x.png)",
    "<https://evil.example>",
    "https://evil.example/ www.evil.example mailto:a@b.example",
    "| a | b |\n|---|---|\n| c | d |",
    "#1 GH-1 owner/name#1",
    "# heading\n## heading",
    "1. one\n2. two",
    "- item\n+ item\n* item",
    "~~struck~~ **bold** __bold__ _it_ *it*",
    "title\n===\n---",
    "> quote",
    "    indented code",
    "&lt;b&gt; &#64;octocat &commat;octocat",
    "✅ Check 10 (golden-al): PASS — fine",
    ":white_check_mark: :100:",
    "$x^2$ $`y`$",
    "\u202eright to left\u202c \u2066isolated\u2069 \u200bzero",
    "\x1b[31mred\x1b]8;;https://evil.example\x1b\\link\x07 \x9b31m",
    "\ud800 lone \udcff",
    "tail\\",
    "\\`code\\`",
]
text = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from(HOSTILE + list("`@#<>&*_[]()|~\\!:\n $")), max_size=8).map("".join),
    st.text(st.characters(), max_size=60),
)


def inline(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from inline(token.children or [])


def assert_inert(source: str, allowed: set[str]) -> None:
    """Only text and code come out, and no text holds what GitHub turns into something."""
    for token in inline(MARKDOWN.parse(source)):
        assert token.type in allowed, (token.type, source)
        if token.type == "text":
            assert not re.search(r"(?<!\w)@\w", token.content)
            assert not re.search(r"#\d|\bGH-\d", token.content)
            assert not re.search(r"://|www\.", token.content)
            assert not re.search(r":[\w+-]+:", token.content)
        if token.type in ("text", "code_inline", "fence"):
            assert not set(token.content) & set("✅❌➖\x1b\u202e\u2066")


@given(text)
def test_running_text_is_only_text_and_code(value: str) -> None:
    allowed = {"paragraph_open", "paragraph_close", "inline", "text", "code_inline"}
    shown = escape.markdown(value)
    assert "\n" not in shown
    assert_inert(shown, allowed)
    assert_inert(f"See `x.sh:1`: {shown}", allowed)
    assert_inert(
        f"* {shown}",
        allowed | {"bullet_list_open", "bullet_list_close"} | {"list_item_open", "list_item_close"},
    )


@given(text)
def test_a_code_span_is_one_code_span(value: str) -> None:
    shown = escape.code(value)
    assert "\n" not in shown
    tokens = [t for t in inline(MARKDOWN.parse(f"x {shown} y")) if t.type != "inline"]
    types = [t.type for t in tokens]
    if escape.visible(value).strip():
        assert types == ["paragraph_open", "text", "code_inline", "text", "paragraph_close"]
    else:
        assert "code_inline" not in types


@given(text)
def test_a_code_block_is_one_code_block(value: str) -> None:
    shown = escape.code_block([value, "second"])
    tokens = MARKDOWN.parse(f"before\n\n{shown}\n\nafter")
    assert [t.type for t in tokens if t.type != "inline"] == [
        "paragraph_open",
        "paragraph_close",
        "fence",
        "paragraph_open",
        "paragraph_close",
    ]


@given(text)
def test_a_table_cell_stays_a_cell(value: str) -> None:
    row = f"| {escape.table_code(value)} | {escape.markdown(value)} |"
    tokens = MARKDOWN.parse(f"| a | b |\n|---|---|\n{row}")
    assert sum(t.type == "td_open" for t in tokens) == 2


@given(text)
def test_a_terminal_line_is_one_visible_line(value: str) -> None:
    shown = escape.terminal(value)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", shown)
    shown.encode("utf-8")


def test_pairs_of_backquotes_stay_code() -> None:
    assert escape.markdown("set `a_b` to *2*") == r"set `a_b` to \*2\*"


def test_plain_words_stay_as_they_are() -> None:
    plain = "dsv4_mtp: pin_mismatch is 2.54, expected 2.49 (thinking_on) at x-y/z.sh:12"
    assert escape.markdown(plain) == plain


def test_a_place_can_be_searched_for_and_emoji_stay_words() -> None:
    assert escape.markdown("x.sh:12: wrong") == "x.sh:12: wrong"
    for name in (":tada:", ":100:", ":1234:", ":+1:"):
        assert name not in escape.markdown(f"x.sh{name} wrong")


def test_a_megabyte_is_cut_and_said() -> None:
    long = "x" * 1_000_000
    for shown in (escape.markdown(long), escape.code(long), escape.code_block([long])):
        assert len(shown) < 1_000
        assert re.search(r"\(99\d,\d00 more characters\)", shown)
    assert len(escape.terminal(long)) < 5_000


@pytest.mark.parametrize(
    ("value", "message", "part"),
    [
        ("100%\r\n::error::x", "100%25%0D%0A::error::x", "100%25%0D%0A%3A%3Aerror%3A%3Ax"),
        ("a,b:c", "a,b:c", "a%2Cb%3Ac"),
        ("%0A", "%250A", "%250A"),
    ],
)
def test_workflow_commands_are_not_broken_out_of(value: str, message: str, part: str) -> None:
    assert escape.annotation_message(value) == message
    assert escape.annotation_property(value) == part
