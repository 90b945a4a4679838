"""The verdict for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from verifier.model.command import Note
from verifier.model.finding import CheckResult, Finding, Outcome, Status
from verifier.model.text import Span
from verifier.reports.conditions import as_words
from verifier.reports.escape import shortened, terminal
from verifier.reports.report import MARK, WORD, Report, shown, together, unexplained, unique
from verifier.reports.style import PLAIN, Style

_HEADER = {Outcome.PASS: "PASS", Outcome.REJECTED: "REJECTED", Outcome.UNRESOLVED: "UNRESOLVED"}
MAX_NOTES = 20
MAX_REASON = 140


def render(report: Report, style: Style = PLAIN, width: int = 80) -> str:
    """Findings with their source lines, then assumptions, then one row for each check."""
    blocks = [
        _finding(report, rows, finding, style, width) for rows, finding in together(report.verdict)
    ]
    unread = unexplained(report.verdict)
    if unread:
        blocks.append(_notes("Not judged", unread, style, width))
    if report.verdict.assumptions:
        blocks.append(_notes("Assumptions", report.verdict.assumptions, style, width))
    blocks.append(_rows(report, style, width))
    return "\n\n".join(blocks) + "\n"


def _finding(
    report: Report, rows: Sequence[CheckResult], finding: Finding, style: Style, width: int
) -> str:
    word = "fail" if finding.status is Status.FAIL else "unresolved"
    if not any(row.blocks for row in rows):
        word = f"warning ({word})"
    names = ", ".join(f"{row.number} {row.slug}" for row in rows)
    head = (
        f"{style.bold(place(finding.span))}: {style.status(finding.status, word)} "
        f"{style.dim(f'[{names}: {terminal(finding.code)}]')}"
    )
    lines = [head, *wrapped(finding.message, width, "  ")]
    lines.extend(quoted(report, finding.span, style, width))
    when = as_words(finding.when, brief=True)
    if when is not None:
        lines.extend(wrapped(f"when {when}", width, "  "))
    for related in finding.related:
        lines.extend(wrapped(f"see {place(related.span)}: {related.text}", width, "  "))
    if finding.hint:
        lines.extend(wrapped(f"fix: {finding.hint}", width, "  "))
    return "\n".join(lines)


def _notes(title: str, notes: Iterable[Note], style: Style, width: int) -> str:
    lines = [style.bold(title)]
    for count, note in enumerate(unique(notes)):
        if count == MAX_NOTES:
            lines.append("  … and more; --format json lists all of them")
            break
        where = f"{place(note.span)}: " if note.span.path else ""
        lines.extend(wrapped(f"{where}{note.text}", width, "  ", "    "))
    return "\n".join(lines)


def _rows(report: Report, style: Style, width: int) -> str:
    verdict = report.verdict
    lines: list[str] = []
    for results in _alike(verdict.checks):
        result = results[0]
        # The finding is above in full.
        reason = shortened(result.reason, MAX_REASON) if shown(result) else result.reason
        numbers = ", ".join(str(r.number) for r in results)
        which = f"Checks {numbers}" if results[1:] else f"Check {numbers} ({result.name})"
        row = f"{MARK[result.status]} {which}: {WORD[result.status]} — {reason}"
        first, *rest = wrapped(row, width, "", "   ")
        lines.append(style.status(result.status, first))
        lines.extend(rest)
    lines.append("")
    status = {
        Outcome.PASS: Status.PASS,
        Outcome.REJECTED: Status.FAIL,
        Outcome.UNRESOLVED: Status.UNRESOLVED,
    }[verdict.outcome]
    lines.append(style.status(status, style.bold(_HEADER[verdict.outcome])) + _summary(report))
    return "\n".join(lines)


def _alike(results: Iterable[CheckResult]) -> list[list[CheckResult]]:
    """Rows in order; those that do not apply for the same reason share one line."""
    groups: list[list[CheckResult]] = []
    shared: dict[str, list[CheckResult]] = {}
    for result in results:
        if result.status is not Status.NA:
            groups.append([result])
        elif result.reason in shared:
            shared[result.reason].append(result)
        else:
            shared[result.reason] = [result]
            groups.append(shared[result.reason])
    return groups


def _summary(report: Report) -> str:
    counts = {s: sum(r.status is s for r in report.verdict.checks) for s in Status}
    parts = [
        f"{counts[status]} {word}"
        for status, word in (
            (Status.FAIL, "failed"),
            (Status.UNRESOLVED, "unresolved"),
            (Status.PASS, "passed"),
            (Status.NA, "not applicable"),
        )
        if counts[status]
    ]
    files = len(report.judged)
    judged = f"; {files} {'file' if files == 1 else 'files'} judged" if files else ""
    return f": {', '.join(parts) or 'no check ran'}{judged}"


def place(span: Span) -> str:
    """`path:line:column`, as far as it is known."""
    if not span.path:
        return "change"
    path = terminal(span.path)
    return path if span.line < 1 else f"{path}:{span.line}:{max(span.column, 1)}"


def quoted(report: Report, span: Span, style: Style, width: int) -> Iterator[str]:
    """The source line with a caret under the place; long lines are cut around it."""
    line = report.line(span)
    if line is None or not line.strip():
        return
    number = str(span.line)
    room = max(width - len(number) - 6, 20)
    start = min(max(span.column, 1) - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    # Escaping changes lengths, so the three parts are escaped one by one.
    before, marked, after = (
        terminal(line[:start]),
        terminal(line[start : max(end, start)]),
        terminal(line[max(end, start) :]),
    )
    if len(before) > room // 2:
        before = "…" + before[-(room // 2 - 1) :]
    left = max(room - len(before), 1)
    text = before + marked + after
    if len(text) > room:
        text = text[: room - 1] + "…"
    gutter = " " * len(number)
    yield style.dim(f"  {gutter} |")
    yield f"  {style.dim(f'{number} |')} {text}"
    carets = "^" * max(1, min(len(marked), left))
    yield f"  {style.dim(f'{gutter} |')} {' ' * len(before)}{style.status(Status.FAIL, carets)}"


def wrapped(text: str, width: int, indent: str, hanging: str | None = None) -> list[str]:
    """Words of `text` in lines of `width`; a long word keeps a line of its own."""
    lines: list[str] = []
    current = indent
    empty = True
    later = indent if hanging is None else hanging
    for word in terminal(text).split(" "):
        if not empty and len(current) + 1 + len(word) > width:
            lines.append(current)
            current, empty = later, True
        current += word if empty else f" {word}"
        empty = False
    lines.append(current)
    return lines
