"""From files or a change to a verdict: read the facts, run the checks, put the rows together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime

import checks
from verifier import judge
from verifier.facts import Reading, collect
from verifier.golden import Golden
from verifier.model import record
from verifier.model.change import Change
from verifier.model.command import Note
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, CheckResult, Finding, Verdict
from verifier.model.record import dataclass
from verifier.model.text import Span
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy

MAX_TEXT_BYTES = 64_000_000
"""All changed files of a change together."""
_SERIAL = 6
"""Up to so many files one process is faster than starting others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What every file is judged by."""

    tree: Tree
    policy: Policy
    golden: Golden
    reading: Reading
    today: date
    only: tuple[str | int, ...] | None = None
    jobs: int = 1
    """Processes for points and for many files."""
    progress: Callable[[int, int], None] | None = None
    """Told (done, all) while points are evaluated."""


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of one file, small enough to send between processes."""

    checks: tuple[CheckResult, ...]
    assumptions: tuple[Note, ...]
    unread: tuple[Note, ...]


def today() -> date:
    """The review date, in UTC so that it is the same everywhere."""
    return datetime.now(UTC).date()


def judge_files(paths: Sequence[str], task: Task) -> Verdict:
    """The verdict over some files of one tree, each judged on its own.

    A master config stands for all its points.
    """
    configs = task.policy.patterns(task.policy.paths.master_configs)
    scripts = [path for path in paths if path not in configs]
    if task.jobs == 1 or len(scripts) <= _SERIAL:
        parts = [_judge_file(path, task) for path in scripts]
    else:
        parts = _in_processes(scripts, task)
    if len(scripts) < len(paths):
        parts.append(_judge_points(task, frozenset(paths)))
    return _together(parts, task)


def _judge_points(task: Task, paths: frozenset[str]) -> _Part:
    """Every point of the master configs among `paths`, evaluated with its own environment."""
    from verifier.recipes.pointfacts import of_tree

    facts = of_tree(
        task.tree,
        task.policy,
        jobs=task.jobs,
        prefixes=tuple(task.reading.prefixes),
        progress=task.progress,
    )
    context = Context(
        policy=task.policy,
        golden=task.golden,
        today=task.today,
        recipes=facts.recipes,
        points=facts,
        unread=tuple(
            Note(span=problem.span, text=problem.message)
            for problem in facts.unjudged
            if problem.span.path in paths
        ),
    )
    return _part(context, task)


def _judge_file(path: str, task: Task) -> _Part:
    recipes, unread = collect([path], task.tree, task.policy, task.reading)
    context = Context(
        policy=task.policy, golden=task.golden, today=task.today, recipes=recipes, unread=unread
    )
    return _part(context, task)


def _part(context: Context, task: Task) -> _Part:
    verdict = judge.judge(context, task.only)
    unread = (*context.unread, *_unresolved(context.recipes))
    return _Part(tuple(verdict.checks), tuple(verdict.assumptions), unread)


_task: Task | None = None


def _start(task: Task) -> None:
    global _task
    _task = task


def _work(path: str) -> _Part:
    if _task is None:
        raise AssertionError("the worker was started with a task")
    return _judge_file(path, _task)


def _in_processes(paths: Sequence[str], task: Task) -> list[_Part]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    workers = min(task.jobs, len(paths))
    bare = record.replace(task, progress=None)
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(bare,)) as pool:
        chunk = max(1, len(paths) // (workers * 8))
        return list(pool.map(_work, paths, chunksize=chunk))


@dataclass(slots=True)
class _Known:
    """A check whose findings exist already."""

    META: CheckMeta
    findings: tuple[Finding, ...]

    def check(self, context: Context) -> Iterable[Finding]:
        del context
        return self.findings


def _together(parts: Sequence[_Part], task: Task) -> Verdict:
    """One row for each check, from the rows of every file."""
    notes = tuple(dict.fromkeys(note for part in parts for note in part.unread))
    context = Context(policy=task.policy, golden=task.golden, today=task.today, unread=notes)
    wanted = judge.select(context, task.only)
    found: dict[str, list[Finding]] = {slug: [] for slug in wanted}
    for part in parts:
        for row in part.checks:
            found[row.slug].extend(row.findings)
    known = [_Known(c.META, tuple(found[c.META.slug])) for c in checks.ALL if c.META.slug in wanted]
    rows = sorted((judge.run(check, context) for check in known), key=lambda row: row.number)
    return Verdict(
        outcome=judge.outcome(rows, context),
        checks=tuple(rows),
        assumptions=tuple(dict.fromkeys(n for part in parts for n in part.assumptions)),
        unread=notes,
    )


def judge_change(
    change: Change, base: Tree, head: Tree, task: Task, trusted: Tree | None = None
) -> Verdict:
    """The verdict over what a change touches; `task.policy` and curves are the base branch's."""
    context = context_of_change(change, base, head, task, trusted)
    verdict = judge.judge(context, task.only)
    return record.replace(verdict, unread=context.unread)


def context_of_change(
    change: Change, base: Tree, head: Tree, task: Task, trusted: Tree | None = None
) -> Context:
    """Facts of every recipe and point that the change touches, on both sides.

    `base` is the merge base; `trusted` the base branch, where the models page comes from.
    """
    from verifier.recipes.pointfacts import of_change

    policy = task.policy
    points = of_change(
        base,
        head,
        policy,
        trusted=trusted,
        jobs=task.jobs,
        prefixes=tuple(task.reading.prefixes),
        progress=task.progress,
    )
    at_head = [f.path for f in change.files if f.status != "deleted" and _judged(f.path, policy)]
    names = {name for f in change.files for name in f.names if f.status != "added"}
    at_base = sorted(name for name in names if _judged(name, policy) and base.read(name))
    recipes, unread = collect(at_head, head, policy, task.reading)
    base_recipes, _ = collect(at_base, base, policy, task.reading)
    texts, unread_texts = _texts(change, head)
    return Context(
        policy=policy,
        golden=task.golden,
        today=task.today,
        recipes=(*recipes, *points.recipes),
        base_recipes=(*base_recipes, *points.base_recipes),
        change=change,
        texts=texts,
        points=points,
        unread=(*unread, *_unresolved(recipes), *unread_texts),
    )


def _judged(path: str, policy: Policy) -> bool:
    return policy.is_script(path) or policy.is_recipe(path)


def _unresolved(recipes: Iterable[RecipeFacts]) -> tuple[Note, ...]:
    return tuple(dict.fromkeys(note for recipe in recipes for note in recipe.unresolved))


def _texts(change: Change, head: Tree) -> tuple[dict[str, str], tuple[Note, ...]]:
    """Text of every changed file that is text, within a bound, and notes on the others."""
    texts: dict[str, str] = {}
    unread: list[Note] = []
    room = MAX_TEXT_BYTES
    for file in change.files:
        if file.status == "deleted":
            continue
        start = Span(file.path, 1)
        try:
            data = head.read(file.path)
        except Unreadable as error:
            unread.append(Note(span=start, text=f"cannot be read: {error}"))
            continue
        if data is None or b"\0" in data:
            continue
        room -= len(data)
        if room < 0:
            text = f"changed files of more than {MAX_TEXT_BYTES:,} bytes: the rest is not read"
            unread.append(Note(span=start, text=text))
            break
        texts[file.path] = data.decode("utf-8", "surrogateescape")
    return texts, tuple(unread)
