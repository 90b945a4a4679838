"""Which tree a command works on, by which policy, and which of its files are judged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from verifier.golden import Golden
from verifier.model.record import dataclass
from verifier.model.tree import Tree, Unreadable
from verifier.policy import DEFAULT, FILE, Policy, load_policy, parse_policy
from verifier.selectors import file_of, split_selector
from verifier.sources.local import LocalTree

_YAML = (".yaml", ".yml")
_SHELLS = (b"bash", b"sh")


class PathError(Exception):
    """A path that cannot be judged; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A tree with its policy and golden curves."""

    tree: LocalTree
    policy: Policy
    golden: Golden

    def relative(self, path: str) -> str:
        """`path` as the tree names it. Raises `PathError` when it lies outside."""
        for place in (os.path.abspath(path), os.path.realpath(path)):
            for top in (self.tree.root, os.path.abspath(self.tree.name)):
                if place == top or place.startswith(top.rstrip(os.sep) + os.sep):
                    inside = os.path.relpath(place, top).replace(os.sep, "/")
                    return "" if inside == "." else inside
        raise PathError(f"{path} is outside of the root {self.tree.name}")


def open_workspace(
    paths: Sequence[str], root: str | None = None, policy_file: str | None = None
) -> Workspace:
    """The workspace of some paths that exist. Raises `PathError` and `PolicyError`."""
    if root is not None and not os.path.isdir(root):
        raise PathError(f"the root {root} is not a folder")
    tree = LocalTree(root if root is not None else _root_of(paths))
    policy = policy_from(policy_file) if policy_file is not None else _own_policy(tree)
    return Workspace(tree, policy, Golden.load(tree, policy))


def policy_from(file: str) -> Policy:
    """The policy of a file named on the command line. Raises `PolicyError`."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PathError(f"the policy {file} cannot be read: {reason}") from None
    return parse_policy(data, file)


def _own_policy(tree: LocalTree) -> Policy:
    """The policy at the root; a folder or a dead link of its name is not "no policy"."""
    place = os.path.join(tree.root, FILE)
    if os.path.lexists(place) and not os.path.isfile(place):
        raise PathError(f"{FILE}: the policy is not a file; put a YAML file there or remove it")
    return load_policy(tree)


def _root_of(paths: Sequence[str]) -> str:
    """The git root, else a folder that a policy or the path patterns recognise, else the
    common folder."""
    places = [os.path.abspath(path) for path in paths] or [os.getcwd()]
    roots = {git_root(place) for place in places}
    if len(roots) > 1:
        raise PathError("the paths belong to different trees; judge them one by one or give --root")
    root = roots.pop()
    if root is not None:
        return root
    folders = [p if os.path.isdir(p) else os.path.dirname(p) for p in places]
    common = os.path.commonpath(folders)
    for folder in _upwards(common):
        if os.path.isfile(os.path.join(folder, FILE)):
            return folder
    return _recognised(places, common) or common


def git_root(place: str) -> str | None:
    """The nearest folder above `place` that holds a `.git`, without asking git."""
    start = place if os.path.isdir(place) else os.path.dirname(place)
    return next((f for f in _upwards(start) if os.path.exists(os.path.join(f, ".git"))), None)


def _upwards(folder: str) -> Iterator[str]:
    """The folder and all above it."""
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above


def _recognised(places: Sequence[str], common: str) -> str | None:
    """A folder from which the default path patterns know a file below `common`: a copy of a
    benchmark tree outside of git."""
    place = places[0]
    if os.path.isdir(place):
        files = [os.path.join(common, name) for name in LocalTree(common).files()]
        folders = [*_upwards(common)]
    else:
        files, folders = [place], [*_upwards(common)][1:]
    for folder in folders:
        inside = (os.path.relpath(file, folder) for file in files)
        if any(DEFAULT.is_script(name) or DEFAULT.is_recipe(name) for name in inside):
            return folder
    if os.path.isdir(place):
        return None
    parent = os.path.dirname(common)
    name = os.path.relpath(place, parent)
    return parent if DEFAULT.is_agentic(name) and name.count("/") == 1 else None


def judged_files(space: Workspace, paths: Sequence[str]) -> tuple[str, ...]:
    """The files to judge for paths given on the command line, in their order.

    A file is taken as it is; a folder gives the scripts and recipes that the policy's patterns
    know, or all its shell scripts when they know none. Raises `PathError`.
    """
    chosen: dict[str, None] = {}
    for path in paths:
        inside = space.relative(path)
        if os.path.isdir(path):
            found = _recipes_below(space, inside)
            if not found:
                raise PathError(f"{path} holds no benchmark script or recipe")
            chosen.update(dict.fromkeys(found))
        else:
            _require_readable(space.tree, inside, path)
            chosen[inside] = None
    return tuple(chosen)


def master_configs(space: Workspace) -> tuple[str, ...]:
    """The master configs of the tree. Raises `PathError` when there are none."""
    names = space.policy.patterns(space.policy.paths.master_configs)
    found = tuple(name for name in names if _exists(space.tree, name))
    if not found:
        raise PathError(f"{space.tree.name} has no master config ({', '.join(names)})")
    return found


def _exists(tree: Tree, path: str) -> bool:
    try:
        return tree.read(path) is not None
    except Unreadable:
        return True


def require_existing(paths: Sequence[str]) -> None:
    """Raises `PathError` naming the first path that does not exist."""
    for path in map(file_of, paths):
        if not os.path.lexists(path):
            raise PathError(f"{path}: no such file or folder")
        if not os.path.exists(path):
            raise PathError(f"{path} is a link to nothing")


def _recipes_below(space: Workspace, folder: str) -> tuple[str, ...]:
    try:
        files = space.tree.files(folder)
    except Unreadable as error:
        raise PathError(str(error)) from None
    policy = space.policy
    known = tuple(p for p in files if policy.is_script(p) or policy.is_recipe(p))
    if known:
        return known
    return tuple(p for p in files if p.endswith(".sh") and not _is_library(p, policy))


def _is_library(path: str, policy: Policy) -> bool:
    return policy.matches(path, policy.paths.libraries)


def _require_readable(tree: Tree, inside: str, path: str) -> None:
    """A script or a YAML file; what cannot be read is left for the verdict to report."""
    if split_selector(inside)[0].endswith((".sh", ".bash", *_YAML)):
        return
    try:
        data = tree.read(inside)
    except Unreadable:
        return
    if data is None or not data.strip() or b"\0" in data[:8192] or is_shell(data):
        return
    raise PathError(
        f"{path}:1: neither a shell script (no .sh name, no bash `#!` line) nor a YAML recipe"
    )


def is_shell(data: bytes) -> bool:
    """Whether the first line asks for bash or sh."""
    first = data[:256].split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return False
    words = first[2:].split()
    names = [word.rsplit(b"/", 1)[-1] for word in words[:3]]
    return any(name in _SHELLS for name in names[:2]) or (
        names[:2] == [b"env", b"-S"] and names[2:] in ([b"bash"], [b"sh"])
    )
