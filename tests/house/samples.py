"""Hand-built verdicts for the report tests."""

from __future__ import annotations

from verifier.model.command import Note
from verifier.model.condition import InputIs, when
from verifier.model.finding import CheckResult, Finding, Outcome, Related, Status, Verdict
from verifier.model.text import Span
from verifier.reports.report import Report

SCRIPT = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
SETTING = """  --speculative-config '{"method":"mtp","num_speculative_tokens":3}' \\"""
SOURCE = "\n".join(["#!/usr/bin/env bash", *["# …"] * 10, SETTING, "  --port 8000"])

MISSING_PIN = Finding(
    status=Status.FAIL,
    code="real_acceptance",
    message="the launch verifies drafts for real: synthetic acceptance is missing; "
    "dsv4_mtp thinking_on at 3 draft tokens is 2.49",
    span=Span(SCRIPT, 12, 3, 12, 70),
    hint='add "rejection_sample_method":"synthetic","synthetic_acceptance_length":2.49',
    when=when(InputIs("EVAL_ONLY", "true", holds=False)),
    related=(
        Related(span=Span("golden_al_distribution/dsv4_mtp.yaml", 6, 5), text="the golden value"),
    ),
)


def result(
    number: int, slug: str, status: Status, reason: str, *findings: Finding, blocks: bool = True
) -> CheckResult:
    return CheckResult(
        number=number,
        slug=slug,
        name=slug,
        status=status,
        reason=reason,
        findings=findings,
        blocks=blocks,
    )


REJECTED = Verdict(
    outcome=Outcome.REJECTED,
    checks=(
        result(6, "upstream-image", Status.NA, "no master-config change"),
        result(8, "chat-template", Status.PASS, "the client uses the chat template"),
        result(10, "golden-al", Status.FAIL, MISSING_PIN.message, MISSING_PIN),
    ),
    head="0123456789abcdef0123456789abcdef01234567",
    assumptions=(
        Note(span=Span(SCRIPT, 3, 1), text="the recipe sets no thinking mode; on is assumed"),
    ),
)
PASSED = Verdict(
    outcome=Outcome.PASS,
    checks=(result(8, "chat-template", Status.PASS, "the client uses the chat template"),),
)


def source(path: str) -> str | None:
    return SOURCE if path == SCRIPT else None


REPORT = Report(verdict=REJECTED, source=source, judged=(SCRIPT,))
