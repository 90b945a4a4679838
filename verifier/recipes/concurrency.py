"""Concurrencies of a search-space row: a list, or a range that doubles and includes its end."""

from __future__ import annotations

from verifier.recipes.fields import Fields
from verifier.recipes.yaml_marks import YamlList, YamlScalar


def concurrencies(row: Fields, most: int) -> tuple[int, ...]:
    """In the order in which they run, repetitions dropped. Raises `FieldError`."""
    listed = row.node.get("conc-list")
    ranged = [key for key in ("conc-start", "conc-end") if row.node.get(key) is not None]
    if listed is not None and ranged:
        raise row.bad(listed.span, "conc-list", f"stands beside {ranged[0]}; give one of them")
    if listed is not None:
        return _list(row, listed)
    if not ranged:
        problem = "has neither conc-list nor conc-start and conc-end"
        raise row.bad(row.node.span, "", problem)
    start, end = row.node.get("conc-start"), row.node.get("conc-end")
    if isinstance(start, YamlScalar) and isinstance(start.value, int) and start.value <= 0:
        problem = f"a range that starts at {start.value} and doubles never ends; start at 1 or more"
        raise row.bad(start.span, "conc-start", problem)
    first, last = row.whole("conc-start"), row.whole("conc-end")
    if first > last:
        span = end.span if end is not None else row.node.span
        raise row.bad(span, "conc-end", f"{last} is below conc-start, which is {first}")
    return _range(first, last, row, most)


def _list(row: Fields, node: object) -> tuple[int, ...]:
    if not isinstance(node, YamlList):
        kind = getattr(node, "kind", "something else")
        raise row.bad(
            row.node.entries["conc-list"].key, "conc-list", f"expected a list, not {kind}"
        )
    if not node.items:
        raise row.bad(node.span, "conc-list", "is empty, so nothing runs")
    values = [row.whole_node(f"conc-list[{i}]", item) for i, item in enumerate(node.items)]
    return tuple(dict.fromkeys(values))


def _range(first: int, last: int, row: Fields, most: int) -> tuple[int, ...]:
    values = [first]
    while values[-1] < last:
        if len(values) >= most:
            raise row.bad(row.node.span, "conc-end", f"the range has more than {most} steps")
        values.append(min(values[-1] * 2, last))
    return tuple(values)
