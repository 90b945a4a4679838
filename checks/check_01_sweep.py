"""A sweep and its evaluations succeeded on a commit that is still in the pull request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Status

if TYPE_CHECKING:
    from verifier.model.pull import PullFacts
    from verifier.signoff.lanes import Evidence

META = CheckMeta(
    number=1,
    slug="sweep",
    name="sweep",
    summary="Some commit still in the pull request carries executed, successful sweep and "
    "evaluation jobs of every lane that the change needs.",
    rationale="A number counts only when it was measured on what is being merged. Skipped jobs "
    "measured nothing, and a run on a commit that was rebased away measured something else.",
)


def check(context: Context) -> Iterator[Finding]:
    """One finding for each lane without evidence, else one pass."""
    pull = context.pull
    if pull is None:
        yield Finding(
            status=Status.NA, code="no_pull_request", message="no pull request is being judged"
        )
        return
    from verifier.signoff.lanes import evidence, required, with_evals

    lanes = required(context)
    if not lanes:
        yield Finding(
            status=Status.NA,
            code="nothing_to_measure",
            message="the change touches no benchmark script, recipe or master-config entry",
        )
        return
    needed = with_evals(lanes, context.policy)
    found = evidence(pull, needed, context.policy)
    if found.complete and found.sha is not None:
        yield Finding(
            status=Status.PASS,
            code="swept",
            message=f"on {found.sha[:12]}: {_described(found, needed)}",
        )
        return
    problem = pull.problem("check_runs") or pull.problem("commits") or pull.problem("limit")
    if problem:
        yield Finding(
            status=Status.UNRESOLVED,
            code="evidence_unreadable",
            message=f"the check-runs of the commits could not all be read: {problem}",
        )
        return
    yield from _missing(pull, found, needed, lanes)


def _described(found: Evidence, needed: tuple[str, ...]) -> str:
    return "; ".join(f"{name}: {found.lanes[name].describe()}" for name in needed)


def _missing(
    pull: PullFacts, found: Evidence, needed: tuple[str, ...], lanes: dict[str, str]
) -> Iterator[Finding]:
    hint = "run the full sweep on a commit of this pull request, or rerun its failed jobs"
    if found.sha is None:
        what = ", ".join(f"{name} (for {reason})" for name, reason in lanes.items())
        yield Finding(
            status=Status.FAIL,
            code="no_sweep",
            message="no sweep or evaluation job ran on any commit of this pull request "
            f"({len(pull.commits)} looked at); needed: {what}",
            hint=hint,
        )
        return
    for name in needed:
        lane = found.lanes.get(name)
        if lane is not None and lane.good:
            continue
        if lane is None:
            state, code = "has no job", "lane_missing"
        elif lane.failed:
            state, code = lane.describe(), "lane_failed"
        elif lane.running:
            state, code = lane.describe(), "lane_running"
        else:
            state, code = f"executed nothing ({lane.describe()})", "lane_idle"
        yield Finding(
            status=Status.FAIL,
            code=code,
            message=f"lane {name} on {found.sha[:12]}, the commit with the most evidence: {state}",
            hint=hint,
        )
