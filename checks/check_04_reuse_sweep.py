"""A maintainer has said that the sweep may be reused for the merge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Status

if TYPE_CHECKING:
    from verifier.model.pull import PullFacts, Remark, WorkflowRun
    from verifier.signoff.commands import Reuse

META = CheckMeta(
    number=4,
    slug="reuse-sweep",
    name="reuse command",
    summary="An OWNER, MEMBER or COLLABORATOR has posted the reuse command.",
    rationale="The merge takes the results of the sweep that was reviewed. Without the command "
    "it would silently measure again, and nobody would have seen those numbers.",
)

AUTHORISED = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_NOTHING_RAN = frozenset({"cancelled", "skipped", "neutral", "stale", "startup_failure"})


def check(context: Context) -> Iterator[Finding]:
    """The newest authorised command decides, because the merge uses that one."""
    pull = context.pull
    if pull is None:
        yield Finding(
            status=Status.NA, code="no_pull_request", message="no pull request is being judged"
        )
        return
    problem = pull.problem("comments")
    if problem:
        yield Finding(
            status=Status.UNRESOLVED,
            code="evidence_unreadable",
            message=f"the comments could not be read: {problem}",
        )
        return
    yield _judge(pull)


def _judge(pull: PullFacts) -> Finding:
    from verifier.signoff.commands import NAMES, reuse_commands

    refused: list[str] = []
    odd: list[str] = []
    for remark in sorted(pull.comments, key=lambda c: (c.created, c.id), reverse=True):
        for command in reversed(reuse_commands(remark.body)):
            if command.odd:
                odd.append(f"“{command.name} {command.odd}” by @{remark.author}")
            elif remark.bot or remark.association not in AUTHORISED:
                refused.append(f"@{remark.author} ({'bot' if remark.bot else remark.association})")
            else:
                return _command(pull, remark, command)
    names = " or ".join(f"`{name}`" for name in NAMES)
    message = f"no authorised {names} command has been posted on this pull request"
    if refused:
        message += f"; the command of {', '.join(dict.fromkeys(refused))} does not count"
    if odd:
        message += f"; {', '.join(odd[:3])} is no command: only a run id may follow"
    return Finding(
        status=Status.FAIL,
        code="unauthorised_reuse" if refused else "no_reuse_command",
        message=message,
        hint=f"an owner, member or collaborator comments `{NAMES[0]} RUN_ID`, at the start of a "
        "line",
    )


def _command(pull: PullFacts, remark: Remark, command: Reuse) -> Finding:
    said = f"@{remark.author} ({remark.association}) posted `{command.name}`"
    if command.run is None:
        return _unpinned(pull, said)
    problem = pull.problem(f"runs:{command.run}") or pull.problem("commits")
    run = next((r for r in pull.runs if r.id == command.run), None)
    if problem or run is None:
        return Finding(
            status=Status.UNRESOLVED,
            code="run_unreadable",
            message=f"{said} for run {command.run}, which could not be read: "
            f"{problem or 'it is not among the facts'}",
        )
    if not run.head_sha:
        return Finding(
            status=Status.FAIL,
            code="run_missing",
            message=f"{said} for run {command.run}, and this repository has no such run",
            hint="name a run of this pull request",
        )
    if run.head_sha not in pull.commits:
        return Finding(
            status=Status.FAIL,
            code="run_of_another_commit",
            message=f"{said} for run {run.id}, which ran on {run.head_sha[:12]}; that commit is "
            f"not in this pull request",
            hint="name a run whose commit is still in the pull request",
        )
    if run.status != "completed" or run.conclusion in _NOTHING_RAN:
        return Finding(
            status=Status.FAIL,
            code="run_without_results",
            message=f"{said} for run {run.id}, which is {_state(run)} and has nothing to reuse",
            hint="name a run that has finished its jobs",
        )
    return Finding(
        status=Status.PASS,
        code="reuse_authorised",
        message=f"{said} for run {run.id} on {run.head_sha[:12]}",
    )


def _unpinned(pull: PullFacts, said: str) -> Finding:
    mine = [run for run in pull.runs if run.head_sha in pull.commits]
    if mine and all(run.conclusion in _NOTHING_RAN for run in mine):
        last = max(mine, key=lambda run: run.id)
        return Finding(
            status=Status.FAIL,
            code="run_without_results",
            message=f"{said} without a run id, and the last run {last.id} is {_state(last)}: "
            "there is nothing to reuse",
            hint="name the run that has the results",
        )
    return Finding(
        status=Status.PASS,
        code="reuse_authorised",
        message=f"{said} without a run id, so the merge takes the latest successful run",
    )


def _state(run: WorkflowRun) -> str:
    return (run.conclusion or "without a conclusion") if run.status == "completed" else run.status
