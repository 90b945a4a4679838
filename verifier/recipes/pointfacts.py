"""All that checks may know about points, from one tree or from two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from verifier.model.context import RecipeFacts
from verifier.model.finding import Finding, Status
from verifier.model.launch import Launch
from verifier.model.points import ModelsPage, Point, PointFacts, PointId, label_points
from verifier.model.record import replace
from verifier.model.tree import Tree, Unreadable
from verifier.recipes.changelog import read_changelog
from verifier.recipes.elsewhere import elsewhere, is_elsewhere
from verifier.recipes.evaluate import Evaluated, Job, Outcome, Progress, evaluate_points
from verifier.recipes.masters import expand
from verifier.recipes.models_page import read_models
from verifier.recipes.views import view_of

if TYPE_CHECKING:
    from verifier.policy import Policy


def of_tree(
    tree: Tree,
    policy: Policy,
    *,
    keys: tuple[str, ...] = (),
    jobs: int = 1,
    prefixes: Sequence[str] = (),
    progress: Progress | None = None,
) -> PointFacts:
    """Every point of one tree, evaluated."""
    expansion = expand(tree, policy, keys)
    evaluated = evaluate_points(
        expansion.points, tree, policy, jobs=jobs, prefixes=prefixes, progress=progress
    )
    return PointFacts(
        entries=tuple(expansion.entries),
        points=tuple(expansion.points),
        recipes=tuple(one for one, _ in grouped(expansion.points, evaluated)),
        drafting=dict(_drafting_points(expansion.points, evaluated)),
        models=models_page(tree, policy),
        problems=(
            *expansion.findings,
            *elsewhere(expansion.points, tree),
            *launch_problems(expansion.points, evaluated),
        ),
    )


def of_change(
    base: Tree,
    head: Tree,
    policy: Policy,
    *,
    trusted: Tree | None = None,
    jobs: int = 1,
    prefixes: Sequence[str] = (),
    progress: Progress | None = None,
) -> PointFacts:
    """What a change does to points. `base` is the merge base; `trusted` is the base branch, from
    which the models page is read."""
    from verifier.diff import compare

    changelog = read_changelog(base, head, policy.place(policy.paths.changelog))
    found = compare(
        base,
        head,
        policy,
        jobs,
        progress,
        prefixes=prefixes,
        launchers=any(entry.append_only for entry in changelog.added),
    )
    known = {entry.key: entry.fingerprint for entry in found.base.entries}
    before = {(f.code, f.message) for f in found.base.findings}
    expanded = before | {(f.code, f.message) for f in found.head.findings}
    fresh = [f for f in found.head.findings if (f.code, f.message) not in before]
    affected = [point for point in found.head.points if point.id in found.evaluated.jobs]
    old = {new.id: found.before.of(base) for base, new in found.pairs}
    groups = tuple(grouped(affected, found.evaluated, old))
    return PointFacts(
        entries=tuple(found.head.entries),
        base_entries=tuple(found.base.entries),
        changed=tuple(e.key for e in found.head.entries if known.get(e.key) != e.fingerprint),
        points=tuple(found.head.points),
        recipes=tuple(one for one, _ in groups),
        base_recipes=tuple(base for _, base in groups if base is not None),
        drafting=dict(_drafting_points(affected, found.evaluated)),
        diff=found.diff,
        changelog=changelog,
        models=models_page(trusted or base, policy),
        problems=(
            *fresh,
            *elsewhere(_new_elsewhere(found.base.points, found.head.points), head),
            *launch_problems(affected, found.evaluated),
            *(f for f in found.diff.problems if (f.code, f.message) not in expanded),
        ),
    )


def _new_elsewhere(base: Iterable[Point], head: Iterable[Point]) -> list[Point]:
    """Points of the head whose recipe is not here and which no point of the base names."""
    known = {(point.key, point.recipe_setting) for point in base if is_elsewhere(point)}
    return [p for p in head if is_elsewhere(p) and (p.key, p.recipe_setting) not in known]


def models_page(tree: Tree, policy: Policy) -> ModelsPage | None:
    """The models page, or None when the tree has none."""
    path = policy.place(policy.paths.models)
    try:
        data = tree.read(path)
    except Unreadable as error:
        return ModelsPage(path=path, problems=(f"it cannot be read: {error}",))
    return None if data is None else read_models(data.decode("utf-8", "replace"), path, policy)


def grouped(
    points: Iterable[Point],
    evaluated: Evaluated,
    before: Mapping[PointId, Outcome | None] | None = None,
) -> Iterator[tuple[RecipeFacts, RecipeFacts | None]]:
    """Facts of evaluated points, and the same at the base where there is one. Points that run the
    same thing on both sides share one, labelled with all of them."""
    groups: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    facts: dict[tuple[object, ...], tuple[RecipeFacts, RecipeFacts | None]] = {}
    for point, job, found in _found(points, evaluated):
        if job.eval_only != point.eval_only:
            continue  # srtctl would evaluate it, but nothing prepares the recipe for that
        outcome = (before or {}).get(point.id)
        base = None if outcome is None else outcome.facts
        key: tuple[object, ...] = (
            job.path,
            job.selector,
            job.eval_only,
            point.spec_decoding,
            *_sameness(found),
            *(() if base is None else _sameness(base)),
        )
        groups[key].append(point)
        facts.setdefault(key, (found, base))
    for key, members in groups.items():
        found, base = facts[key]
        label = label_points(members)
        yield replace(found, point=label), None if base is None else replace(base, point=label)


def _sameness(facts: RecipeFacts) -> tuple[object, ...]:
    return (
        view_of(facts),
        facts.workload,
        facts.model_prefix,
        facts.prefix_problem,
        facts.unresolved,
    )


def _found(
    points: Iterable[Point], evaluated: Evaluated
) -> Iterator[tuple[Point, Job, RecipeFacts]]:
    for point in points:
        outcome = evaluated.of(point)
        if outcome is not None and outcome.facts is not None:
            yield point, evaluated.jobs[point.id], outcome.facts


def _drafting_points(
    points: Iterable[Point], evaluated: Evaluated
) -> Iterator[tuple[PointId, bool]]:
    """Whether each evaluated point drafts; points for which that is not known are left out."""
    for point, _, facts in _found(points, evaluated):
        launches = _drafting(facts)
        if launches and not facts.unresolved and not any(x.unresolved for x in launches):
            yield point.id, not all(_drafts_nothing(launch) for launch in launches)


def launch_problems(points: Iterable[Point], evaluated: Evaluated) -> Iterator[Finding]:
    """Points that launch nothing, or draft nothing under a label that says they do."""
    found: dict[tuple[str, str, Status, str], list[Point]] = defaultdict(list)
    for point in points:
        outcome = evaluated.of(point)
        if outcome is None:
            continue
        path = evaluated.jobs[point.id].path
        if outcome.facts is None:
            problem = ("point_not_evaluated", outcome.error or "", Status.UNRESOLVED)
        else:
            told = _problem(point, path, outcome.facts)
            if told is None:
                continue
            problem = told
        found[*problem, point.key].append(point)
    for (code, text, status, _), members in found.items():
        message = f"{label_points(members)}: {text}"
        yield Finding(status=status, code=code, message=message, span=members[0].span)


def _problem(point: Point, path: str, facts: RecipeFacts) -> tuple[str, str, Status] | None:
    if not facts.launches:
        if facts.unresolved:
            note = facts.unresolved[0]
            text = f"no launch was found in {path}: {note.text} ({note.span})"
            return "point_without_launch", text, Status.UNRESOLVED
        if point.config.multinode and path == point.script:
            text = f"{path} starts no server itself; what the job that it submits runs is not known"
            return "point_without_launch", text, Status.UNRESOLVED
        # Not a failure: the launcher may set variables that no config names.
        text = f"{path} starts no server of a known engine with the job's variables"
        if facts.ended is not None:
            text += f": {facts.ended.text} ({facts.ended.span})"
        return "point_without_launch", text, Status.UNRESOLVED
    if point.spec_decoding != "none" and all(_drafts_nothing(x) for x in _drafting(facts)):
        text = (
            f"spec-decoding is {point.spec_decoding}, but the server that {path} starts drafts no "
            "tokens"
        )
        return "no_draft_under_label", text, Status.FAIL
    return None


def _drafting(facts: RecipeFacts) -> list[Launch]:
    """The launches that would draft: not the prefill workers, when there are others."""
    rest = [launch for launch in facts.launches if launch.role != "prefill"]
    return rest or list(facts.launches)


def _drafts_nothing(launch: Launch) -> bool:
    if launch.unresolved or launch.refused:
        return False  # another check says so
    return launch.speculation is None or launch.speculation.draft_length == 0
