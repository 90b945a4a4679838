"""Points of the master configs, and what a change does to them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from verifier.model.finding import Finding
from verifier.model.points import LaunchChange, LaunchDiff, Point, PointChange
from verifier.reports import escape
from verifier.reports.conditions import Json
from verifier.reports.escape import terminal
from verifier.reports.style import PLAIN, Style
from verifier.reports.text import place, wrapped

SCHEMA = 1
MAX_NAMES = 6
"""Config keys named for one group of points."""
MAX_VALUE = 160


def points_json(points: Iterable[Point]) -> str:
    """One element for each key, scenario, row, concurrency and mode."""
    return _document({"points": [_point_json(point) for point in points]})


def points_text(points: Sequence[Point], style: Style = PLAIN) -> str:
    """One line for each point: what it is, then what it runs."""
    lines = []
    for point in points:
        target = point.recipe or point.script or "nothing found"
        lines.append(f"{style.bold(terminal(point.label))}  {terminal(target)}")
    return "".join(f"{line}\n" for line in lines)


def diff_json(diff: LaunchDiff) -> str:
    """Points changed, added and removed; a repeated flag has one change for each position."""
    return _document(
        {
            "base": diff.base,
            "head": diff.head,
            "changed": [
                {"point": _identity(c.head), "changes": [_change_json(x) for x in c.changes]}
                for c in diff.changed
            ],
            "added": [_point_json(point) for point in diff.added],
            "removed": [_point_json(point) for point in diff.removed],
            "unchanged": diff.unchanged,
            "touched": diff.touched,
            "uncertain": [
                {"point": _identity(point), "reason": reason} for point, reason in diff.uncertain
            ],
            "problems": [_problem_json(problem) for problem in diff.problems],
        }
    )


def diff_text(diff: LaunchDiff, style: Style = PLAIN, width: int = 80) -> str:
    """Points that change in the same way share one block."""
    blocks = []
    for changes, points in grouped(diff.changed):
        lines = [style.bold(terminal(names(points)))]
        for change in changes:
            lines.extend(wrapped(_words(change), width, "  ", "    "))
        blocks.append("\n".join(lines))
    for title, found in (("added", diff.added), ("removed", diff.removed)):
        if found:
            head = style.bold(f"{title}: {_count(found)}")
            blocks.append("\n".join((head, *wrapped(names(found), width, "  "))))
    if diff.problems:
        lines = [style.bold("not compared")]
        for problem in together(diff.problems):
            lines.extend(wrapped(problem, width, "  ", "    "))
        blocks.append("\n".join(lines))
    if diff.uncertain:
        lines = [style.bold("unchanged as far as they could be read")]
        for reason, points in unsure(diff):
            lines.extend(wrapped(f"{names(points)}: {reason}", width, "  ", "    "))
        blocks.append("\n".join(lines))
    blocks.append("\n".join(wrapped(summary(diff), width, "")))
    return "\n\n".join(blocks) + "\n"


def diff_markdown(diff: LaunchDiff) -> str:
    """Tables, one for each way in which points change."""
    blocks = [f"### {escape.markdown(summary(diff))}"]
    for changes, points in grouped(diff.changed):
        rows = [
            f"| {change.kind} | {escape.table_code(change.shown)} "
            f"| {_cell(change.base)} | {_cell(change.head)} |"
            for change in changes
        ]
        head = "| what | name | before | after |\n|---|---|---|---|"
        blocks.append("\n".join((f"{escape.markdown(names(points))}:\n", head, *rows)))
    for title, found in (("Added", diff.added), ("Removed", diff.removed)):
        if found:
            blocks.append(f"{title}: {escape.markdown(names(found))}")
    if diff.problems:
        lines = (f"* {escape.markdown(problem)}" for problem in together(diff.problems))
        blocks.append("\n".join(("Not compared:\n", *lines)))
    if diff.uncertain:
        lines = (
            f"* {escape.markdown(f'{names(points)}: {reason}')}" for reason, points in unsure(diff)
        )
        blocks.append("\n".join(("Unchanged as far as they could be read:\n", *lines)))
    return "\n\n".join(blocks) + "\n"


def unsure(diff: LaunchDiff) -> Iterator[tuple[str, list[Point]]]:
    """Points whose reading stopped short, by where it did, the most common place first."""
    groups: dict[str, list[Point]] = defaultdict(list)
    for point, reason in diff.uncertain:
        groups[reason].append(point)
    yield from sorted(groups.items(), key=lambda item: -len(item[1]))


def together(problems: Iterable[Finding]) -> Iterator[str]:
    """A line for each problem; rows of a config that have the same one share it."""
    groups: dict[tuple[str, str, str], list[Finding]] = defaultdict(list)
    for problem in problems:
        where, _, what = problem.message.partition(": ")
        field = where.rpartition(".")[2] if problem.code == "config_field" else ""
        groups[problem.code, problem.span.path, f"{field}: {what}"].append(problem)
    for members in groups.values():
        first, rest = members[0], members[1:]
        lines = ", ".join(str(p.span.line) for p in rest[:MAX_NAMES])
        many = f", … ({len(rest)} in all)" if len(rest) > MAX_NAMES else ""
        more = f" (also line{'s' if len(rest) > 1 else ''} {lines}{many})" if rest else ""
        yield f"{place(first.span)}: {first.message}{more}"


def summary(diff: LaunchDiff) -> str:
    """One line with the numbers."""
    touched = f" ({diff.touched} of them read a changed file)" if diff.touched else ""
    return (
        f"{_count(diff.changed)} changed, {len(diff.added)} added, {len(diff.removed)} removed, "
        f"{diff.unchanged} unchanged{touched}"
    )


def grouped(
    changed: Iterable[PointChange],
) -> Iterator[tuple[tuple[LaunchChange, ...], list[Point]]]:
    """Points by what changes in them, the largest group first."""
    groups: dict[tuple[LaunchChange, ...], list[Point]] = defaultdict(list)
    for change in changed:
        groups[change.changes].append(change.head)
    yield from sorted(groups.items(), key=lambda item: -len(item[1]))


def names(points: Sequence[Point]) -> str:
    """`12 points: KEY agentic-coding conc 1, 4 (throughput and evaluation); …`."""
    concs: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for point in points:
        concs[point.key, point.lengths or point.scenario][point.conc] = None
    parts = [
        f"{key} {scenario} conc {', '.join(map(str, sorted(found)))}"
        for (key, scenario), found in concs.items()
    ]
    if len(parts) > MAX_NAMES:
        parts = [*parts[:MAX_NAMES], f"and {len(parts) - MAX_NAMES} more"]
    return f"{_count(points)}{_modes(points)}: {'; '.join(parts)}"


def _modes(points: Iterable[Point]) -> str:
    modes = {point.eval_only for point in points}
    if modes == {True}:
        return " (evaluation only)"
    return " (throughput and evaluation)" if modes == {True, False} else ""


def _count(things: Sequence[object]) -> str:
    return f"{len(things)} point{'' if len(things) == 1 else 's'}"


def _words(change: LaunchChange) -> str:
    if change.kind == "reach":
        return f"{change.name}: {_side(change.base)} → {_side(change.head)}"
    return f"{change.kind} {change.shown}: {_side(change.base)} → {_side(change.head)}"


def _side(value: str | None) -> str:
    if value is None:
        return "(absent)"
    return escape.shortened(value, MAX_VALUE) if value else "(no value)"


def _cell(value: str | None) -> str:
    if value is None:
        return "absent"
    return escape.table_code(value, MAX_VALUE) if value.strip() else "no value"


def _identity(point: Point) -> Mapping[str, Json]:
    return {
        "key": point.key,
        "scenario": point.scenario,
        "conc": point.conc,
        "eval_only": point.eval_only,
    }


def _point_json(point: Point) -> Mapping[str, Json]:
    config = point.config
    return {
        "key": point.key,
        "scenario": point.scenario,
        "lengths": point.lengths,
        "script": point.script,
        "recipe": point.recipe,
        "image": config.image,
        "framework": config.framework,
        "model_prefix": config.model_prefix,
        "precision": config.precision,
        "runner": config.runner,
        "multinode": config.multinode,
        "conc": point.conc,
        "eval_only": point.eval_only,
        "env": dict(point.env),
    }


def _change_json(change: LaunchChange) -> Mapping[str, Json]:
    shown: dict[str, Json] = {
        "kind": change.kind,
        "name": change.name,
        "base": change.base,
        "head": change.head,
    }
    return shown if change.launch is None else {**shown, "launch": change.launch}


def _problem_json(problem: Finding) -> Mapping[str, Json]:
    return {
        "path": problem.span.path or None,
        "line": problem.span.line or None,
        "code": problem.code,
        "message": problem.message,
    }


def _document(body: Mapping[str, Json]) -> str:
    return json.dumps({"schema": SCHEMA, **body}, indent=2) + "\n"
