"""Every evaluation score of the sweep reaches its bar, on the image that is being merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.pull import EvalScore, PullFacts
    from verifier.signoff.bars import Thresholds
    from verifier.signoff.lanes import Evidence

META = CheckMeta(
    number=2,
    slug="evals",
    name="evals",
    summary="The evaluation results of the sweep exist and every task reaches its bar, on the same "
    "image as the configuration.",
    rationale="A fast server that answers wrongly is no result. A green job alone says that a "
    "program ended, so the numbers themselves are read.",
)


def check(context: Context) -> Iterator[Finding]:
    """One finding for each score or artifact that is no evidence, else one pass."""
    pull = context.pull
    if pull is None:
        yield _na("no_pull_request", "no pull request is being judged")
        return
    from verifier.signoff.lanes import EVAL_LANES, evidence, required, with_evals

    lanes = required(context)
    needed = with_evals(lanes, context.policy)
    wanted = [name for name in needed if name in EVAL_LANES.values()]
    if not lanes:
        yield _na(
            "nothing_to_measure",
            "the change touches no benchmark script, recipe or master-config entry",
        )
        return
    if not wanted:
        yield _na("no_eval_lane", f"{', '.join(lanes)} has no evaluation lane")
        return
    found = evidence(pull, needed, context.policy)
    if found.sha is None:
        problem = pull.problem("check_runs") or pull.problem("commits") or pull.problem("limit")
        if problem:
            yield _unread(f"the check-runs of the commits could not all be read: {problem}")
            return
        yield _fail(
            "no_evals",
            "no evaluation ran on any commit of this pull request, so there is no accuracy result",
        )
        return
    yield from _at(context, pull, found, wanted)


def _at(context: Context, pull: PullFacts, found: Evidence, wanted: list[str]) -> Iterator[Finding]:
    present = [name for name in wanted if name in found.lanes]
    sha = (found.sha or "")[:12]
    if not present:
        # The lane's absence is Check 1's to say; there is nothing here to read.
        yield _na("no_eval_lane", f"the sweep on {sha} has no evaluation lane")
        return
    bad = False
    runs: set[int] = set()
    for name in wanted:
        lane = found.lanes.get(name)
        if lane is None or not lane.passed:
            state = "has no job" if lane is None else lane.describe()
            yield _fail("evals_not_run", f"lane {name} on {sha} evaluated nothing: {state}")
            bad = True
        elif not lane.good:
            yield _fail("evals_failed", f"lane {name} on {sha}: {lane.describe()}")
            bad = True
        runs.update(run.run for run in (lane.passed if lane else ()) if run.run is not None)
    problem = pull.problem("evals")
    if problem:
        yield _unread(f"the evaluation results could not all be read: {problem}")
        bad = True
    for text in pull.eval_problems:
        yield _fail("artifact_refused", text)
        bad = True
    scores = [score for score in pull.evals if score.run in runs]
    for finding in _scores(context, pull, scores, runs, bool(problem)):
        bad = True
        yield finding
    for finding in _images(context, pull, scores, found):
        bad = True
        yield finding
    if not bad:
        lowest = min(scores, key=lambda s: (s.score is not None, s.score or 0))
        yield Finding(
            status=Status.PASS,
            code="evals_reach_bar",
            message=f"{len(scores)} scores of run {', '.join(map(str, sorted(runs)))} reach their "
            f"bars; the lowest is {lowest.written} ({lowest.task})",
        )


def _scores(
    context: Context, pull: PullFacts, scores: list[EvalScore], runs: set[int], unread: bool
) -> Iterator[Finding]:
    from verifier.signoff.bars import read_thresholds

    if not scores:
        limit = pull.problem("limit:evals")
        if limit:
            yield _unread(f"the results of this run were not read: {limit}")
        elif not unread:
            yield _fail(
                "no_results",
                f"run {', '.join(map(str, sorted(runs))) or '(unknown)'} has no evaluation results",
            )
        return
    path = context.policy.place(context.policy.paths.thresholds)
    if pull.thresholds is None:
        reason = pull.problem("thresholds") or "there is no such file"
        yield _unread(f"the bars in {path} could not be read: {reason}")
        return
    bars = read_thresholds(pull.thresholds, path)
    if bars.problem:
        yield _unread(f"the bars could not be read: {bars.problem}")
        return
    for score in scores:
        finding = _score(score, bars)
        if finding is not None:
            yield finding


def _score(score: EvalScore, bars: Thresholds) -> Finding | None:
    name = f"{score.task} of {score.model_prefix or 'an unknown model'}"
    where = f"{score.artifact}, {score.file}" + (f", {score.label}" if score.label else "")
    bar = bars.bar(score.model_prefix, score.task)
    if score.score is None:
        return _fail("score_missing", f"{name}: the score is {score.written} ({where})")
    if bar is None:
        return Finding(
            status=Status.UNRESOLVED,
            code="no_bar",
            message=f"{name} scored {score.written}, and {bars.path} has no bar for it ({where})",
            hint=f"commit a bar to {bars.path} on the base branch",
        )
    place = (Related(span=Span(bars.path, bar.line), text=f"{bar.source}: {bar.value}"),)
    if bar.value <= 0:
        return Finding(
            status=Status.FAIL,
            code="bar_without_meaning",
            message=f"{name} scored {score.written} against a bar of {bar.value}, which any score "
            f"reaches: no accuracy evidence ({where})",
            related=place,
        )
    if score.score < bar.value:
        return Finding(
            status=Status.FAIL,
            code="below_bar",
            message=f"{name} scored {score.written}, below the bar {bar.value} of {bar.source} "
            f"({where})",
            related=place,
        )
    return None


def _images(
    context: Context, pull: PullFacts, scores: list[EvalScore], found: Evidence
) -> Iterator[Finding]:
    """Results of another image than the configuration's."""
    points = context.points
    if points is None or not scores or found.sha is None:
        return
    prefixes = {score.model_prefix for score in scores if score.model_prefix}
    changed = set(points.changed)
    entries = [
        entry
        for entry in points.entries
        if (entry.key in changed if changed else entry.model_prefix in prefixes)
    ]
    by_prefix: dict[str, set[str]] = {}
    for entry in entries:
        by_prefix.setdefault(entry.model_prefix, set()).add(_image(entry.image))
    for score in scores:
        wanted = by_prefix.get(score.model_prefix or "")
        if score.image is not None and wanted and _image(score.image) not in wanted:
            yield _fail(
                "other_image",
                f"{score.task} ran on {score.image}; the configuration has "
                f"{', '.join(sorted(wanted))}",
            )
    if found.sha == pull.head_sha or not entries:
        return
    then = pull.evidence_images.get(found.sha)
    if then is None:
        reason = pull.problem(f"evidence_images:{found.sha}") or "they are not among the facts"
        yield _unread(f"the master configs at {found.sha[:12]} could not be read: {reason}")
        return
    for entry in entries:
        used = then.get(entry.key)
        if used is None or _image(used) != _image(entry.image):
            yield _fail(
                "other_image",
                f"{entry.key} is {entry.image} now, and was {used or 'not there'} at "
                f"{found.sha[:12]}, where the evaluation ran",
            )


def _image(name: str) -> str:
    return name.replace("#", "/")


def _na(code: str, message: str) -> Finding:
    return Finding(status=Status.NA, code=code, message=message)


def _fail(code: str, message: str, related: Iterable[Related] = ()) -> Finding:
    return Finding(status=Status.FAIL, code=code, message=message, related=tuple(related))


def _unread(message: str) -> Finding:
    return Finding(status=Status.UNRESOLVED, code="evidence_unreadable", message=message)
