"""Lanes of the benchmark sweep: which a change needs, and what ran on each commit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from verifier.model.context import Context
from verifier.model.pull import CheckRun, PullFacts
from verifier.model.record import dataclass, field
from verifier.policy import Policy

EVAL_LANES: Mapping[str, str] = {
    "single-node": "eval",
    "multi-node": "multi-node-eval",
    "agentic": "agentic-eval",
    "multi-node-agentic": "multi-node-agentic-eval",
}
"""The lane that evaluates what a benchmark lane measures."""

WORKFLOWS_APP = "github-actions"
_IDLE = frozenset({"skipped", "neutral", "cancelled", "stale", "action_required"})
"""Conclusions of jobs that measured nothing. They are listed and prove nothing."""


@dataclass(slots=True)
class Lane:
    """What the jobs of one lane did on one commit, each name by its latest attempt."""

    passed: list[CheckRun] = field(default_factory=list)
    failed: list[CheckRun] = field(default_factory=list)
    running: list[CheckRun] = field(default_factory=list)
    idle: list[CheckRun] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Something ran, and nothing that ran failed or is still running."""
        return bool(self.passed) and not self.failed and not self.running

    def describe(self) -> str:
        """Such as `42 of 43 succeeded, cancelled: conc 70`."""
        total = len(self.passed) + len(self.failed) + len(self.running) + len(self.idle)
        parts = [f"{len(self.passed)} of {total} succeeded"]
        for word, runs in (("failed", self.failed), ("still running", self.running)):
            if runs:
                parts.append(f"{word}: {_names(runs)}")
        for word in sorted({run.conclusion or "" for run in self.idle}):
            parts.append(f"{word}: {_names(r for r in self.idle if r.conclusion == word)}")
        return ", ".join(parts)


def _names(runs: Iterable[CheckRun], limit: int = 3) -> str:
    names = [run.name for run in runs]
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return "; ".join(names[:limit]) + more


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    """A pattern of names: `*` stands for anything, slashes included."""
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")), re.DOTALL)


def lane_of(name: str, policy: Policy) -> str | None:
    """The lane of a check-run's name: the pattern with the most literal characters decides.

    A name with an unexpanded expression belongs to a matrix that was skipped as a whole, and
    aggregators run whatever happened: neither is a job of a lane.
    """
    if "${{" in name or any(_expression(p).fullmatch(name) for p in policy.aggregators):
        return None
    best: tuple[int, str] | None = None
    for lane, patterns in policy.lanes.items():
        for pattern in patterns:
            weight = len(pattern.replace("*", ""))
            if _expression(pattern).fullmatch(name) and (best is None or weight > best[0]):
                best = (weight, lane)
    return None if best is None else best[1]


def lanes_at(pull: PullFacts, sha: str, policy: Policy) -> dict[str, Lane]:
    """Every lane that has a job on this commit."""
    latest: dict[str, CheckRun] = {}
    for run in pull.check_runs:
        if run.sha != sha or run.app not in (None, WORKFLOWS_APP):
            continue
        known = latest.get(run.name)
        if known is None or _newer(run, known):
            latest[run.name] = run
    lanes: dict[str, Lane] = {}
    for run in sorted(latest.values(), key=lambda r: (r.name, r.id)):
        name = lane_of(run.name, policy)
        if name is None:
            continue
        lane = lanes.setdefault(name, Lane())
        if run.status != "completed":
            lane.running.append(run)
        elif run.conclusion == "success":
            lane.passed.append(run)
        elif run.conclusion in _IDLE:
            lane.idle.append(run)
        else:
            lane.failed.append(run)
    return lanes


def _newer(run: CheckRun, than: CheckRun) -> bool:
    """Whether `run` is the later attempt. A skipped job is no attempt: it replaces nothing."""
    skipped = run.conclusion == "skipped", than.conclusion == "skipped"
    if skipped[0] != skipped[1]:
        return skipped[1]
    return (run.started, run.id) > (than.started, than.id)


def required(context: Context) -> dict[str, str]:
    """Benchmark lanes that the change needs, each with the reason for people."""
    policy = context.policy
    lanes: dict[str, str] = {}
    for file in context.change.files if context.change else ():
        if file.status == "deleted" or not (
            policy.is_script(file.path) or policy.is_recipe(file.path)
        ):
            continue
        multi = not policy.matches(file.path, policy.paths.single_node) and (
            policy.matches(file.path, policy.paths.multi_node) or "multi_node" in file.path
        )
        lanes.setdefault(_lane(multi, policy.is_agentic(file.path)), file.path)
    points = context.points
    if points is not None:
        changed = set(points.changed)
        for entry in points.entries:
            if entry.key not in changed:
                continue
            for scenario in entry.scenarios:
                if scenario in ("fixed-seq-len", "agentic-coding"):
                    name = _lane(entry.multinode, scenario == "agentic-coding")
                    lanes.setdefault(name, entry.key)
    return lanes


def _lane(multi: bool, agentic: bool) -> str:
    if agentic:
        return "multi-node-agentic" if multi else "agentic"
    return "multi-node" if multi else "single-node"


def with_evals(lanes: Iterable[str], policy: Policy) -> tuple[str, ...]:
    """Benchmark lanes and, where the policy names one, the lanes that evaluate them."""
    names = list(lanes)
    names += [EVAL_LANES[name] for name in names if EVAL_LANES.get(name) in policy.lanes]
    return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The newest commit on which everything needed ran, or the one that came closest."""

    sha: str | None
    complete: bool
    lanes: Mapping[str, Lane]


def evidence(pull: PullFacts, needed: Iterable[str], policy: Policy) -> Evidence:
    """Look through the pull request's own commits, the newest first."""
    wanted = tuple(needed)
    best: tuple[int, Evidence] = (-1, Evidence(None, False, {}))
    for sha in reversed(pull.commits):
        lanes = lanes_at(pull, sha, policy)
        good = sum(1 for name in wanted if name in lanes and lanes[name].good)
        if good == len(wanted):
            return Evidence(sha, True, lanes)
        seen = sum(1 for name in wanted if name in lanes)
        if seen and good * 100 + seen > best[0]:
            best = (good * 100 + seen, Evidence(sha, False, lanes))
    return best[1]


def eval_runs(pull: PullFacts, policy: Policy) -> tuple[tuple[int, str], ...]:
    """(run, commit) of evaluation jobs that succeeded, those of the newest commit first."""
    found: dict[int, str] = {}
    for sha in reversed(pull.commits):
        for name, lane in sorted(lanes_at(pull, sha, policy).items()):
            if name in EVAL_LANES.values():
                for run in lane.passed:
                    if run.run is not None:
                        found.setdefault(run.run, sha)
    return tuple(found.items())
