"""What vLLM's argument parser does before argparse sees the arguments.

Source: vllm-project/vllm `vllm/utils/argparse_utils.py` (`FlexibleArgumentParser.parse_args`,
`_pull_args_from_config`, `load_config_file`), 0.33.0; 0.27.0 to 0.33.0 agree on all of it except
that `false` in a config file becomes `--no-key` from 0.28 on where the parser that runs has it.

Order: `--model` of `vllm serve` moves to the front, `--config FILE` is expanded after the model,
underscores become dashes before the first dot, dotted keys are gathered into one object per
spelling and appended at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from verifier.engines import json_text
from verifier.engines.log import Log
from verifier.engines.numbers import human_int
from verifier.engines.pieces import (
    Arg,
    drop,
    hole_name,
    known_text,
    partition,
    prefix,
    reason,
    value_of,
)
from verifier.engines.sources import Surroundings
from verifier.engines.tables import Table
from verifier.model.launch import Value
from verifier.model.text import Lit, Text

_SERVED = re.compile(r"--served[-_]model[-_]name(=.+|$)", re.DOTALL)
_DASHED = re.compile(r"(?<=--)[^.]*")


def prepare(
    args: Sequence[Arg], *, serve: bool, table: Table, around: Surroundings, log: Log
) -> list[Arg]:
    """The arguments as argparse gets them. `serve`: `vllm serve`, else a module's parser."""
    out = list(args)
    if serve:
        out = _model_first(out, log)
    joined = next((arg for arg in out if prefix(arg.text).startswith("--config=")), None)
    if joined is not None:
        log.unknown(
            f"vLLM up to 0.33 never reads the file of {joined.text.display()}; "
            "write it as two words",
            joined.span,
        )
    if any(arg.known == "--config" for arg in out):
        out = _with_config(out, serve, table, around, log)
    return _gather(list(_dashed(out)), log)


def _model_first(args: list[Arg], log: Log) -> list[Arg]:
    for index, arg in enumerate(args):
        start = prefix(arg.text)
        if arg.known == "--model":
            if index + 1 >= len(args):
                log.refuse("vLLM needs a value after --model", arg.span)
                return args[:index]
            return [args[index + 1], *args[:index], *args[index + 2 :]]
        if start.startswith("--model=") and arg.known != "--model=":
            return [Arg(drop(arg.text, 8)), *args[:index], *args[index + 1 :]]
    if (
        args
        and prefix(args[0].text).startswith("-")
        and not any(re.match(r"--config(=.+|$)", prefix(a.text), re.DOTALL) for a in args)
        and any(_SERVED.match(prefix(a.text)) for a in args)
    ):
        log.refuse(
            "vllm serve with --served-model-name needs the model as its first argument",
            args[0].span,
        )
    return args


# Config files


def _with_config(
    args: list[Arg], serve: bool, table: Table, around: Surroundings, log: Log
) -> list[Arg]:
    places = [index for index, arg in enumerate(args) if arg.known == "--config"]
    index = places[0]
    if len(places) > 1:
        log.refuse("vLLM takes only one --config file", args[places[1]].span)
    if index + 1 >= len(args):
        log.refuse("vLLM needs a file after --config", args[index].span)
        return args[:index]
    name = args[index + 1].text
    if name.known is not None and name.known.split(".")[-1] not in ("yaml", "yml"):
        log.refuse(f"vLLM reads only .yaml and .yml files with --config, not {name.known}")
    document = around.yaml(name, log, "--config")
    config: list[Arg] = []
    if isinstance(document, Mapping):
        config = list(_config_args(document, name, serve, table))
    elif document is not None:
        log.refuse(f"--config {name.display()} is not a mapping", name.span)
    rest = args[index + 2 :]
    if not serve:
        return [*config, *args[:index], *rest]
    in_cli = bool(args) and not prefix(args[0].text).startswith("-")
    in_config = any(arg.known == "--model" for arg in config)
    if document is not None and not in_cli and not in_config:
        log.refuse("vllm serve --config needs the model directly after serve or in the file")
    if in_cli:
        return [args[0], *config, *args[1:index], *rest]
    return [*config, *args[:index], *rest]


def _config_args(
    document: Mapping[str, Value], name: Text, serve: bool, table: Table
) -> Iterator[Arg]:
    origin = name.pieces[0].origin if name.pieces else None

    def arg(value: str) -> Arg:
        return Arg(Text((Lit(value, origin),)))

    for key, value in document.items():
        flag = arg(f"--{key}")
        if isinstance(value, bool):
            if value:
                yield flag
            elif not serve and f"--no-{key}" in table.options:
                yield arg(f"--no-{key}")
        elif isinstance(value, Text):
            yield flag
            yield Arg(value)
        elif isinstance(value, Mapping):
            yield flag
            yield Arg(Text((Lit("{…}", origin),)), value=value)
        elif isinstance(value, list):
            if value:
                yield flag
            for item in value:
                yield Arg(item) if isinstance(item, Text) else arg(python_str(item))
        else:
            yield flag
            yield arg(python_str(value))


def python_str(value: Value) -> str:
    """`str(value)` of a YAML value, as it becomes an argument."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Text):
        return value.display()
    return str(value)


# Spelling and dotted keys


def _dashed(args: list[Arg]) -> Iterator[Arg]:
    index = 0
    while index < len(args):
        arg = args[index]
        start = prefix(arg.text)
        if start.startswith("--"):
            cut = start.find("=")
            name = start if cut < 0 else start[:cut]
            dashed = _DASHED.sub(lambda match: match.group().replace("_", "-"), name, count=1)
            yield arg if dashed == name else _renamed(arg, len(name), dashed)
        elif start.startswith("-O") and start != "-O" and arg.known is not None:
            yield known_arg("--optimization-level", arg)
            yield Arg(drop(arg.text, 3 if start[2] == "=" else 2))
        elif arg.known == "-O" and index + 1 < len(args) and args[index + 1].known in {*"0123"}:
            yield known_arg("--optimization-level", arg)
        else:
            yield arg
        index += 1


def _renamed(arg: Arg, length: int, name: str) -> Arg:
    origin = next((p.origin for p in arg.text.pieces), None)
    return arg._replace(text=Text((Lit(name, origin),)) + drop(arg.text, length))


def known_arg(value: str, like: Arg) -> Arg:
    """An argument that the parser writes in the place of another."""
    origin = next((p.origin for p in like.text.pieces), None)
    return Arg(Text((Lit(value, origin),)))


def _gather(args: list[Arg], log: Log) -> list[Arg]:
    """Dotted keys as objects at the end, one for each spelling before the dot."""
    objects: dict[str, dict[str, Value]] = {}
    origins: dict[str, Arg] = {}
    out: list[Arg] = []
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        start = prefix(arg.text)
        if not start.startswith("-") or "." not in start:
            out.append(arg)
            continue
        parts = partition(arg.text, "=")
        key = arg.text if parts is None else parts[0]
        if "." not in prefix(key):
            out.append(arg)
            continue
        if parts is not None:
            value_text = parts[1]
        elif index < len(args):
            value_text = args[index].text
            index += 1
        else:
            log.refuse(f"vLLM needs a value after {key.display()}", arg.span)
            continue
        if key.known is None:
            log.unknown(f"the key {hole_name(key)} is not known in full: {reason(key)}", arg.span)
            continue
        name, *keys = key.known.removesuffix("+").split(".")
        value = _items(value_text) if key.known.endswith("+") else dotted_value(value_text)
        merge(objects.setdefault(name, {}), _nested(keys, value))
        origins.setdefault(name, arg)
    for name, content in objects.items():
        out.append(known_arg(name, origins[name]))
        out.append(Arg(known_text("{…}", origins[name].text), value=content))
    return out


def dotted_value(text: Text) -> Value:
    """A dotted key's value: JSON, an integer with a suffix, or a string."""
    try:
        return json_text.read(text)
    except json_text.Unknowable:
        return text
    except json_text.JsonError:
        if text.known is None:
            return text
        number = human_int(text.known)
        return text.known if number is None else number


def _items(text: Text) -> Value:
    items: list[Value] = []
    while (parts := partition(text, ",")) is not None:
        items.append(value_of(parts[0]))
        text = parts[1]
    return [*items, value_of(text)]


def _nested(keys: list[str], value: Value) -> dict[str, Value]:
    for key in reversed(keys[1:]):
        value = {key: value}
    return {keys[0]: value}


def merge(base: dict[str, Value], update: Mapping[str, Value]) -> None:
    """Merge as vLLM does: mappings key by key, lists one after the other, the rest replaced."""
    for key, value in update.items():
        old = base.get(key)
        if isinstance(old, dict) and isinstance(value, Mapping):
            merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            base[key] = [*old, *value]
        elif isinstance(value, Mapping):
            base[key] = _copied(value)
        else:
            base[key] = value


def _copied(value: Mapping[str, Value]) -> dict[str, Value]:
    return {k: _copied(v) if isinstance(v, Mapping) else v for k, v in value.items()}
