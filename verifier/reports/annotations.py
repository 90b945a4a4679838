"""The verdict as GitHub workflow commands, which show up beside the changed lines."""

from __future__ import annotations

from verifier.model.finding import CheckResult, Finding, Status
from verifier.reports.conditions import as_words
from verifier.reports.escape import annotation_message, annotation_property, terminal
from verifier.reports.report import MARK, WORD, Report, shown, unexplained


def render(report: Report) -> str:
    """One command for each finding that needs a reader, then one plain line for each check."""
    lines = [
        _command(result, finding) for result in report.verdict.checks for finding in shown(result)
    ]
    for note in unexplained(report.verdict):
        place = f"file={annotation_property(terminal(note.span.path))},line={note.span.line}"
        lines.append(f"::error {place},title=Not judged::{annotation_message(terminal(note.text))}")
    for result in report.verdict.checks:
        # A line that began with `::` would be a command of its own; these begin with the mark.
        lines.append(
            f"{MARK[result.status]} Check {result.number} ({terminal(result.name)}): "
            f"{WORD[result.status]} — {terminal(result.reason)}"
        )
    return "\n".join(lines) + "\n"


def _command(result: CheckResult, finding: Finding) -> str:
    level = "error" if finding.status is Status.FAIL and result.blocks else "warning"
    properties = {"title": f"Check {result.number} ({result.slug}): {finding.code}"}
    if finding.span.path:
        properties = {"file": finding.span.path, **properties}
        if finding.span.line > 0:
            properties["line"] = str(finding.span.line)
            properties["col"] = str(max(finding.span.column, 1))
    shown_properties = ",".join(
        f"{name}={annotation_property(terminal(value))}" for name, value in properties.items()
    )
    parts = [finding.message]
    when = as_words(finding.when, brief=True)
    if when is not None:
        parts.append(f"When {when}.")
    if finding.hint:
        parts.append(f"Fix: {finding.hint}")
    message = annotation_message("\n".join(terminal(part) for part in parts))
    return f"::{level} {shown_properties}::{message}"
