"""ATOM's OpenAI server.

Sources: ROCm/ATOM `atom/model_engine/arg_utils.py`, `atom/utils/arg_parser.py`, `atom/config.py`
(`SpeculativeConfig._resolve_synthetic_acceptance`), `atom/entrypoints/openai_server.py`
@ffdf3bb5. Without `--method`, or with no draft tokens, every other speculative option is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from verifier.engines import json_options
from verifier.engines.assemble import Found
from verifier.engines.context import Context
from verifier.engines.layout import ATOM
from verifier.engines.options import Reader, setting_of
from verifier.engines.pieces import hole_name, reason
from verifier.engines.tables import table
from verifier.engines.vllm_speculation import show
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Setting, Speculation, Value
from verifier.model.record import replace
from verifier.model.text import Span, Text, lit

DEFAULT_MODEL = "Qwen/Qwen3-0.6B"
LENGTH = "spec_decode_acceptance_length"
RATE = "spec_decode_acceptance_rate"
_SPECULATIVE = ("method", "num_speculative_tokens", "draft_model", LENGTH, RATE, "dspark_config")
_METHODS = ("mtp", "eagle3", "dspark")


def read(context: Context) -> Found:
    """What ATOM would do with these arguments."""
    atom = table("atom")
    mesh = context.around.env.get("USE_ATOMESH_ENTRYPOINTS")
    is_mesh = mesh is not None and mesh.known is not None and mesh.known not in ("", "0")
    reader = Reader(
        atom,
        context.log,
        abbreviations=not is_mesh,
        version=context.version,
    )
    words = json_options.rejoined(context.arguments, reader, json_options.is_json)
    settings: dict[str, Setting] = {}
    for given in reader.read(words).given:
        setting = setting_of(given, context.log, "ATOM")
        if given.values and json_options.is_json(given.option):
            text = given.values[0].text
            value = json_options.value(text, given.spelled, context.log, given.span)
            setting = replace(setting, value=value)
        settings[given.option.dest] = setting
    return Found(
        layout=ATOM,
        model=_text(settings.get("model")) or lit(DEFAULT_MODEL),
        served=_text(settings.get("served_model_name")),
        speculation=_Reader(settings, context).read(),
        speculative_settings={d: settings[d].value for d in _SPECULATIVE if d in settings},
        settings={d: s for d, s in settings.items() if d not in _SPECULATIVE},
        env=context.around.env,
    )


def _text(setting: Setting | None) -> Text | None:
    if setting is None or setting.value is None:
        return None
    return setting.value if isinstance(setting.value, Text) else lit(show(setting.value))


class _Reader:
    """The speculation of one set of parsed options."""

    def __init__(self, settings: Mapping[str, Setting], context: Context) -> None:
        self.settings = settings
        self.log = context.log
        self.unknown: list[Note] = []
        self.span: Span | None = None

    def value(self, dest: str) -> Value:
        setting = self.settings.get(dest)
        return None if setting is None else setting.value

    def read(self) -> Speculation | None:
        given = self.settings.get("method")
        if given is None:
            self.dropped("--method is not given")
            return None
        self.span = given.span
        method: str | None = None
        if isinstance(given.value, Text):
            self.cannot_tell(f"--method is {hole_name(given.value)}: {reason(given.value)}")
        else:
            method = show(given.value)
            if method not in _METHODS:
                self.log.refuse(
                    f"ATOM has no --method {method}; it is one of {', '.join(_METHODS)}", self.span
                )
        length = self.length()
        if length is not None and length <= 0:
            self.dropped(f"--num-speculative-tokens is {length}")
            return None
        draft = _text(self.settings.get("draft_model"))
        if method == "eagle3" and draft is None:
            self.log.refuse("ATOM needs --draft-model with --method eagle3", self.span)
        if method == "mtp" and draft is not None:
            self.log.refuse("ATOM takes no --draft-model with --method mtp", self.span)
        return Speculation(
            method=method if method in _METHODS else None,
            method_written=show(given.value),
            draft_length=length,
            draft_model=draft,
            draft_sample_method="probabilistic" if method == "dspark" else None,
            acceptance=self.acceptance(length),
            copies_context=False,
            unknown=tuple(self.unknown),
            span=self.span,
        )

    def dropped(self, why: str) -> None:
        for dest in (LENGTH, RATE):
            setting = self.settings.get(dest)
            if setting is not None:
                self.log.assume(f"ATOM drops {setting.spelling}: {why}", setting.span)

    def cannot_tell(self, sentence: str) -> None:
        self.unknown.append(Note(span=self.span or self.log.span, text=sentence))

    def length(self) -> int | None:
        value = self.value("num_speculative_tokens")
        if value is None:
            self.log.assume("--num-speculative-tokens is missing; ATOM's default is 1", self.span)
            return 1
        if isinstance(value, Text):
            self.cannot_tell(
                f"--num-speculative-tokens is {hole_name(value)}, so the draft length is not in "
                f"this file: {reason(value)}"
            )
        return value if isinstance(value, int) else None

    def acceptance(self, length: int | None) -> Acceptance:
        by_length, by_rate = self.settings.get(LENGTH), self.settings.get(RATE)
        given = by_length or by_rate
        if given is None:
            return Acceptance(kind="real", span=self.span)
        if by_length is not None and by_rate is not None:
            self.log.refuse(
                "ATOM takes --spec-decode-acceptance-length or --spec-decode-acceptance-rate, "
                "not both",
                by_rate.span,
            )
        self.check_schedule(given)
        value = given.value
        if not isinstance(value, Decimal):
            why = (
                f"{given.spelling} is {hole_name(value)}: {reason(value)}"
                if isinstance(value, Text)
                else f"{given.spelling} is not a number"
            )
            return self.synthetic(None, given, show(value), why)
        if given is by_length:
            return self.from_length(value, given, length)
        return self.from_rate(value, given, length)

    def synthetic(
        self,
        length: Decimal | None,
        given: Setting,
        written: str,
        why: str | None = None,
        exact: bool = True,
    ) -> Acceptance:
        return Acceptance(
            kind="synthetic",
            length=length,
            spelling=given.spelling,
            written=written,
            exact=exact,
            unknown=why,
            span=given.span,
        )

    def from_length(self, value: Decimal, given: Setting, length: int | None) -> Acceptance:
        top = None if length is None else Decimal(length + 1)
        if not value.is_finite() or value < 1 or (top is not None and value > top):
            limit = "draft length + 1" if top is None else str(top)
            self.log.refuse(f"ATOM needs {given.spelling} in [1, {limit}], not {value}", given.span)
        known = value if value.is_finite() else None
        why = None if known is not None else f"{given.spelling} is {value}"
        return self.synthetic(known, given, str(value), why)

    def from_rate(self, value: Decimal, given: Setting, length: int | None) -> Acceptance:
        if not value.is_finite() or value < 0 or value > 1:
            self.log.refuse(f"ATOM needs {given.spelling} in [0, 1], not {value}", given.span)
        if length is None or not value.is_finite():
            why = "the draft length is not known, so the rate is no acceptance length"
            return self.synthetic(None, given, str(value), why, exact=False)
        return self.synthetic(1 + length * value, given, str(value), exact=False)

    def check_schedule(self, given: Setting) -> None:
        config = self.value("dspark_config")
        if isinstance(config, Mapping) and config.get("confidence_schedule") is True:
            self.log.refuse(
                f"ATOM takes no {given.spelling} with confidence_schedule in --dspark-config",
                given.span,
            )
