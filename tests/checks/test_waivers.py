"""When a waiver covers a patch, and what is missing when it does not."""

from __future__ import annotations

import datetime

import pytest

from checks.waivers import waived
from verifier.golden import Golden
from verifier.model.context import Context
from verifier.model.finding import Finding, Status
from verifier.model.pull import PullFacts, Remark
from verifier.model.record import replace
from verifier.model.text import Span
from verifier.policy import DEFAULT

FINDING = Finding(
    status=Status.FAIL,
    code="engine_source_written",
    message="`sed -i` edits a.py",
    span=Span("benchmarks/single_node/agentic/x_fp8.sh", 9),
)
TEXT = """# Waiver

## What is patched
`x_fp8.sh` adds two fields to the engine's output processor.

## Why the image cannot run as shipped
The client needs the cached token count of every choice.

## Upstream
https://github.com/vllm-project/vllm/pull/12345

## Removal plan
With the first release that contains the change above.
"""
LINK = "As a PR reviewer … docs/waiver/7.md covers the patch."


def context(waivers: dict[str, str], body: str = LINK) -> Context:
    pull = PullFacts(
        repo="o/n",
        number=7,
        head_sha="a" * 40,
        base_ref="main",
        base_sha="b" * 40,
        merge_base="b" * 40,
        waivers=waivers,
        signoff=Remark(id=1, kind="issue_comment", author="me", body=body),
    )
    return Context(
        policy=DEFAULT, golden=Golden.bundled(), today=datetime.date(2026, 9, 1), pull=pull
    )


def judge(text: str | None, body: str = LINK, name: str = "docs/waiver/7.md") -> Finding:
    waivers = {} if text is None else {name: text}
    return waived([FINDING], (), context(waivers, body))[0]


def test_a_filled_in_waiver_that_is_linked_covers_the_patch() -> None:
    finding = judge(TEXT)
    assert (finding.status, finding.code) == (Status.PASS, "waived")
    assert finding.related[-1].span.path == "docs/waiver/7.md"


@pytest.mark.parametrize(
    ("text", "body", "problem"),
    [
        (None, LINK, "there is no docs/waiver/7.md"),
        (TEXT, "no link", "is not linked in the sign-off"),
        (TEXT, "docs/waiver/77.md", "is not linked in the sign-off"),
        (TEXT.replace("x_fp8.sh", "y.sh"), LINK, "does not cover x_fp8.sh"),
        (TEXT.replace("/pull/12345", ""), LINK, "links no upstream pull request"),
        (TEXT.partition("## Removal")[0], LINK, "does not say the removal plan"),
        (
            TEXT.replace("The client needs the cached token count of every choice.", "<why>"),
            LINK,
            "does not say why",
        ),
        ("", LINK, "does not say what is patched"),
    ],
)
def test_what_is_missing_is_said(text: str | None, body: str, problem: str) -> None:
    finding = judge(text, body)
    assert finding.status is Status.FAIL
    assert problem in finding.message


def test_a_waiver_may_name_the_patched_file_of_the_engine() -> None:
    patched = "/usr/lib/python3/dist-packages/vllm/worker.py"
    found = replace(FINDING, message=f"`sed -i` edits {patched}, which the image ships")
    for name, status in (("vllm/worker.py", Status.PASS), ("vllm/engine.py", Status.FAIL)):
        text = {"docs/waiver/7.md": TEXT.replace("x_fp8.sh", name)}
        assert waived([found], (), context(text))[0].status is status


def test_the_waiver_of_another_pull_request_does_not_cover_a_new_patch() -> None:
    finding = judge(TEXT, "docs/waiver/6.md", "docs/waiver/6.md")
    assert finding.status is Status.FAIL
    assert "there is no docs/waiver/7.md" in finding.message


def test_the_waiver_of_an_earlier_pull_request_covers_its_own_patch() -> None:
    found = waived(
        [FINDING], [FINDING], context({"docs/waiver/6.md": TEXT}, "see docs/waiver/6.md")
    )
    assert found[0].code == "waived"


def test_other_findings_stay_as_they_are() -> None:
    other = replace(FINDING, status=Status.UNRESOLVED)
    assert waived([other], (), context({"docs/waiver/7.md": TEXT})) == [other]
