"""What two trees launch differently, point by point."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from verifier.model.finding import Finding, Status
from verifier.model.points import LaunchChange, LaunchDiff, Point, PointChange, label_points
from verifier.model.record import dataclass, replace
from verifier.model.tree import Unreadable
from verifier.recipes.changes import pair_changes, view_changes
from verifier.recipes.closure import Differences, differences, folders
from verifier.recipes.evaluate import Evaluated, Job, Outcome, Progress, evaluate_points
from verifier.recipes.launchers import Launchers, Steps
from verifier.recipes.masters import Expansion, expand, unexpanded
from verifier.recipes.views import View, view_of
from verifier.selectors import split_selector

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.policy import Policy

# Variables that name results and machines: they differ for reasons of their own.
_NAMES = frozenset({"RESULT_FILENAME", "RUNNER_NAME", "EXP_NAME"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """A launch diff and what was computed on the way."""

    diff: LaunchDiff
    base: Expansion
    head: Expansion
    evaluated: Evaluated
    """Points of the head that were evaluated."""
    before: Evaluated
    """The same points at the base."""
    pairs: tuple[tuple[Point, Point], ...]
    """Points that exist on both sides and may differ."""


def diff(
    base: Tree,
    head: Tree,
    policy: Policy,
    jobs: int = 1,
    progress: Progress | None = None,
    keys: tuple[str, ...] = (),
) -> LaunchDiff:
    """Compare the points of two trees. Only points that a changed file can reach are evaluated."""
    return compare(base, head, policy, jobs, progress, keys).diff


def compare(
    base: Tree,
    head: Tree,
    policy: Policy,
    jobs: int = 1,
    progress: Progress | None = None,
    keys: tuple[str, ...] = (),
    prefixes: Sequence[str] = (),
    launchers: bool = False,
) -> Comparison:
    """The diff with both expansions and the evaluated points of the head.

    With `launchers`, what the scripts that start jobs do is compared too, when one changed: a
    reviewer reads such an edit faster than every job of it is evaluated.
    """
    after = expand(head, policy, keys)
    before = after if _same_configs(base, head, policy) else expand(base, policy, keys)
    entries = {path for p in (*before.points, *after.points) for path in _files(p)}
    changes = differences(base, head, policy, entries)
    pairs, removed, added = _matched(before.points, after.points)
    open_pairs = [pair for pair in pairs if _touched(*pair, changes)]
    steps = _Steps(progress)
    new = evaluate_points(
        [*(h for _, h in open_pairs), *added],
        head,
        policy,
        jobs=jobs,
        prefixes=prefixes,
        progress=steps.part(0),
    )
    partners = {b.id: h for b, h in open_pairs}
    old = evaluate_points(
        (b for b, _ in open_pairs),
        base,
        policy,
        jobs=jobs,
        prefixes=prefixes,
        progress=steps.part(1),
        known=lambda point, job: _unmoved(partners[point.id], job, new, changes),
    )
    result = LaunchDiff(
        base=base.name,
        head=head.name,
        added=tuple(added),
        removed=tuple(removed),
        unchanged=len(pairs) - len(open_pairs),
    )
    compared = _compared(result, open_pairs, old, new, changes)
    hidden = _hidden(before, after)
    compared = replace(compared, problems=(*hidden, *compared.problems))
    if launchers:
        compared = _with_launchers(compared, pairs, changes, base, head, policy)
    return Comparison(compared, before, after, new, old, tuple(open_pairs))


def _hidden(before: Expansion, after: Expansion) -> list[Finding]:
    """What keeps points of either side from being compared. Not a fault of the change as such."""
    found = {(f.code, f.message): f for f in (*unexpanded(before), *unexpanded(after))}
    return [replace(finding, status=Status.UNRESOLVED) for finding in found.values()]


def _same_configs(base: Tree, head: Tree, policy: Policy) -> bool:
    """Whether both trees expand to the same points: equal configs, and the same files to find."""
    names = [*policy.paths.master_configs, policy.point.runners]
    try:
        if any(base.read(policy.place(n)) != head.read(policy.place(n)) for n in names):
            return False
    except Unreadable:
        return False
    return all(base.files(top) == head.files(top) for top in folders(policy))


class _Steps:
    """Two runs as one progress."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._parts = [(0, 0), (0, 0)]

    def part(self, index: int) -> Callable[[int, int], None] | None:
        if self._progress is None:
            return None
        report = self._progress

        def step(done: int, total: int) -> None:
            self._parts[index] = (done, total)
            report(sum(d for d, _ in self._parts), sum(t for _, t in self._parts))

        return step


def _matched(
    base: Sequence[Point], head: Sequence[Point]
) -> tuple[list[tuple[Point, Point]], list[Point], list[Point]]:
    """(same points, gone, new). A row whose settings alone differ is the same row, and so is the
    only row of its scenario that has the concurrency on either side."""
    ours = {point.id: point for point in head}
    pairs = [(point, ours[point.id]) for point in base if point.id in ours]
    known = {point.id for point, _ in pairs}
    gone = [point for point in base if point.id not in known]
    fresh = [point for point in head if point.id not in known]
    for name in (_topology, _place):
        olds, news = _by(name, gone), _by(name, fresh)
        found = [(o[0], n[0]) for key, o in olds.items() if len(o) == len(n := news[key]) == 1]
        pairs += found
        taken = {point.id for pair in found for point in pair}
        gone = [point for point in gone if point.id not in taken]
        fresh = [point for point in fresh if point.id not in taken]
    return pairs, gone, fresh


def _by(
    name: Callable[[Point], tuple[object, ...]], points: Iterable[Point]
) -> dict[tuple[object, ...], list[Point]]:
    found: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    for point in points:
        found[name(point)].append(point)
    return found


def _topology(p: Point) -> tuple[object, ...]:
    return p.key, p.scenario, p.topology, p.conc, p.eval_only


def _place(p: Point) -> tuple[object, ...]:
    return p.key, p.scenario, p.lengths, p.conc, p.eval_only


def _touched(base: Point, head: Point, changes: Differences) -> bool:
    """Whether anything that decides the point's launches can differ."""
    return (
        _env(base) != _env(head)
        or base.config.image != head.config.image
        or (base.script, base.recipe) != (head.script, head.recipe)
        or not changes.reached.isdisjoint(_files(base) | _files(head))
        or not changes.started.isdisjoint(_launchers(base) | _launchers(head))
    )


def _unmoved(head: Point, job: Job, new: Evaluated, changes: Differences) -> Outcome | None:
    """What the head gives for a job, when the base must give the same.

    Both run the same text with the same variables until something that differs is read or called.
    """
    outcome = new.of(head)
    if outcome is None or outcome.facts is None or new.jobs[head.id] != job:
        return None
    if outcome.read & ((changes.changed - changes.functions.keys()) | changes.moved):
        return None
    return None if outcome.called & changes.changed_functions else outcome


def _env(point: Point) -> dict[str, str]:
    return {k: v for k, v in point.env.items() if k not in _NAMES}


def _files(point: Point) -> set[str]:
    recipe = split_selector(point.recipe)[0] if point.recipe else None
    return {path for path in (point.script, recipe) if path is not None}


def _launchers(point: Point) -> set[str]:
    """What a multi-node script submits is followed from the launcher on."""
    return set(point.launchers) if point.config.multinode and point.script else set()


def _compared(
    result: LaunchDiff,
    pairs: Sequence[tuple[Point, Point]],
    old: Evaluated,
    new: Evaluated,
    changes: Differences,
) -> LaunchDiff:
    changed: list[PointChange] = []
    uncertain: list[tuple[Point, str]] = []
    same = 0
    failed: dict[tuple[str, str], list[Point]] = defaultdict(list)
    for base, head in pairs:
        before, after = old.of(base), new.of(head)
        errors = [o.error for o in (before, after) if o is not None and o.error is not None]
        for error in dict.fromkeys(errors):
            failed[head.key, error].append(head)
        found = tuple(_changes(base, head, before, after)) or _row_changes(base, head)
        if found:
            changed.append(PointChange(base=base, head=head, changes=found))
        elif not errors:
            same += 1
            stopped = _stopped(before, after) or _hides(after, changes)
            if stopped is not None:
                uncertain.append((head, stopped))
    return replace(
        result,
        changed=tuple(changed),
        unchanged=result.unchanged + same,
        touched=same,
        uncertain=tuple(uncertain),
        problems=tuple(_failures(failed)),
    )


def _with_launchers(
    result: LaunchDiff,
    pairs: Sequence[tuple[Point, Point]],
    changes: Differences,
    base: Tree,
    head: Tree,
    policy: Policy,
) -> LaunchDiff:
    """Add what an edit of the scripts that start jobs changes for points on both sides."""
    ours, theirs = Launchers(base, policy), Launchers(head, policy)
    changed = {change.head.id: change for change in result.changed}
    uncertain = list(result.uncertain)
    moved = 0
    for before, after in pairs:
        found: list[LaunchChange] = []
        for path in after.launchers:
            if path not in changes.reached or path not in before.launchers:
                continue
            one, two = ours.steps(path, before), theirs.steps(path, after)
            found += _step_changes(path, one, two)
            stopped = one.stopped or two.stopped
            if stopped is not None and one.steps == two.steps:
                uncertain.append((after, stopped))
        if not found:
            continue
        known = changed.get(after.id)
        moved += known is None
        earlier = () if known is None else known.changes
        both = PointChange(base=before, head=after, changes=(*earlier, *dict.fromkeys(found)))
        changed[after.id] = both
    return replace(
        result,
        changed=tuple(changed.values()),
        unchanged=result.unchanged - moved,
        uncertain=tuple(uncertain),
    )


def _step_changes(path: str, old: Steps, new: Steps) -> Iterator[LaunchChange]:
    """Commands that only one side runs, and variables that differ for the same commands."""
    if old.steps == new.steps:
        return
    name = path.rsplit("/", 1)[-1]
    lines, others = Counter(s for s, _ in old.steps), Counter(s for s, _ in new.steps)
    for line in lines - others:
        yield LaunchChange("reach", f"{name} command", line, None)
    for line in others - lines:
        yield LaunchChange("reach", f"{name} command", None, line)
    before = dict(pair for _, env in old.steps for pair in env)
    after = dict(pair for _, env in new.steps for pair in env)
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            yield LaunchChange("variable", f"{name}: {key}", before.get(key), after.get(key))
    if lines == others and before == after:
        yield LaunchChange("reach", f"{name} order of commands", "as it was", "another")


def _stopped(*outcomes: Outcome | None) -> str | None:
    """Where an evaluation stopped short, if one did: what follows may differ unseen."""
    for outcome in outcomes:
        if outcome is not None and outcome.facts is not None and outcome.facts.unresolved:
            note = outcome.facts.unresolved[0]
            return f"{note.text} ({note.span})"
    return None


def _hides(outcome: Outcome | None, changes: Differences) -> str | None:
    """An unknown part of a launch that comes from a changed file, so that it may differ."""
    view = _view(outcome)
    for reason in () if view is None else view.unknown:
        for path in changes.changed:
            if path.rpartition("/")[2] in reason:
                return f"{reason} is not known, and {path} has changed"
    return None


def _failures(failed: Mapping[tuple[str, str], Sequence[Point]]) -> Iterator[Finding]:
    for (_, error), points in failed.items():
        yield Finding(
            status=Status.UNRESOLVED,
            code="point_not_evaluated",
            message=f"{label_points(points)}: {error}",
            span=points[0].span,
        )


def _changes(
    base: Point, head: Point, before: Outcome | None, after: Outcome | None
) -> Iterator[LaunchChange]:
    if base.config.image != head.config.image:
        yield LaunchChange("image", "image", base.config.image, head.config.image)
    for name, one, two in (
        ("script", base.script, head.script),
        ("recipe", base.recipe or base.recipe_setting, head.recipe or head.recipe_setting),
    ):
        if one != two:
            yield LaunchChange("reach", name, one, two)
    old, new = _view(before), _view(after)
    if old is not None and new is not None:
        yield from view_changes(old, new)
    elif before is None and after is None:
        # Nothing here can be evaluated: the job's variables are all that is known.
        yield from _variables(base, head)


def _row_changes(base: Point, head: Point) -> tuple[LaunchChange, ...]:
    """A row that is another one although it starts the same server is not an unchanged one."""
    if _topology(base) == _topology(head):
        return ()
    return tuple(_variables(base, head))


def _variables(base: Point, head: Point) -> Iterator[LaunchChange]:
    yield from pair_changes("variable", tuple(_env(base).items()), tuple(_env(head).items()))


def _view(outcome: Outcome | None) -> View | None:
    if outcome is None or outcome.facts is None:
        return None
    return view_of(outcome.facts)
