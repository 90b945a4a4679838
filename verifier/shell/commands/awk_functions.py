"""Built-in functions of awk."""

from __future__ import annotations

import math
from collections.abc import Sequence

from verifier.shell.commands import NotModelled
from verifier.shell.commands.awk_machine import Machine, Target, split
from verifier.shell.commands.awk_values import (
    Field,
    Value,
    bounded,
    formatted,
    to_number,
    to_text,
)
from verifier.shell.commands.regular import Expression

_COUNTS = {
    "length": (1, 1),
    "substr": (2, 3),
    "index": (2, 2),
    "tolower": (1, 1),
    "toupper": (1, 1),
    "sprintf": (1, 100),
    "int": (1, 1),
    "sqrt": (1, 1),
}


def call(machine: Machine, name: str, values: Sequence[Value]) -> Value:
    low, high = _COUNTS[name]
    if not low <= len(values) <= high:
        raise NotModelled(f"{name} of awk with {len(values)} arguments")
    if name == "sprintf":
        return formatted(to_text(values[0]), values[1:])
    if name == "int":
        return float(math.trunc(to_number(values[0]))) + 0.0
    if name == "sqrt":
        number = to_number(values[0])
        if number < 0:
            raise NotModelled("a root of a negative number")
        return math.sqrt(number)
    text = _ascii(to_text(values[0]))
    if name == "length":
        return float(len(text))
    if name == "index":
        return float(text.find(_ascii(to_text(values[1]))) + 1)
    if name == "substr":
        return _substr(text, [to_number(value) for value in values[1:]])
    return text.lower() if name == "tolower" else text.upper()


def _ascii(value: str) -> str:
    if not value.isascii():
        raise NotModelled("what is a character depends on the locale")
    return value


def _substr(text: str, bounds: Sequence[float]) -> str:
    if any(bound != int(bound) or abs(bound) > 1_000_000 for bound in bounds):
        raise NotModelled("broken bounds of a part of a text")
    start = int(bounds[0]) - 1
    end = len(text) if len(bounds) == 1 else start + int(bounds[1])
    return text[max(start, 0) : max(end, 0)]


def split_into(machine: Machine, value: str, name: str, separator: str) -> Value:
    if not separator:
        raise NotModelled("split of awk into characters")
    array = machine.array(name)
    parts = split(value, separator)
    array.clear()
    array.update({str(index): Field(part) for index, part in enumerate(parts, 1)})
    return float(len(parts))


def substituted(
    machine: Machine, pattern: Expression, replacement: str, target: Target, everywhere: bool
) -> Value:
    """`sub` and `gsub`: the number of replacements."""
    if "\\" in replacement or pattern.found(""):
        raise NotModelled("this substitution of awk")
    value = to_text(target.get(machine))
    if everywhere and "^" in pattern.pattern.pattern.replace("[^", ""):
        raise NotModelled("an anchor in a substitution everywhere")
    parts: list[str] = []
    position = count = 0
    while (match := pattern.match(value, position)) is not None:
        if match.end() == match.start():
            raise NotModelled("a substitution of nothing")
        parts += [value[position : match.start()], replacement.replace("&", match.group())]
        position = match.end()
        count += 1
        if not everywhere:
            break
    if count:
        target.set(machine, bounded("".join([*parts, value[position:]])))
    return float(count)
