"""What differs between two evaluations of a point: one change for each name and position."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, TypeVar

from verifier.model.points import LaunchChange
from verifier.recipes.views import LaunchView, View

_Value = TypeVar("_Value")


def view_changes(old: View, new: View) -> Iterator[LaunchChange]:
    """Differences of what two evaluations launch."""
    ours, theirs = list(old.launches), list(new.launches)
    several = max(len(ours), len(theirs)) > 1
    for one, two in _aligned(ours, theirs):
        known = one or two
        assert known is not None
        at = known.name if several else None
        if one is None or two is None:
            started = None if one is None else _command(one)
            yield LaunchChange("reach", known.name, started, None if two is None else _command(two))
            continue
        if one.name != two.name:
            yield LaunchChange("reach", "server", one.name, two.name)
        yield from _argument_changes(one, two, at)
        yield from pair_changes("variable", one.variables, two.variables, at)
        yield from pair_changes("file", one.files, two.files, at)
    if old.clients != new.clients:
        yield from _client_changes(old, new)


def _aligned(
    ours: list[LaunchView], theirs: list[LaunchView]
) -> Iterator[tuple[LaunchView | None, LaunchView | None]]:
    """Launches of one name pair up in order; what is left pairs up when the counts agree."""
    rest_ours, rest_theirs = list(ours), list(theirs)
    for view in ours:
        match = next((t for t in rest_theirs if t.name == view.name), None)
        if match is not None:
            rest_ours.remove(view)
            rest_theirs.remove(match)
            yield view, match
    if len(rest_ours) == len(rest_theirs):
        yield from zip(rest_ours, rest_theirs, strict=True)
        return
    for view in rest_ours:
        yield view, None
    for view in rest_theirs:
        yield None, view


def _command(view: LaunchView) -> str:
    return " ".join(part for flag, values in view.arguments for part in (flag, *values) if part)


def _argument_changes(
    old: LaunchView, new: LaunchView, launch: str | None
) -> Iterator[LaunchChange]:
    """Values as one text: words are quoted only where the text would hide a difference."""
    for name, one, two in _positions(old.arguments, new.arguments):
        before = None if one is None else " ".join(one)
        after = None if two is None else " ".join(two)
        if before == after or "" in (one or ()) or "" in (two or ()):
            before = None if one is None else shlex.join(one)
            after = None if two is None else shlex.join(two)
        yield LaunchChange("argument", name or "command", before, after, launch)


def pair_changes(
    kind: Literal["variable", "file"],
    old: Sequence[tuple[str, str]],
    new: Sequence[tuple[str, str]],
    launch: str | None = None,
) -> Iterator[LaunchChange]:
    """Changes of variables, or of key paths of files."""
    for name, one, two in _positions(old, new):
        yield LaunchChange(kind, name, one, two, launch)


def _positions(
    old: Sequence[tuple[str, _Value]], new: Sequence[tuple[str, _Value]]
) -> Iterator[tuple[str, _Value | None, _Value | None]]:
    """What differs, for each name and position; an absent side is None."""
    before, after = _by_name(old), _by_name(new)
    for name in dict.fromkeys([*before, *after]):
        for one, two in zip_longest(before.get(name, []), after.get(name, [])):
            if one != two:
                yield name, one, two


def _by_name(pairs: Sequence[tuple[str, _Value]]) -> dict[str, list[_Value]]:
    found: dict[str, list[_Value]] = defaultdict(list)
    for name, value in pairs:
        found[name].append(value)
    return found


def _client_changes(old: View, new: View) -> Iterator[LaunchChange]:
    """Clients decide the workload, so they belong to what a point runs."""
    for one, two in _aligned(list(old.clients), list(new.clients)):
        if one is not None and two is not None and one.name == two.name:
            yield from _argument_changes(one, two, one.name)
            continue
        before = None if one is None else _shown(one)
        yield LaunchChange("reach", "client", before, None if two is None else _shown(two))


def _shown(view: LaunchView) -> str:
    return " ".join((view.name.removeprefix("client "), _command(view))).rstrip()
