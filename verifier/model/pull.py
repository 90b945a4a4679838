"""What a pull request is, as facts: loaded once, saved as JSON, judged by pure checks.

Evidence that could not be read is part of the facts: `problems` names the part and the reason,
and whatever needs that part is unresolved.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from verifier.model.change import ChangedFile
from verifier.model.record import dataclass, field

if TYPE_CHECKING:
    from verifier.model.launch import Launch

SignOffKind = Literal["issue_comment", "review", "review_comment"]
Membership = Literal["member", "not_member", "unknown"]
RecipeState = Literal["merged", "open", "draft", "closed", "published", "missing", "unreachable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A conversation comment, a review or an inline comment."""

    id: int
    kind: SignOffKind
    author: str
    bot: bool = False
    """The account is no person: a bot or an app."""
    association: str = "NONE"
    """GitHub's `author_association`: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, NONE, …"""
    body: str = ""
    created: str = ""
    """ISO 8601, UTC."""
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One check-run of one commit."""

    id: int
    sha: str
    name: str
    status: str
    """queued, in_progress, completed, …"""
    conclusion: str | None = None
    """success, failure, neutral, cancelled, skipped, timed_out, action_required, stale."""
    started: str = ""
    run: int | None = None
    """The workflow run behind it, when its address names one."""
    app: str | None = None
    """Slug of the app that created it; `github-actions` for workflows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRun:
    """A workflow run that a check or a command refers to."""

    id: int
    head_sha: str
    workflow: str = ""
    """Path of the workflow file."""
    event: str = ""
    status: str = "completed"
    conclusion: str | None = None
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalScore:
    """One task's score in one result file of a run's artifacts."""

    run: int
    artifact: str
    file: str
    task: str
    score: Decimal | None
    """None when the file has none or it is no finite number."""
    written: str = ""
    """The score as the file has it, for messages."""
    model_prefix: str | None = None
    image: str | None = None
    label: str = ""
    """Hardware, framework, precision and concurrency, as far as the file says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeEvidence:
    """What one link of the sign-off's detail section leads to."""

    url: str
    kind: Literal["pull", "page"]
    state: RecipeState
    reason: str = ""
    """Why it could not be read, when it could not."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Recipe files behind the link, by path in their repository."""
    revision: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullFacts:
    """One pull request at one pinned head commit."""

    repo: str
    """OWNER/NAME."""
    number: int
    head_sha: str
    """Pinned when the event was read; everything is judged there."""
    base_ref: str
    base_sha: str
    """Tip of the base branch: policy, owners, template, curves and thresholds come from it."""
    merge_base: str
    """What the change is compared with."""
    author: str = ""
    title: str = ""
    draft: bool = False
    state: Literal["open", "closed"] = "open"
    files: tuple[ChangedFile, ...] = ()
    commits: tuple[str, ...] = ()
    """Oldest first."""
    comments: tuple[Remark, ...] = ()
    """Conversation comments, oldest first."""
    check_runs: tuple[CheckRun, ...] = ()
    runs: tuple[WorkflowRun, ...] = ()
    evals: tuple[EvalScore, ...] = ()
    eval_problems: tuple[str, ...] = ()
    """Artifacts that are no evidence: refused archives, wrong JSON, failed concurrencies."""
    signoff: Remark | None = None
    codeowners: str | None = None
    """Text of the owners file at `base_sha`; None: there is none."""
    codeowners_path: str = ".github/CODEOWNERS"
    checklist: str | None = None
    thresholds: str | None = None
    memberships: Mapping[str, Membership] = field(default_factory=dict)
    """Whether the signer is in a team, by `org/team` in lower case."""
    recipes: tuple[RecipeEvidence, ...] = ()
    waivers: Mapping[str, str] = field(default_factory=dict)
    """Waiver files by path, at the head (this pull request's) or at the base (earlier ones)."""
    evidence_images: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Per commit that evaluations ran on: image of every master-config key there."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Parts that could not be read (a field's name, or `field:detail`) and why.

    `memberships:…` is no failure by itself: few tokens may read teams. `limit:…` says where a
    bound ended the reading, which matters only when the evidence was not found before.
    """

    @property
    def unread(self) -> tuple[str, ...]:
        """What failed to be read although it should have been: never a pass."""
        return tuple(
            f"{part.partition(':')[0].replace('_', ' ')}: {reason}"
            for part, reason in self.problems.items()
            if not part.startswith(("memberships:", "limit:"))
        )

    def problem(self, part: str) -> str | None:
        """Why a part could not be read, or None when it was read whole."""
        found = [
            reason
            for name, reason in self.problems.items()
            if name == part or name.startswith(part + ":")
        ]
        return "; ".join(found) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedLaunch:
    """A server command that an upstream recipe shows."""

    url: str
    """The sign-off's link."""
    path: str
    """File of the recipe's repository."""
    line: int
    launch: Launch
    hardware: frozenset[str] = frozenset()
    """SKUs that the block is for; empty: it names none, so it is for all."""
    free: frozenset[str] = frozenset()
    """Parallelism whose size the recipe leaves to the reader (`tensor`, `data`)."""
    label: str = ""
    """Heading or variant, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """All that the linked recipes show."""

    launches: tuple[DocumentedLaunch, ...] = ()
    problems: tuple[str, ...] = ()
    """Parts of the linked recipes that could not be read."""
