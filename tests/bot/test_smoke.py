"""The bundled changes through the whole road; UPDATE_FIXTURES=1 rewrites what is stored."""

from __future__ import annotations

import json
import os

import pytest

import checks
from verifier.smoke import Case, cases, outline, stable_comment

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_smoke(case: Case) -> None:
    judged = case.judge()
    if os.environ.get("UPDATE_FIXTURES"):
        text = json.dumps(case.outline(judged.verdict), indent=1) + "\n"
        (case.folder / "verdict.json").write_text(text)
        if case.comment_file.exists():
            case.comment_file.write_text(stable_comment(judged))
    assert list(case.differences(judged)) == []
    if case.slug is not None:
        assert outline(judged.verdict)["checks"][case.slug][0] == case.status


@pytest.mark.parametrize("check", checks.ALL, ids=lambda check: check.META.slug)
def test_every_check_is_seen_to_pass_and_to_fail(check: checks.Check) -> None:
    """The statuses of all stored verdicts together; a case named for the check shows each."""
    slug = check.META.slug
    named = {case.status for case in CASES if case.slug == slug}
    seen = {case.expected()["checks"][slug][0] for case in CASES}
    assert "fail" in named
    assert {"pass", "fail"} <= seen
    if check.META.number <= 5:
        assert "unresolved" in named
