"""What SGLang makes of its speculative options and its simulation variables.

Sources: sgl-project/sglang `srt/arg_groups/speculative_hook.py`, `srt/speculative/spec_info.py`,
`srt/environ.py` (a value that cannot be parsed is a warning and the default),
`srt/speculative/{spec_utils,eagle_utils,dflash_utils,ngram_info}.py` and
`dspark_components/dspark_worker_v2.py`, 0.5.23. Which version honours the variables for which
algorithm is in `data/acceptance_support.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal

from verifier.engines import support
from verifier.engines.log import Log
from verifier.engines.numbers import python_float
from verifier.engines.pieces import hole_name, reason
from verifier.engines.versions import Version, parse
from verifier.engines.vllm_speculation import show
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Setting, Speculation
from verifier.model.record import dataclass, field
from verifier.model.text import Span, Text, lit

LENGTH = "SGLANG_SIMULATE_ACC_LEN"
METHOD = "SGLANG_SIMULATE_ACC_METHOD"
TOKENS = "SGLANG_SIMULATE_ACC_TOKEN_MODE"
_EAGLE = frozenset({"EAGLE", "EAGLE3", "STANDALONE"})
_SINCE = {"DSPARK": "0.5.16", "UNO": "0.5.20"}
_KNOWN = frozenset({*_EAGLE, "NEXTN", "NGRAM", "DFLASH", "DSPARK", "UNO", "FROZEN_KV_MTP"})
_TREES = ("llama", "grok")
"""Architectures whose automatic setting is (5, 4, 8) instead of (3, 1, 4)."""

Number = int | Text | None


@dataclass(slots=True)
class Builder:
    """Builds the speculation of one set of parsed options."""

    settings: Mapping[str, Setting]
    env: Mapping[str, Text]
    model: Text | None
    log: Log
    version: Version | None = None
    unknown: list[Note] = field(default_factory=list)
    span: Span | None = None
    longest: int | None = None
    """The largest acceptance length the engine can reach; simulation is clamped to it."""
    topk: int | None = 1

    def build(self) -> Speculation | None:
        given = self.settings.get("speculative_algorithm")
        if given is None or given.value is None:
            self.idle()
            return None
        self.span = given.span or self.log.span
        if isinstance(given.value, Text):
            return self.unread(given.value)
        written = show(given.value)
        name = written.upper()
        if name == "NONE":
            self.idle()
            return None
        if name not in _KNOWN:
            self.log.refuse(
                f"SGLang has no speculative algorithm {written or 'with an empty name'}", self.span
            )
            return self.speculation(None, written, None, copies=None)
        self.check_version(name)
        length = self.length("EAGLE" if name == "NEXTN" else name)
        return self.speculation(
            self.own_heads() if name in ("EAGLE", "NEXTN") else name.lower(),
            written,
            length,
            copies=name == "NGRAM",
            algorithm=name,
        )

    def own_heads(self) -> str:
        """EAGLE and NEXTN run one algorithm: the target's own prediction heads (MTP), unless the
        draft model's name says that it is an EAGLE head."""
        draft = self.draft()
        named = draft is not None and any(
            "eagle" in p.lower() for p in draft.key if isinstance(p, str)
        )
        return "eagle" if named else "mtp"

    def idle(self) -> None:
        """Without an algorithm the simulation variables do nothing."""
        if LENGTH in self.env:
            self.log.assume(
                f"{LENGTH} has no effect: no speculative algorithm is set", self.env[LENGTH].span
            )

    def unread(self, text: Text) -> Speculation:
        why = f"the speculative algorithm is {hole_name(text)}: {reason(text)}"
        self.cannot_tell(why)
        return Speculation(
            method=None,
            method_written=text.display(),
            draft_model=self.draft(),
            acceptance=self.acceptance(None),
            copies_context=None,
            unknown=tuple(self.unknown),
            span=self.span,
        )

    def speculation(
        self,
        method: str | None,
        written: str,
        length: int | None,
        *,
        copies: bool | None,
        algorithm: str | None = None,
    ) -> Speculation:
        block = self.settings.get("speculative_use_block_verification")
        return Speculation(
            method=method,
            method_written=written,
            draft_length=length,
            draft_model=self.draft(),
            block_verification=block is not None and block.value is True,
            acceptance=self.acceptance(algorithm),
            copies_context=copies,
            unknown=tuple(self.unknown),
            span=self.span,
        )

    def check_version(self, name: str) -> None:
        since = _SINCE.get(name)
        if (
            since is not None
            and self.version is not None
            and self.version < (parse(since) or self.version)
        ):
            self.log.refuse(f"SGLang {self.version} has no {name}; {since} has it", self.span)

    def cannot_tell(self, sentence: str) -> None:
        self.unknown.append(Note(span=self.span or self.log.span, text=sentence))

    def draft(self) -> Text | None:
        given = self.settings.get("speculative_draft_model_path")
        if given is None or given.value is None:
            return None
        return given.value if isinstance(given.value, Text) else lit(show(given.value))

    def number(self, dest: str) -> Number:
        given = self.settings.get(dest)
        value = None if given is None else given.value
        if isinstance(value, Text):
            return value
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def unread_number(self, what: str, value: Text) -> None:
        self.cannot_tell(
            f"{what} is {hole_name(value)}, so the draft length is not in this file: "
            f"{reason(value)}"
        )

    # Draft length

    def length(self, name: str) -> int | None:
        if name in _EAGLE:
            return self.eagle(name)
        return {
            "FROZEN_KV_MTP": self.frozen,
            "DFLASH": self.dflash,
            "DSPARK": self.dspark,
            "NGRAM": self.ngram,
            "UNO": self.uno,
        }[name]()

    def eagle(self, name: str) -> int | None:
        steps = self.number("speculative_num_steps")
        topk = self.number("speculative_eagle_topk")
        tokens = self.number("speculative_num_draft_tokens")
        adaptive = self.settings.get("speculative_adaptive")
        if adaptive is not None and adaptive.value is True:
            self.cannot_tell("--speculative-adaptive changes the draft length while serving")
            self.topk = 1 if topk is None else _whole(topk)
            return None
        if steps is None:
            if topk is not None or tokens is not None:
                self.log.refuse(
                    "SGLang needs --speculative-num-steps beside --speculative-eagle-topk and "
                    "--speculative-num-draft-tokens",
                    self.span,
                )
                self.cannot_tell("--speculative-num-steps is missing")
                return None
            return self.automatic(name)
        if topk is None:
            self.log.refuse(
                "SGLang needs --speculative-eagle-topk beside --speculative-num-steps", self.span
            )
        self.topk = None if isinstance(topk, Text) else topk
        if isinstance(steps, Text):
            self.unread_number("--speculative-num-steps", steps)
            return None
        if topk == 1 and isinstance(tokens, int) and tokens != steps + 1:
            self.log.assume(
                f"SGLang sets --speculative-num-draft-tokens to {steps + 1}, not {tokens}: "
                "with topk 1 it is the number of steps + 1",
                self.span,
            )
        self.longest = steps + 1
        return steps

    def automatic(self, name: str) -> int | None:
        """SGLang's own choice when no number is given: (steps, topk, draft tokens)."""
        model = None if self.model is None else self.model.known
        if name != "STANDALONE":
            if model is None or any(tree in model.lower() for tree in _TREES):
                self.topk = None
                self.cannot_tell(
                    "--speculative-num-steps is missing, so the draft length depends on the "
                    "model's architecture: 5 for Llama and Grok, else 3"
                )
                return None
            self.log.assume(
                "--speculative-num-steps is missing; SGLang takes 3 steps, topk 1 and 4 draft "
                "tokens for this model",
                self.span,
            )
        self.longest = 4
        return 3

    def frozen(self) -> int | None:
        steps = self.number("speculative_num_steps")
        if isinstance(steps, int):
            self.longest = steps + 1
            return steps
        if steps is None:
            self.cannot_tell("--speculative-num-steps is missing")
        else:
            self.unread_number("--speculative-num-steps", steps)
        return None

    def dflash(self) -> int | None:
        if self.draft() is None:
            self.log.refuse("SGLang's DFLASH needs --speculative-draft-model-path", self.span)
        block = self.number("speculative_dflash_block_size")
        tokens = self.number("speculative_num_draft_tokens")
        if isinstance(block, int) and block <= 0:
            self.log.refuse(
                f"SGLang needs --speculative-dflash-block-size above 0, not {block}", self.span
            )
        if isinstance(block, int) and isinstance(tokens, int) and block != tokens:
            self.log.refuse(
                f"SGLang's DFLASH needs --speculative-num-draft-tokens ({tokens}) and "
                f"--speculative-dflash-block-size ({block}) to be equal",
                self.span,
            )
        size = block if block is not None else tokens
        if isinstance(size, Text):
            self.unread_number("the DFLASH block size", size)
            return None
        if size is None:
            self.cannot_tell(
                "--speculative-dflash-block-size is missing, so the block size comes from the "
                "draft's config (16 when that has none)"
            )
        self.longest = size
        return size

    def dspark(self) -> int | None:
        gamma = self.number("speculative_dspark_block_size")
        tokens = self.number("speculative_num_draft_tokens")
        if isinstance(gamma, int) and gamma <= 0:
            self.log.refuse(
                f"SGLang needs --speculative-dspark-block-size above 0, not {gamma}", self.span
            )
        if isinstance(gamma, int) and isinstance(tokens, int) and tokens != gamma + 1:
            self.log.refuse(
                f"SGLang's DSPARK needs --speculative-num-draft-tokens to be block size + 1 "
                f"({gamma + 1}), not {tokens}",
                self.span,
            )
        if isinstance(gamma, Text) or (gamma is None and isinstance(tokens, Text)):
            unread = gamma if isinstance(gamma, Text) else tokens
            assert isinstance(unread, Text)
            self.unread_number("the DSPARK block size", unread)
            return None
        if gamma is None and isinstance(tokens, int):
            if tokens < 2:
                self.log.refuse(
                    f"SGLang's DSPARK needs --speculative-num-draft-tokens of 2 or more, "
                    f"not {tokens}",
                    self.span,
                )
            gamma = tokens - 1
        if gamma is None:
            self.cannot_tell(
                "--speculative-dspark-block-size is missing, so the block size comes from the "
                "draft's config (7 when that has none)"
            )
            return None
        self.longest = gamma + 1
        return gamma

    def ngram(self) -> int | None:
        breadth = self.number("speculative_ngram_max_bfs_breadth")
        self.topk = 10 if breadth is None else _whole(breadth)
        tokens = self.number("speculative_num_draft_tokens")
        if isinstance(tokens, Text):
            self.unread_number("--speculative-num-draft-tokens", tokens)
            return None
        self.longest = 12 if tokens is None else tokens
        return self.longest

    def uno(self) -> int | None:
        if self.settings.get("uno_lora_path") is None:
            self.log.refuse("SGLang's UNO needs --uno-lora-path", self.span)
        tokens = self.number("speculative_num_draft_tokens")
        if isinstance(tokens, Text):
            self.unread_number("--speculative-num-draft-tokens", tokens)
            return None
        if tokens is None or tokens < 1:
            self.log.refuse("SGLang's UNO needs --speculative-num-draft-tokens", self.span)
            self.cannot_tell("--speculative-num-draft-tokens is missing")
            return None
        self.longest = tokens
        return tokens

    # Acceptance

    def acceptance(self, algorithm: str | None) -> Acceptance:
        text = self.env.get(LENGTH)
        if text is None:
            return Acceptance(kind="real", span=self.span)
        span = text.span or self.span
        if text.known is None:
            return Acceptance(
                kind="unknown",
                spelling=LENGTH,
                written=text.display(),
                unknown=f"{LENGTH} is {hole_name(text)}: {reason(text)}",
                span=span,
            )
        number = python_float(text.known)
        if number is None:
            self.log.assume(
                f'{LENGTH} is "{text.known}", which is no number: SGLang warns and verifies '
                "for real",
                span,
            )
        elif number.is_nan() or number <= 0:
            self.log.assume(f"{LENGTH}={text.known} switches simulation off", span)
            number = None
        if number is None:
            return Acceptance(kind="real", spelling=LENGTH, written=text.known, span=span)
        self.check_modes(span, algorithm)
        return self.honoured(number, text.known, span, algorithm)

    def honoured(
        self, number: Decimal, written: str, span: Span | None, algorithm: str | None
    ) -> Acceptance:
        """What this version does with the length for this algorithm."""
        answer, source = support.simulated("sglang", algorithm or "", self.version)
        if answer == "unknown":
            why = f"whether SGLang simulates acceptance for {algorithm or 'this algorithm'}"
            return Acceptance(
                kind="unknown",
                spelling=LENGTH,
                written=written,
                unknown=f"{why} is not known",
                span=span,
            )
        if answer == "no":
            self.log.assume(
                f"SGLang {self.version} ignores {LENGTH} for {algorithm} ({source})", span
            )
            return Acceptance(kind="real", spelling=LENGTH, written=written, span=span)
        if self.version is None and algorithm in ("DSPARK", "DFLASH"):
            self.log.assume(
                f"the newest SGLang simulates acceptance for {algorithm}; "
                f"versions before {support.since('sglang', algorithm)} do not",
                span,
            )
        length = number
        if answer == "rounds":
            drafts = (number - 1).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)
            length = max(drafts, Decimal(0)) + 1
            if length != number:
                self.log.assume(
                    f"SGLang {self.version} does not honour {LENGTH}={written} for {algorithm}: "
                    f"it rounds it to {length} ({source})",
                    span,
                )
        return self.clamped(length, written, span)

    def clamped(self, number: Decimal, written: str, span: Span | None) -> Acceptance:
        top = None if self.longest is None else Decimal(self.longest)
        length = max(number, Decimal(1))
        if top is not None and length > top:
            length = max(top, Decimal(1))
        if not length.is_finite():
            return Acceptance(
                kind="synthetic",
                spelling=LENGTH,
                written=written,
                unknown="the largest acceptance length is not known",
                span=span,
            )
        if length != number:
            self.log.assume(f"SGLang clamps {LENGTH}={written} to {length}", span)
        return Acceptance(
            kind="synthetic", length=length, spelling=LENGTH, written=written, span=span
        )

    def check_modes(self, span: Span | None, algorithm: str | None) -> None:
        method = self.env.get(METHOD)
        if method is not None and method.known is not None:
            if method.known == "multinomial":
                self.log.assume(
                    f"{METHOD}=multinomial draws around the length and clamps, so the mean drifts",
                    method.span or span,
                )
            elif method.known != "match-expected":
                self.log.refuse(
                    f"SGLang has no {METHOD} {method.known}; it is match-expected or multinomial",
                    method.span or span,
                )
        mode = self.env.get(TOKENS)
        if mode is not None and mode.known is not None:
            if mode.known not in ("fixed", "real-draft-token"):
                self.log.refuse(
                    f"SGLang has no {TOKENS} {mode.known}; it is fixed or real-draft-token",
                    mode.span or span,
                )
            elif mode.known == "real-draft-token" and self.topk not in (1, None):
                self.log.refuse(
                    f"SGLang takes {TOKENS}=real-draft-token only with a chain of drafts "
                    f"(topk 1, not {self.topk})",
                    mode.span or span,
                )
        ragged = self.env.get("SGLANG_RAGGED_VERIFY_MODE")
        if algorithm == "DSPARK" and ragged is not None and ragged.known == "cap-accept":
            self.log.refuse(
                f"SGLang's DSPARK takes {LENGTH} only with a verify-all schedule, "
                "not with SGLANG_RAGGED_VERIFY_MODE=cap-accept",
                ragged.span or span,
            )


def _whole(value: int | Text) -> int | None:
    return value if isinstance(value, int) else None
