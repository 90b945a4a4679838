"""One search-space row: its fields with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.model.points import ConfigEntry
from verifier.model.record import dataclass, field
from verifier.model.text import Span
from verifier.policy import Policy
from verifier.recipes.fields import Fields
from verifier.recipes.runners import Runners
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlScalar, plain

ROLES = ("prefill", "decode")
AGENTIC = "agentic-coding"
UNKNOWN = object()
"""A field whose value the tree does not tell."""
DURATION = 3600
"""Seconds of an agentic replay; the default of the workflow for other jobs, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row as the matrix generator reads it."""

    span: Span
    multinode: bool
    spec_decoding: str
    values: Mapping[str, Any]
    """Fields by the name that templates use; those of a role with its name and a dot."""
    settings: tuple[str, ...]
    """`NAME=VALUE` of both roles, prefill first."""
    written: Mapping[str, Any] = field(default_factory=dict)
    """The row as written."""
    block: Mapping[str, Any] = field(default_factory=dict)
    """What the scenario says for all rows."""


def row_of(
    row: Fields,
    config: ConfigEntry,
    entry: Fields,
    block: Fields,
    scenario: str,
    machines: Runners,
    policy: Policy,
) -> Row:
    """Read a row. Raises `FieldError`; what is wrong is recorded."""
    spec = row.choice("spec-decoding", policy.point.spec_labels, "none")
    backend = _component(row, entry, "kv-offload-backend", top=False)
    values: dict[str, Any] = {
        "spec-decoding": spec,
        "kv-offloading": row.choice("kv-offloading", ("none", "dram"), ""),
        "kv-offload-backend": (backend or {}).get("name", ""),
        "kv-offload-backend-metadata": backend,
        "router-metadata": _component(row, entry, "router", top=True),
        "kv-p2p-transfer": _component(row, entry, "kv-p2p-transfer", top=True) or "",
        "duration": DURATION,
        "total-cpu-dram-gb": 0,
    }
    settings: list[str] = []
    if config.multinode:
        for role in ROLES:
            worker = row.optional(role)
            values |= {f"{role}.{k}": v for k, v in _worker(worker, row).items()}
            settings += _settings(worker)
        settings += _settings(row)
        values["gpu-count"] = sum(values[f"{r}.num-worker"] * _gpus(values, f"{r}.") for r in ROLES)
    else:
        values |= _parallelism(row)
        values["gpu-count"] = _gpus(values, "")
    if scenario == AGENTIC:
        values["kv-offloading"] = values["kv-offloading"] or "none"
        values["total-cpu-dram-gb"] = _memory(row, block, values, config, machines, policy)
    written = plain(row.node)
    return Row(
        span=row.node.span,
        multinode=config.multinode,
        spec_decoding=spec,
        values=values,
        settings=tuple(settings),
        written=written if isinstance(written, dict) else {},
        block={"dram-utilization": plain(block.node.get("dram-utilization"))},
    )


def _parallelism(fields: Fields, tp: int | None = None) -> dict[str, Any]:
    values: dict[str, Any] = {
        "tp": fields.whole("tp", tp),
        "pp": fields.whole("pp", 1),
        "dcp-size": fields.whole("dcp-size", 1),
        "pcp-size": fields.whole("pcp-size", 1),
        "ep": fields.whole("ep", 1),
        "dp-attn": fields.boolean("dp-attn", False),
    }
    if values["tp"] % values["dcp-size"]:
        node = fields.node.entries["dcp-size"].node
        problem = f"{values['dcp-size']} does not divide tp, which is {values['tp']}"
        raise fields.bad(node.span, "dcp-size", problem)
    return values


def _worker(fields: Fields, row: Fields) -> dict[str, Any]:
    """A role's workers: what it leaves open is as for a row, and it has one worker."""
    number = fields.whole("num-worker", 1, least=0)
    tp = row.whole("tp", 1)
    values = {"num-worker": number, **_parallelism(fields, tp)}
    hardware = fields.node.string("hardware")
    return {**values, "hardware": hardware or ""}


def _gpus(values: Mapping[str, Any], prefix: str) -> int:
    product: int = values[f"{prefix}tp"] * values[f"{prefix}pp"] * values[f"{prefix}pcp-size"]
    return product


def _settings(fields: Fields) -> list[str]:
    node = fields.node.get("additional-settings")
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return []
    if not isinstance(node, YamlList):
        raise fields.bad(node.span, "additional-settings", f"expected a list, not {node.kind}")
    found = []
    for index, item in enumerate(node.items):
        text = item.value if isinstance(item, YamlScalar) else None
        if not isinstance(text, str) or "=" not in text:
            name = f"additional-settings[{index}]"
            raise fields.bad(item.span, name, f"expected NAME=VALUE, not {item.kind}")
        found.append(text)
    return found


def _component(row: Fields, entry: Fields, key: str, top: bool) -> Any:
    """A component's metadata, from the row or, where that is allowed, from the config entry."""
    node = row.node.get(key)
    if node is None and top:
        node = entry.node.get(key)
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return None
    if key == "kv-p2p-transfer":
        return node.text if isinstance(node, YamlScalar) else None
    if isinstance(node, YamlScalar) and isinstance(node.value, str):
        return {"name": node.value}
    if not isinstance(node, YamlMap):
        raise row.bad(node.span, key, f"expected a mapping with a name, not {node.kind}")
    return plain(node)


def _memory(
    row: Fields,
    block: Fields,
    values: Mapping[str, Any],
    config: ConfigEntry,
    machines: Runners,
    policy: Policy,
) -> Any:
    """GB of CPU memory that the point's server may use for offloading."""
    if values["kv-offloading"] != "dram":
        return 0
    if not machines.known:  # nothing in the tree tells the memory of any machine
        return UNKNOWN
    utilisation = block.need("dram-utilization", "a share between 0 and 1")
    per_node = machines.gpus_per_node(config.runner)
    if per_node is None:
        node = (
            row.node.entries["kv-offloading"].node
            if "kv-offloading" in row.node.entries
            else row.node
        )
        problem = (
            f"offloading to dram needs the hardware of runner {config.runner!r}; "
            f"{policy.point.runners} does not have it"
        )
        raise row.bad(node.span, "kv-offloading", problem)
    gpus = _gpus(values, "prefill." if config.multinode else "")
    if not config.multinode and gpus > per_node:
        problem = f"tp * pp * pcp-size is {gpus}, and a node of {config.runner} has {per_node} GPUs"
        raise row.bad(row.node.span, "tp", problem)
    if isinstance(utilisation, YamlScalar) and isinstance(utilisation.value, int | float):
        share = str(utilisation.value)
        found = machines.offload_gb(
            config.runner, min(gpus, per_node), share, policy.point.max_cpu_dram_mib
        )
        return found or 0
    raise block.bad(
        utilisation.span, "dram-utilization", f"expected a number, not {utilisation.kind}"
    )
