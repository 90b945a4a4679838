"""The engines' options as data: names, number of values, type.

`data/*_options.json` holds, per parser, the destination and its kind, from running the engine's
own parser (the file names repository and version). Kinds: `flag` (no value), `pair` (on and off
spellings, no value), `int`, `float`, `str`, `json`, `human` and `human_auto` (vLLM's `1k`),
`opt:…` (the words `None` and nothing mean None), `list` (one value or more), `list0` (any
number), `maybe` (one or none), `help`. Spellings are listed unless they are `--` and the
destination with dashes; those after `/` are the negative ones. `older` lists, by the last release
known to have them, spellings that the newest one lacks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from verifier.model.record import dataclass, field

_DATA = os.path.join(os.path.dirname(__file__), "data")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a parser."""

    dest: str
    kind: str
    negative: bool = False
    """This spelling means false."""

    @property
    def single(self) -> bool:
        """Takes exactly one value."""
        return self.kind not in ("flag", "pair", "list", "list0", "maybe", "help")


@dataclass(frozen=True, slots=True)
class Table:
    """All options of one parser by spelling."""

    engine: str
    version: str
    options: Mapping[str, Option]
    older: Mapping[str, tuple[Option, str]] = field(default_factory=dict)
    """Spellings that only earlier releases have, with the last one known to have it."""
    open: bool = False
    """The builds in use may have options that this table lacks: it was taken from one commit, or
    the source is not public."""
    _matches: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    def prefixed(self, start: str) -> tuple[str, ...]:
        """Every spelling that begins with `start`, as argparse looks for abbreviations."""
        found = self._matches.get(start)
        if found is None:
            found = tuple(name for name in self.options if name.startswith(start))
            self._matches[start] = found
        return found


@lru_cache(maxsize=16)
def data(name: str) -> Mapping[str, Any]:
    """A data file of this package."""
    # Plain files beside this module: importlib.resources would double the start-up time.
    with open(os.path.join(_DATA, name), encoding="utf-8") as file:
        loaded: Mapping[str, Any] = json.load(file)
    return loaded


@lru_cache(maxsize=16)
def table(name: str) -> Table:
    """The parser called `name` (`vllm`, `sglang`, `dynamo_vllm`, …)."""
    content = data(f"{name}_options.json")
    older = {
        spelling: (option, version)
        for version, rows in content.get("older", {}).items()
        for spelling, option in _options(rows.items())
    }
    options = dict(_options(content["options"].items()))
    return Table(content["engine"], content["version"], options, older, content.get("open", False))


def _options(rows: Iterable[tuple[str, str]]) -> Iterable[tuple[str, Option]]:
    for dest, row in rows:
        words = row.split()
        kind = words[0]
        cut = words.index("/") if "/" in words else len(words)
        for name in words[1:cut] or ["--" + dest.replace("_", "-")]:
            yield name, Option(dest, kind)
        for name in words[cut + 1 :]:
            yield name, Option(dest, kind, negative=True)
