"""What TensorRT-LLM makes of `speculative_config` and its forced acceptance.

Sources: NVIDIA/TensorRT-LLM `tensorrt_llm/llmapi/llm_args.py` @00043967 (decoding configs),
`tensorrt_llm/_torch/speculative/interface.py` @00b6d5a2 (the variable: a number of draft tokens,
the bonus token is not counted; the whole part is always accepted, the fraction by chance).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from verifier.engines.log import Log
from verifier.engines.numbers import python_float, python_int
from verifier.engines.pieces import hole_name, reason
from verifier.engines.versions import Version, parse
from verifier.engines.vllm_speculation import show, whole
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Speculation, Value
from verifier.model.record import dataclass, field
from verifier.model.text import Span, Text, lit

FORCE = "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS"
_OLD_FORCE = re.compile(r"TLLM_\w*FORCE_NUM_ACCEPTED_TOKENS")
_FRACTIONS = "1.3.0rc0"
"""The release line whose builds came to read a fraction."""
_METHODS = {
    "MTP": "mtp",
    "Eagle3": "eagle3",
    "Eagle": "eagle3",
    "Draft_Target": "draft_model",
    "PARD": "pard",
    "DFlash": "dflash",
    "DSpark": "dspark",
    "NGram": "ngram",
    "SA": "sa",
    "AUTO": "auto",
    "User_Provided": "user_provided",
    "SaveState": "save_state",
    "Lookahead": "lookahead",
    "Medusa": "medusa",
}
_CONTEXT = frozenset({"NGram", "SA", "AUTO"})
_NEEDS_MODEL = frozenset({"Eagle3", "Eagle", "Draft_Target"})
_AT_RUN_TIME = (
    "max_concurrency",
    "draft_len_schedule",
    "acceptance_rate_threshold",
    "acceptance_length_threshold",
)


@dataclass(slots=True)
class Builder:
    """Builds the speculation of one `speculative_config` mapping."""

    config: Mapping[str, Value]
    env: Mapping[str, Text]
    log: Log
    version: Version | None = None
    span: Span | None = None
    unknown: list[Note] = field(default_factory=list)

    def build(self) -> Speculation:
        for key in self.config:
            if "-" in key:
                self.refuse(f"TensorRT-LLM's speculative_config has no key {key}")
        written, method = self.method()
        length = self.length(written)
        return Speculation(
            method=method,
            method_written=written,
            draft_length=length,
            draft_model=self.draft(written),
            acceptance=self.acceptance(length),
            copies_context=self.copies(written),
            unknown=tuple(self.unknown),
            span=self.span,
        )

    def refuse(self, sentence: str) -> None:
        self.log.refuse(sentence, self.span)

    def cannot_tell(self, sentence: str) -> None:
        self.unknown.append(Note(span=self.span or self.log.span, text=sentence))

    def method(self) -> tuple[str | None, str | None]:
        """(as written, normalised)."""
        value = self.config.get("decoding_type")
        if isinstance(value, Text):
            self.cannot_tell(f"decoding_type is {hole_name(value)}: {reason(value)}")
            return value.display(), None
        if value is None:
            self.refuse("TensorRT-LLM needs decoding_type in its speculative_config")
            self.cannot_tell("decoding_type is missing")
            return None, None
        written = show(value)
        if written in _METHODS:
            return written, _METHODS[written]
        self.refuse(
            f"TensorRT-LLM has no decoding_type {written}; it is one of {', '.join(_METHODS)}"
        )
        meant = {name.lower(): name for name in _METHODS}.get(written.lower())
        return written, None if meant is None else _METHODS[meant]

    def length(self, written: str | None) -> int | None:
        value = self.config.get("max_draft_len")
        older = self.config.get("num_nextn_predict_layers") if written == "MTP" else None
        name = "max_draft_len"
        if value is not None and older is not None and value != older:
            self.log.assume(
                "both max_draft_len and num_nextn_predict_layers are given; newer TensorRT-LLM "
                "reads the first only",
                self.span,
            )
        if value is None and older is not None and "max_draft_len" not in self.config:
            value, name = older, "num_nextn_predict_layers"
        if isinstance(value, Text):
            self.cannot_tell(
                f"{name} is {hole_name(value)}, so the draft length is not in this file: "
                f"{reason(value)}"
            )
            return None
        if value is None:
            self.missing(written)
            return None
        number = whole(value)
        if number is None or number <= 0:
            self.refuse(f"TensorRT-LLM needs a whole number above 0 for {name}, not {show(value)}")
            return None
        self.check_block(number)
        return number

    def missing(self, written: str | None) -> None:
        if written == "MTP":
            self.cannot_tell(
                "max_draft_len is missing, so the draft length comes from the checkpoint"
            )
        elif written not in ("AUTO", "User_Provided", "SaveState", None):
            self.refuse(f"TensorRT-LLM needs max_draft_len for {written}")
            self.cannot_tell("max_draft_len is missing")
        else:
            self.cannot_tell("max_draft_len is missing")

    def check_block(self, length: int) -> None:
        block = self.config.get("block_size")
        number = None if block is None or isinstance(block, Text) else whole(block)
        if number is not None and number != length:
            self.refuse(
                f"TensorRT-LLM's DSpark needs block_size ({number}) to equal max_draft_len "
                f"({length})"
            )

    def draft(self, written: str | None) -> Text | None:
        value = self.config.get("speculative_model", self.config.get("speculative_model_dir"))
        if isinstance(value, Text):
            return value
        if value is not None:
            return lit(show(value))
        if written in _NEEDS_MODEL:
            self.refuse(f"TensorRT-LLM needs speculative_model for {written}")
        return None

    def copies(self, written: str | None) -> bool | None:
        if written in _CONTEXT or self.config.get("sa_config") is not None:
            return True
        if written is None or written == "User_Provided" or written not in _METHODS:
            return None
        return False

    # Acceptance

    def acceptance(self, length: int | None) -> Acceptance:
        self.notes()
        text = self.env.get(FORCE)
        if text is None:
            return Acceptance(kind="real", span=self.span)
        span = text.span or self.span
        if text.known is None:
            return Acceptance(
                kind="unknown",
                spelling=FORCE,
                written=text.display(),
                unknown=f"{FORCE} is {hole_name(text)}: {reason(text)}",
                span=span,
            )
        number = self.number(text.known, span)
        if number is None or not number.is_finite() or number <= 0:
            if number is not None:
                self.log.assume(f"{FORCE}={text.known} switches forcing off", span)
            return Acceptance(kind="real", spelling=FORCE, written=text.known, span=span)
        if length is not None and number > length:
            self.log.assume(
                f"TensorRT-LLM caps {FORCE}={text.known} at the draft length {length}", span
            )
            number = Decimal(length)
        return Acceptance(
            kind="synthetic", length=number + 1, spelling=FORCE, written=text.known, span=span
        )

    def number(self, written: str, span: Span | None) -> Decimal | None:
        """The variable as this version reads it; None: it warns and verifies for real."""
        number = python_float(written)
        fractions = self.version is None or self.version >= (parse(_FRACTIONS) or self.version)
        if not fractions:
            read = python_int(written)
            if read is None:
                self.log.assume(
                    f"TensorRT-LLM {self.version} reads {FORCE} as an integer: {written} is "
                    "ignored and verification is real",
                    span,
                )
            return None if read is None else Decimal(read)
        if number is None:
            self.log.assume(
                f'{FORCE} is "{written}", which is no number: TensorRT-LLM warns and verifies '
                "for real",
                span,
            )
        elif number != number.to_integral_value() and (
            self.version is None or self.version.candidate < 10**6
        ):
            self.log.assume(
                f"TensorRT-LLM is taken to read {FORCE}={written} as a fraction; releases before "
                "1.3 read integers only",
                span,
            )
        return number

    def notes(self) -> None:
        for name, text in self.env.items():
            if name != FORCE and _OLD_FORCE.fullmatch(name):
                self.log.assume(
                    f"{name} has no effect in TensorRT-LLM; the variable is {FORCE}", text.span
                )
        for key in _AT_RUN_TIME:
            if self.config.get(key) is not None:
                self.log.assume(f"{key} can switch speculation off while serving", self.span)
        if self.config.get("use_relaxed_acceptance_for_thinking") is True:
            self.log.assume("use_relaxed_acceptance_for_thinking accepts lossily", self.span)
