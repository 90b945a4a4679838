"""The verdict as the comment of a pull request, from the templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from verifier import resources
from verifier.model.finding import CheckResult, Finding, Status, Verdict
from verifier.model.text import Span
from verifier.reports import escape
from verifier.reports.conditions import as_words
from verifier.reports.report import MARK, WORD, Report, blocking, shown, unexplained, unique

MAX_CHARACTERS = 60_000
"""GitHub refuses a comment of 65,536; the rest is room for the marker line."""
MAX_FINDINGS = 12
MAX_ASSUMPTIONS = 20

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?")


class _Inert(str):
    """Text that is safe to print as it is."""


def render(
    report: Report,
    signer: str | None = None,
    moved: str | None = None,
    details: Sequence[tuple[str, str]] = (),
) -> str:
    """The comment's body, without the hidden marker line (the publisher knows the commit).

    `signer` is who signed the pull request off; a rejection mentions them. `moved` is the head
    commit that came after the judged one: such a verdict is no pass. `details` are folded
    sections of plain text, each with its title.
    """
    findings, notes = MAX_FINDINGS, MAX_ASSUMPTIONS
    while True:
        body = _render(report, signer, moved, details, findings, notes)
        if len(body) <= MAX_CHARACTERS or findings == notes == 0:
            return body
        findings, notes, details = findings // 2, notes // 2, ()


def _render(
    report: Report,
    signer: str | None,
    moved: str | None,
    details: Sequence[tuple[str, str]],
    max_findings: int,
    max_notes: int,
) -> str:
    verdict = report.verdict
    notes = list(unique(verdict.assumptions))
    unread = unexplained(verdict)
    stopping = blocking(verdict)
    return (
        _environment()
        .get_template("comment.md.j2")
        .render(
            passed=verdict.outcome == "pass" and moved is None,
            undecided_only=all(r.status is Status.UNRESOLVED for r in stopping),
            signer=signer,
            summary=_summary(verdict, stopping) if moved is None else _moved(verdict, moved),
            details=[{"title": title, "lines": text.split("\n")} for title, text in details],
            rows=[_row(result) for result in verdict.checks],
            evidence=list(_evidence(report, max_findings)),
            unread=[{"where": _where(n.span), "text": n.text} for n in unread[:max_notes]],
            more_unread=max(len(unread) - max_notes, 0),
            assumptions=[{"where": _where(n.span), "text": n.text} for n in notes[:max_notes]],
            more_assumptions=max(len(notes) - max_notes, 0),
        )
        .strip("\n")
        + "\n"
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resources.template_folder()),
        undefined=StrictUndefined,
        finalize=_inert,
        # The output is Markdown; `_inert` escapes it, HTML escaping would not be enough.
        autoescape=False,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        code=lambda text: _Inert(escape.code(text)),
        codes=lambda texts, comma: _Inert(comma.join(escape.code(t) for t in texts)),
        block=lambda line: _Inert(escape.code_block([line])),
        blocks=lambda lines: _Inert(escape.code_block(lines)),
        mark=lambda status: _Inert(MARK[Status(status)]),
        word=lambda status: _Inert(WORD[Status(status)]),
        mention=_mention,
    )
    return environment


def _inert(value: object) -> str:
    """What the template engine prints for a value."""
    return value if isinstance(value, _Inert) else _Inert(escape.markdown(str(value)))


def _mention(login: str) -> str:
    """`@login` for a well-formed login; anything else is mere text."""
    return _Inert(f"@{login}") if _LOGIN.fullmatch(login) else _Inert(escape.markdown(login))


def _moved(verdict: Verdict, head: str) -> str:
    judged = "" if verdict.head is None else f" This verdict is for {verdict.head[:12]}."
    return (
        f"The pull request has moved to {head[:12]}, which nobody has signed off.{judged} A fresh "
        "sign-off is needed."
    )


def _summary(verdict: Verdict, stopping: Sequence[CheckResult]) -> str:
    """One sentence: what blocks, the first reason in full."""
    if not stopping:
        unread = next(iter(unexplained(verdict)), None)
        if unread is None:
            return "Nothing could be judged, so this is not a pass."
        where = _where(unread.span)
        return f"{where + ': ' if where else ''}{unread.text}, so this is not a pass."
    failed = [r for r in stopping if r.status is Status.FAIL]
    first = (failed or list(stopping))[0]
    others = [str(r.number) for r in stopping if r is not first]
    more = f" (also {_plural(others)}: {', '.join(others)})" if others else ""
    verb = "fails" if first.status is Status.FAIL else "could not be decided"
    return f"Check {first.number} ({first.name}) {verb}: {first.reason}{more}"


def _plural(numbers: Sequence[str]) -> str:
    return "Check" if len(numbers) == 1 else "Checks"


def _row(result: CheckResult) -> dict[str, Any]:
    places: list[str] = []
    for finding in shown(result):
        where = _where(finding.span)
        if where and where not in places:
            places.append(where)
    return {
        "number": result.number,
        "slug": result.slug,
        # The catalogue's own words, which scripts that read the comment look for.
        "name": _Inert(result.name),
        "status": result.status.value,
        "reason": result.reason,
        "places": places[:3],
    }


def _evidence(report: Report, limit: int) -> Iterable[dict[str, Any]]:
    for result in report.verdict.checks:
        findings = shown(result)
        if findings:
            yield {
                "row": _row(result),
                "findings": [_finding(report, f) for f in findings[:limit]],
                "more": max(len(findings) - limit, 0),
            }


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    return {
        "where": _where(finding.span),
        "code": finding.code,
        "message": finding.message,
        "when": as_words(finding.when, brief=True),
        "line": report.line(finding.span),
        "hint": finding.hint,
        "related": [{"where": _where(r.span), "text": r.text} for r in finding.related],
    }


def _where(span: Span) -> str:
    if not span.path:
        return ""
    return span.path if span.line < 1 else f"{span.path}:{span.line}"
