"""The command line, environment and files that srtctl gives a worker.

Facts: NVIDIA/srt-slurm `src/srtctl/backends/{vllm,sglang,trtllm,atom,tilert}.py`. Keys are sorted
as written, `_` becomes `-` (ATOM keeps its spelling), true is a flag, false and null are dropped,
a list gives its items, anything else is Python's `str()`. What srtctl adds from the allocation
(addresses, ports, ranks, device numbers, the default KV connector) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.model.command import Command
from verifier.model.text import EMPTY, Hole, Lit, Origin, Piece, Text, Word
from verifier.recipes.srt import Layout, RoleSpec
from verifier.recipes.yaml_marks import Entry, YamlList, YamlMap, YamlNode, YamlScalar, plain

_DIRECT = {"vllm": "vllm", "vllm-router": "vllm", "sglang": "sglang", "trtllm_serve": "trtllm"}
_MANAGED: Mapping[str, frozenset[str]] = {
    "vllm": frozenset({"connector", "model"}),
    "sglang": frozenset({"model-path", "served-model-name", "nccl-port", "grpc-port"}),
    "atom": frozenset({"extra-kv-connectors"}),
    "tilert": frozenset(),
    "trtllm": frozenset(),
}
_VLLM_DIRECT = frozenset({"headless", "host", "port", "master-addr", "nnodes", "node-rank"})
_NODE = re.compile(r"\{node(?:_id)?\}")
_READ_AGAIN = re.compile(r"(?i:yes|no|on|off)|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+")
"""Text that YAML 1.2 writes without quotes and YAML 1.1 reads as something else."""


def render(spec: RoleSpec, layout: Layout) -> Command:
    """The worker's command. Every part knows the YAML line that it comes from."""
    origin = Origin(spec.span, "rendered by srtctl")
    start = _start(spec, layout, origin)
    words = [_word(text, origin) if isinstance(text, str) else text for text in start]
    files: dict[str, Text] = {}
    if spec.engine == "trtllm":
        path = f"/logs/trtllm_config_{_mode(spec)}.yaml"
        files[path] = _engine_file(spec.args)
        flag = "--config" if _direct(spec, layout) else "--extra-engine-args"
        words += [_word(flag, origin), _word(path, origin)]
    else:
        words += _arguments(spec, layout)
    words += [Word(_scalar(node, f"{spec.role} extra argument")) for node in spec.extra_args]
    return Command(
        argv=tuple(words),
        span=spec.span,
        env={name: _variable(name, node) for name, node in spec.env},
        files=files,
        background=True,
    )


def _mode(spec: RoleSpec) -> str:
    return "agg" if spec.role == "aggregated" else spec.role


def _direct(spec: RoleSpec, layout: Layout) -> bool:
    return _DIRECT.get(layout.frontend) == spec.engine


_MODULES = {
    "vllm": "dynamo.vllm",
    "sglang": "dynamo.sglang",
    "trtllm": "dynamo.trtllm",
    "atom": "atom.entrypoints.openai_server",
}


def _start(spec: RoleSpec, layout: Layout, origin: Origin) -> list[str | Word]:
    """What stands before the recipe's own arguments."""
    model = Word(_model(layout, origin))
    if spec.engine == "tilert":
        return ["python3", "-m", "tilert.pd_vllm.decode_server", "--engine", "tilert"]
    module = _MODULES[spec.engine]
    if spec.engine == "atom":
        return ["python3", "-m", module, "--model", model]
    if _direct(spec, layout):
        if spec.engine == "vllm":
            return ["vllm", "serve", model]
        if spec.engine == "trtllm":
            return ["trtllm-serve", model, *_trtllm_parallelism(spec)]
        module = "sglang.launch_server"
    flag = "--model" if spec.engine == "vllm" else "--model-path"
    start: list[str | Word] = ["python3", "-m", module, flag, model]
    name = _served_name(spec)
    if name is not None and spec.engine == "sglang":
        start += ["--served-model-name", Word(name)]
    if spec.role != "aggregated":
        start += ["--disaggregation-mode", spec.role]
    return start


def _trtllm_parallelism(spec: RoleSpec) -> Iterator[str | Word]:
    for key in ("tensor_parallel_size", "moe_expert_parallel_size", "pipeline_parallel_size"):
        node = spec.args.get(key)
        if isinstance(node, YamlScalar) and node.value is not None:
            yield f"--{key}"
            yield Word(_scalar(node, key))


def _model(layout: Layout, origin: Origin) -> Text:
    """Where the worker finds the model: srtctl resolves aliases from the cluster's own file."""
    node = layout.model
    if node is None:
        return Text((Hole("the recipe names no model", "srtctl:model", origin),))
    place = Origin(node.span, "model.path")
    if node.text.startswith("hf:"):
        return Text((Lit(node.text[3:], place),))
    return Text((Hole(f"where srtctl finds {node.text}", f"srtctl:model:{node.text}", place),))


def _served_name(spec: RoleSpec) -> Text | None:
    for key in ("served-model-name", "served_model_name"):
        node = spec.args.get(key)
        if isinstance(node, YamlScalar) and node.value is not None:
            return _scalar(node, key)
    return None


def _arguments(spec: RoleSpec, layout: Layout) -> Iterator[Word]:
    left_out = _MANAGED[spec.engine]
    if spec.engine == "vllm" and _direct(spec, layout):
        left_out |= _VLLM_DIRECT
    entries = list(spec.args.entries.items())
    if spec.engine != "tilert":
        entries.sort(key=lambda item: str(item[0]))
    for key, entry in entries:
        name = str(key) if spec.engine == "atom" else str(key).replace("_", "-")
        if str(key).replace("_", "-") not in left_out:
            yield from _argument(f"--{name}", key, entry, spec.engine == "tilert")


def _argument(flag: str, key: Any, entry: Entry, repeat: bool) -> Iterator[Word]:
    node = entry.node
    if isinstance(node, YamlScalar) and (node.value is None or node.value is False):
        return
    name = _word(flag, Origin(entry.key, "key"))
    if isinstance(node, YamlList):
        for index, item in enumerate(node.items):
            if repeat or index == 0:
                yield name
            yield Word(_value(item, str(key)))
        if not node.items and not repeat:
            yield name
        return
    yield name
    if not (isinstance(node, YamlScalar) and node.value is True):
        yield Word(_value(node, str(key)))


def _value(node: YamlNode, how: str) -> Text:
    if isinstance(node, YamlScalar):
        return _scalar(node, how)
    return Text((Lit(str(plain(node)), Origin(node.span, how)),))


def _scalar(node: YamlScalar, how: str) -> Text:
    """Python's `str()` of the typed value."""
    origin = Origin(node.span, how)
    if isinstance(node.value, str) and _READ_AGAIN.fullmatch(node.value):
        reason = f"{node.value!r}: srtctl writes the recipe and reads it again as YAML 1.1"
        return Text((Hole(reason, f"yaml11:{node.value}", origin),))
    return Text((Lit(str(node.value), origin),))


def _variable(name: str, node: YamlScalar) -> Text:
    """An environment value; `{node}` and `{node_id}` become the worker's."""
    if node.value is None:
        return EMPTY
    text = _scalar(node, name)
    if text.known is None or "{node" not in text.known:
        return text
    origin = Origin(node.span, name)
    pieces: list[Piece] = []
    end = 0
    for match in _NODE.finditer(text.known):
        pieces.append(Lit(text.known[end : match.start()], origin))
        pieces.append(Hole("the worker's node", f"srtctl:{match[0]}", origin))
        end = match.end()
    pieces.append(Lit(text.known[end:], origin))
    return Text(pieces)


def _engine_file(args: YamlMap) -> Text:
    """The mapping as `yaml.safe_dump` writes it; one piece per top-level key keeps the lines."""
    import yaml

    if not args.entries:
        return Text((Lit("{}\n", Origin(args.span, "engine settings")),))
    pieces = []
    for key, entry in sorted(args.entries.items(), key=lambda item: str(item[0])):
        text = yaml.safe_dump({key: plain(entry.node)})
        pieces.append(Lit(text, Origin(entry.key, str(key))))
    return Text(pieces)


def _word(text: str, origin: Origin) -> Word:
    return Word(Text((Lit(text, origin),)))
