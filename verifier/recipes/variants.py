"""Override files: `base`, `override_*` and `zip_override_*` (NVIDIA/srt-slurm, `core/config.py`).

Each variant is a recipe of its own. Merging works on located nodes, so a value keeps the line
where the winning text stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from verifier.model.record import NamedTuple
from verifier.model.text import Span
from verifier.recipes.yaml_marks import Entry, YamlList, YamlMap, YamlNode, YamlScalar

_INDEXED = re.compile(r"(zip_override_[\w-]+)\[(\d+)\]")
MOST_VARIANTS = 512


class SelectorError(ValueError):
    """The variants cannot be built, or the selector names none. `span` says where."""

    def __init__(self, span: Span, problem: str) -> None:
        super().__init__(problem)
        self.span = span
        self.problem = problem


class Variant(NamedTuple):
    """One recipe: a whole file, or one variant of it."""

    name: str | None
    """The selector that picks exactly this one; None for a file without variants."""
    root: YamlMap
    span: Span
    """Where the variant is written."""


def variants(root: YamlMap, selector: str | None = None) -> tuple[Variant, ...]:
    """The recipes that `srtctl apply -f FILE[:selector]` runs. Raises `SelectorError`.

    Without a selector: every variant, `base` itself excluded; the file itself when it has none.
    """
    base = root.get("base")
    if not isinstance(base, YamlMap):
        if selector is not None:
            raise SelectorError(
                root.span, f"{selector!r} selects a variant, but the file has no `base` mapping"
            )
        return (Variant(None, root, root.span),)
    found = tuple(_select(root, base, selector))
    if len(found) > MOST_VARIANTS:
        raise SelectorError(root.span, f"the file has more than {MOST_VARIANTS} variants")
    return found


def _select(root: YamlMap, base: YamlMap, selector: str | None) -> Iterator[Variant]:
    singles = sorted(k for k in root.entries if isinstance(k, str) and k.startswith("override_"))
    zips = sorted(k for k in root.entries if isinstance(k, str) and k.startswith("zip_override_"))
    if selector == "base":
        yield Variant("base", base, base.span)
        return
    if selector is None:
        chosen = [*singles, *zips]
        if not chosen:
            yield Variant("base", base, base.span)
    elif "*" in selector or "?" in selector:
        chosen = [k for k in sorted((*singles, *zips)) if fnmatchcase(k, selector)]
    else:
        match = _INDEXED.fullmatch(selector)
        if match:
            yield _indexed(root, base, match[1], int(match[2]))
            return
        chosen = [k for k in (*singles, *zips) if k == selector]
    if selector is not None and not chosen:
        known = ", ".join((*singles, *(f"{k}[N]" for k in zips))) or "none"
        raise SelectorError(root.span, f"no variant {selector!r} in the file; it has: {known}")
    for key in chosen:
        yield from _expand(root, base, key)


def _indexed(root: YamlMap, base: YamlMap, key: str, index: int) -> Variant:
    if key not in root.entries:
        raise SelectorError(root.span, f"no variant {key!r} in the file")
    found = tuple(_expand(root, base, key))
    if index >= len(found):
        where = root.entries[key].key
        raise SelectorError(where, f"{key}[{index}]: {key} has {len(found)} variants")
    return found[index]


def _expand(root: YamlMap, base: YamlMap, key: str) -> Iterator[Variant]:
    span, node = root.entries[key]
    if not isinstance(node, YamlMap):
        raise SelectorError(span, f"{key} must be a mapping, not {node.kind}")
    if not key.startswith("zip_"):
        yield Variant(key, merge(base, node), span)
        return
    for index in range(_zip_length(key, span, node)):
        yield Variant(f"{key}[{index}]", merge(base, _slice(node, index)), span)


def _zip_length(key: str, span: Span, node: YamlMap) -> int:
    leaves = list(_lists(node))
    if not leaves:
        raise SelectorError(span, f"{key} holds no list, so there is nothing to zip")
    empty = next((leaf for leaf in leaves if not leaf.items), None)
    if empty is not None:
        raise SelectorError(empty.span, f"{key}: an empty list cannot be zipped")
    lengths = {len(leaf.items) for leaf in leaves} - {1}
    if len(lengths) > 1:
        written = " and ".join(str(n) for n in sorted(lengths))
        odd = next(leaf for leaf in leaves if len(leaf.items) == max(lengths))
        raise SelectorError(
            odd.span,
            f"{key}: lists of {written} items cannot be zipped; all must have one length, or 1",
        )
    length = lengths.pop() if lengths else 1
    if length > MOST_VARIANTS:
        raise SelectorError(span, f"{key}: more than {MOST_VARIANTS} variants")
    return length


def _lists(node: YamlMap) -> Iterator[YamlList]:
    for entry in node.entries.values():
        if isinstance(entry.node, YamlList):
            yield entry.node
        elif isinstance(entry.node, YamlMap):
            yield from _lists(entry.node)


def _slice(node: YamlMap, index: int) -> YamlMap:
    entries = {}
    for name, (span, value) in node.entries.items():
        if isinstance(value, YamlList):
            value = value.items[0 if len(value.items) == 1 else index]
        elif isinstance(value, YamlMap):
            value = _slice(value, index)
        entries[name] = Entry(span, value)
    return YamlMap(entries, node.span)


def merge(base: YamlMap, over: YamlMap) -> YamlMap:
    """`over` laid over `base`: mappings merge, anything else replaces, null deletes the key."""
    entries = dict(base.entries)
    for name, (span, value) in over.entries.items():
        if _is_null(value):
            entries.pop(name, None)
            continue
        below = entries.get(name)
        if isinstance(value, YamlMap) and below is not None and isinstance(below.node, YamlMap):
            value = merge(below.node, value)
        entries[name] = Entry(span, value)
    return YamlMap(entries, base.span)


def _is_null(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and node.value is None
