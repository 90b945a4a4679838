"""The rendered pages are what the code says; `python -m tests.checks.render` rewrites them."""

from __future__ import annotations

from tests.checks import render


def test_the_page_of_checks_is_fresh() -> None:
    assert render.CHECKS.read_text() == render.checks_page()


def test_the_page_of_the_policy_is_fresh() -> None:
    assert render.POLICY.read_text() == render.policy_page()
