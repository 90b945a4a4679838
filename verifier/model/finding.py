"""What a check says, and what all checks together say."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from verifier.model.command import Note
from verifier.model.condition import ALWAYS, Condition
from verifier.model.record import dataclass
from verifier.model.text import NOWHERE, Span


class Status(StrEnum):
    """Outcome of a finding or a check, from best to worst for a verdict."""

    NA = "na"
    PASS = "pass"
    UNRESOLVED = "unresolved"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another place that explains a finding: the golden line, the assignment."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a check saw."""

    status: Status
    code: str
    """Stable and machine-readable: `pin_mismatch`, `real_acceptance`."""
    message: str
    """What is wrong with which value, compared with what from where."""
    span: Span = NOWHERE
    hint: str | None = None
    """The fix."""
    when: Condition = ALWAYS
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckMeta:
    """A check's number, name and reason; the catalogue and the docs are made of these."""

    number: int
    slug: str
    name: str
    """As the verdict row prints it."""
    summary: str
    """One sentence: the rule."""
    rationale: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One row of the verdict."""

    number: int
    slug: str
    name: str
    status: Status
    reason: str
    """One line."""
    findings: tuple[Finding, ...] = ()
    blocks: bool = True
    """False when the policy only warns: the row shows its mark and the verdict ignores it."""


class Outcome(StrEnum):
    """The verdict's word."""

    PASS = "pass"
    REJECTED = "rejected"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All rows in order; nothing unread is ever a pass."""

    outcome: Outcome
    checks: Sequence[CheckResult]
    head: str | None = None
    assumptions: Sequence[Note] = ()
    unread: Sequence[Note] = ()
    """What should have been judged and was not, or not to its end."""
