"""Functions of jq on one value, and with filters as arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from verifier.model.record import dataclass, field
from verifier.shell.commands import NotModelled
from verifier.shell.commands.jq_values import (
    Mistake,
    Value,
    by_order,
    calculate,
    computed,
    dump,
    each,
    index,
    kind,
    limited,
    number,
    order,
    parse,
    text,
    truth,
)

_STEPS = 50_000


@dataclass(slots=True)
class Scope:
    """Variables, and the steps taken so far (one counter for the whole run)."""

    variables: Mapping[str, Value]
    steps: list[int] = field(default_factory=lambda: [0])

    def tick(self) -> None:
        self.steps[0] += 1
        if self.steps[0] > _STEPS:
            raise NotModelled("a jq program that runs too long")

    def having(self, name: str, value: Value) -> Scope:
        return Scope({**self.variables, name: value}, self.steps)


Filter = Callable[[Value, Scope], Iterator[Value]]


def single(run: Filter, value: Value, scope: Scope) -> Value:
    """The only output."""
    found = list(run(value, scope))
    if len(found) != 1:
        raise NotModelled("a jq argument with several values")
    return found[0]


def _typed(value: Value, *kinds: str) -> None:
    if kind(value) not in kinds:
        raise Mistake


def _length(value: Value) -> Value:
    _typed(value, "null", "string", "array", "object", "number")
    if value is None:
        return 0.0
    return computed(abs(value)) if isinstance(value, float) else float(len(value))


def _keys(value: Value) -> Value:
    _typed(value, "array", "object")
    if isinstance(value, list):
        return [float(place) for place in range(len(value))]
    return sorted(value)


def _number(value: Value) -> Value:
    _typed(value, "number", "string")
    if isinstance(value, float):
        return value
    if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", value, re.ASCII):
        return number(value)
    raise NotModelled("this text as a number in jq")


def _add(value: Value) -> Value:
    total: Value = None
    for item in each(value):
        total = calculate(total, "+", item)
    return total


def _entries(value: Value) -> Value:
    _typed(value, "object")
    return [{"key": name, "value": item} for name, item in value.items()]


def _from_entries(value: Value) -> Value:
    result: dict[str, Value] = {}
    for item in each(value):
        if not isinstance(item, dict) or set(item) != {"key", "value"}:
            raise NotModelled("these entries of jq")
        if not isinstance(item["key"], str):
            raise NotModelled("these entries of jq")
        result[item["key"]] = item["value"]
    return result


def _sorted(value: Value) -> list[Value]:
    _typed(value, "array")
    return sorted(value, key=by_order)


def _unique(value: Value) -> Value:
    result: list[Value] = []
    for item in _sorted(value):
        if not result or order(result[-1], item):
            result.append(item)
    return result


def _reverse(value: Value) -> Value:
    if not isinstance(value, list):
        raise NotModelled("versions of jq reverse this differently")
    return value[::-1]


def _case(lower: bool) -> Callable[[Value], Value]:
    def change(value: Value) -> Value:
        _typed(value, "string")
        if not value.isascii():
            raise NotModelled("letters other than ASCII")
        return value.lower() if lower else value.upper()

    return change


def _rounded(function: Callable[[float], float]) -> Callable[[Value], Value]:
    def change(value: Value) -> Value:
        _typed(value, "number")
        return computed(math.copysign(function(value), value))

    return change


def _ends(first: bool) -> Callable[[Value], Value]:
    return lambda value: index(value, 0.0 if first else -1.0)


def _extreme(largest: bool) -> Callable[[Value], Value]:
    def find(value: Value) -> Value:
        _typed(value, "array")
        if not value:
            return None
        return _sorted(value)[-1 if largest else 0]

    return find


def _from_json(value: Value) -> Value:
    _typed(value, "string")
    found = parse(value)
    if len(found) != 1:
        raise NotModelled("this text as JSON")
    return found[0]


PLAIN: dict[str, Callable[[Value], Value]] = {
    "add": _add,
    "all": lambda value: all(map(truth, each(value))),
    "any": lambda value: any(map(truth, each(value))),
    "ascii_downcase": _case(True),
    "ascii_upcase": _case(False),
    "ceil": _rounded(math.ceil),
    "first": _ends(True),
    "floor": _rounded(math.floor),
    "from_entries": _from_entries,
    "fromjson": _from_json,
    "keys": _keys,
    "last": _ends(False),
    "length": _length,
    "max": _extreme(True),
    "min": _extreme(False),
    "not": lambda value: not truth(value),
    "reverse": _reverse,
    "sort": _sorted,
    "to_entries": _entries,
    "tojson": dump,
    "tonumber": _number,
    "tostring": text,
    "type": kind,
    "unique": _unique,
}
"""One value to one value."""


def _select(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    for found in arguments[0](value, scope):
        if truth(found):
            yield value


def _map(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    yield limited([found for item in each(value) for found in arguments[0](item, scope)])


def _has(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    key = single(arguments[0], value, scope)
    if isinstance(value, dict) and isinstance(key, str):
        yield key in value
    elif isinstance(value, list) and isinstance(key, float) and not isinstance(key, bool):
        yield 0 <= key < len(value)
    else:
        raise Mistake


def _join(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    separator = single(arguments[0], value, scope)
    if not isinstance(separator, str) or not isinstance(value, list):
        raise NotModelled("this join of jq")
    if any(isinstance(item, (list, dict)) for item in value):
        raise Mistake
    yield limited(separator.join("" if item is None else text(item) for item in value))


def _split(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    separator = single(arguments[0], value, scope)
    if not isinstance(separator, str) or not isinstance(value, str):
        raise Mistake
    if not separator or not value:
        raise NotModelled("a split of jq into characters")
    yield limited(value.split(separator))


def _starts(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    part = single(arguments[0], value, scope)
    if not isinstance(part, str) or not isinstance(value, str):
        raise Mistake
    yield value.startswith(part)


def _ending(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    part = single(arguments[0], value, scope)
    if not isinstance(part, str) or not isinstance(value, str):
        raise Mistake
    yield value.endswith(part)


def _trim(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    part = single(arguments[0], value, scope)
    both = isinstance(part, str) and isinstance(value, str)
    yield value.removeprefix(part) if both else value


def _trim_end(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    part = single(arguments[0], value, scope)
    both = isinstance(part, str) and isinstance(value, str)
    yield value.removesuffix(part) if both else value


def _range(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    bounds = [single(argument, value, scope) for argument in arguments]
    if any(kind(bound) != "number" for bound in bounds):
        raise Mistake
    low, high = (0.0, bounds[0]) if len(bounds) == 1 else bounds
    while low < high:
        scope.tick()
        yield low + 0.0
        low += 1


def _sort_by(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    _typed(value, "array")
    keys = [list(arguments[0](item, scope)) for item in value]
    places = sorted(range(len(value)), key=lambda place: by_order(keys[place]))
    yield [value[place] for place in places]


def _with_entries(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    entries = [found for item in _entries(value) for found in arguments[0](item, scope)]
    yield _from_entries(entries)


def _some(wanted: bool) -> Callable[[list[Filter], Value, Scope], Iterator[Value]]:
    def run(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
        found = [truth(f) for item in each(value) for f in arguments[0](item, scope)]
        yield wanted in found if wanted else False not in found

    return run


def _empty(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    return iter(())


def _values(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    if value is not None:
        yield value


def _recurse(arguments: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    scope.tick()
    yield value
    if isinstance(value, (list, dict)):
        for item in each(value):
            yield from _recurse(arguments, item, scope)


WITH_ARGUMENTS: dict[tuple[str, int], Callable[[list[Filter], Value, Scope], Iterator[Value]]] = {
    ("all", 1): _some(False),
    ("any", 1): _some(True),
    ("empty", 0): _empty,
    ("endswith", 1): _ending,
    ("has", 1): _has,
    ("join", 1): _join,
    ("ltrimstr", 1): _trim,
    ("map", 1): _map,
    ("range", 1): _range,
    ("range", 2): _range,
    ("recurse", 0): _recurse,
    ("rtrimstr", 1): _trim_end,
    ("select", 1): _select,
    ("sort_by", 1): _sort_by,
    ("split", 1): _split,
    ("startswith", 1): _starts,
    ("values", 0): _values,
    ("with_entries", 1): _with_entries,
}
