"""Values of jq, where jq 1.6 and 1.7 agree.

jq 1.7 prints numbers of its input as they were written and 1.6 as it would write them itself;
a number on which this makes a difference can be used but not printed.
"""

from __future__ import annotations

import json
import math
import re
from functools import cmp_to_key
from typing import Any

from verifier.shell.commands import NotModelled

Value = Any
"""None, bool, float, str, list or dict of these."""

SIZE = 20_000
_ORDER = ("null", "false", "true", "number", "string", "array", "object")


class Mistake(Exception):
    """An error of the program, which `?` catches."""


class Written(float):
    """A number that jq 1.7 may print in its own spelling."""

    __slots__ = ()


def number(source: str) -> float:
    """A number of the input or the program. Raises NotModelled."""
    if len(re.sub(r"[eE].*|[^0-9]", "", source)) > 15:
        raise NotModelled("a long number in JSON")
    value = float(source)
    if not math.isfinite(value):
        raise NotModelled("a huge number in JSON")
    try:
        return value if shown(value) == source else Written(value)
    except NotModelled:
        return Written(value)


def shown(value: float) -> str:
    if isinstance(value, Written):
        raise NotModelled("versions of jq print this number differently")
    size = abs(value)
    if value == 0 and math.copysign(1, value) < 0:
        raise NotModelled("a negative zero")
    if size and not 1e-4 <= size < 1e15:
        raise NotModelled("versions of jq print this number differently")
    return str(int(value)) if value == int(value) else repr(float(value))


def computed(value: float) -> float:
    if not math.isfinite(value):
        raise NotModelled("a huge number in jq")
    return float(value)  # no longer as it was written


def parse(text: str) -> list[Value]:
    """All values of a text. Raises NotModelled, also when it is not JSON."""
    if len(text) > 200_000:
        raise NotModelled("a long JSON text")
    decoder = json.JSONDecoder(
        parse_float=number, parse_int=number, parse_constant=_constant, object_pairs_hook=dict
    )
    values: list[Value] = []
    position = 0
    while True:
        match = re.compile(r"[ \t\r\n]*").match(text, position)
        position = match.end() if match else position
        if position == len(text):
            return values
        if values and text[position - 1] not in " \t\r\n":
            raise NotModelled("JSON values without a blank between them")
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            raise NotModelled("this is not JSON") from error
        values.append(value)


def _constant(name: str) -> float:
    raise NotModelled(f"{name} in JSON")


def kind(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def truth(value: Value) -> bool:
    return value is not None and value is not False


def order(left: Value, right: Value) -> int:
    """jq's order of all values: negative, 0 or positive."""
    ranks = [
        _ORDER.index(str(v).lower() if isinstance(v, bool) else kind(v)) for v in (left, right)
    ]
    if ranks[0] != ranks[1]:
        return ranks[0] - ranks[1]
    if isinstance(left, (float, str)) and not isinstance(left, bool):
        return int(left > right) - int(left < right)
    if isinstance(left, list):
        for first, second in zip(left, right, strict=False):
            found = order(first, second)
            if found:
                return found
        return len(left) - len(right)
    if isinstance(left, dict):
        names = sorted(left)
        if names != sorted(right):
            return order(names, sorted(right))
        return next((found for name in names if (found := order(left[name], right[name]))), 0)
    return 0


by_order = cmp_to_key(order)


def index(value: Value, key: Value) -> Value:
    """`value[key]`."""
    if isinstance(key, str):
        if value is None:
            return None
        if not isinstance(value, dict):
            raise Mistake
        return value.get(key)
    if isinstance(key, float) and not isinstance(key, bool):
        if value is None:
            return None
        if not isinstance(value, list):
            raise Mistake
        if key != int(key):
            raise NotModelled("a broken index in jq")
        place = int(key) + (len(value) if key < 0 else 0)
        return value[place] if 0 <= place < len(value) else None
    if isinstance(key, (list, dict)):
        raise NotModelled("this index in jq")
    raise Mistake


def each(value: Value) -> list[Value]:
    """`.[]`."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return list(value.values())
    raise Mistake


def cut(value: Value, start: Value, end: Value) -> Value:
    """`.[start:end]`."""
    if value is None:
        return None
    if not isinstance(value, (str, list)):
        raise Mistake
    bounds: list[int | None] = []
    for bound in (start, end):
        if bound is not None and (not isinstance(bound, float) or bound != int(bound)):
            raise NotModelled("these bounds in jq")
        bounds.append(None if bound is None else int(bound))
    return value[slice(*bounds)]


def calculate(left: Value, operator: str, right: Value) -> Value:
    numbers = kind(left) == kind(right) == "number"
    if operator == "+":
        if left is None or right is None:
            return right if left is None else left
        if numbers:
            return computed(left + right)
        if kind(left) != kind(right) or kind(left) == "boolean":
            raise Mistake
        return limited({**left, **right} if isinstance(left, dict) else left + right)
    if operator == "-" and isinstance(left, list) and isinstance(right, list):
        return [item for item in left if all(order(item, other) for other in right)]
    if operator == "*" and isinstance(left, dict) and isinstance(right, dict):
        return _merged(left, right)
    if not numbers:
        if {kind(left), kind(right)} & {"null", "boolean"} or operator == "-":
            raise Mistake
        raise NotModelled("this operation of jq")
    if operator == "-":
        return computed(left - right)
    if operator == "*":
        return computed(left * right)
    if right == 0:
        raise Mistake
    if operator == "/":
        return computed(left / right)
    if left != int(left) or right != int(right) or min(left, right) < 0:
        raise NotModelled("versions of jq compute this remainder differently")
    return float(int(left) % int(right))


def _merged(left: dict[str, Value], right: dict[str, Value]) -> dict[str, Value]:
    result = dict(left)
    for name, value in right.items():
        before = result.get(name)
        both = isinstance(before, dict) and isinstance(value, dict)
        result[name] = _merged(before, value) if both and isinstance(before, dict) else value
    return result


def limited(value: Value) -> Value:
    if isinstance(value, (str, list, dict)) and len(value) > SIZE:
        raise NotModelled("a jq value that is too large")
    return value


def dump(value: Value, *, pretty: bool = False, ordered: bool = False) -> str:
    """JSON as jq prints it."""
    plain = _plain(value, [0])
    separators = (",", ": ") if pretty else (",", ":")
    return json.dumps(
        plain,
        ensure_ascii=False,
        indent=2 if pretty else None,
        separators=separators,
        sort_keys=ordered,
    )


def _plain(value: Value, count: list[int]) -> Value:
    count[0] += 1
    if count[0] > SIZE:
        raise NotModelled("a jq value that is too large")
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        digits = shown(value)
        return float(digits) if "." in digits else int(digits)
    if isinstance(value, str):
        if re.search("[\x7f\ud800-\udfff]", value):
            raise NotModelled("this character in jq")
        return value
    if isinstance(value, list):
        return [_plain(item, count) for item in value]
    return {_plain(name, count): _plain(item, count) for name, item in value.items()}


def text(value: Value) -> str:
    """`tostring`."""
    return value if isinstance(value, str) else dump(value)
