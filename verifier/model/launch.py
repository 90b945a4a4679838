"""One server start-up, with every setting as the engine would read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal

from verifier.model.command import Command, Note
from verifier.model.condition import Condition
from verifier.model.record import dataclass, field
from verifier.model.text import Span, Text, Word

Value = None | bool | int | Decimal | str | Text | Sequence["Value"] | Mapping[str, "Value"]
"""A settings value. `Text` marks a string, number or part that holds something unknown."""

EngineName = Literal["vllm", "sglang", "trtllm", "atom", "tilert"]
Role = Literal["prefill", "decode", "aggregated"]
Workload = Literal["agentic", "synthetic", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One effective setting: its value and the place that decided it."""

    value: Value
    span: Span | None = None
    spelling: str = ""
    """The flag, variable or key as written, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """How draft tokens are accepted.

    `length` is the acceptance length in the project's meaning (bonus token included, so 1 or
    more), converted from the engine's own unit; None when `kind` is not "synthetic" or when it
    is not known, in which case `unknown` says why. `written` is the text as the engine gets it.
    """

    kind: Literal["real", "synthetic", "unknown"]
    length: Decimal | None = None
    spelling: str | None = None
    """The knob: `synthetic_acceptance_length`, `SGLANG_SIMULATE_ACC_LEN`, …"""
    written: str | None = None
    exact: bool = True
    """False when the engine's unit forces a conversion (a rate): compare with a tolerance."""
    unknown: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """Speculative decoding as the engine would set it up. Unknown parts are None with a reason."""

    method: str | None
    """Normalised, lower case: mtp, eagle, eagle3, dspark, dflash, ngram, suffix, …"""
    method_written: str | None = None
    draft_length: int | None = None
    """Draft tokens per step."""
    draft_model: Text | None = None
    draft_sample_method: str | None = None
    """greedy or probabilistic, where the engine has the choice; None: not given; "unknown"."""
    block_verification: bool | None = None
    acceptance: Acceptance = field(default_factory=lambda: Acceptance(kind="real"))
    copies_context: bool | None = False
    """True: drafts come from the prompt (n-gram, suffix). None: cannot be known."""
    unknown: tuple[Note, ...] = ()
    """Why a part above is None."""
    span: Span | None = None
    loose: bool = False
    """True when the settings could only be read loosely (the shell removed JSON quotes)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """One server start-up."""

    engine: EngineName
    entry: str
    """The entry point: `vllm serve`, `dynamo.vllm`, `trtllm-serve`, …"""
    command: Command
    argv: tuple[Word, ...]
    """From the engine's own name on, wrappers peeled off."""
    role: Role | None = None
    model: Text | None = None
    served_model_name: Text | None = None
    speculation: Speculation | None = None
    other_speculations: tuple[Speculation, ...] = ()
    """Other readings of the same arguments: a JSON object and dotted keys merged key by key."""
    speculative_settings: Mapping[str, Value] = field(default_factory=dict)
    """What the engine's parser ends up with (see the design page, section 6)."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """Every other effective setting under the engine's own long name, underscores, no dashes."""
    parallelism: Mapping[str, Setting] = field(default_factory=dict)
    """tensor, pipeline, data, expert, context, attention_dp."""
    precision: Mapping[str, Setting] = field(default_factory=dict)
    """quantisation, kv_cache_dtype, dtype."""
    kernels: Mapping[str, Setting] = field(default_factory=dict)
    """attention_backend, moe_backend, …"""
    architecture: tuple[Setting, ...] = ()
    """Settings that override the model's architecture or skip its work."""
    refused: str | None = None
    """One sentence saying why the engine would not start."""
    refused_span: Span | None = None
    assumptions: tuple[Note, ...] = ()
    unresolved: tuple[Note, ...] = ()
    """Parts of argv, environment or files that could hide a setting."""

    @property
    def when(self) -> Condition:
        return self.command.when

    @property
    def span(self) -> Span:
        return self.command.span
