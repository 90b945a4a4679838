"""What is known about the machines: hardware of a runner label, and its memory for offloading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from verifier.model.record import dataclass, field
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlNode, YamlScalar, read

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_MIB = 1024 * 1024
_GB = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Runners:
    """The runners file; empty when the tree has none."""

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hardware: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Label to (CPU memory in MiB, GPUs per node)."""
    known: bool = False

    def name(self, label: str) -> str:
        """A concrete runner of the label: the first one listed, else one of the usual form."""
        names = self.labels.get(label)
        return names[0] if names else f"{label.removeprefix('cluster:')}_00"

    def hosts(self, label: str) -> tuple[str, ...]:
        """Names of the label's runners up to the first `_`, each once."""
        names = self.labels.get(label) or (self.name(label),)
        return tuple(dict.fromkeys(name.partition("_")[0] for name in names))

    def offload_gb(self, label: str, gpus: int, utilisation: str, cap_mib: int) -> int | None:
        """CPU memory that `gpus` GPUs of a node may use, in GB; None without hardware facts."""
        facts = self.hardware.get(label)
        if facts is None:
            return None
        memory, per_node = facts
        share = Decimal(min(memory, cap_mib)) * _MIB * Decimal(utilisation)
        return int(share * gpus / per_node / _GB)

    def gpus_per_node(self, label: str) -> int | None:
        facts = self.hardware.get(label)
        return None if facts is None else facts[1]


def load(data: bytes | None, path: str) -> Runners:
    """Lenient: the runners file is not under review here."""
    if data is None:
        return Runners()
    root = read(data, path).root
    if not isinstance(root, YamlMap):
        return Runners()
    labels: dict[str, tuple[str, ...]] = {}
    for name, entry in root.mapping("labels").entries.items():
        items = entry.node.items if isinstance(entry.node, YamlList) else ()
        labels[str(name)] = tuple(i.text for i in items if isinstance(i, YamlScalar))
    hardware: dict[str, tuple[int, int]] = {}
    for name, entry in root.mapping("hardware").entries.items():
        if isinstance(entry.node, YamlMap):
            memory = _whole(entry.node.get("available-cpu-dram-mib"))
            per_node = _whole(entry.node.get("gpus-per-node"))
            if memory and per_node:
                hardware[str(name)] = (memory, per_node)
    return Runners(labels, hardware, True)


def _whole(node: YamlNode | None) -> int | None:
    value = node.value if isinstance(node, YamlScalar) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def sku_of(runner: str, skus: Sequence[str]) -> str | None:
    """The hardware that a runner's name holds as a word: `cluster:b200-dgxc` is b200."""
    words = _SEPARATORS.split(runner.lower())
    return next((word for word in words if word in skus), None)
