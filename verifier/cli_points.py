"""`verify points` and `verify diff`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from verifier.cli_arguments import UsageError
from verifier.cli_output import (
    PASSED,
    UNDECIDED,
    InputError,
    cores,
    deliver,
    formats,
    look,
    progress,
    say,
)
from verifier.model.finding import Finding
from verifier.model.tree import Unreadable
from verifier.policy import PolicyError, load_policy
from verifier.reports import points as report
from verifier.workspace import PathError, open_workspace, policy_from

MAX_SAID = 10


def points(options: Namespace) -> int:
    """The points of the master configs; 3 when some of a config could not be read."""
    from verifier.recipes.elsewhere import elsewhere
    from verifier.recipes.masters import expand, unexpanded

    chosen = formats(options, "text", "json")
    try:
        space = open_workspace([], options.root, options.policy)
    except (PathError, PolicyError) as error:
        raise InputError(str(error)) from None
    expansion = expand(space.tree, space.policy, tuple(options.keys))
    if not expansion.entries and not expansion.findings:
        wanted = f" with a key like {', '.join(options.keys)}" if options.keys else ""
        raise InputError(f"{space.tree.name} has no master config entry{wanted}")
    if chosen == "json":
        deliver(report.points_json(expansion.points), options)
    else:
        deliver(report.points_text(expansion.points, look(options)[0]), options)
    _say_problems([*expansion.findings, *elsewhere(expansion.points, space.tree)])
    return UNDECIDED if unexpanded(expansion) else PASSED


def diff(options: Namespace) -> int:
    """What a range of commits changes in what is launched."""
    from verifier.diff import diff as compared
    from verifier.sources.git import GitError, GitTree, merge_base

    chosen = formats(options, "text", "json", "markdown")
    base, dots, head = options.range.partition("..")
    if not dots or not base or head.startswith("."):
        raise UsageError(f"{options.range!r} is not a range BASE..HEAD")
    repo = options.root or "."
    try:
        new = GitTree(repo, head or "HEAD")
        old = GitTree(repo, merge_base(repo, base, new.commit))
        trusted = GitTree(repo, base)
        policy = policy_from(options.policy) if options.policy else load_policy(trusted)
    except (GitError, PathError, PolicyError, Unreadable) as error:
        raise InputError(str(error)) from None
    found = compared(old, new, policy, cores(options), progress("points"))
    if chosen == "json":
        deliver(report.diff_json(found), options)
    elif chosen == "markdown":
        deliver(report.diff_markdown(found), options)
    else:
        deliver(report.diff_text(found, *look(options)), options)
    return UNDECIDED if found.problems else PASSED


def _say_problems(findings: Sequence[Finding]) -> None:
    for finding in findings[:MAX_SAID]:
        say(f"{finding.span}: {finding.message}")
    if len(findings) > MAX_SAID:
        say(f"{len(findings) - MAX_SAID} more like this; verify --points judges all points")
