"""Checks 0 to 5 on facts: what each of them says about what."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from checks import (
    check_00_codeowner,
    check_01_sweep,
    check_02_evals,
    check_03_recipe,
    check_04_reuse_sweep,
    check_05_checklist,
)
from tests.bot.world import BASE, CHECKLIST, CODEOWNERS, HEAD, REPO, SIGNOFF, THRESHOLDS
from verifier.golden import Golden
from verifier.judge import run
from verifier.model.change import Change, ChangedFile
from verifier.model.context import Context
from verifier.model.finding import CheckResult
from verifier.model.pull import CheckRun, EvalScore, PullFacts, Remark, WorkflowRun
from verifier.model.record import replace
from verifier.policy import DEFAULT
from verifier.signoff.lanes import lane_of

SCRIPT = "benchmarks/single_node/fixed_seq_len/dsr1_fp8_h200.sh"
AGENTIC = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
MULTI = "benchmarks/multi_node/agentic/dsv4.sh"


def remark(body: str, author: str = "olga", **settings: Any) -> Remark:
    values = {"id": 5, "kind": "issue_comment", "association": "NONE", **settings}
    return Remark(author=author, body=body, **values)


def facts(*paths: str, **changes: Any) -> PullFacts:
    files = tuple(ChangedFile(path=path, status="modified") for path in paths)
    return replace(
        PullFacts(
            repo=REPO,
            number=7,
            head_sha=HEAD,
            base_ref="main",
            base_sha=BASE,
            merge_base=BASE,
            files=files,
            commits=(HEAD,),
            signoff=remark(SIGNOFF),
            codeowners=CODEOWNERS,
            checklist=CHECKLIST,
            thresholds=THRESHOLDS,
        ),
        **changes,
    )


def judged(check: Any, pull: PullFacts) -> CheckResult:
    context = Context(
        policy=DEFAULT,
        golden=Golden.bundled(),
        today=date(2026, 7, 10),
        pull=pull,
        change=Change(base=BASE, head=HEAD, files=pull.files),
    )
    return run(check, context)


def says(check: Any, pull: PullFacts) -> tuple[str, set[str]]:
    """Status, and codes of the findings that decide it."""
    result = judged(check, pull)
    return result.status.value, {f.code for f in result.findings if f.status is result.status}


@pytest.mark.parametrize(
    "check",
    [
        check_00_codeowner,
        check_01_sweep,
        check_02_evals,
        check_03_recipe,
        check_04_reuse_sweep,
        check_05_checklist,
    ],
)
def test_without_a_pull_request_they_do_not_apply(check: Any) -> None:
    context = Context(policy=DEFAULT, golden=Golden.bundled(), today=date(2026, 7, 10))
    assert run(check, context).status == "na"


# 0


def test_a_signer_covers_own_paths_in_any_case() -> None:
    pull = facts("docs/a.md", "benchmarks/b.sh", signoff=remark(SIGNOFF, "OLGA"))
    assert says(check_00_codeowner, pull) == ("pass", {"owner"})


def test_an_owner_of_something_else_covers_only_the_default_line() -> None:
    pavel = remark(SIGNOFF, "pavel")
    assert says(check_00_codeowner, facts("README.md", signoff=pavel))[0] == "pass"
    teams = {"bench/nvidia": "not_member"}
    pull = facts("configs/nvidia-master.yaml", signoff=pavel, memberships=teams)
    result = judged(check_00_codeowner, pull)
    assert result.status == "fail"
    assert "configs/nvidia-master.yaml belongs to @nina, @bench/nvidia" in result.reason


@pytest.mark.parametrize(
    ("association", "membership", "status"),
    [
        ("MEMBER", "not_member", "pass"),
        ("OWNER", "not_member", "pass"),
        ("NONE", "member", "pass"),
        ("COLLABORATOR", "not_member", "fail"),
        ("NONE", "not_member", "fail"),
        ("NONE", "unknown", "unresolved"),
    ],
)
def test_the_default_line(association: str, membership: str, status: str) -> None:
    teams = {"bench/core": membership, "bench/nvidia": "not_member"}
    signer = remark(SIGNOFF, "zoe", association=association)
    pull = facts("README.md", signoff=signer, memberships=teams)
    assert says(check_00_codeowner, pull)[0] == status


def test_membership_of_the_organisation_is_not_that_of_a_team() -> None:
    signer = remark(SIGNOFF, "zoe", association="MEMBER")
    pull = facts("configs/nvidia-master.yaml", signoff=signer)
    assert says(check_00_codeowner, pull) == ("unresolved", {"membership_unknown"})


def test_the_101st_file_counts() -> None:
    pull = facts(*(f"docs/{n}.md" for n in range(100)), "configs/nvidia-master.yaml",
                 memberships={"bench/nvidia": "not_member"})  # fmt: skip
    assert says(check_00_codeowner, pull)[0] == "fail"


def test_a_path_without_owners_is_covered_like_the_default_line() -> None:
    text = CODEOWNERS + "*.md\n"
    assert says(check_00_codeowner, facts("docs/a.md", codeowners=text))[0] == "pass"
    stranger = remark(SIGNOFF, "zoe")
    teams = {"bench/core": "not_member", "bench/nvidia": "not_member"}
    pull = facts("docs/a.md", codeowners=text, signoff=stranger, memberships=teams)
    assert says(check_00_codeowner, pull)[0] == "fail"


# 1


def job(name: str, conclusion: str | None = "success", **settings: Any) -> CheckRun:
    values = {"id": 1, "sha": HEAD, "status": "completed", "run": 50, **settings}
    return CheckRun(name=name, conclusion=conclusion, **values)


GREEN = (job("single-node 8k1k / / p1 | dsr1 fp8 h200"), job("eval / / p1 | dsr1 fp8 h200"))


@pytest.mark.parametrize(
    ("name", "lane"),
    [
        ("single-node 1k1k / / p2 | dsr1 fp8 h200 vllm TP8/EP8 c4", "single-node"),
        ("single-node 8k1k /", "single-node"),
        ("multi-node 8k1k / x", "multi-node"),
        ("agentic / dsv4 TP8/DPA", "agentic"),
        ("multi-node agentic / x", "multi-node-agentic"),
        ("eval / x", "eval"),
        ("agentic eval / x", "agentic-eval"),
        ("multi-node eval / x", "multi-node-eval"),
        ("multi-node agentic eval / x", "multi-node-agentic-eval"),
        ("collect-evals / collect-evals", None),
        ("eval / ${{ matrix.config }}", None),
        ("canary / x", None),
        ("evaluate", None),
        ("my eval / x", None),
    ],
)
def test_names_of_jobs(name: str, lane: str | None) -> None:
    assert lane_of(name, DEFAULT) == lane


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (GREEN, ("pass", {"swept"})),
        ((), ("fail", {"no_sweep"})),
        (GREEN[:1], ("fail", {"lane_missing"})),
        ((GREEN[0], job("eval / x", "skipped")), ("fail", {"lane_idle"})),
        ((GREEN[0], job("eval / x", "cancelled")), ("fail", {"lane_idle"})),
        ((GREEN[0], job("eval / x", "neutral")), ("fail", {"lane_idle"})),
        ((GREEN[0], job("eval / x", "timed_out")), ("fail", {"lane_failed"})),
        ((GREEN[0], job("eval / x", "failure")), ("fail", {"lane_failed"})),
        ((GREEN[0], job("eval / x", None, status="in_progress")), ("fail", {"lane_running"})),
        ((GREEN[0], job("collect-evals", "success")), ("fail", {"lane_missing"})),
        ((*GREEN, job("eval / y", "cancelled")), ("pass", {"swept"})),
        ((*GREEN, job("eval / y", "skipped")), ("pass", {"swept"})),
        ((*GREEN, job("eval / y", "failure")), ("fail", {"lane_failed"})),
        ((*GREEN, job("eval / y", None, status="queued")), ("fail", {"lane_running"})),
        (tuple(replace(run, sha="f" * 40) for run in GREEN), ("fail", {"no_sweep"})),
        (tuple(replace(run, app="somebodys-app") for run in GREEN), ("fail", {"no_sweep"})),
    ],
)
def test_lanes(runs: tuple[CheckRun, ...], expected: tuple[str, set[str]]) -> None:
    assert says(check_01_sweep, facts(SCRIPT, check_runs=runs)) == expected


def test_cancelled_jobs_are_listed() -> None:
    runs = (*GREEN, job("single-node 8k1k / conc 70", "cancelled"))
    reason = judged(check_01_sweep, facts(SCRIPT, check_runs=runs)).reason
    assert "1 of 2 succeeded, cancelled: single-node 8k1k / conc 70" in reason


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("failure", "success", "pass"),
        ("success", "failure", "fail"),
        ("success", "skipped", "pass"),
        ("success", "cancelled", "fail"),
        ("skipped", "success", "pass"),
    ],
)
def test_the_latest_attempt_counts(first: str, second: str, status: str) -> None:
    name = GREEN[1].name
    runs = (
        GREEN[0],
        job(name, second, id=8, started="2026-07-10T02:00:00Z"),
        job(name, first, id=9, started="2026-07-10T01:00:00Z"),
    )
    assert says(check_01_sweep, facts(SCRIPT, check_runs=runs))[0] == status


def test_an_older_commit_may_have_the_evidence_and_two_halves_do_not() -> None:
    old = "e" * 40
    runs = tuple(replace(run, sha=old) for run in GREEN)
    assert says(check_01_sweep, facts(SCRIPT, commits=(old, HEAD), check_runs=runs))[0] == "pass"
    halves = (replace(GREEN[0], sha=old), GREEN[1])
    pull = facts(SCRIPT, commits=(old, HEAD), check_runs=halves)
    assert says(check_01_sweep, pull)[0] == "fail"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (AGENTIC, ("agentic / x", "agentic eval / x")),
        (MULTI, ("multi-node agentic / x", "multi-node agentic eval / x")),
        ("benchmarks/multi_node/dsr1.sh", ("multi-node 8k1k / x", "multi-node eval / x")),
        (SCRIPT, ("single-node 8k1k / x", "eval / x")),
    ],
)
def test_the_lanes_follow_from_what_changed(path: str, names: tuple[str, ...]) -> None:
    runs = tuple(job(name) for name in names)
    assert says(check_01_sweep, facts(path, check_runs=runs))[0] == "pass"
    for other in (AGENTIC, MULTI, "benchmarks/multi_node/dsr1.sh", SCRIPT):
        if other != path:
            assert says(check_01_sweep, facts(other, check_runs=runs))[0] == "fail"


def test_nothing_measured_needs_no_sweep() -> None:
    assert says(check_01_sweep, facts("docs/a.md")) == ("na", {"nothing_to_measure"})
    gone = (ChangedFile(path=SCRIPT, status="deleted"),)
    assert says(check_01_sweep, facts(files=gone))[0] == "na"


def test_unread_check_runs_are_no_failure_and_no_pass() -> None:
    pull = facts(SCRIPT, problems={"check_runs": "HTTP 502"})
    assert says(check_01_sweep, pull) == ("unresolved", {"evidence_unreadable"})
    pull = facts(SCRIPT, check_runs=GREEN, problems={"limit:check_runs": "only 40"})
    assert says(check_01_sweep, pull)[0] == "pass"


# 2


def score(value: str | None, task: str = "gsm8k", **settings: Any) -> EvalScore:
    values = {"run": 50, "artifact": "a", "file": "f", "model_prefix": "dsr1", **settings}
    number = None if value in (None, "NaN") else Decimal(value or "")
    return EvalScore(task=task, score=number, written=value or "nothing", **values)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((score("0.95"),), ("pass", {"evals_reach_bar"})),
        ((score("0.90"),), ("pass", {"evals_reach_bar"})),
        ((score("0.899"),), ("fail", {"below_bar"})),
        ((score("0.94", model_prefix="dsv4"),), ("fail", {"below_bar"})),
        ((score("0.95", model_prefix="dsv4"),), ("pass", {"evals_reach_bar"})),
        ((score("0.95", model_prefix=None),), ("pass", {"evals_reach_bar"})),
        ((), ("fail", {"no_results"})),
        ((score("NaN"),), ("fail", {"score_missing"})),
        ((score(None),), ("fail", {"score_missing"})),
        ((score("0.95"), score("0.1")), ("fail", {"below_bar"})),
        ((score("0.95"), score("0.9", "aime")), ("unresolved", {"no_bar"})),
        ((score("0.95", run=51),), ("fail", {"no_results"})),
    ],
)
def test_scores(scores: tuple[EvalScore, ...], expected: tuple[str, set[str]]) -> None:
    assert says(check_02_evals, facts(SCRIPT, check_runs=GREEN, evals=scores)) == expected


@pytest.mark.parametrize(
    ("bars", "expected"),
    [
        ("default: {gsm8k: 0.0}", "fail"),
        ("default: {gsm8k: -1}", "fail"),
        ("gsm8k: 0.9", "pass"),
        ("default: {gsm8k: high}", "unresolved"),
        ("default: [", "unresolved"),
        ("", "unresolved"),
        (None, "unresolved"),
        ("default: {gsm8k: 0.9}\nmodels: {dsr1: {gsm8k: 0.99}}", "fail"),
        ("default: {gsm8k: 0.99}\nmodels: {dsr1: {gsm8k: 0.9}}", "pass"),
    ],
)
def test_bars(bars: str | None, expected: str) -> None:
    pull = facts(SCRIPT, check_runs=GREEN, evals=(score("0.95"),), thresholds=bars)
    assert says(check_02_evals, pull)[0] == expected


def test_refused_artifacts_and_unread_results() -> None:
    pull = facts(SCRIPT, check_runs=GREEN, evals=(score("0.95"),), eval_problems=("a bomb",))
    assert says(check_02_evals, pull) == ("fail", {"artifact_refused"})
    pull = facts(SCRIPT, check_runs=GREEN, problems={"evals": "HTTP 500"})
    assert says(check_02_evals, pull) == ("unresolved", {"evidence_unreadable"})


def test_results_beyond_the_limit_are_not_said_to_be_missing() -> None:
    pull = facts(SCRIPT, check_runs=GREEN, problems={"limit:evals": "only 12"})
    assert says(check_02_evals, pull) == ("unresolved", {"evidence_unreadable"})


def test_without_an_eval_lane_there_is_nothing_to_read() -> None:
    assert says(check_02_evals, facts(SCRIPT, check_runs=GREEN[:1])) == ("na", {"no_eval_lane"})
    assert says(check_02_evals, facts("docs/a.md"))[0] == "na"
    assert says(check_02_evals, facts(SCRIPT)) == ("fail", {"no_evals"})


# 4


@pytest.mark.parametrize(
    ("body", "association", "status"),
    [
        ("/reuse-sweep-run", "MEMBER", "pass"),
        ("/use", "OWNER", "pass"),
        ("ok\n\n/reuse-sweep-run 50", "COLLABORATOR", "pass"),
        ("/use https://github.com/a/b/actions/runs/50/job/3", "MEMBER", "pass"),
        ("/reuse-sweep-run 50 please", "MEMBER", "fail"),
        ("please /reuse-sweep-run", "MEMBER", "fail"),
        ("/reuse-sweep-runs", "MEMBER", "fail"),
        ("> /reuse-sweep-run", "MEMBER", "fail"),
        ("`/reuse-sweep-run`", "MEMBER", "fail"),
        ("```\n/reuse-sweep-run\n```", "MEMBER", "fail"),
        ("<!--\n/reuse-sweep-run\n-->", "MEMBER", "fail"),
        ("    /reuse-sweep-run", "MEMBER", "fail"),
        ("/reuse-sweep-run", "CONTRIBUTOR", "fail"),
        ("/reuse-sweep-run", "NONE", "fail"),
        ("/use 51", "MEMBER", "fail"),
        ("/use 52", "MEMBER", "fail"),
        ("/use 53", "MEMBER", "fail"),
        ("/use 99", "MEMBER", "unresolved"),
    ],
)
def test_reuse_commands(body: str, association: str, status: str) -> None:
    runs = (
        WorkflowRun(id=50, head_sha=HEAD, conclusion="success"),
        WorkflowRun(id=51, head_sha="f" * 40, conclusion="success"),
        WorkflowRun(id=52, head_sha=HEAD, conclusion="cancelled"),
        WorkflowRun(id=53, head_sha="", status="missing"),
    )
    comments = (remark(body, "maria", association=association),)
    assert says(check_04_reuse_sweep, facts("docs/a.md", comments=comments, runs=runs))[0] == status


def test_a_bot_cannot_authorise_and_the_newest_command_decides() -> None:
    bot = remark("/use", "x[bot]", bot=True, association="MEMBER")
    assert says(check_04_reuse_sweep, facts("a", comments=(bot,)))[0] == "fail"
    runs = (WorkflowRun(id=50, head_sha=HEAD, conclusion="success"),
            WorkflowRun(id=51, head_sha="f" * 40, conclusion="success"))  # fmt: skip
    old = remark("/use 50", "maria", association="MEMBER", created="2026-07-01")
    new = remark("/use 51", "maria", association="MEMBER", created="2026-07-02")
    assert says(check_04_reuse_sweep, facts("a", comments=(new, old), runs=runs))[0] == "fail"


def test_a_bare_command_after_a_cancelled_run_reuses_nothing() -> None:
    comments = (remark("/use", "maria", association="MEMBER"),)
    runs = (WorkflowRun(id=50, head_sha=HEAD, conclusion="cancelled"),)
    pull = facts("a", comments=comments, runs=runs)
    assert says(check_04_reuse_sweep, pull) == ("fail", {"run_without_results"})


# 5


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ("pass", {"checklist_complete"})),
        ("- [x] Verified that the general", "- [ ] Verified that the general",
         ("fail", {"item_unticked"})),
        ("- [x] Verified that the general", "- [] Verified that the general",
         ("fail", {"item_malformed"})),
        ("  - [x] I linked the merged upstream pull request or the published page\n", "",
         ("fail", {"item_missing"})),
        ("Signed: `olga`", "Signed: `pavel`", ("fail", {"signature_of_another"})),
        ("Signed: `olga`", "Signed: @OLGA", ("pass", {"checklist_complete"})),
        ("Signed: `olga`", "", ("pass", {"checklist_complete"})),
        ("- [X]", "* [x]", ("pass", {"checklist_complete"})),
        ("### Additional detail section:", "- [x ] Extra item\n\n### Additional detail section:",
         ("fail", {"item_malformed"})),
    ],
)  # fmt: skip
def test_checklists(old: str, new: str, expected: tuple[str, set[str]]) -> None:
    text = SIGNOFF.replace(old, new) if old else SIGNOFF
    assert says(check_05_checklist, facts("a", signoff=remark(text))) == expected


def test_an_open_item_may_be_explained() -> None:
    text = SIGNOFF.replace("- [x] Verified that this change has passed validation",
                           "- [ ] Verified that this change has passed validation")  # fmt: skip
    assert says(check_05_checklist, facts("a", signoff=remark(text)))[0] == "fail"
    text = text.replace("- Nothing is measured differently.",
                        "- Validation does not run for documentation.")  # fmt: skip
    result = judged(check_05_checklist, facts("a", signoff=remark(text)))
    assert result.status == "pass"
    assert "explained in the detail section" in result.reason
