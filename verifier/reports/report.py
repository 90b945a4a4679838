"""What every output format gets to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from verifier.model.command import Note
from verifier.model.finding import CheckResult, Finding, Status, Verdict
from verifier.model.record import dataclass, field
from verifier.model.text import Span

MARK = {Status.PASS: "✅", Status.NA: "➖", Status.FAIL: "❌", Status.UNRESOLVED: "❌"}
WORD = {
    Status.PASS: "PASS",
    Status.NA: "N/A",
    Status.FAIL: "FAIL",
    Status.UNRESOLVED: "UNRESOLVED",
}


def no_source(path: str) -> str | None:
    """For reports without the judged files at hand."""
    del path
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A verdict and what is needed to show it."""

    verdict: Verdict
    source: Callable[[str], str | None] = no_source
    """Text of a judged file, to quote the line a finding points at."""
    judged: Sequence[str] = ()
    """Paths that were judged."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """One sentence for each check, by slug."""

    def line(self, span: Span) -> str | None:
        """The source line of a place, or None when it is not at hand."""
        if span.line < 1:
            return None
        text = self.source(span.path)
        # A binary file has no lines worth showing.
        lines = [] if text is None or "\0" in text else text.split("\n")
        return lines[span.line - 1].rstrip("\r") if span.line <= len(lines) else None


def shown(result: CheckResult) -> tuple[Finding, ...]:
    """Findings that need a reader, most serious first, then by place.

    A script read by itself and for a point of the master config says the same thing twice, the
    second time without a condition: only that one is shown.
    """
    order = {Status.FAIL: 0, Status.UNRESOLVED: 1}
    needed = [f for f in result.findings if f.status in order]
    always = {_said(f) for f in needed if f.when.always}
    needed = [f for f in needed if f.when.always or _said(f) not in always]
    return tuple(sorted(needed, key=lambda f: (order[f.status], f.span[:3], f.code)))


def _said(finding: Finding) -> tuple[object, ...]:
    return finding.status, finding.code, finding.span, finding.message


def together(verdict: Verdict) -> list[tuple[list[CheckResult], Finding]]:
    """Findings that need a reader, each once: with all the rows that have it.

    A file that could not be read is a finding of every check that needs it.
    """
    found: dict[tuple[object, ...], tuple[list[CheckResult], Finding]] = {}
    for row in verdict.checks:
        for finding in shown(row):
            key = (finding.status, finding.span, finding.code, finding.message, finding.when)
            found.setdefault(key, ([], finding))[0].append(row)
    return list(found.values())


def blocking(verdict: Verdict) -> tuple[CheckResult, ...]:
    """Rows that keep the verdict from being a pass."""
    return tuple(
        r for r in verdict.checks if r.blocks and r.status in (Status.FAIL, Status.UNRESOLVED)
    )


def unexplained(verdict: Verdict) -> tuple[Note, ...]:
    """What was not judged and no finding speaks of."""
    places = {f.span[:2] for r in verdict.checks for f in shown(r)}
    return tuple(n for n in unique(verdict.unread) if n.span[:2] not in places)


def unique(notes: Iterable[Note]) -> Iterator[Note]:
    """Notes that say something new, in order."""
    seen: set[tuple[str, int, str]] = set()
    for note in notes:
        key = (note.span.path, note.span.line, note.text)
        if key not in seen:
            seen.add(key)
            yield note
