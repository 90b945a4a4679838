"""Operators, functions and methods of the Python programs that are modelled.

Only what gives the same in every Python from 3.8 on is here; sizes are bounded.
"""

from __future__ import annotations

import ast
import math
import re
import string
from collections.abc import Callable, Sequence
from typing import Any

from verifier.model.record import dataclass
from verifier.shell.commands import NotModelled
from verifier.shell.commands.python_world import Partly, Place

Value = Any
"""None, bool, int, float, str, list, tuple or dict of these."""

_BITS = 4096
_SIZE = 20_000
"""Characters of a text."""
_WEIGHT = 5_000
"""Elements of a list or dictionary, with all that is inside; 100 characters count as one."""
_SPEC = re.compile(
    r"(?:.?[<>=^])?[-+ ]?#?0?[0-9]{0,3}[,_]?(?:\.[0-9]{1,3})?[bdeEfFgGosxX%]?", re.DOTALL
)
_PERCENT = re.compile(r"%(?:%|[-+ 0#]*[0-9]{0,3}(?:\.[0-9]{1,3})?[diouxXeEfFgGs])")


@dataclass(frozen=True, slots=True)
class Stream:
    """What a generator, `zip`, `range` or `dict.keys()` gives; only good for going through once."""

    items: list[Value]


def consumed(name: str, arguments: Sequence[Value]) -> list[Value]:
    """The arguments with streams as lists, for functions that go through them."""
    result: list[Value] = []
    for argument in arguments:
        if isinstance(argument, Stream):
            if name not in _CONSUMERS:
                raise NotModelled(f"a generator given to {name} of python")
            argument = bounded(argument.items)
        result.append(argument)
    return result


_CONSUMERS = frozenset("all any enumerate join list max min sorted sum tuple zip".split())


def _weight(value: Value) -> int:
    """What the value counts, or a little more than `_WEIGHT`."""
    total = 0
    stack = [value]
    while stack and total <= _WEIGHT:
        found = stack.pop()
        total += 1
        if isinstance(found, str):
            total += len(found) // 100
        elif isinstance(found, (list, tuple)):
            stack.extend(found[: _WEIGHT + 1])
        elif isinstance(found, dict):
            stack.extend(found)
            stack.extend(found.values())
    return total


def bounded(value: Value) -> Value:
    """The value itself, when its type and size are modelled."""
    if isinstance(value, (bool, Partly, Place)) or value is None:
        return value
    if isinstance(value, int):
        fits = value.bit_length() <= _BITS
    elif isinstance(value, float):
        fits = math.isfinite(value)
    elif isinstance(value, str):
        fits = len(value) <= _SIZE
    elif isinstance(value, (list, tuple, dict)):
        fits = len(value) <= _WEIGHT and _weight(value) <= _WEIGHT
    else:
        raise NotModelled("a python value of another type")
    if not fits:
        raise NotModelled("a python value that is too large")
    return value


def _number(value: Value) -> bool:
    return isinstance(value, (int, float))


def _numbers(left: Value, right: Value) -> None:
    if not (_number(left) and _number(right)):
        raise NotModelled("this python operation")


def _add(left: Value, right: Value) -> Value:
    if type(left) is type(right) and isinstance(left, (str, list, tuple)):
        return left + right
    _numbers(left, right)
    return left + right


def _subtract(left: Value, right: Value) -> Value:
    _numbers(left, right)
    return left - right


def _multiply(left: Value, right: Value) -> Value:
    for sequence, count in ((left, right), (right, left)):
        if isinstance(sequence, (str, list, tuple)) and isinstance(count, int):
            if len(sequence) * count > _SIZE or _weight(sequence) * count > _WEIGHT:
                raise NotModelled("a python value that is too large")
            return sequence * count
    _numbers(left, right)
    return left * right


def _divide(left: Value, right: Value) -> Value:
    _numbers(left, right)
    return left / right


def _floor(left: Value, right: Value) -> Value:
    _numbers(left, right)
    return left // right


def _remainder(left: Value, right: Value) -> Value:
    if isinstance(left, str):
        return _percent(left, right)
    _numbers(left, right)
    return left % right


def _percent(template: str, right: Value) -> str:
    if "%" in _PERCENT.sub("", template) or isinstance(right, dict):
        raise NotModelled("this format of python")
    values = right if isinstance(right, tuple) else (right,)
    return template % tuple(map(bounded, values))


def _power(left: Value, right: Value) -> Value:
    _numbers(left, right)
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        if left.bit_length() * right > _BITS:
            raise NotModelled("a python value that is too large")
    return left**right


OPERATORS: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: _add,
    ast.Sub: _subtract,
    ast.Mult: _multiply,
    ast.Div: _divide,
    ast.FloorDiv: _floor,
    ast.Mod: _remainder,
    ast.Pow: _power,
}


def unary(operator: ast.unaryop, value: Value) -> Value:
    if isinstance(operator, ast.Not):
        return not value
    if not _number(value) or isinstance(operator, ast.Invert):
        raise NotModelled("this python operation")
    return -value if isinstance(operator, ast.USub) else +value


def compared(operator: ast.cmpop, left: Value, right: Value) -> bool:
    if isinstance(operator, ast.Is) and right is None:
        return left is None
    if isinstance(operator, ast.IsNot) and right is None:
        return left is not None
    found = _COMPARISONS.get(type(operator))
    if found is None:
        raise NotModelled("this comparison of python")
    return bool(found(left, right))


_COMPARISONS: dict[type[ast.cmpop], Callable[[Value, Value], Value]] = {
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
    ast.Lt: lambda left, right: left < right,
    ast.LtE: lambda left, right: left <= right,
    ast.Gt: lambda left, right: left > right,
    ast.GtE: lambda left, right: left >= right,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


def item(container: Value, key: Value) -> Value:
    if isinstance(container, (str, list, tuple)) and isinstance(key, int):
        return container[key]
    if isinstance(container, dict):
        return container[key]
    raise NotModelled("this index of python")


def formatted(value: Value, spec: str) -> str:
    """`format(value, spec)`."""
    if not _SPEC.fullmatch(spec) or not spec.isascii():
        raise NotModelled("this format of python")
    return format(value, spec)


def _format(template: str, *values: Value, **named: Value) -> str:
    parts: list[str] = []
    automatic = 0
    for before, name, spec, conversion in string.Formatter().parse(template):
        parts.append(before)
        if name is None:
            continue
        if conversion or (spec and "{" in spec):
            raise NotModelled("this format of python")
        if name == "":
            value = values[automatic]
            automatic += 1
        elif name.isdecimal():
            value = values[int(name)]
            automatic += len(values) + 1  # mixing both kinds is an error
        elif name.isidentifier():
            value = named[name]
        else:
            raise NotModelled("this format of python")
        parts.append(formatted(value, spec or ""))
    return "".join(parts)


def _sum(values: Sequence[Value], start: Value = 0) -> Value:
    """Python 3.12 adds floats more exactly than earlier ones did."""
    total = start
    for value in values:
        _numbers(total, value)
        total += value
    if isinstance(total, float) and math.fsum([start, *values]) != total:
        raise NotModelled("a sum that differs between versions of Python")
    return total


def _extreme(function: Callable[..., Value]) -> Callable[..., Value]:
    def call(*values: Value) -> Value:
        return function(*values)

    return call


def _integer(value: Value = 0, base: int = 10) -> int:
    if isinstance(value, str):
        if len(value) > 300:
            raise NotModelled("a python value that is too large")
        return int(value, base)
    if not _number(value) or base != 10:
        raise NotModelled("this int of python")
    return int(value)


def _float(value: Value = 0) -> float:
    if not (_number(value) or (isinstance(value, str) and len(value) < 300)):
        raise NotModelled("this float of python")
    return float(value)


def _range(*bounds: int) -> Stream:
    found = range(*bounds)
    if len(found) > 5000:
        raise NotModelled("a python loop that is too long")
    return Stream(list(found))


def _round(value: Value, digits: int | None = None) -> Value:
    if not _number(value) or (digits is not None and abs(digits) > 300):
        raise NotModelled("this round of python")
    return round(value) if digits is None else round(value, digits)


def _log2(value: Value) -> float:
    """Only of powers of two: elsewhere the last digit is the C library's."""
    mantissa, exponent = math.frexp(value)
    if mantissa != 0.5:
        raise NotModelled("a logarithm that is not whole")
    return float(exponent - 1)


def _of_number(function: Callable[[Value], Value]) -> Callable[[Value], Value]:
    def call(value: Value) -> Value:
        if not _number(value):
            raise NotModelled("this python call")
        return function(value)

    return call


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": _of_number(abs),
    "all": lambda values: all(values),
    "any": lambda values: any(values),
    "bool": lambda value=False: bool(value),
    "dict": lambda **values: values,
    "enumerate": lambda values, start=0: Stream(list(enumerate(values, start))),
    "float": _float,
    "int": _integer,
    "len": lambda value: len(value),
    "list": lambda values=(): list(values),
    "max": _extreme(max),
    "min": _extreme(min),
    "range": _range,
    "repr": lambda value: repr(value),
    "round": _round,
    "sorted": lambda values, reverse=False: sorted(values, reverse=reverse),
    "str": lambda value="": str(value),
    "sum": _sum,
    "tuple": lambda values=(): tuple(values),
    "zip": lambda *values: Stream(list(zip(*values, strict=False))),
    "math.ceil": _of_number(math.ceil),
    "math.fabs": _of_number(math.fabs),
    "math.floor": _of_number(math.floor),
    "math.gcd": lambda left, right: math.gcd(left, right),
    "math.log2": _of_number(_log2),
    "math.sqrt": _of_number(math.sqrt),
    "math.trunc": _of_number(math.trunc),
}


def _join(separator: str, values: Sequence[Value]) -> str:
    if (len(separator) + 1) * len(values) > _SIZE or sum(map(len, values)) > _SIZE:
        raise NotModelled("a python value that is too large")
    return separator.join(values)


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    if (len(text) + 1) * (len(new) + 1) > 50 * _SIZE:
        raise NotModelled("a python value that is too large")
    return text.replace(old, new, count)


_TEXT_METHODS = """count endswith find isalnum isalpha isdigit lower lstrip rstrip split splitlines
    startswith strip title upper""".split()

METHODS: dict[tuple[type, str], Callable[..., Value]] = {
    **{(str, name): getattr(str, name) for name in _TEXT_METHODS},
    (str, "format"): _format,
    (str, "join"): _join,
    (str, "replace"): _replace,
    (list, "count"): list.count,
    (list, "index"): list.index,
    (dict, "get"): dict.get,
    (dict, "items"): lambda value: Stream(list(value.items())),
    (dict, "keys"): lambda value: Stream(list(value)),
    (dict, "values"): lambda value: Stream(list(value.values())),
    (float, "is_integer"): float.is_integer,
}
