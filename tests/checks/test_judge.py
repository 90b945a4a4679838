"""What rows add up to; a crash never looks like a pass."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from verifier import judge
from verifier.golden import Golden
from verifier.model.command import Note
from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Outcome, Status
from verifier.model.text import Span
from verifier.policy import parse_policy

META = CheckMeta(number=10, slug="golden-al", name="golden AL", summary="A.", rationale="B.")


def context(policy: str = "", unread: tuple[Note, ...] = ()) -> Context:
    return Context(
        policy=parse_policy(policy, "verifier.yaml"),
        golden=Golden.bundled(),
        today=datetime.date(2026, 9, 1),
        unread=unread,
    )


@dataclass
class Fake:
    findings: tuple[Finding, ...] = ()
    META: CheckMeta = META

    def check(self, context: Context) -> Iterable[Finding]:
        yield from self.findings


class Crash(Fake):
    def check(self, context: Context) -> Iterable[Finding]:
        yield Finding(status=Status.PASS, code="x", message="fine")
        raise RuntimeError("secret text of a hostile file")


def finding(status: Status, message: str = "m", line: int = 1) -> Finding:
    return Finding(status=status, code="c", message=message, span=Span("a.sh", line))


def test_a_crash_is_unresolved_and_quotes_nothing() -> None:
    row = judge.run(Crash(), context())
    assert row.status is Status.UNRESOLVED
    assert row.findings[0].code == "check_crashed"
    assert "secret" not in row.reason
    assert judge.outcome([row], context()) is Outcome.UNRESOLVED


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], Status.NA),
        ([Status.NA], Status.NA),
        ([Status.NA, Status.PASS], Status.PASS),
        ([Status.PASS, Status.UNRESOLVED], Status.UNRESOLVED),
        ([Status.UNRESOLVED, Status.FAIL, Status.PASS], Status.FAIL),
    ],
)
def test_the_worst_finding_is_the_row(statuses: list[Status], expected: Status) -> None:
    assert judge.run(Fake(tuple(finding(s) for s in statuses)), context()).status is expected


def test_the_reason_names_the_first_place_and_counts_the_others() -> None:
    row = judge.run(
        Fake((finding(Status.FAIL, "second", 7), finding(Status.FAIL, "first", 3))), context()
    )
    assert row.reason == "a.sh:3: first (and 1 more)"


def test_the_policy_renumbers_and_warns() -> None:
    policy = "checks: {golden-al: {number: 11, severity: warn}}"
    row = judge.run(Fake((finding(Status.FAIL),)), context(policy))
    assert (row.number, row.blocks, row.status) == (11, False, Status.FAIL)
    assert judge.outcome([row], context(policy)) is Outcome.PASS


def test_a_check_that_is_off_has_no_row_unless_asked_for() -> None:
    off = context("checks: {golden-al: {severity: off}}")
    assert "golden-al" not in judge.select(off, None)
    assert judge.select(off, ["golden-al"]) == {"golden-al"}


def test_checks_are_chosen_by_slug_and_public_number() -> None:
    assert judge.select(context(), ["golden-al"]) == {"golden-al"}
    assert judge.select(context(), [10]) == {"golden-al"}
    assert judge.select(context(), ["10"]) == {"golden-al"}
    with pytest.raises(KeyError, match="golden"):
        judge.select(context(), ["golden"])


def test_rejected_outranks_unresolved() -> None:
    rows = [
        judge.run(Fake((finding(Status.UNRESOLVED),)), context()),
        judge.run(Fake((finding(Status.FAIL),)), context()),
    ]
    assert judge.outcome(rows, context()) is Outcome.REJECTED


def test_an_unread_file_is_never_a_pass() -> None:
    note = Note(span=Span("b.sh", 1), text="cannot be read")
    verdict = judge.judge(context(unread=(note,)))
    assert verdict.outcome is Outcome.UNRESOLVED
    assert all(row.status is not Status.PASS for row in verdict.checks)
