"""The registry of checks: order, names, and the links they give."""

from __future__ import annotations

import checks


def test_checks_are_in_the_order_of_the_verdict() -> None:
    numbers = [check.META.number for check in checks.ALL]
    assert numbers == sorted(set(numbers))


def test_module_name_number_and_slug_agree() -> None:
    for check in checks.ALL:
        meta = check.META
        name = check.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
        assert name == f"check_{meta.number:02}_{meta.slug.replace('-', '_')}"


def test_every_check_says_what_and_why() -> None:
    for meta in checks.catalogue():
        assert meta.name
        assert meta.summary.endswith(".")
        assert meta.rationale.endswith(".")
