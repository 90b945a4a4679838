"""YAML from a text with holes, as PyYAML's `safe_load` reads it.

A hole inside a scalar is part of it; a scalar that is only a hole is that unknown value. A hole
where structure should be makes the text unreadable. The last of duplicate keys wins, as it does
for the engines' loaders. Fractions keep their digits (`Decimal`).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from verifier.model.launch import Value
from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Lit, Text

_MAX_NODES = 50_000


class YamlError(ValueError):
    """The text is not YAML, or not a document of plain data."""


def read(text: Text) -> Value:
    """The document as plain data. Raises `YamlError`."""
    import yaml

    source, marks, word = _marked(text)
    try:
        loaded = yaml.load(source, Loader=_loader())
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        mark = getattr(error, "problem_mark", None)
        place = "" if mark is None else f" in line {mark.line + 1}"
        if marks:
            raise YamlError(f"it depends on {marks[0][1].reason}") from None
        raise YamlError(f"{problem}{place}") from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise YamlError(str(error) or "it is nested too deeply") from None
    return _plain(loaded, _Marks(dict(marks), word), [0], 0)


class _Marks(NamedTuple):
    """The words that stand for holes, and what finds one."""

    holes: dict[str, Hole]
    word: re.Pattern[str]


def _marked(text: Text) -> tuple[str, list[tuple[str, Hole]], re.Pattern[str]]:
    """The text with a word in the place of every hole, which word is which hole, and how these
    words look."""
    stem = "UnknownPart"
    known = "".join(p.value for p in text.pieces if isinstance(p, Lit))
    while stem in known:
        stem += "X"
    out: list[str] = []
    marks: list[tuple[str, Hole]] = []
    for piece in text.pieces:
        if isinstance(piece, Hole):
            marks.append((f"{stem}{len(marks)}x", piece))
            out.append(marks[-1][0])
        else:
            out.append(piece.value)
    return "".join(out), marks, re.compile(f"({stem}[0-9]+x)")


@lru_cache(maxsize=1)
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class ExactLoader(base):  # type: ignore[misc]
        """A safe loader that keeps the digits of fractions."""

    def exact_float(loader: Any, node: Any) -> Decimal:
        value = float(loader.construct_yaml_float(node))
        try:
            return Decimal(str(node.value).replace("_", "").lower())
        except InvalidOperation:
            return Decimal(repr(value))

    ExactLoader.add_constructor("tag:yaml.org,2002:float", exact_float)
    return ExactLoader


def _plain(value: Any, marks: _Marks, count: list[int], depth: int) -> Value:
    count[0] += 1
    if count[0] > _MAX_NODES or depth > 100:
        raise YamlError("it is too large or nested too deeply")
    if isinstance(value, dict):
        out: dict[str, Value] = {}
        for key, item in value.items():
            name = _unmarked(key, marks) if isinstance(key, str) else str(key)
            if isinstance(name, Text):
                raise YamlError(f"it depends on {name.holes[0].reason}")
            out[name] = _plain(item, marks, count, depth + 1)
        return out
    if isinstance(value, list | tuple | set):
        return [_plain(item, marks, count, depth + 1) for item in value]
    if isinstance(value, str):
        return _unmarked(value, marks)
    if value is None or isinstance(value, bool | int | Decimal):
        return value
    return str(value)


def _unmarked(value: str, marks: _Marks) -> str | Text:
    """The scalar with its holes back."""
    parts = marks.word.split(value) if marks.holes else [value]
    if len(parts) == 1:
        return value
    return Text(marks.holes[part] if index % 2 else Lit(part) for index, part in enumerate(parts))
