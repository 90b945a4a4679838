"""`verify PATH...` and `verify --base REV`: judge and report."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.cli_arguments import UsageError
from verifier.cli_output import (
    PASSED,
    REJECTED,
    UNDECIDED,
    InputError,
    cores,
    deliver,
    look,
    progress,
    say,
)
from verifier.facts import Reading
from verifier.model.finding import Outcome, Verdict
from verifier.model.record import replace
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy, PolicyError
from verifier.reports.report import Report

if TYPE_CHECKING:
    from verifier.gather import Task
    from verifier.golden import Golden

EXIT = {Outcome.PASS: PASSED, Outcome.REJECTED: REJECTED, Outcome.UNRESOLVED: UNDECIDED}


def judge(options: Namespace) -> int:
    """Judge paths, or the change between two commits. The exit code of the verdict."""
    if options.base is None and options.head is not None:
        raise UsageError("argument --head: needs --base")
    if options.base is not None:
        if options.paths:
            raise UsageError("--base judges a change; it takes no PATH")
        return _change(options)
    if not options.paths and not options.points:
        raise UsageError("nothing to judge: give a PATH, --points or --base REV")
    return _paths(options)


def _paths(options: Namespace) -> int:
    from verifier import gather
    from verifier.workspace import (
        PathError,
        judged_files,
        master_configs,
        open_workspace,
        require_existing,
    )

    try:
        require_existing(options.paths)
        space = open_workspace(options.paths, options.root, options.policy)
        files = judged_files(space, options.paths)
        if options.points:
            files = tuple(dict.fromkeys((*files, *master_configs(space))))
    except (PathError, PolicyError) as error:
        raise InputError(str(error)) from None
    task = task_for(options, space.tree, space.policy, space.golden)
    try:
        verdict = gather.judge_files(files, task)
    except KeyError as error:
        raise unknown_check(error) from None
    return report(verdict, options, source_of(space.tree), files)


def _change(options: Namespace) -> int:
    from verifier import gather
    from verifier.golden import Golden
    from verifier.policy import load_policy
    from verifier.sources.git import GitError, GitTree, change_between
    from verifier.workspace import PathError, policy_from

    repo = options.root or "."
    try:
        change = change_between(repo, options.base, options.head or "HEAD")
        trusted = GitTree(repo, options.base)
        base, head = GitTree(repo, change.base), GitTree(repo, change.head)
        policy = policy_from(options.policy) if options.policy else load_policy(trusted)
        golden = Golden.load(trusted, policy)
    except (GitError, PathError, PolicyError, Unreadable) as error:
        raise InputError(str(error)) from None
    task = task_for(options, head, policy, golden)
    say(
        f"judging {len(change.files)} changed files, {change.base[:12]} to {change.head[:12]}; "
        "uncommitted edits are not part of it"
    )
    try:
        verdict = gather.judge_change(change, base, head, task, trusted)
    except KeyError as error:
        raise unknown_check(error) from None
    return report(verdict, options, source_of(head), tuple(f.path for f in change.files))


def task_for(options: Namespace, tree: Tree, policy: Policy, golden: Golden) -> Task:
    """What the common options ask for."""
    from verifier.gather import Task, today

    if options.thinking is not None:
        policy = replace(policy, default_thinking=options.thinking)
    reading = Reading(
        env=options.env,
        closed=options.closed,
        thinking=options.thinking,
        prefixes=golden_prefixes(golden),
    )
    only = None if options.check is None else tuple(options.check)
    return Task(
        tree=tree,
        policy=policy,
        golden=golden,
        reading=reading,
        today=today(),
        only=only,
        jobs=cores(options),
        progress=progress("points"),
    )


def golden_prefixes(golden: Golden) -> tuple[str, ...]:
    """Model prefixes that have a curve."""
    return tuple({name.partition("_")[0] for name in golden.names if "_" in name})


def unknown_check(error: KeyError) -> InputError:
    """For a `--check` that names none."""
    import checks

    known = ", ".join(f"{meta.number} {meta.slug}" for meta in checks.catalogue())
    return InputError(f"argument --check: there is no check {error.args[0]!r} (known: {known})")


def source_of(tree: Tree) -> Callable[[str], str | None]:
    """The text of a file of the tree, for quoting; None for anything else."""
    seen: dict[str, str | None] = {}

    def read(path: str) -> str | None:
        if path not in seen:
            try:
                data = tree.read(path)
            except Unreadable:
                data = None
            seen[path] = None if data is None else data.decode("utf-8", "surrogateescape")
        return seen[path]

    return read


def report(
    verdict: Verdict,
    options: Namespace,
    source: Callable[[str], str | None],
    judged: tuple[str, ...],
) -> int:
    """Print the verdict in the chosen format; the exit code."""
    import checks

    shown = Report(
        verdict=verdict,
        source=source,
        judged=judged,
        summaries={meta.slug: meta.summary for meta in checks.catalogue()},
    )
    deliver(rendered(shown, options), options)
    return EXIT[verdict.outcome]


def rendered(shown: Report, options: Namespace) -> str:
    """The report in the format of --format."""
    match options.format:
        case "json":
            from verifier.reports import verdict_json

            return verdict_json.render(shown)
        case "markdown":
            from verifier.reports import markdown

            return markdown.render(shown)
        case "sarif":
            from verifier.reports import sarif

            return sarif.render(shown)
        case "github":
            from verifier.reports import annotations

            return annotations.render(shown)
        case _:
            from verifier.reports import text

            style, width = look(options)
            return text.render(shown, style, width)
