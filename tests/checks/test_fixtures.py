"""Every fixture through the real readers; set UPDATE_FIXTURES=1 to rewrite the `.out` files."""

from __future__ import annotations

import os

import pytest

import checks
from tests.checks.trees import FIXTURES, Fixture, all_fixtures
from verifier.model.finding import Status

CASES = all_fixtures()
JUDGED_ALONE = (7, 8, 9, 10, 11)
"""Checks that judge a recipe by itself; the others need a change or a pull request."""


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.script.parent.name}/{c.script.stem}")
def test_fixture(case: Fixture) -> None:
    lines = case.lines()
    if os.environ.get("UPDATE_FIXTURES"):
        if lines:
            case.out.write_text("\n".join(lines) + "\n")
        else:
            case.out.unlink(missing_ok=True)
    expected = case.out.read_text().splitlines() if case.out.exists() else []
    assert lines == expected
    kind = case.script.name.partition("_")[0]
    if kind == "good":
        assert case.judge().status in (Status.PASS, Status.NA)
    else:
        assert case.judge().status is {"bad": Status.FAIL, "unresolved": Status.UNRESOLVED}[kind]


@pytest.mark.parametrize("check", checks.ALL, ids=lambda c: c.META.slug)
def test_every_check_has_good_bad_and_unresolved_cases(check: checks.Check) -> None:
    if check.META.number not in JUDGED_ALONE:
        pytest.skip("needs more than a script")
    name = f"check_{check.META.number:02}_{check.META.slug.replace('-', '_')}"
    kinds = {path.name.partition("_")[0] for path in (FIXTURES / name).glob("*.sh")}
    assert kinds == {"good", "bad", "unresolved"}


def test_no_expectation_is_left_over() -> None:
    known = {case.out for case in CASES}
    folders = {case.script.parent for case in CASES}
    assert {out for folder in folders for out in folder.glob("*.out")} <= known
