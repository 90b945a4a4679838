"""`sglang serve`, `python -m sglang.launch_server`, and `dynamo.sglang`.

Sources: sgl-project/sglang `sglang/cli/serve.py`, `sglang/launch_server.py`,
`srt/server_args.py` (`prepare_server_args`), 0.5.23; ai-dynamo/dynamo `dynamo/sglang/args.py`,
1.6.1 (abbreviations on, unknown arguments go to SGLang's parser in order; one section of a
`--disagg-config` file takes the place of `--config`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.engines import json_options
from verifier.engines.assemble import Found
from verifier.engines.context import Context
from verifier.engines.layout import SGLANG
from verifier.engines.options import Parsed, Reader, setting_of
from verifier.engines.pieces import Arg, Missing, value_of
from verifier.engines.sglang_args import config_args, serve_arguments, with_config, without
from verifier.engines.sglang_speculation import Builder
from verifier.engines.tables import Option, table
from verifier.engines.vllm_speculation import show
from verifier.model.launch import Role, Setting, Value
from verifier.model.record import replace
from verifier.model.text import Text, lit

_ROLES: dict[str, Role] = {"prefill": "prefill", "decode": "decode"}


def read(context: Context) -> Found:
    """What SGLang would do with these arguments."""
    sglang = table("sglang")
    args = list(context.arguments)
    if context.entry.name == "sglang serve":
        args = serve_arguments(args, context.log)
    elif context.entry.name == "dynamo.sglang":
        args = _dynamo(args, context)
    prepared = with_config(args, sglang, context.around, context.log)
    reader = Reader(sglang, context.log, version=context.version)
    parsed = reader.read(json_options.rejoined(prepared, reader, _takes_object))
    settings = _settings(parsed, context)
    model = _text(settings.get("model_path"))
    if model is None and not context.log.unresolved:
        context.log.refuse("SGLang needs --model-path")
    builder = Builder(settings, context.around.env, model, context.log, context.version)
    return Found(
        layout=SGLANG,
        model=model,
        served=_text(settings.get("served_model_name")),
        role=_role(settings),
        speculation=builder.build(),
        speculative_settings=_speculative(settings),
        settings={k: v for k, v in settings.items() if not _is_speculative(k)},
        env=context.around.env,
    )


def _settings(parsed: Parsed, context: Context) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for given in parsed.given:
        setting = setting_of(given, context.log, "SGLang")
        if given.values and not isinstance(given.values[-1].value, Missing):
            setting = replace(setting, value=given.values[-1].value)
        elif given.values and _takes_object(given.option):
            text = given.values[0].text
            value = json_options.value(text, given.spelled, context.log, given.span)
            setting = replace(setting, value=value)
        settings[given.option.dest] = setting
    return settings


def _takes_object(option: Option) -> bool:
    return json_options.is_json(option) or option.dest == "json_model_override_args"


def _is_speculative(dest: str) -> bool:
    return dest.startswith("speculative_") or dest == "uno_lora_path"


def _speculative(settings: Mapping[str, Setting]) -> dict[str, Value]:
    return {dest: given.value for dest, given in settings.items() if _is_speculative(dest)}


def _text(setting: Setting | None) -> Text | None:
    if setting is None or setting.value is None:
        return None
    return setting.value if isinstance(setting.value, Text) else lit(show(setting.value))


def _role(settings: Mapping[str, Setting]) -> Role | None:
    mode = settings.get("disaggregation_mode")
    return _ROLES.get(mode.value) if mode is not None and isinstance(mode.value, str) else None


def _dynamo(args: Sequence[Arg], context: Context) -> list[Arg]:
    """Dynamo's own options taken out."""
    reader = Reader(table("dynamo_sglang"), context.log, partial=True)
    parsed = reader.read(args)
    chosen = {g.option.dest: g.values[0].text for g in parsed.given if g.values}
    for dest, name in (
        ("disagg_config", "DYN_SGL_DISAGG_CONFIG"),
        ("disagg_config_key", "DYN_SGL_DISAGG_CONFIG_KEY"),
    ):
        if dest not in chosen and name in context.around.env:
            chosen[dest] = context.around.env[name]
    return _modes([*_section(chosen, context), *_kept(reader.rest, chosen)])


def _kept(rest: Sequence[Arg], chosen: Mapping[str, Text]) -> list[Arg]:
    return without(rest, "--config") if "disagg_config" in chosen else list(rest)


def _section(chosen: Mapping[str, Text], context: Context) -> list[Arg]:
    """Arguments of the `--disagg-config` section, which Dynamo hands over as a `--config` file."""
    name, key = chosen.get("disagg_config"), chosen.get("disagg_config_key")
    if name is None and key is None:
        return []
    if name is None or key is None:
        context.log.refuse("Dynamo needs --disagg-config and --disagg-config-key together")
        return []
    document = context.around.yaml(name, context.log, "--disagg-config")
    wanted = value_of(key)
    section = (
        document.get(wanted) if isinstance(document, Mapping) and isinstance(wanted, str) else None
    )
    if not isinstance(section, Mapping):
        context.log.unknown(f"--disagg-config {name.display()} has no section {key.display()}")
        return []
    return list(config_args(section, name, table("sglang"), context.log))


def _modes(args: Sequence[Arg]) -> list[Arg]:
    """Dynamo's `agg` and `pd` are SGLang's `null`."""
    out = list(args)
    for index in range(1, len(out)):
        if out[index - 1].known == "--disaggregation-mode" and out[index].known in ("agg", "pd"):
            out[index] = Arg(lit("null"))
    return out
