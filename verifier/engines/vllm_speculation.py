"""What vLLM makes of its speculative-config object.

Sources: vllm-project/vllm `vllm/config/speculative.py` (`SpeculativeConfig.__post_init__`,
`_verify_args`, `_resolve_synthetic_acceptance_rates`) and `vllm/engine/arg_utils.py`
(`create_speculative_config`), 0.33.0; what older releases know is in
`data/vllm_speculative.json`. Pydantic converts numbers written as strings (`"3"`, `"2.49"`).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from verifier.engines.log import Log
from verifier.engines.numbers import python_float
from verifier.engines.pieces import hole_name, reason
from verifier.engines.places import of_key
from verifier.engines.tables import data
from verifier.engines.versions import Version, parse
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Speculation, Value
from verifier.model.text import Lit, Span, Text, lit

CONTEXT = frozenset({"ngram", "ngram_gpu", "suffix"})
_HEADLESS = frozenset({*CONTEXT, "custom_class", "extract_hidden_states"})
_KEPT = frozenset({"eagle", "eagle3", "dflash", "dspark"})
_NEEDS_DRAFT = frozenset({"draft_model", "eagle", "eagle3", "dflash", "custom_class"})
_SUFFIX_DEPTH = 24


class Builder:
    """Builds the speculation of one object. `log` gets refusals and assumptions."""

    def __init__(
        self,
        config: Mapping[str, Value],
        target: Text | None,
        log: Log,
        version: Version | None = None,
        span: Span | None = None,
        text: Text | None = None,
    ) -> None:
        """`text`: the object as written, to say where its keys are."""
        self.config = {key.replace("-", "_"): value for key, value in config.items()}
        self.target = target
        self.log = log
        self.version = version
        self.span = span or log.span
        self.written = text
        self.facts = data("vllm_speculative.json")
        self.unknown: list[Note] = []

    def build(self) -> Speculation:
        self.check_keys()
        draft = self.text("model")
        method, written = self.method(draft)
        length = self.draft_length(method, draft)
        if method in _NEEDS_DRAFT and draft is None and "num_speculative_tokens" in self.config:
            self.refuse(f"vLLM needs the draft model as `model` for the method {method}")
        if method in _HEADLESS:
            draft = draft if method == "custom_class" else None
        sampler = self.choice("draft_sample_method", "greedy", self.facts["draft_sample_methods"])
        rejection = self.choice("rejection_sample_method", "standard", self.rejection_methods())
        return Speculation(
            method=method,
            method_written=written,
            draft_length=length,
            draft_model=draft,
            draft_sample_method=sampler,
            block_verification=None if rejection is None else rejection == "block",
            acceptance=self.acceptance(rejection, length),
            copies_context=self.copies(method),
            unknown=tuple(self.unknown),
            span=self.span,
        )

    # Helpers

    def refuse(self, sentence: str, key: str | None = None) -> None:
        self.log.refuse(sentence, self.place(key))

    def cannot_tell(self, sentence: str, key: str | None = None) -> None:
        self.unknown.append(Note(span=self.place(key), text=sentence))

    def place(self, key: str | None) -> Span:
        """Where the value of a key is written, else the whole object."""
        found = None if key is None or self.written is None else of_key(self.written, key)
        return found or self.span

    def text(self, key: str) -> Text | None:
        value = self.config.get(key)
        if value is None:
            return None
        if isinstance(value, Text):
            return value
        if isinstance(value, str):
            return lit(value)
        self.refuse(f"vLLM needs a string for {key} in its speculative config, not {show(value)}")
        return None

    def choice(self, key: str, default: str, allowed: list[str]) -> str | None:
        """A string out of a list; None when it is not known."""
        if key not in self.config:
            return default
        value = self.config[key]
        if isinstance(value, Text):
            self.cannot_tell(f"{key} is {hole_name(value)}: {reason(value)}")
            return None
        if not isinstance(value, str) or value not in allowed:
            self.refuse(f"vLLM has no {key} {show(value)}; it is one of {', '.join(allowed)}", key)
            return value if isinstance(value, str) else None
        return value

    def rejection_methods(self) -> list[str]:
        methods = list(self.facts["rejection_methods"])
        for name, last in self.facts["removed_rejection_methods"].items():
            if self.version is not None and self.version <= (parse(last) or self.version):
                methods.append(name)
        return methods

    # Parts

    def check_keys(self) -> None:
        for key in self.config:
            if key in self.facts["fields"]:
                self.check_since(key)
                continue
            last = self.facts["removed"].get(key)
            if (
                last is not None
                and self.version is not None
                and self.version <= (parse(last) or self.version)
            ):
                continue
            self.refuse(f"vLLM's speculative config has no key {key}", key)
        if self.config.get("tensor_parallel_size") is not None:
            self.refuse(
                "vLLM refuses tensor_parallel_size in its speculative config; "
                "the key is draft_tensor_parallel_size"
            )

    def check_since(self, key: str) -> None:
        lacking, having = self.facts["since"].get(key, ("", ""))
        if not lacking or self.version is None:
            return
        if self.version <= (parse(lacking) or self.version):
            self.refuse(f"vLLM {self.version} has no {key} in its speculative config")
        elif self.version < (parse(having) or self.version):
            self.log.assume(
                f"{key} is taken to exist in vLLM {self.version}: "
                f"{having} has it and {lacking} has not",
                self.span,
            )

    def method(self, draft: Text | None) -> tuple[str | None, str | None]:
        """(normalised, as written)."""
        value = self.config.get("method")
        if isinstance(value, Text):
            self.cannot_tell(f"the method is {hole_name(value)}: {reason(value)}")
            return None, value.display()
        if value is None:
            return self.inferred(draft), None
        if not isinstance(value, str):
            self.refuse(f"vLLM has no speculative method {show(value)}")
            return None, show(value)
        if value in self.facts["mtp_names"]:
            return self.detected("mtp", draft), value
        if value in self.facts["methods"]:
            return self.detected(value, draft), value
        last = self.facts["removed_methods"].get(value)
        if last is not None:
            if self.version is None or self.version > (parse(last) or self.version):
                self.refuse(f"vLLM has no speculative method {value} after {last}")
            return value, value
        self.refuse(f"vLLM has no speculative method {value}", "method")
        low = value.lower().strip("[]")
        return (low if low in self.facts["methods"] else None), value

    def inferred(self, draft: Text | None) -> str | None:
        """The method when none is named."""
        if draft is None:
            return "draft_model"
        known = draft.known
        if known in ("ngram", "[ngram]"):
            return "ngram"
        if known is not None and _import_path(known):
            return "custom_class"
        if known is None and not any(isinstance(p, Lit) for p in draft.pieces):
            self.cannot_tell(
                f"no method is named and the draft model is {hole_name(draft)}: {reason(draft)}"
            )
            return None
        method = self.detected("draft_model", draft)
        if method == "draft_model":
            self.log.assume(
                "no speculative method is named; it is taken as draft_model because the draft's "
                "name says nothing else (vLLM also looks into the draft's config)",
                self.span,
            )
        return method

    def detected(self, method: str, draft: Text | None) -> str:
        """The method after vLLM has looked at the name of the draft, or of the target."""
        if method in _KEPT or method in _HEADLESS:
            return method
        loaded = draft if draft is not None else (self.target if method == "mtp" else None)
        if loaded is None:
            return method
        name = (loaded.known if loaded.known is not None else loaded.display()).lower()
        for sign, found in (
            ("eagle-", "eagle"),
            ("eagle3", "eagle3"),
            ("dflash", "dflash"),
            ("dspark", "dspark"),
        ):
            if sign in name:
                return found
        return method

    def draft_length(self, method: str | None, draft: Text | None) -> int | None:
        value = self.config.get("num_speculative_tokens")
        if isinstance(value, Text):
            self.cannot_tell(
                f"num_speculative_tokens is {hole_name(value)}, "
                f"so the draft length is not in this file: {reason(value)}",
                "num_speculative_tokens",
            )
            return None
        if value is None:
            return self.default_length(method, draft)
        number = whole(value)
        if number is None or number <= 0:
            self.refuse(
                f"vLLM needs a whole number above 0 for num_speculative_tokens, not {show(value)}",
                "num_speculative_tokens",
            )
            return None
        if self.config.get("num_speculative_tokens_per_batch_size") is not None:
            self.cannot_tell(
                "num_speculative_tokens_per_batch_size changes the draft length with the load"
            )
            return None
        return number

    def default_length(self, method: str | None, draft: Text | None) -> int | None:
        if "num_speculative_tokens" in self.config:
            self.refuse("vLLM needs a whole number for num_speculative_tokens, not null")
            return None
        if method == "suffix":
            depth = whole(self.config.get("suffix_decoding_max_tree_depth", _SUFFIX_DEPTH))
            if depth is None:
                self.cannot_tell("suffix_decoding_max_tree_depth is not known")
            return depth
        if draft is None or method in ("ngram", "ngram_gpu", "custom_class"):
            self.refuse("vLLM needs num_speculative_tokens in its speculative config")
            self.cannot_tell("num_speculative_tokens is missing, so the draft length is not known")
            return None
        self.cannot_tell(
            "num_speculative_tokens is missing, so the draft length comes from the config of "
            f"{draft.display()}, which is not read"
        )
        return None

    def copies(self, method: str | None) -> bool | None:
        if method in CONTEXT:
            return True
        if method in (None, "custom_class"):
            return None
        return False

    # Acceptance

    def acceptance(self, rejection: str | None, length: int | None) -> Acceptance:
        rates = self.config.get("synthetic_acceptance_rates")
        target = self.config.get("synthetic_acceptance_length")
        old = self.config.get("synthetic_acceptance_rate")
        if rejection is None:
            return Acceptance(
                kind="unknown",
                unknown="rejection_sample_method is not known",
                span=self.span,
            )
        if rejection != "synthetic":
            if rates is not None or target is not None:
                self.refuse(
                    "vLLM takes synthetic_acceptance_length and synthetic_acceptance_rates only "
                    'with "rejection_sample_method": "synthetic"'
                )
            if rejection == "fly":
                self.log.assume("rejection_sample_method fly accepts lossily", self.span)
            return Acceptance(kind="real", span=self.span)
        if old is not None and rates is None and target is None:
            return self.from_rate(old, length)
        if (rates is None) == (target is None):
            self.refuse(
                "vLLM needs exactly one of synthetic_acceptance_length and "
                "synthetic_acceptance_rates with synthetic rejection sampling"
            )
            if rates is None:
                return self.synthetic(None, None, "neither a length nor rates are given", None)
        if target is not None:
            return self.from_length(target, length)
        return self.from_rates(rates, length)

    def synthetic(
        self, length: Decimal | None, written: str | None, why: str | None, spelling: str | None
    ) -> Acceptance:
        return Acceptance(
            kind="synthetic",
            length=length,
            spelling=spelling,
            written=written,
            unknown=why,
            span=self.place(spelling),
        )

    def from_length(self, value: Value, length: int | None) -> Acceptance:
        key = "synthetic_acceptance_length"
        if isinstance(value, Text):
            why = f"{key} is {hole_name(value)}: {reason(value)}"
            return self.synthetic(None, value.display(), why, key)
        number = decimal(value)
        if number is None:
            self.refuse(f"vLLM needs a number for {key}, not {show(value)}", key)
            return self.synthetic(None, show(value), f"{key} is not a number", key)
        if isinstance(value, str):
            self.log.assume(
                f'{key} is written as the string "{value}"; vLLM converts it to a number',
                self.span,
            )
        outside = (
            not number.is_finite() or number < 1 or (length is not None and number > length + 1)
        )
        if outside:
            top = "draft length + 1" if length is None else str(length + 1)
            self.refuse(f"vLLM needs {key} in [1, {top}], not {show(value)}", key)
        if not number.is_finite():
            return self.synthetic(None, show(value), f"{key} is {show(value)}", key)
        return self.synthetic(number, show(value), None, key)

    def from_rates(self, value: Value, length: int | None) -> Acceptance:
        key = "synthetic_acceptance_rates"
        if isinstance(value, Text):
            return self.synthetic(
                None, value.display(), f"{key} is {hole_name(value)}: {reason(value)}", key
            )
        written = show(value)
        items = list(value) if isinstance(value, list | tuple) else None
        if items is None:
            self.refuse(f"vLLM needs a list of numbers for {key}, not {written}", key)
            return self.synthetic(None, written, f"{key} is not a list", key)
        hole = next((item for item in items if isinstance(item, Text)), None)
        if hole is not None:
            return self.synthetic(
                None, written, f"{key} holds {hole_name(hole)}: {reason(hole)}", key
            )
        numbers = [decimal(item) for item in items]
        rates = [n for n in numbers if n is not None and n.is_finite()]
        if len(rates) != len(items):
            self.refuse(f"vLLM needs a list of numbers for {key}, not {written}", key)
            return self.synthetic(None, written, f"{key} holds something else than numbers", key)
        if length is not None and len(rates) != length:
            self.refuse(
                f"vLLM needs {length} numbers in {key}, one for each draft token, not {len(rates)}"
            )
        if any(rate < 0 or rate > 1 for rate in rates) or rates != sorted(rates, reverse=True):
            self.refuse(f"vLLM needs {key} in [0, 1] and not rising, not {written}")
        return self.synthetic(Decimal(1) + sum(rates, Decimal(0)), written, None, key)

    def from_rate(self, value: Value, length: int | None) -> Acceptance:
        """vLLM 0.19's mean rate per draft token."""
        key = "synthetic_acceptance_rate"
        number = None if isinstance(value, Text) else decimal(value)
        if number is None or length is None:
            return self.synthetic(None, show(value), f"{key} or the draft length is not known", key)
        return Acceptance(
            kind="synthetic",
            length=1 + length * number,
            spelling=key,
            written=show(value),
            exact=False,
            span=self.place(key),
        )


def whole(value: Value) -> int | None:
    """An integer as pydantic converts one: 3, 3.0, "3" and true are, 3.5 is not."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, str):
        number = python_float(value)
        if number is None:
            return None
        value = number
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    return None


def decimal(value: Value) -> Decimal | None:
    """A number as pydantic converts one."""
    if isinstance(value, bool | int):
        return Decimal(value)
    if isinstance(value, Decimal):
        return value
    if isinstance(value, str):
        return python_float(value)
    return None


def show(value: Value) -> str:
    """A value for a message, as JSON would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Text):
        return value.display()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(show(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    return str(value)


def _import_path(name: str) -> bool:
    """A dotted Python name, which vLLM imports as a proposer class."""
    if "/" in name or name.startswith(("http://", "https://", "file://")):
        return False
    parts = name.split(".")
    return len(parts) >= 2 and all(part.isidentifier() for part in parts)
