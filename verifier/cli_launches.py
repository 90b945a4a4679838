"""`verify launches` and `verify explain`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from verifier.cli_arguments import UsageError
from verifier.cli_output import PASSED, UNDECIDED, InputError, deliver, formats, look, say
from verifier.model.command import Branch, Command, Note
from verifier.model.launch import Launch
from verifier.model.record import dataclass, field, replace
from verifier.model.tree import Unreadable
from verifier.policy import PolicyError
from verifier.reports.launches import Listing, render_json, render_text
from verifier.shell.files import named_files
from verifier.workspace import PathError, Workspace, open_workspace, require_existing

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Read:
    path: str
    launches: Sequence[Launch | Command]
    assumptions: tuple[Note, ...]
    unresolved: tuple[Note, ...]
    branches: Mapping[str, Branch] = field(default_factory=dict)


def launches(options: Namespace) -> int:
    """What a file launches. 3 when something of it could not be read."""
    chosen = formats(options, "text", "json")
    if options.args_only and not options.globs:
        raise UsageError("argument --args-only: needs --command")
    space, path = space_of(options, options.path)
    read = _commands(space, path, options) if options.globs else _servers(space, path, options)
    listing = Listing(
        path=read.path,
        launches=[_with_named_files(launch) for launch in read.launches],
        assumptions=read.assumptions,
        unresolved=read.unresolved,
        args_only=options.args_only,
    )
    if chosen == "json":
        deliver(render_json(listing), options)
    else:
        deliver(render_text(listing, *look(options)), options)
    return UNDECIDED if read.unresolved else PASSED


def _with_named_files(launch: Launch | Command) -> Launch | Command:
    """Logs and the files of other programs do not belong to a server's launch."""
    if not isinstance(launch, Launch):
        return launch
    command = replace(launch.command, files=named_files(launch.command))
    return replace(launch, command=command)


def explain(options: Namespace) -> int:
    """How the values of each launch came about."""
    from verifier.cli_judge import source_of
    from verifier.explain import explain as explained

    formats(options, "text")
    file, line = _place(options.path)
    space, path = space_of(options, file)
    read = _servers(space, path, options, branches=True)
    style, width = look(options)
    text = explained(
        read.launches, source_of(space.tree), line, style, width, branches=read.branches
    )
    if not text:
        say(f"{options.path}: no launch has to do with this" if line else f"{file}: no launch")
    deliver(text, options)
    for note in read.unresolved:
        say(f"{note.span.path}:{note.span.line}: not read to the end: {note.text}")
    return UNDECIDED if read.unresolved or not text else PASSED


def _place(path: str) -> tuple[str, int | None]:
    """`FILE:LINE` or `FILE`; a file whose name ends like that is taken as it is."""
    file, colon, line = path.rpartition(":")
    if colon and line.isascii() and line.isdigit() and not os.path.exists(path):
        return file, int(line)
    return path, None


def space_of(options: Namespace, file: str) -> tuple[Workspace, str]:
    """The tree of one file, and the file's name in it."""
    try:
        require_existing([file])
        if os.path.isdir(file):
            raise PathError(f"{file} is a folder; verify {options.command} reads one file")
        space = open_workspace([file], options.root, options.policy)
        return space, space.relative(file)
    except (PathError, PolicyError) as error:
        raise InputError(str(error)) from None


def _servers(space: Workspace, path: str, options: Namespace, branches: bool = False) -> _Read:
    """Servers of the engines. With `branches` a launch is told apart by path as seldom as
    possible, and what its values stand for on each path is given."""
    from verifier.facts import Reading, read_recipe

    reading = Reading(
        env=options.env, closed=options.closed, thinking=options.thinking, branches=branches
    )
    policy = space.policy
    if branches:
        policy = replace(policy, limits=replace(policy.limits, ways=1))
    recipes = readable(lambda: read_recipe(path, space.tree, policy, reading))
    found = [launch for recipe in recipes for launch in recipe.launches]
    assumptions = [n for r in recipes for n in r.assumptions]
    unresolved = [n for r in recipes for n in r.unresolved]
    for launch in found:
        assumptions.extend(launch.assumptions)
        if not branches:
            unresolved.extend(launch.unresolved)
    sides = {symbol: branch for r in recipes for symbol, branch in r.branches.items()}
    return _Read(path, found, tuple(assumptions), tuple(unresolved), sides)


def _commands(space: Workspace, path: str, options: Namespace) -> _Read:
    """Every command whose name matches one of the patterns, in order."""
    from fnmatch import fnmatchcase

    from verifier.facts import read_text
    from verifier.shell.evaluate import evaluate
    from verifier.shell.options import Options

    globs: list[str] = options.globs

    def watched(name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in globs)

    settings = Options(
        closed=options.closed, env=options.env, limits=space.policy.limits, watch=watched
    )
    readable(lambda: read_text(path, space.tree))
    evaluation = readable(lambda: evaluate(path, space.tree, settings))
    found = [c for c in evaluation.commands if c.name is not None and watched(c.name)]
    return _Read(path, found, evaluation.assumptions, evaluation.unresolved)


def readable(read: Callable[[], T]) -> T:
    """What `read` gives; a file that cannot be read is said and exits 3."""
    try:
        return read()
    except Unreadable as error:
        raise InputError(f"{error}", UNDECIDED) from None
