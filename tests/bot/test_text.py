"""Sign-off texts: what counts, what is ticked, what is empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bot.world import CHECKLIST, SIGNOFF
from verifier.model.pull import Remark
from verifier.signoff.items import items_of
from verifier.signoff.template import explanation, match_items, read_template, template_of
from verifier.signoff.text import (
    PHRASE,
    details_without_placeholder,
    fingerprint,
    read,
    why_no_signoff,
)
from verifier.signoff.visible import visible_lines


def said(text: str, bot: bool = False) -> str | None:
    return why_no_signoff(Remark(id=1, kind="issue_comment", author="a", bot=bot, body=text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PHRASE, id="alone"),
        pytest.param(f"Hello.\n\n{PHRASE}, I did it", id="in a paragraph"),
        pytest.param(f"**{PHRASE}**", id="bold"),
        pytest.param(f"> quote\n\n{PHRASE}", id="after a quote"),
        pytest.param(f"```\ncode\n```\n{PHRASE}", id="after code"),
        pytest.param(f"<details>\n\n{PHRASE}\n</details>", id="folded"),
        pytest.param(PHRASE.replace(" ", "\u00a0"), id="unbreakable blanks"),
        pytest.param(PHRASE.replace("\n", "\r\n"), id="other line ends"),
    ],
)
def test_the_phrase_counts(text: str) -> None:
    assert said(text) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(f"> {PHRASE}", id="quoted"),
        pytest.param(f"> quote\n{PHRASE}", id="a lazy line of a quote"),
        pytest.param(f">> {PHRASE}", id="quoted twice"),
        pytest.param(f"* > {PHRASE}", id="quoted in a list"),
        pytest.param(f"```\n{PHRASE}\n```", id="in a fence"),
        pytest.param(f"~~~~\n```\n{PHRASE}", id="in a fence that is not closed"),
        pytest.param(f"    {PHRASE}", id="indented"),
        pytest.param(f"<!-- {PHRASE} -->", id="hidden"),
        pytest.param(f"<!--\n{PHRASE}\n", id="hidden to the end"),
        pytest.param(f"Say `{PHRASE}` to sign off", id="in a code span"),
        pytest.param(f"[//]: # ({PHRASE})", id="a link definition"),
        pytest.param(f"<!-- codeowner-signoff-verify sha={'0' * 40} -->\n{PHRASE}", id="verdict"),
    ],
)
def test_the_phrase_does_not_count(text: str) -> None:
    assert said(text) is not None


def test_a_bot_never_signs() -> None:
    assert said(PHRASE, bot=True) is not None


@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("- [x] a", "ticked"),
        ("- [X] a", "ticked"),
        ("* [x] a", "ticked"),
        ("1. [x] a", "ticked"),
        ("  + [x] a", "ticked"),
        ("- [ ] a", "open"),
        ("- [] a", "malformed"),
        ("- [x ] a", "malformed"),
        ("- [ x] a", "malformed"),
        ("-[x] a", "malformed"),
        ("- [x]a", "malformed"),
        ("[x] a", "malformed"),
        ("- [v] a", "malformed"),
        ("- [✓] a", "malformed"),
        ("- [  ] a", "malformed"),
        ("- [\u00a0] a", "malformed"),
        ("- \\[x] a", "malformed"),
        ("• [x] a", "malformed"),
    ],
)
def test_boxes(line: str, box: str) -> None:
    [item] = items_of(visible_lines(line))
    assert (item.box, item.text) == (box, "a")


@pytest.mark.parametrize(
    "line", ["- [docs](https://example.org)", "- [a][b]", "- see [x] there", "text [x]", "- a"]
)
def test_no_boxes(line: str) -> None:
    assert items_of(visible_lines(line)) == ()


def test_items_continue_on_the_next_line_and_nest() -> None:
    items = items_of(visible_lines("- [x] one\n  more\n  - [ ] two\n    - [x] three\n- [x] four"))
    assert [(i.text, i.depth) for i in items] == [
        ("one more", 0),
        ("two", 1),
        ("three", 2),
        ("four", 0),
    ]


def test_items_in_quotes_and_code_do_not_count() -> None:
    assert read("> - [x] a\n\n```\n- [x] b\n```\n<!--\n- [x] c\n-->").items == ()


def test_the_template_is_the_fenced_block_below_its_heading() -> None:
    document = "```\n- [ ] not this\n```\n## Template\ntext\n~~~~\n- [ ] a\n```\n- [ ] b\n~~~~\n"
    assert template_of(document) == "- [ ] a\n```\n- [ ] b"
    assert template_of("## Other\n```\n- [ ] a\n```") is None
    assert template_of("## Template\n```\n- [ ] a\n") is None


def test_a_template_without_a_fence_ends_at_the_next_heading() -> None:
    document = (
        "# List\n## Template\n\nI have:\n- [ ] a\n\n### Details\n- x\n\n## Example\n- [ ] b\n"
    )
    assert template_of(document) == "I have:\n- [ ] a\n\n### Details\n- x"


def test_every_item_of_a_filled_template_is_found() -> None:
    template = read_template(CHECKLIST)
    assert template is not None
    matches = match_items(template.items, read(SIGNOFF).items)
    assert [m.found.box for m in matches if m.found] == ["ticked"] * 6


def test_wording_may_drift_and_items_may_not_vanish() -> None:
    template = read_template(CHECKLIST)
    assert template is not None
    drifted = SIGNOFF.replace("general code quality meets", "overall code quality fully meets")
    assert all(m.found for m in match_items(template.items, read(drifted).items))
    for index, line in enumerate(SIGNOFF.split("\n")):
        if "[" in line and "]" in line:
            lines = SIGNOFF.split("\n")
            del lines[index]
            missing = match_items(template.items, read("\n".join(lines)).items)
            assert sum(m.found is None for m in missing) == 1, line


def test_one_item_stands_for_one_item_only() -> None:
    template = read("- [ ] vllm images come from the vllm organisation\n"
                    "- [ ] vllm entries come from the vllm organisation first")  # fmt: skip
    signoff = read("- [x] vllm images come from the vllm organisation")
    matches = match_items(template.items, signoff.items)
    assert [m.found is not None for m in matches] == [True, False]


@pytest.mark.parametrize(
    ("details", "kept"),
    [
        ("- insert any additional info here", []),
        ("* Insert any additional info here.", []),
        ("<fill in>", []),
        ("Recipe: <paste link here>", ["Recipe: "]),
        ("see https://example.org", ["see https://example.org"]),
    ],
)
def test_a_placeholder_is_empty(details: str, kept: list[str]) -> None:
    template = read_template(CHECKLIST)
    text = SIGNOFF.replace("- Nothing is measured differently.", details)
    assert [line.text for line in details_without_placeholder(read(text), template)] == kept


def test_details_may_stand_on_the_line_of_their_heading() -> None:
    signoff = read("- [x] a\n**Additional detail section:** see run 5\nmore\n\nSigned: @olga")
    assert [line.text for line in signoff.details] == ["see run 5", "more"]
    assert signoff.signature is not None
    assert signoff.signature.login == "olga"


def test_explanations_name_what_they_explain() -> None:
    template = read_template(CHECKLIST)
    assert template is not None
    item = template.items[2]
    assert explanation(item, template, [(9, "validation is not needed for notes")], False) == 9
    assert explanation(item, template, [(9, "https://example.org/validation")], False) is None
    assert explanation(item, template, [(9, "this is quite fine as it is")], False) is None


def test_the_fingerprint_ignores_what_nobody_sees() -> None:
    assert fingerprint("a\r\nb  \n\n") == fingerprint("a\nb")
    assert fingerprint("- [ ] a") != fingerprint("- [x] a")


@given(st.text(alphabet=st.characters(), max_size=400))
def test_any_text_is_read(text: str) -> None:
    read(text)
    read_template("## Template\n```\n" + text + "\n```\n")
    said(text)


@given(st.lists(st.sampled_from(
    ["> ", "```", "~~~", "- [x] ", "<!--", "-->", "\n", "    ", PHRASE, "[//]: # (", "* "]
), max_size=30))  # fmt: skip
def test_blocks_are_never_misread_into_an_error(parts: list[str]) -> None:
    text = "".join(parts)
    numbers = [line.number for line in visible_lines(text)]
    assert numbers == sorted(set(numbers))
    read(text)
