"""What SGLang does to its arguments before argparse sees them.

Sources: sgl-project/sglang `sglang/cli/serve.py` (`--model-type` taken out, a first operand
becomes `--model-path`) and `srt/utils/server_args_config_parser.py` (`ConfigArgumentMerger`),
0.5.23: a `--config FILE` is expanded in front of everything, keys verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from verifier.engines.log import Log
from verifier.engines.pieces import Arg, known_text, prefix
from verifier.engines.sources import Surroundings
from verifier.engines.tables import Option, Table
from verifier.engines.vllm_args import python_str
from verifier.model.launch import Value
from verifier.model.text import Text, lit

_OWN_ACTIONS = frozenset({"disable_cuda_graph", "enable_dp_attention", "lora_paths"})
"""Options with an action of their own, which a config file may not set from 0.5.23 on."""


def serve_arguments(args: Sequence[Arg], log: Log) -> list[Arg]:
    """The arguments of `sglang serve` as the server's parser gets them."""
    out: list[Arg] = []
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        if arg.known == "--model-type":
            if index >= len(args):
                log.refuse("SGLang needs a value after --model-type", arg.span)
            index += 1
        elif not prefix(arg.text).startswith("--model-type="):
            out.append(arg)
    if out and not prefix(out[0].text).startswith("-"):
        return [Arg(lit("--model-path")), out[0], *out[1:]]
    return out


def with_config(args: Sequence[Arg], table: Table, around: Surroundings, log: Log) -> list[Arg]:
    """The arguments with the `--config` file in front."""
    places = [index for index, arg in enumerate(args) if arg.known == "--config"]
    joined = next((arg for arg in args if prefix(arg.text).startswith("--config=")), None)
    if joined is not None:
        log.unknown(
            f"SGLang up to 0.5.23 never reads the file of {joined.text.display()}; write it as "
            "two words",
            joined.span,
        )
    if not places:
        return list(args)
    if len(places) > 1:
        log.refuse("SGLang takes only one --config file", args[places[1]].span)
    index = places[0]
    if index + 1 >= len(args):
        log.refuse("SGLang needs a file after --config", args[index].span)
        return list(args[:index])
    name = args[index + 1].text
    rest = [*args[:index], *args[index + 2 :]]
    if name.known is not None and not name.known.lower().endswith((".yaml", ".yml")):
        log.refuse(f"SGLang reads only .yaml and .yml files with --config, not {name.known}")
    document = around.yaml(name, log, "--config")
    if document is None:
        return rest
    if not isinstance(document, Mapping):
        log.refuse(f"--config {name.display()} is not a mapping", name.span)
        return rest
    return [*config_args(document, name, table, log), *rest]


def config_args(document: Mapping[str, Value], name: Text, table: Table, log: Log) -> Iterator[Arg]:
    by_key: dict[str, Option] = {}
    for spelling, each in table.options.items():
        by_key[each.dest] = each
        if spelling.startswith("--"):
            by_key[spelling[2:].replace("-", "_")] = each
    for key, value in document.items():
        option = by_key.get(key.replace("-", "_"))
        if key == "config":
            continue
        if option is not None and option.kind == "pair":
            log.refuse(f"SGLang's --config cannot set {key}", name.span)
        elif option is not None and option.dest in _OWN_ACTIONS:
            log.assume(f"SGLang from 0.5.23 on refuses {key} in a --config file", name.span)
        flag = Arg(known_text(f"--{key}", name))
        if isinstance(value, bool):
            if option is not None and option.kind == "flag":
                if value:
                    yield flag
            else:
                yield flag
                yield Arg(known_text(str(value).lower(), name))
        elif isinstance(value, Text):
            yield flag
            yield Arg(value)
        elif isinstance(value, Mapping):
            yield flag
            yield Arg(known_text("{…}", name), value=value)
        elif isinstance(value, list):
            if value:
                yield flag
            for item in value:
                yield Arg(item if isinstance(item, Text) else known_text(python_str(item), name))
        else:
            yield flag
            yield Arg(known_text(python_str(value), name))


def without(args: Sequence[Arg], option: str) -> list[Arg]:
    """The arguments without an option and its value, in both forms."""
    out: list[Arg] = []
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        if arg.known == option:
            index += 1
        elif not prefix(arg.text).startswith(f"{option}="):
            out.append(arg)
    return out
