"""`sweep`: one recipe for each combination of parameters (NVIDIA/srt-slurm, `core/sweep.py`).

`{name}` in any text is replaced by Python's `str()` of the value; a list replaces a text that is
nothing but the placeholder, and is joined with commas elsewhere. Keys stay as they are.
"""

from __future__ import annotations

from itertools import product
from math import prod

from verifier.recipes.variants import MOST_VARIANTS, SelectorError, Variant
from verifier.recipes.yaml_marks import Entry, YamlList, YamlMap, YamlNode, YamlScalar


def swept(variant: Variant) -> tuple[Variant, ...]:
    """The recipes of a variant with a `sweep`, or the variant itself. Raises `SelectorError`."""
    entry = variant.root.entries.get("sweep")
    if entry is None:
        return (variant,)
    if not isinstance(entry.node, YamlMap):
        raise SelectorError(entry.key, f"sweep must be a mapping, not {entry.node.kind}")
    lists: dict[str, tuple[YamlNode, ...]] = {}
    for name, (span, node) in entry.node.entries.items():
        if not isinstance(node, YamlList) or not node.items:
            raise SelectorError(span, f"sweep.{name} must be a list of values, not {node.kind}")
        lists[str(name)] = node.items
    if prod(len(values) for values in lists.values()) > MOST_VARIANTS:
        raise SelectorError(entry.key, f"the sweep has more than {MOST_VARIANTS} combinations")
    rest = {name: one for name, one in variant.root.entries.items() if name != "sweep"}
    body = YamlMap(rest, variant.root.span)
    found = []
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        label = ",".join(f"{name}={_text(value)}" for name, value in chosen.items())
        name = label if variant.name is None else f"{variant.name} {label}"
        root = _filled(body, chosen)
        assert isinstance(root, YamlMap)
        found.append(Variant(name, root, variant.span))
    return tuple(found)


def _filled(node: YamlNode, values: dict[str, YamlNode]) -> YamlNode:
    if isinstance(node, YamlMap):
        entries = {k: Entry(e.key, _filled(e.node, values)) for k, e in node.entries.items()}
        return YamlMap(entries, node.span)
    if isinstance(node, YamlList):
        return YamlList(tuple(_filled(item, values) for item in node.items), node.span)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    text = node.value
    for name, value in values.items():
        if text == f"{{{name}}}" and isinstance(value, YamlList):
            return value
        text = text.replace(f"{{{name}}}", _text(value))
    return YamlScalar(text, text, node.span, plain=False)


def _text(node: YamlNode) -> str:
    if isinstance(node, YamlList):
        return ",".join(_text(item) for item in node.items)
    return str(node.value) if isinstance(node, YamlScalar) else node.kind
