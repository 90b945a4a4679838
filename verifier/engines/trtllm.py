"""`trtllm-serve` and `dynamo.trtllm`.

Sources: NVIDIA/TensorRT-LLM `tensorrt_llm/commands/serve.py` @00209af1; ai-dynamo/dynamo
`dynamo/trtllm/{args,backend_args}.py`, 1.6.1. Speculation is set in the YAML file, by `--set` or by
Dynamo's overrides only. A flag that was typed wins over the file in newer releases and loses in
older ones; the newest reading is used and a difference is noted. `env_overrides` of the file
are set over the environment of the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.engines import json_text
from verifier.engines.assemble import Found
from verifier.engines.context import Context
from verifier.engines.layout import TRTLLM
from verifier.engines.options import Parsed, Reader, setting_of
from verifier.engines.pieces import Arg, hole_name, reason
from verifier.engines.tables import table
from verifier.engines.trtllm_args import apply, click, deep_update, dynamic_flags, overrides
from verifier.engines.trtllm_speculation import Builder
from verifier.engines.vllm import unknown_speculation
from verifier.engines.vllm_speculation import show
from verifier.model.launch import Role, Setting, Speculation, Value
from verifier.model.text import Span, Text, lit

_ROLES: dict[str, Role] = {
    "prefill": "prefill",
    "decode": "decode",
    "context": "prefill",
    "ctx": "prefill",
    "generation": "decode",
    "gen": "decode",
    "prefill_and_decode": "aggregated",
    "agg": "aggregated",
}
_FLATTENED = (("kv_cache_config", "dtype"), ("moe_config", "backend"))


def read(context: Context) -> Found:
    """What TensorRT-LLM would do with these arguments and files."""
    if context.entry.name == "dynamo.trtllm":
        return _dynamo(context)
    parsed = click(context.arguments, table("trtllm"), context.log)
    flags = _flags(parsed, context)
    given = parsed.last("extra_llm_api_options")
    name = None if given is None else given.values[0].text
    config = _file(name, "--config", context)
    apply(config, overrides(parsed.all("set"), context.log))
    model = parsed.positionals[0].text if parsed.positionals else None
    if model is None and not context.log.unresolved:
        context.log.refuse("trtllm-serve needs the model as its argument")
    role = flags.get("server_role")
    return _found(config, flags, model, role, name, context)


def _flags(parsed: Parsed, context: Context) -> dict[str, Setting]:
    """The options that were given, the last of each."""
    out: dict[str, Setting] = {}
    for dest in {given.option.dest: None for given in parsed.given}:
        last = parsed.last(dest)
        if last is not None and dest not in ("set", "extra_llm_api_options"):
            out[dest] = setting_of(last, context.log, "TensorRT-LLM")
    return out


def _file(name: Text | None, option: str, context: Context) -> dict[str, Value]:
    if name is None:
        return {}
    document = context.around.yaml(name, context.log, option)
    if document is None:
        return {}
    if not isinstance(document, Mapping):
        context.log.refuse(f"{option} {name.display()} is not a mapping", name.span)
        return {}
    return dict(document)


def _found(
    config: Mapping[str, Value],
    flags: Mapping[str, Setting],
    model: Text | None,
    role: Setting | None,
    file: Text | None,
    context: Context,
) -> Found:
    def place(key: str) -> Span | None:
        return None if file is None else context.around.place(file, key)

    env = _environment(config, context)
    settings: dict[str, Setting] = {}
    for key, value in config.items():
        if key not in ("speculative_config", "env_overrides"):
            settings[key] = Setting(value=value, span=place(key), spelling=key)
    for dest, flag in flags.items():
        if dest in settings and settings[dest].value != flag.value:
            context.log.assume(
                f"{flag.spelling} wins over {dest} of the configuration file in newer "
                "TensorRT-LLM; in older releases the file wins",
                flag.span,
            )
        settings[dest] = flag
    for outer, inner in _FLATTENED:
        nested = config.get(outer)
        if isinstance(nested, Mapping) and inner in nested:
            name = f"{outer}.{inner}"
            settings[name] = Setting(value=nested[inner], span=place(inner), spelling=name)
    speculative = config.get("speculative_config")
    return Found(
        layout=TRTLLM,
        model=model,
        served=None,
        role=_role(role),
        speculation=_speculation(config, env, place("speculative_config"), context),
        speculative_settings=dict(speculative) if isinstance(speculative, Mapping) else {},
        settings=settings,
        env=env,
    )


def _role(setting: Setting | None) -> Role | None:
    value = None if setting is None else setting.value
    return _ROLES.get(value.lower()) if isinstance(value, str) else None


def _environment(config: Mapping[str, Value], context: Context) -> dict[str, Text]:
    """The environment with the file's `env_overrides` over it."""
    env = dict(context.around.env)
    over = config.get("env_overrides")
    if isinstance(over, Mapping):
        for name, value in over.items():
            env[name] = value if isinstance(value, Text) else lit(show(value))
    elif over is not None:
        context.log.unknown("env_overrides cannot be read")
    return env


def _speculation(
    config: Mapping[str, Value], env: Mapping[str, Text], span: Span | None, context: Context
) -> Speculation | None:
    value = config.get("speculative_config")
    if value is None:
        if context.log.unresolved:
            return unknown_speculation(context.log.unresolved[0].text, span)
        return None
    if isinstance(value, Text):
        why = f"speculative_config is {hole_name(value)}: {reason(value)}"
        context.log.unknown(why, value.span)
        return unknown_speculation(why, value.span)
    if not isinstance(value, Mapping):
        context.log.refuse(f"speculative_config is {show(value)}, not a mapping", span)
        return unknown_speculation("speculative_config is not a mapping", span)
    return Builder(value, env, context.log, context.version, span).build()


# dynamo.trtllm


def _dynamo(context: Context) -> Found:
    reader = Reader(table("dynamo_trtllm"), context.log, partial=True)
    parsed = reader.read(_renamed(context.arguments))
    flags = _flags(parsed, context)
    env = context.around.env
    name = _chosen(flags.pop("extra_engine_args", None), env.get("DYN_TRTLLM_EXTRA_ENGINE_ARGS"))
    config = _file(name, "--extra-engine-args", context)
    dynamic = dynamic_flags(reader.rest, context.log)
    text = _chosen(
        flags.pop("override_engine_args", None), env.get("DYN_TRTLLM_OVERRIDE_ENGINE_ARGS")
    )
    if text is not None and dynamic:
        context.log.refuse("dynamo.trtllm takes --override-engine-args or --trtllm.*, not both")
    if text is not None:
        deep_update(config, _override(text, context))
    deep_update(config, dynamic)
    for key in list(flags):
        if key in config or (
            key == "expert_parallel_size" and "moe_expert_parallel_size" in config
        ):
            del flags[key]
    if "expert_parallel_size" in flags:
        flags["moe_expert_parallel_size"] = flags.pop("expert_parallel_size")
    model = flags.get("model")
    text_model = None
    if model is not None and model.value is not None:
        text_model = model.value if isinstance(model.value, Text) else lit(show(model.value))
    return _found(config, flags, text_model, flags.get("disaggregation_mode"), name, context)


def _renamed(args: Sequence[Arg]) -> list[Arg]:
    """Without the one option that only older Dynamo spells differently."""
    return [arg for arg in args if arg.known != "--publish-events-and-metrics"]


def _chosen(setting: Setting | None, default: Text | None) -> Text | None:
    """An option's value, else its variable's."""
    if setting is None or setting.value is None:
        return default
    return setting.value if isinstance(setting.value, Text) else lit(show(setting.value))


def _override(text: Text, context: Context) -> dict[str, Value]:
    if text.known == "":
        return {}
    try:
        value = json_text.read(text)
    except json_text.Unknowable as hole:
        context.log.unknown(f"--override-engine-args may hold any keys: {hole}", text.span)
        return {}
    except json_text.JsonError as error:
        context.log.refuse(f"--override-engine-args is not valid JSON: {error}", text.span)
        try:
            value = json_text.read_loosely(text)
        except (json_text.JsonError, json_text.Unknowable):
            return {}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Text):
        context.log.unknown(
            f"--override-engine-args is {hole_name(text)}: {reason(text)}", text.span
        )
    else:
        context.log.refuse("--override-engine-args is not a JSON object", text.span)
    return {}
