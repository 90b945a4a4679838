"""All that a check may look at: typed facts, no files, no network, no syntax."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from verifier.model.change import Change
from verifier.model.command import Branch, Command, Note
from verifier.model.condition import Condition
from verifier.model.launch import Launch, Workload
from verifier.model.record import dataclass, field
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.golden import Golden
    from verifier.model.points import PointFacts
    from verifier.model.pull import Documented, PullFacts
    from verifier.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingSetting:
    """One place that sets the model's thinking mode."""

    mode: str | None
    """"on" or "off"; None when its value cannot be known."""
    when: Condition
    span: Span
    text: str
    """As written, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeFacts:
    """One script or recipe (or one variant or point of it), read to the end."""

    path: str
    start: Span
    """Where a finding about the whole file points."""
    workload: Workload
    workload_reason: str
    """Why it counts as agentic or synthetic, for people."""
    model_prefix: str | None
    """What chooses the golden curve; None with `prefix_problem` when it cannot be told."""
    prefix_reason: str = ""
    prefix_problem: str | None = None
    """Two sources of the prefix disagree, or there is none."""
    thinking: str | None = None
    """"on" or "off" when the recipe says so; None: the policy's default applies."""
    thinking_settings: tuple[ThinkingSetting, ...] = ()
    """What launches and clients say about it, each under its condition; used when `thinking` is
    None."""
    launches: tuple[Launch, ...] = ()
    commands: tuple[Command, ...] = ()
    """Every command and function call, servers included, in order."""
    clients: tuple[Command, ...] = ()
    """Benchmark clients: what drives the server in a throughput run."""
    evaluations: tuple[Command, ...] = ()
    """Commands that evaluate accuracy against the server."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Files of the tree that the evaluation read as data or followed (helpers, Python patches)."""
    variant: str | None = None
    """`override_x`, or a point's label, when one file gives several of these."""
    point: str | None = None
    """The master-config point, when judged for one."""
    eval_only: bool | None = None
    """For a point: whether it is the accuracy-only mode. None: both modes are in `launches`."""
    assumptions: tuple[Note, ...] = ()
    unresolved: tuple[Note, ...] = ()
    branches: Mapping[str, Branch] = field(default_factory=dict)
    """See `Evaluation.branches`."""
    ended: Note | None = None
    """See `Evaluation.ended`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the checks judge."""

    policy: Policy
    golden: Golden
    today: date
    recipes: tuple[RecipeFacts, ...] = ()
    """Of the head, or of the paths given."""
    base_recipes: tuple[RecipeFacts, ...] | None = None
    """The same files at the base; None when there is no base to compare with."""
    change: Change | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """Text of every changed file at the head that a check may need beside recipes."""
    points: PointFacts | None = None
    pull: PullFacts | None = None
    documented: Documented | None = None
    """What the recipes show that the sign-off links; None: there is no pull request."""
    unread: tuple[Note, ...] = ()
    """Files that should have been judged and could not be read: never a pass."""
