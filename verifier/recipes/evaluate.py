"""Points through the shell evaluator and the engines: closed world, equal work done once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from verifier.model.command import Note
from verifier.model.context import RecipeFacts
from verifier.model.points import Point, PointId
from verifier.model.record import NamedTuple, dataclass, field, replace
from verifier.model.text import Span
from verifier.model.tree import Unreadable
from verifier.recipes.pins import Pin, pin_of, pinned
from verifier.recipes.reader import Choice, read_facts
from verifier.recipes.sharing import Sharing, alike, open_names
from verifier.recipes.watching import WatchedTree
from verifier.selectors import split_selector

if TYPE_CHECKING:
    from verifier.facts import Reading
    from verifier.model.command import Evaluation
    from verifier.model.text import Text
    from verifier.model.tree import Tree
    from verifier.policy import Policy

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Job(NamedTuple):
    """One evaluation: everything that its result depends on."""

    path: str
    selector: str | None
    eval_only: bool
    delete: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...] = ()
    """Variables that the job has, too, and whose values are not known."""
    pin: Pin | None = None
    """What the launcher makes of the recipe's acceptance."""
    launcher: str | None = None
    """The script that starts the job, when the point's own script only submits it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job gives: facts, or why there are none."""

    facts: RecipeFacts | None
    error: str | None = None
    read: frozenset[str] = frozenset()
    """Paths that were read or looked for."""
    called: frozenset[str] = frozenset()
    """Functions that were called, on any path."""


@dataclass(slots=True)
class Evaluated:
    """Outcomes of points."""

    jobs: dict[PointId, Job] = field(default_factory=dict)
    outcomes: dict[Job, Outcome] = field(default_factory=dict)

    def of(self, point: Point) -> Outcome | None:
        """None for a point that has neither script nor recipe here."""
        job = self.jobs.get(point.id)
        return None if job is None else self.outcomes[job]


def evaluate_points(
    points: Iterable[Point],
    tree: Tree,
    policy: Policy,
    *,
    jobs: int = 1,
    prefixes: Sequence[str] = (),
    progress: Progress | None = None,
    known: Callable[[Point, Job], Outcome | None] | None = None,
) -> Evaluated:
    """Evaluate every point that has a script or recipe in the tree. Never raises.

    `known` gives outcomes that need no evaluation.
    """
    worker = _Worker(tree, policy, tuple(prefixes))
    result = Evaluated()
    for point in points:
        job = worker.job(point)
        if job is not None:
            result.jobs[point.id] = job
            outcome = None if known is None else known(point, job)
            if outcome is not None:
                result.outcomes[job] = outcome
    todo = [job for job in dict.fromkeys(result.jobs.values()) if job not in result.outcomes]
    for done, (job, outcome) in enumerate(_run(todo, worker, jobs), 1):
        result.outcomes[job] = outcome
        if progress is not None:
            progress(done, len(todo))
    return result


class _Worker:
    """Evaluates jobs over one tree."""

    def __init__(self, tree: Tree, policy: Policy, prefixes: tuple[str, ...]) -> None:
        self.tree = WatchedTree(tree)
        self.policy = policy
        self.prefixes = prefixes
        self._names: dict[str, frozenset[str]] = {}
        self._open = open_names(policy)
        self._sharings: dict[str, Sharing] = {}
        self._called: set[str] = set()

    def job(self, point: Point) -> Job | None:
        """What evaluating the point comes down to."""
        eval_only = point.eval_only
        pin = launcher = None
        if point.recipe is not None and not self._read_by_script(point):
            # A script beside it only submits the job.
            path, selector = split_selector(point.recipe)
            delete = self._deleted(point) if eval_only else ()
            pin = pin_of(point, self.tree, self.policy)
            # srtctl can evaluate any recipe, but only these are prepared for it.
            eval_only = bool(delete) or (
                eval_only and self.policy.point.eval_recipe_setting in point.env
            )
        elif point.script is not None:
            path, selector = point.script, None
            delete = ()
            if point.config.multinode:
                launcher = self._launcher(point)
        else:
            return None
        names = self._relevant(path)
        if launcher is not None:  # it finds the script by the name of the experiment
            names |= point.env.keys() - {"RESULT_FILENAME"}
        env = tuple(sorted((k, v) for k, v in point.env.items() if k in names))
        return Job(path, selector, eval_only, delete, env, point.unknown, pin, launcher)

    def _launcher(self, point: Point) -> str | None:
        return next((path for path in point.launchers if self.tree.text(path)), None)

    def _read_by_script(self, point: Point) -> bool:
        """Whether the job that the point's script submits reads the recipe itself."""
        recipe = point.recipe or ""
        return point.script is not None and any(
            recipe.startswith(self.policy.place(place))
            and self.tree.text(self.policy.place(rule.submitted))
            for rule in self.policy.point.job_scripts
            for _, place in rule.files
        )

    def _relevant(self, path: str) -> frozenset[str]:
        """Names that the file itself does not mention and that only name results are left out."""
        found = self._names.get(path)
        if found is None:
            mentioned = set(_NAME.findall(self.tree.text(path)))
            left_out = {"RESULT_FILENAME", "RUNNER_NAME", "EXP_NAME"} - mentioned
            everything = {
                *self.policy.point.single_node_variables,
                *self.policy.point.multi_node_variables,
            }
            found = frozenset((everything | mentioned) - left_out)
            self._names[path] = found
        return found

    def _deleted(self, point: Point) -> tuple[str, ...]:
        """Lines that the point's launcher drops from the recipe before an evaluation."""
        found = []
        for rule in self.policy.point.injections:
            if (
                any(fnmatchcase(point.config.framework, p) for p in rule.frameworks)
                and any(fnmatchcase(point.config.runner, p) for p in rule.runners)
                and rule.proof in self.tree.text(self.policy.place(rule.launcher))
            ):
                found.append(rule.delete)
        return tuple(dict.fromkeys(found))

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Every job's outcome; what differs in numbers only is evaluated together."""
        scripts = [job for job in jobs if not _is_alone(job)]
        yield from ((job, self.outcome(job)) for job in jobs if _is_alone(job))
        for group in alike(scripts, self.same, self.policy.limits.choices):
            if len(group) < 2:
                yield from ((job, self.outcome(job)) for job in group)
            else:
                yield from zip(group, self._shared(group), strict=True)

    def same(self, job: Job) -> object:
        """Equal for jobs that differ in numbers only."""
        fixed = tuple((k, None if k in self._open else v) for k, v in job.env)
        return job._replace(env=()), fixed

    def _shared(self, group: Sequence[Job]) -> Iterator[Outcome]:
        first = group[0]
        sharing = self._sharings.get(first.path)
        if sharing is None:
            sharing = self._sharings[first.path] = self._sharing(first)
        self._forget()
        found = sharing.of(first.eval_only, [dict(job.env) for job in group])
        for job in group:
            try:
                facts = next(found)
            except Unreadable as error:
                yield Outcome(None, f"{job.path} cannot be read: {error}", self._read())
            except Exception:
                _log("evaluating points of %s together failed", job.path)
                yield self.outcome(job)
            else:
                yield self._finished(job, replace(facts, eval_only=job.eval_only))

    def _sharing(self, job: Job) -> Sharing:
        """How points of the job's script are evaluated."""
        from verifier.facts import Reading, read_text, script_facts, script_options
        from verifier.shell.evaluate import evaluate

        path = job.path

        def reading(env: Mapping[str, str]) -> Reading:
            return Reading(env=env, closed=True, prefixes=self.prefixes)

        def together(env: Mapping[str, str | Text]) -> Evaluation:
            read_text(path, self.tree)
            options = replace(script_options(self.policy, reading({})), env=env)
            return evaluate(path, self.tree, options)

        def facts(evaluation: Evaluation, env: Mapping[str, str]) -> RecipeFacts:
            return self._slim(script_facts(evaluation, self.tree, self.policy, reading(env)))

        def alone(env: Mapping[str, str]) -> RecipeFacts:
            return self._facts(job._replace(env=tuple(env.items())))

        return Sharing(alone, together, facts)

    def _forget(self) -> None:
        self.tree.seen = set()
        self._called = set()

    def outcome(self, job: Job) -> Outcome:
        """What one job gives. Never raises."""
        self._forget()
        try:
            facts = self._facts(job)
        except Unreadable as error:
            return Outcome(None, f"{job.path} cannot be read: {error}", self._read())
        except Exception as error:
            _log("evaluating %s crashed", job.path)
            text = f"the verifier failed while evaluating {job.path} ({type(error).__name__})"
            return Outcome(None, text, self._read())
        return self._finished(job, facts)

    def _finished(self, job: Job, facts: RecipeFacts) -> Outcome:
        missed = tuple(self._unknown(job, facts.start))
        if missed:
            facts = replace(facts, unresolved=(*missed, *facts.unresolved))
        return Outcome(facts, None, self._read(), frozenset(self._called))

    def _unknown(self, job: Job, start: Span) -> Iterator[Note]:
        """Variables without a value here that something which was read mentions."""
        for name in job.unknown:
            if any(name in self.tree.text(path) for path in sorted(self.tree.seen)):
                text = f"the job's {name} is not known: {self.policy.point.runners} is missing"
                yield Note(span=start, text=text)

    def _read(self) -> frozenset[str]:
        return frozenset(self.tree.seen)

    def _facts(self, job: Job) -> RecipeFacts:
        from verifier.facts import Reading, read_recipe

        reading = Reading(env=dict(job.env), closed=True, prefixes=self.prefixes)
        if _is_yaml(job.path):
            eval_only = job.eval_only
            choice = Choice(selector=job.selector, eval_only=eval_only, delete=job.delete)
            read = read_facts(job.path, self.tree, self.policy, reading, choice)
            found = tuple(pinned(one, job.pin) for one in read)
            if len(found) != 1:
                facts = replace(found[0], launches=tuple(x for f in found for x in f.launches))
                return self._slim(facts)
        else:
            submitted = self._submitted(job, reading)
            if submitted is not None:
                return self._slim(replace(submitted, eval_only=job.eval_only))
            found = read_recipe(job.path, self.tree, self.policy, reading)
        return self._slim(replace(found[0], eval_only=job.eval_only))

    def _submitted(self, job: Job, reading: Reading) -> RecipeFacts | None:
        """The servers of a job that the point's script submits; None when there are none."""
        from verifier.facts import script_facts, script_options
        from verifier.recipes.submitted import distinct, follow

        if job.launcher is None:
            return None
        options = script_options(self.policy, reading)
        found = follow(job.launcher, job.path, dict(job.env), self.policy, self.tree, options)
        if found is None:
            return None
        facts = script_facts(found, self.tree, self.policy, reading)
        return replace(facts, launches=distinct(facts.launches)) if facts.launches else None

    def _slim(self, facts: RecipeFacts) -> RecipeFacts:
        """Without what only file-level checks look at: there are thousands of points."""
        self._called.update(c.name for c in facts.commands if c.kind == "function" and c.name)
        clients = tuple(replace(c, env={}, files={}) for c in facts.clients)
        evaluations = tuple(replace(c, env={}, files={}) for c in facts.evaluations)
        return replace(
            facts,
            commands=(*clients, *evaluations),
            clients=clients,
            evaluations=evaluations,
            texts={},
        )


def _log(text: str, path: str) -> None:
    import logging

    logging.getLogger(__name__).debug(text, path, exc_info=True)


def _is_alone(job: Job) -> bool:
    """Whether the job shares its evaluation with no other."""
    return job.launcher is not None or _is_yaml(job.path)


def _is_yaml(path: str) -> bool:
    return path.endswith((".yaml", ".yml"))


_WORKER: _Worker | None = None
_FEWEST = 16
"""With fewer jobs one process is faster than starting others."""
_TOGETHER = 48
"""Jobs of one script that a process takes at a time, about."""


def _run(todo: list[Job], worker: _Worker, jobs: int) -> Iterator[tuple[Job, Outcome]]:
    parts = _parts(todo, worker)
    if jobs < 2 or len(todo) < _FEWEST or len(parts) < 2:
        for part in parts:
            yield from worker.outcomes(part)
        return
    import multiprocessing

    global _WORKER
    _WORKER = worker
    context = multiprocessing.get_context("fork" if _can_fork() else "spawn")
    with context.Pool(jobs, _initialise, (worker.tree, worker.policy, worker.prefixes)) as pool:
        for outcomes in pool.imap_unordered(_part, parts):
            yield from outcomes


def _parts(todo: Iterable[Job], worker: _Worker) -> list[list[Job]]:
    """Jobs of one script stay together, so that its parse is shared; long rows are cut between
    jobs that share no evaluation. What takes longest comes first."""
    by_path: dict[str, dict[object, list[Job]]] = {}
    for job in todo:
        by_path.setdefault(job.path, {}).setdefault(worker.same(job), []).append(job)
    parts: list[list[Job]] = []
    for groups in by_path.values():
        part: list[Job] = []
        for group in groups.values():
            if part and len(part) + len(group) > _TOGETHER:
                parts.append(part)
                part = []
            part += group
        parts.append(part)
    return sorted(parts, key=lambda part: (_is_yaml(part[0].path), -len(part)))


def _can_fork() -> bool:
    import multiprocessing

    return "fork" in multiprocessing.get_all_start_methods()


def _initialise(tree: WatchedTree, policy: Policy, prefixes: tuple[str, ...]) -> None:
    import gc

    global _WORKER
    if _WORKER is None:
        _WORKER = _Worker(tree, policy, prefixes)
    # What exists now stays: looking through it again and again for garbage takes a sixth of the
    # time, and an evaluation leaves next to none.
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


def _part(part: list[Job]) -> list[tuple[Job, Outcome]]:
    if _WORKER is None:
        raise AssertionError("the pool was initialised")
    return list(_WORKER.outcomes(part))
