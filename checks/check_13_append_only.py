"""The changelog only grows, and an append-only change touches no existing point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from checks.support import not_applicable, passed
from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Status
from verifier.model.points import (
    Changelog,
    LaunchChange,
    LaunchDiff,
    Point,
    label_points,
)
from verifier.model.text import NOWHERE, Span

META = CheckMeta(
    number=13,
    slug="append-only",
    name="append only",
    summary="The changelog's old bytes stay as they are; when a new entry says append-only, all "
    "new entries do, and every existing point keeps its image and its launches.",
    rationale="Published points must stay what was measured. An append-only run measures only the "
    "new points, so a change that reaches an old one would go unmeasured.",
    links=("perf-changelog.yaml",),
)
_MOST_CHANGES = 4


def check(context: Context) -> Iterator[Finding]:
    """Judge the changelog's bytes, its new entries, and the points."""
    facts = context.points
    log = None if facts is None else facts.changelog
    if facts is None or log is None or log.base == log.head:
        yield not_applicable("the change does not touch the changelog")
        return
    yield from log.problems
    yield _prefix(log)
    entries = [entry for entry in log.added if entry.append_only]
    if not entries:
        return
    for entry in log.added:
        if not entry.append_only:
            yield Finding(
                status=Status.FAIL,
                code="mixed_entries",
                message=f"the new entry for {', '.join(entry.keys) or 'no key'} is not "
                f"append-only, but the one in line {entries[0].span.line} is",
                span=entry.span,
                hint="append-only and other entries need changes of their own",
            )
    if facts.diff is None:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_base",
            message="there is no base whose points the new ones could be compared with",
            span=entries[0].span,
        )
        return
    yield from _points(facts.diff)


def _prefix(log: Changelog) -> Finding:
    """The base's bytes must begin the head's."""
    old, new = log.base or b"", log.head or b""
    if new.startswith(old):
        count = len(log.added)
        entries = "1 entry" if count == 1 else f"{count} entries"
        text = f"{log.path} keeps all earlier bytes and gains {entries}"
        return passed("appended", text, Span(log.path, 1))
    if log.head is None:
        message = f"{log.path} is deleted"
        return Finding(
            status=Status.FAIL, code="changelog_rewritten", message=message, span=Span(log.path, 1)
        )
    line, before, after = _first_difference(old, new)
    return Finding(
        status=Status.FAIL,
        code="changelog_rewritten",
        message=f"{log.path} changes line {line}, which the base has as {before!r}: "
        f"the head has {after}",
        span=Span(log.path, line),
        hint="earlier entries stay byte for byte; append a new entry at the end instead",
    )


def _first_difference(old: bytes, new: bytes) -> tuple[int, str, str]:
    ours, theirs = old.split(b"\n"), new.split(b"\n")
    for index, line in enumerate(ours):
        other = theirs[index] if index < len(theirs) else None
        if line != other:
            shown = "nothing" if other is None else repr(_text(other))
            return index + 1, _text(line), shown
    return len(ours), _text(ours[-1]), "more in the same line"


def _text(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return text if len(text) <= 80 else f"{text[:79]}…"


def _points(diff: LaunchDiff) -> Iterator[Finding]:
    yield from diff.problems
    removed = _grouped((point, ()) for point in diff.removed)
    for points, _ in removed:
        yield _failure("point_removed", points, "exists at the base and not at the head", points[0])
    changed = _grouped((change.head, change.changes) for change in diff.changed)
    for points, changes in changed:
        shown = "; ".join(_change(c) for c in changes[:_MOST_CHANGES])
        rest = len(changes) - _MOST_CHANGES
        more = f"; and {rest} more" if rest > 0 else ""
        yield _failure("point_changed", points, f"changes {shown}{more}", points[0])
    for points, reasons in _grouped((point, (why,)) for point, why in diff.uncertain):
        yield Finding(
            status=Status.UNRESOLVED,
            code="point_not_proven",
            message=f"{label_points(points)}: a file that it reads has changed, and its launches "
            f"could not be read to the end: {reasons[0]}",
            span=points[0].span,
        )
    if not removed and not changed and not diff.problems and not diff.uncertain:
        text = (
            f"all {diff.unchanged} existing points keep image and launches; {len(diff.added)} new"
        )
        yield passed("points_kept", text, NOWHERE)


def _grouped(
    pairs: Iterator[tuple[Point, tuple[LaunchChange | str, ...]]],
) -> list[tuple[Sequence[Point], tuple[LaunchChange | str, ...]]]:
    """Points of one key with the same changes, in both modes."""
    groups: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    for point, what in pairs:
        groups[point.key, point.scenario, point.lengths, what].append(point)
    return [(points, key[3]) for key, points in groups.items()]  # type: ignore[misc]


def _change(change: LaunchChange | str) -> str:
    if isinstance(change, str):
        return change
    name = "image" if change.kind == "image" else f"{change.kind} {change.shown}"
    return f"{name} from {_side(change.base)} to {_side(change.head)}"


def _side(value: str | None) -> str:
    if value is None:
        return "nothing"
    return repr(value if len(value) <= 100 else f"{value[:99]}…")


def _failure(code: str, points: Sequence[Point], what: str, first: Point) -> Finding:
    return Finding(
        status=Status.FAIL,
        code=code,
        message=f"{label_points(points)}: an existing point {what}, "
        "but the changelog says append-only",
        span=first.span,
        hint="make the change reach new points only, or drop append-only",
    )
