"""The verdict as SARIF 2.1.0 (OASIS, `sarif-schema-2.1.0.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote

from verifier import __version__
from verifier.model.finding import CheckResult, Finding, Outcome, Status, Verdict
from verifier.model.text import Span
from verifier.reports.conditions import Json, as_words
from verifier.reports.report import Report, shown

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report) -> str:
    """One run with a rule for each check and a result for each finding that needs a reader."""
    return json.dumps(sarif(report), indent=2) + "\n"


def sarif(report: Report) -> Mapping[str, Json]:
    """The document before it is written."""
    verdict = report.verdict
    rules = list(verdict.checks)
    results: list[Json] = [
        _result(index, rule, finding) for index, rule in enumerate(rules) for finding in shown(rule)
    ]
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "verify",
                "version": __version__,
                "rules": [_rule(rule, report) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        # A run that could not judge everything must not look like a clean one.
        "invocations": [_invocation(verdict)],
        "results": results,
    }
    if verdict.head is not None:
        run["properties"] = {"head": verdict.head}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _invocation(verdict: Verdict) -> Json:
    notices: list[Json] = [
        {
            "level": "error",
            "message": {"text": note.text},
            "locations": [{"physicalLocation": _location(note.span)}] if note.span.path else [],
        }
        for note in verdict.unread
    ]
    return {
        "executionSuccessful": verdict.outcome is not Outcome.UNRESOLVED,
        "toolExecutionNotifications": notices,
    }


def _rule(result: CheckResult, report: Report) -> Mapping[str, Json]:
    summary = report.summaries.get(result.slug, result.name)
    return {
        "id": result.slug,
        "name": result.name,
        "shortDescription": {"text": summary},
        "defaultConfiguration": {"level": "error" if result.blocks else "warning"},
        "properties": {"number": result.number},
    }


def _result(index: int, rule: CheckResult, finding: Finding) -> Mapping[str, Json]:
    level = "error" if finding.status is Status.FAIL and rule.blocks else "warning"
    parts = [finding.message]
    when = as_words(finding.when, brief=True)
    if when is not None:
        parts.append(f"When {when}.")
    if finding.hint:
        parts.append(f"Fix: {finding.hint}")
    result: dict[str, Json] = {
        "ruleId": rule.slug,
        "ruleIndex": index,
        "kind": "fail" if finding.status is Status.FAIL else "review",
        "level": level if finding.status is Status.FAIL else "none",
        "message": {"text": "\n".join(parts)},
        "properties": {"code": finding.code},
    }
    if finding.span.path:
        result["locations"] = [{"physicalLocation": _location(finding.span)}]
    related: list[Json] = [
        {"physicalLocation": _location(r.span), "message": {"text": r.text}}
        for r in finding.related
        if r.span.path
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _location(span: Span) -> Mapping[str, Json]:
    place: dict[str, Json] = {"artifactLocation": {"uri": _uri(span.path)}}
    if span.line > 0:
        region: dict[str, Json] = {"startLine": span.line, "startColumn": max(span.column, 1)}
        if (span.end_line, span.end_column) > (span.line, span.column):
            region["endLine"] = span.end_line
            region["endColumn"] = max(span.end_column, 1)
        place["region"] = region
    return place


def _uri(path: str) -> str:
    """A relative reference; a colon in its first segment would read as a scheme."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")
