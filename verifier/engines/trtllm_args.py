"""trtllm-serve's command line, and the merging of its YAML file with flags and overrides.

Sources: NVIDIA/TensorRT-LLM `tensorrt_llm/commands/serve.py` @00209af1 (click options: exact names,
`--name=value`, an option takes the next word whatever it looks like, the last one counts),
`tensorrt_llm/commands/_config_overrides.py` @0ad591fc (`--set`), `update_llm_args_with_extra_dict`
of `tensorrt_llm/llmapi/llm_args.py`; ai-dynamo/dynamo `dynamo/trtllm/dynamic_flags.py`, 1.6.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from verifier.engines import yaml_text
from verifier.engines.log import Log
from verifier.engines.numbers import python_float, python_int
from verifier.engines.options import Given, Parsed
from verifier.engines.pieces import Arg, hole_name, partition, prefix, reason
from verifier.engines.tables import Table
from verifier.model.launch import Value
from verifier.model.text import Text

_SPECULATIVE = re.compile(r"spec|draft|accept|mtp|nextn", re.IGNORECASE)
_PATH = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*")
DYNAMIC = "--trtllm."


def click(args: Sequence[Arg], table: Table, log: Log) -> Parsed:
    """A command line as click reads it, with one operand."""
    parsed = Parsed()
    index = 0
    only_operands = False
    while index < len(args):
        arg = args[index]
        index += 1
        start = prefix(arg.text)
        if arg.known == "--" and not only_operands:
            only_operands = True
        elif only_operands or not start.startswith("-") or start == "-":
            _operand(arg, parsed, log)
        else:
            index = _option(arg, args, index, table, parsed, log)
    return parsed


def _operand(arg: Arg, parsed: Parsed, log: Log) -> None:
    if not parsed.positionals:
        parsed.positionals.append(log.one_value(arg))
    elif arg.open or not prefix(arg.text):
        log.any_arguments(arg)
    elif log.unresolved:
        log.unknown(
            f"what `{arg.text.display()}` belongs to depends on the arguments before it", arg.span
        )
    else:
        log.refuse(f"trtllm-serve does not recognise the argument `{arg.text.display()}`", arg.span)


def _option(
    arg: Arg, args: Sequence[Arg], index: int, table: Table, parsed: Parsed, log: Log
) -> int:
    parts = partition(arg.text, "=")
    name = prefix(arg.text) if parts is None else prefix(parts[0])
    if parts is None and arg.known is None:
        log.unknown(f"the option {hole_name(arg.text)} is not known in full", arg.span)
        return index
    option = table.options.get(name)
    if option is None:
        return _unknown(arg, name, parts is not None, args, index, table, log)
    values: tuple[Arg, ...] = ()
    if option.kind in ("flag", "pair", "help"):
        if parts is not None:
            log.refuse(f"trtllm-serve takes no value for {name}", arg.span)
    elif parts is not None:
        values = (Arg(parts[1]),)
    elif index < len(args):
        values = (log.one_value(args[index]),)
        index += 1
    else:
        log.refuse(f"trtllm-serve needs a value after {name}", arg.span)
        return index
    parsed.given.append(Given(option, name, name, values, arg.span))
    return index


def _unknown(
    arg: Arg,
    name: str,
    has_value: bool,
    args: Sequence[Arg],
    index: int,
    table: Table,
    log: Log,
) -> int:
    meant = "--" + name.lstrip("-").replace("-", "_")
    if meant in table.options:
        log.refuse(f"trtllm-serve has no option {name}; the option is {meant}", arg.span)
    elif _SPECULATIVE.search(name):
        log.refuse(f"trtllm-serve has no option {name}", arg.span)
    else:
        log.assume(
            f"{name} is not an option of trtllm-serve as read here; it is taken for one of "
            "another version that changes no setting judged here",
            arg.span,
        )
    if not has_value and index < len(args) and not prefix(args[index].text).startswith("-"):
        return index + 1
    return index


def overrides(given: Sequence[Given], log: Log) -> dict[tuple[str, ...], Value]:
    """`--set PATH=VALUE`, in order; the last of one path counts."""
    out: dict[tuple[str, ...], Value] = {}
    for each in given:
        text = each.values[0].text
        parts = partition(text, "=")
        if parts is None or parts[0].known is None:
            if text.known is None:
                log.unknown(f"--set {hole_name(text)}: {reason(text)}", text.span)
            else:
                log.refuse(f"trtllm-serve needs PATH=VALUE after --set, not {text.known}")
            continue
        name = parts[0].known
        if not _PATH.fullmatch(name):
            log.refuse(f"trtllm-serve --set takes snake_case paths only, not {name}", text.span)
            continue
        path = tuple(name.split("."))
        clash = next(
            (p for p in out if p != path and (p[: len(path)] == path or path[: len(p)] == p)), None
        )
        if clash is not None:
            log.refuse(f"trtllm-serve --set takes {name} or {'.'.join(clash)}, not both", text.span)
        try:
            out[path] = yaml_text.read(parts[1])
        except yaml_text.YamlError as error:
            log.refuse(f"--set {text.display()} is not valid YAML: {error}", text.span)
    return out


def apply(base: dict[str, Value], changes: Mapping[tuple[str, ...], Value]) -> None:
    """Put values at their paths."""
    for path, value in changes.items():
        target = base
        for key in path[:-1]:
            child = target.get(key)
            fresh: dict[str, Value] = dict(child) if isinstance(child, Mapping) else {}
            target[key] = fresh
            target = fresh
        target[path[-1]] = value


def deep_update(base: dict[str, Value], update: Mapping[str, Value]) -> None:
    """Dynamo's merge: mappings key by key, everything else replaced."""
    for key, value in update.items():
        old = base.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged = dict(old)
            deep_update(merged, value)
            base[key] = merged
        else:
            base[key] = value


def dynamic_flags(args: Sequence[Arg], log: Log) -> dict[str, Value]:
    """Dynamo's `--trtllm.a.b VALUE`; anything else in `args` is an error."""
    out: dict[str, Value] = {}
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        if not prefix(arg.text).startswith(DYNAMIC):
            if arg.open:
                log.any_arguments(arg)
            else:
                log.refuse(
                    f"dynamo.trtllm does not recognise the argument `{arg.text.display()}`",
                    arg.span,
                )
            continue
        if arg.known is None:
            log.unknown(f"the key {hole_name(arg.text)} is not known", arg.span)
            continue
        keys = tuple(arg.known[len(DYNAMIC) :].split("."))
        if index >= len(args) or prefix(args[index].text).startswith("--") or not all(keys):
            log.refuse(f"dynamo.trtllm needs a value after {arg.known}", arg.span)
            continue
        apply(out, {keys: inferred(args[index].text)})
        index += 1
    return out


def inferred(text: Text) -> Value:
    """Dynamo's typing of a value: none, integer, number, boolean, else string."""
    if text.known is None:
        return text
    low = text.known.lower()
    if low in ("none", "null"):
        return None
    whole = python_int(text.known)
    if whole is not None:
        return whole
    number = python_float(text.known)
    if number is not None:
        return number
    return {"true": True, "false": False}.get(low, text.known)
