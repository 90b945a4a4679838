"""Points whose recipe is not in the tree: one finding for each config key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from verifier.model.finding import Finding, Related, Status
from verifier.model.points import Point, label_points
from verifier.model.tree import Tree
from verifier.recipes.watching import WatchedTree

_CLONED = re.compile(r"\bgit clone\b[^\n#]*?(https?://[^\s\"']+)")
_MOST_SHOWN = 12
"""Recipes listed one by one."""


def elsewhere(points: Iterable[Point], tree: Tree) -> Iterator[Finding]:
    """What the points name and the tree does not have, with the places it can come from."""
    seen = WatchedTree(tree)
    by_key: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        if is_elsewhere(point):
            by_key[point.key].append(point)
    for members in by_key.values():
        rows: dict[str, Point] = {}
        for point in members:
            rows.setdefault(point.recipe_setting or "", point)
        first = members[0]
        names = list(rows)
        what = f"the recipe {names[0]} is"
        if len(names) > 1:
            what = f"{len(names)} recipes ({names[0]}, …) are"
        listed = [*rows.items()][:_MOST_SHOWN] if len(rows) > 1 else []
        yield Finding(
            status=Status.UNRESOLVED,
            code="recipe_elsewhere",
            message=f"{label_points(members)}: {what} not in this tree, so what these points "
            f"launch is not known; {_source(members, seen)}",
            span=first.span,
            related=tuple(Related(span=point.span, text=name) for name, point in listed),
        )


def is_elsewhere(point: Point) -> bool:
    """Whether the point runs a recipe that nobody can read here."""
    return point.script is None and point.recipe is None and point.recipe_setting is not None


def _source(points: Iterable[Point], tree: WatchedTree) -> str:
    """Where the scripts that start the jobs can get recipes from."""
    scripts: dict[str, None] = {}
    places: dict[str, None] = {}
    for path in dict.fromkeys(path for point in points for path in point.launchers):
        found = _CLONED.findall(tree.text(path))
        places.update(dict.fromkeys(url.removesuffix(".git") for url in found))
        if found:
            scripts[path] = None
    if not places:
        return "the launcher takes it from a checkout of its own"
    return f"{_listed(scripts)} takes recipes from {_listed(places)}"


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - 2} more" if len(found) > 2 else ""
    return (", " if more else " or ").join(found[:2]) + more
