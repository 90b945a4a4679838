"""The verdict as JSON, schema 1."""

from __future__ import annotations

import json
from collections.abc import Mapping

from verifier.model.command import Note
from verifier.model.finding import CheckResult, Finding, Verdict
from verifier.reports.conditions import Json, as_json
from verifier.reports.report import Report

SCHEMA = 1


def render(report: Report) -> str:
    """One JSON document. Non-ASCII characters are escaped, so any path survives."""
    return json.dumps(verdict_json(report.verdict), indent=2) + "\n"


def verdict_json(verdict: Verdict) -> Mapping[str, Json]:
    """The document before it is written."""
    return {
        "schema": SCHEMA,
        "verdict": verdict.outcome.value,
        "head": verdict.head,
        "checks": [_check(result) for result in verdict.checks],
        "assumptions": [note_json(note) for note in verdict.assumptions],
        "unread": [note_json(note) for note in verdict.unread],
    }


def note_json(note: Note) -> Mapping[str, Json]:
    """A note, with its condition unless it always holds."""
    shown: dict[str, Json] = {
        "path": note.span.path or None,
        "line": note.span.line or None,
        "text": note.text,
    }
    if not note.when.always:
        shown["when"] = as_json(note.when)
    return shown


def _check(result: CheckResult) -> Mapping[str, Json]:
    return {
        "number": result.number,
        "slug": result.slug,
        "name": result.name,
        "status": result.status.value,
        "reason": result.reason,
        "blocks": result.blocks,
        "findings": [_finding(finding) for finding in result.findings],
    }


def _finding(finding: Finding) -> Mapping[str, Json]:
    return {
        "path": finding.span.path or None,
        "line": finding.span.line or None,
        "column": finding.span.column or None,
        "status": finding.status.value,
        "code": finding.code,
        "message": finding.message,
        "hint": finding.hint,
        "when": as_json(finding.when),
        "related": [
            {"path": r.span.path or None, "line": r.span.line or None, "text": r.text}
            for r in finding.related
        ],
    }
