"""Which scripts and recipes a change can reach, found without evaluating anything.

A file reaches another when the other names it. Names are searched as text, so this errs on the
side of too many; a changed file that nothing names is taken to reach everything that names its
folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from verifier.model.record import dataclass, field
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy
from verifier.recipes.functions import Mention, changed_functions

_MOST_BYTES = 2_000_000
_COMMENT = re.compile(rb"^[ \t]*#.*$", re.MULTILINE)
_PROSE = (".md", ".rst", ".txt")
_SHELL = (".sh", ".bash", ".slurm")
_CODE = (".sh", ".bash", ".slurm", ".py", ".env")


@dataclass(frozen=True, slots=True)
class Differences:
    """Files that are not the same on both sides, and what they can reach."""

    changed: frozenset[str]
    reached: frozenset[str]
    """The changed files and every file that names one of these, directly or not. Of a library in
    which only some functions differ, every file that names one of these functions."""
    started: frozenset[str] = frozenset()
    """The same without Python files, which are no part of how a job is started: their effects on
    recipes are known by the policy's rules."""
    functions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By changed file: the functions that can differ, when nothing else of it does."""
    moved: frozenset[str] = frozenset()
    """The folders, with a slash, of files that exist on one side only."""

    @property
    def changed_functions(self) -> frozenset[str]:
        """Of all files in which nothing but functions differs."""
        return frozenset().union(*self.functions.values())


def differences(
    base: Tree, head: Tree, policy: Policy, entries: Collection[str] = ()
) -> Differences:
    """Compare the folders in which benchmarks lie.

    `entries` are the scripts and recipes of points: nothing has to name these.
    """
    tops = folders(policy)
    texts: dict[str, bytes] = {}
    changed: set[str] = set()
    functions: dict[str, frozenset[str]] = {}
    moved: set[str] = set()
    before = {path for folder in tops for path in base.files(folder)}
    after = {path for folder in tops for path in head.files(folder)}
    for path in before | after:
        old, new = _bytes(base, path), _bytes(head, path)
        if old != new:
            changed.add(path)
            if old is None or new is None:
                moved.update(_folders_of(path))
            if old and new and path.endswith(_SHELL):
                found_names = changed_functions(path, old, new)
                if found_names is not None:
                    functions[path] = found_names
        if not path.endswith(_PROSE):
            texts[path] = _COMMENT.sub(b"", b"\n".join(part for part in (old, new) if part))
    # Points find single-node scripts by name: one that no point runs and no file names is idle.
    # Runners find launchers in the same way.
    found_by_name = (
        *policy.paths.single_node,
        *(name.replace("{runner-host}", "*") for name in policy.point.launchers),
    )
    idle = (path for path in changed if policy.matches(path, found_by_name))
    found = {*entries, *idle}
    shell = {path: text for path, text in texts.items() if not path.endswith(".py")}
    return Differences(
        changed=frozenset(changed),
        reached=frozenset(_reached(changed, texts, found, functions)),
        started=frozenset(_reached(changed & shell.keys(), shell, found, functions)),
        functions=functions,
        moved=frozenset(moved),
    )


def _folders_of(path: str) -> Iterator[str]:
    """Every folder that a file lies in, the root included."""
    while path:
        path = posixpath.dirname(path)
        yield f"{path}/"


def folders(policy: Policy) -> tuple[str, ...]:
    """Top folders of the policy's path patterns, below its root."""
    patterns = (
        *policy.paths.single_node,
        *policy.paths.multi_node,
        *policy.paths.recipes,
        policy.point.runners,
        *policy.point.launchers,
        *(rule.launcher for rule in policy.point.injections),
    )
    tops = {pattern.split("/", 1)[0] for pattern in patterns if "/" in pattern}
    fixed = sorted(top for top in tops if "*" not in top)
    if len(fixed) < len(tops):
        return (policy.place("").rstrip("/"),)
    return tuple(policy.place(top) for top in fixed)


def _bytes(tree: Tree, path: str) -> bytes | None:
    try:
        data = tree.read(path)
    except Unreadable as error:
        return f"unreadable: {error}".encode()
    return data if data is None or len(data) <= _MOST_BYTES else data[:_MOST_BYTES]


def _reached(
    changed: Iterable[str],
    texts: Mapping[str, bytes],
    entries: Collection[str],
    functions: Mapping[str, frozenset[str]],
) -> set[str]:
    reached = set(changed)
    names = frozenset().union(*functions.values())
    mention = Mention(names)
    calling = {path for path, text in texts.items() if mention.of(text.decode("utf-8", "replace"))}
    pending = sorted({*(reached - functions.keys()), *(calling - reached)})
    reached |= calling
    while pending:
        found: set[str] = set()
        for path in pending:
            users = _naming(posixpath.basename(path), path, texts)
            if not users and path not in entries and path.endswith(_CODE):
                # Its name may be put together from parts; its folder's rarely is.
                users = _naming(posixpath.basename(posixpath.dirname(path)), path, texts)
            found |= users - reached
        reached |= found
        pending = sorted(found)
    return reached


def _naming(name: str, path: str, texts: Mapping[str, bytes]) -> set[str]:
    written = name.encode()
    return {other for other, text in texts.items() if written in text and other != path}
