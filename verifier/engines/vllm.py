"""`vllm serve`, vLLM's API server module, and `dynamo.vllm`.

Sources: vllm-project/vllm `vllm/entrypoints/cli/serve.py`, `vllm/entrypoints/openai/api_server.py`,
`vllm/engine/arg_utils.py` (`create_speculative_config`), 0.33.0; ai-dynamo/dynamo
`dynamo/vllm/args.py`, 1.6.1 (Dynamo's own options are matched first and exactly, the rest goes to
vLLM's parser).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from verifier.engines import json_options, json_text
from verifier.engines.assemble import Found
from verifier.engines.context import Context
from verifier.engines.layout import VLLM, as_json
from verifier.engines.log import Log
from verifier.engines.options import Given, Parsed, Reader, setting_of
from verifier.engines.pieces import (
    MISSING,
    Arg,
    Missing,
    hole_name,
    reason,
)
from verifier.engines.tables import Option, table
from verifier.engines.vllm_args import merge, prepare
from verifier.engines.vllm_speculation import CONTEXT, Builder, show
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Role, Setting, Speculation, Value
from verifier.model.record import replace
from verifier.model.text import Span, Text, lit

DEFAULT_MODEL = "Qwen/Qwen3-0.6B"
_OBJECTS = frozenset({"hf_overrides", "additional_config", "model_loader_extra_config"})
"""Options that take a plain string or, between braces, JSON."""
_METHOD = re.compile(r"""\bmethod["']?\s*:\s*["']?([A-Za-z_0-9]+)""")
_ROLES: dict[str, Role] = {
    "kv_producer": "prefill",
    "kv_consumer": "decode",
    "prefill": "prefill",
    "decode": "decode",
    "agg": "aggregated",
}


def read(context: Context) -> Found:
    """What vLLM would do with these arguments."""
    args = list(context.arguments)
    role: Role | None = None
    if context.entry.name == "dynamo.vllm":
        role, args = _dynamo(args, context.log)
    vllm = table("vllm")
    serve = context.entry.name == "vllm serve"
    prepared = prepare(args, serve=serve, table=vllm, around=context.around, log=context.log)
    reader = Reader(
        vllm,
        context.log,
        positionals=0 if context.entry.name == "dynamo.vllm" else 1,
        version=context.version,
    )
    parsed = reader.read(json_options.rejoined(prepared, reader, _takes_object))
    return _found(parsed, serve, role, context)


def _found(parsed: Parsed, serve: bool, role: Role | None, context: Context) -> Found:
    log = context.log
    settings: dict[str, Setting] = {}
    for given in parsed.given:
        if given.option.dest == "speculative_config":
            continue
        setting = setting_of(given, log, "vLLM")
        if given.values and not isinstance(given.values[-1].value, Missing):
            setting = replace(setting, value=given.values[-1].value)
        elif given.values and _holds_object(given):
            text = given.values[0].text
            setting = replace(
                setting, value=json_options.value(text, given.spelled, log, given.span)
            )
        settings[given.option.dest] = setting
    model = _model(parsed, settings, serve)
    speculation = _Speculative(parsed, settings, model, context)
    speculation.read()
    for dest in ("spec_method", "spec_model", "spec_tokens"):
        settings.pop(dest, None)
    return Found(
        layout=VLLM,
        model=model,
        served=_served(settings),
        role=role or _role(settings),
        speculation=speculation.result,
        speculative_settings=speculation.settings,
        other_speculations=tuple(speculation.others),
        settings=settings,
        env=context.around.env,
    )


def _takes_object(option: Option) -> bool:
    return json_options.is_json(option) or option.dest in _OBJECTS


def _holds_object(given: Given) -> bool:
    """Whether vLLM reads this value as JSON; some options take a plain string too."""
    if json_options.is_json(given.option):
        return True
    text = given.values[0].text.display().strip()
    return given.option.dest in _OBJECTS and text.startswith("{") and text.endswith("}")


def _model(parsed: Parsed, settings: Mapping[str, Setting], serve: bool) -> Text | None:
    """The positional model of `vllm serve`, else `--model`, else vLLM's default."""
    if serve and parsed.positionals:
        return parsed.positionals[0].text
    given = settings.get("model")
    if given is None or given.value is None:
        return lit(DEFAULT_MODEL)
    return given.value if isinstance(given.value, Text) else known(given)


def known(setting: Setting) -> Text:
    """A setting's value as text."""
    return lit(show(setting.value))


def _served(settings: Mapping[str, Setting]) -> Text | None:
    given = settings.get("served_model_name")
    value = given.value if given is not None else None
    first = value[0] if isinstance(value, tuple) and value else value
    if isinstance(first, str):
        return lit(first)
    return first if isinstance(first, Text) else None


def _role(settings: Mapping[str, Setting]) -> Role | None:
    """Which side of a disaggregated pair this is, by its KV transfer."""
    given = settings.get("kv_transfer_config")
    value = as_json(given.value) if given is not None else None
    role = value.get("kv_role") if isinstance(value, Mapping) else None
    return _ROLES.get(role) if isinstance(role, str) else None


def _dynamo(args: Sequence[Arg], log: Log) -> tuple[Role | None, list[Arg]]:
    """Dynamo's options taken out, and the role they name."""
    reader = Reader(table("dynamo_vllm"), log, abbreviations=False, partial=True)
    parsed = reader.read(args)
    role: Role | None = None
    mode = parsed.last("disaggregation_mode")
    if mode is not None and mode.values[0].known is not None:
        role = _ROLES.get(mode.values[0].known)
    rest: list[Arg] = []
    for arg in reader.rest:
        if arg.known in ("--is-prefill-worker", "--is-decode-worker"):
            role = "prefill" if arg.known == "--is-prefill-worker" else "decode"
        else:
            rest.append(arg)
    return role, rest


# The speculative config


class _Speculative:
    """From the options given to the object vLLM ends up with, and what it means."""

    def __init__(
        self, parsed: Parsed, settings: Mapping[str, Setting], model: Text | None, context: Context
    ) -> None:
        self.given = parsed.all("speculative_config")
        self.separate = [
            ("--spec-method", "method", settings.get("spec_method")),
            ("--spec-model", "model", settings.get("spec_model")),
            ("--spec-tokens", "num_speculative_tokens", settings.get("spec_tokens")),
        ]
        self.model = model
        self.context = context
        self.log = context.log
        self.result: Speculation | None = None
        self.settings: dict[str, Value] = {}
        self.others: list[Speculation] = []

    def read(self) -> None:
        values: list[Value | Missing] = []
        loose = False
        for given in self.given:
            value, was_loose = self.value(given)
            values.append(value)
            loose = was_loose
        final: Value | Missing = values[-1] if values else None
        span = self.given[-1].values[-1].span or self.given[-1].span if self.given else None
        if isinstance(final, Missing):
            self.result = salvaged(self.given[-1].values[-1].text, self.unread(), span)
            return
        config = self.with_separate(final)
        if config is None:
            return
        self.settings = {key.replace("-", "_"): value for key, value in config.items()}
        text = self.given[-1].values[-1].text if self.given else None
        builder = Builder(config, self.model, self.log, self.context.version, span, text)
        result = builder.build()
        self.result = _loosely(result) if loose else result
        self.add_others(values, config)

    def unread(self) -> str:
        text = self.given[-1].values[-1].text
        why = "it is not a JSON object" if text.known is not None else reason(text)
        return f"the speculative config {hole_name(text)} cannot be read: {why}"

    def value(self, given: Given) -> tuple[Value | Missing, bool]:
        """(the value vLLM's `json.loads` gives, whether it was only readable loosely).

        MISSING: it cannot be known.
        """
        arg = given.values[0]
        if not isinstance(arg.value, Missing):
            return arg.value, False
        text = arg.text
        if text.known in ("", "None"):
            return None, False
        try:
            value = json_text.read(text)
        except json_text.Unknowable as hole:
            self.log.unknown(f"{given.spelled} may hold any keys: {hole}", text.span)
            return MISSING, False
        except json_text.JsonError as error:
            return self.loose(given, text, str(error))
        if isinstance(value, Text):
            self.log.unknown(
                f"{given.spelled} is {hole_name(text)}: {reason(text)}", text.span or given.span
            )
            return MISSING, False
        if value is not None and not isinstance(value, Mapping):
            if given is self.given[-1]:
                self.log.refuse(
                    f"vLLM needs a JSON object for {given.spelled}, not `{text.display()}`",
                    text.span,
                )
            return MISSING, False
        return value, False

    def loose(self, given: Given, text: Text, error: str) -> tuple[Value | Missing, bool]:
        value, sentence = json_options.loosely(text, given.spelled, error)
        self.log.refuse(sentence, text.span or given.span)
        return (MISSING if value is None else value), True

    def with_separate(self, value: Value) -> dict[str, Value] | None:
        """`--spec-method`, `--spec-model` and `--spec-tokens` merged into the object."""
        config = dict(value) if isinstance(value, Mapping) else None
        for flag, key, setting in self.separate:
            if setting is None or setting.value is None:
                continue
            config = {} if config is None else config
            if key in config:
                self.log.refuse(
                    f"vLLM takes {flag} or the key {key} of its speculative config, not both",
                    setting.span,
                )
            config[key] = setting.value
        return config

    def add_others(self, values: Sequence[Value | Missing], config: Mapping[str, Value]) -> None:
        """A JSON object beside dotted keys, read key by key instead of as a replacement."""
        dotted = [not isinstance(g.values[0].value, Missing) for g in self.given]
        if len(values) < 2 or not any(dotted):
            return
        quiet = Log(self.log.span)
        parts = [value for value in values if isinstance(value, Mapping)]
        for order in (parts, parts[::-1]):
            merged: dict[str, Value] = {}
            for part in order:
                merge(merged, {key.replace("-", "_"): v for key, v in part.items()})
            if merged != {key.replace("-", "_"): v for key, v in config.items()}:
                other = Builder(merged, self.model, quiet, self.context.version).build()
                if other not in self.others:
                    self.others.append(other)


def salvaged(text: Text, why: str, span: Span | None) -> Speculation:
    """What can still be read of a config that cannot be read as a whole: its method."""
    unknown = unknown_speculation(why, span)
    found = _METHOD.findall(text.display())
    if not found:
        return unknown
    copies = True if found[-1] in CONTEXT else None
    return replace(unknown, method_written=found[-1], copies_context=copies)


def unknown_speculation(why: str, span: Span | None) -> Speculation:
    """Speculation of which nothing can be said; it may even be off."""
    note = Note(span=span or Span("", 0, 0), text=why)
    return Speculation(
        method=None,
        copies_context=None,
        acceptance=Acceptance(kind="unknown", unknown=why, span=span),
        unknown=(note,),
        span=span,
    )


def _loosely(speculation: Speculation) -> Speculation:
    return replace(speculation, loose=True)
