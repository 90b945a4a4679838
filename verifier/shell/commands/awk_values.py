"""Values of awk: numbers, strings, and strings from outside that may be numbers.

Where mawk and gawk differ, NotModelled is raised.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TypeVar

from verifier.shell.commands import NotModelled
from verifier.shell.commands.common import SAFE_ORDER


class Field(str):
    """Text from outside; it compares as a number when it looks like one."""

    __slots__ = ()


Value = float | str | None
"""None is a variable that was never set: "" and 0 at once."""

_Ordered = TypeVar("_Ordered", float, str)

SIZE_LIMIT = 100_000
LARGEST = 2147483647
"""Beyond this, mawk prints whole numbers with CONVFMT and gawk with all digits."""

_NUMBER = re.compile(r"[ \t\n]*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_ODD = re.compile(r"[ \t\n\v\f\r]*[-+]?(?:0[xX]|[iI][nN][fF]|[nN][aA][nN])|[ \t\n]*[\v\f\r]")


def bounded(value: str) -> str:
    if len(value) > SIZE_LIMIT:
        raise NotModelled("a text of awk that is too long")
    return value


def finite(value: float) -> float:
    if not math.isfinite(value):
        raise NotModelled("awk computes a number that is too large")
    return value


def to_number(value: Value) -> float:
    if value is None:
        return 0.0
    if isinstance(value, float):
        return value
    if _ODD.match(value):
        raise NotModelled(f"mawk and gawk read {value!r} differently as a number")
    match = _NUMBER.match(value[:400])
    return finite(float(match.group())) if match else 0.0


def _looks_numeric(value: Field) -> bool:
    if _ODD.match(value) or len(value) > 300:
        raise NotModelled(f"mawk and gawk read {value!r} differently as a number")
    match = _NUMBER.match(value)
    return match is not None and not value[match.end() :].strip(" \t\n")


def to_text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if value == 0 and math.copysign(1, value) < 0:
        raise NotModelled("mawk and gawk may print a negative zero differently")
    if value == int(value):
        if abs(value) > LARGEST:
            raise NotModelled("mawk and gawk print large whole numbers differently")
        return str(int(value))
    return f"{value:.6g}"


def truth(value: Value) -> bool:
    if value is None:
        return False
    if isinstance(value, float):
        return value != 0
    if isinstance(value, Field) and value and _looks_numeric(value):
        return to_number(value) != 0
    return value != ""


def compare(left: Value, operator: str, right: Value) -> bool:
    """`<`, `<=`, `==`, `!=`, `>=` or `>` by awk's rules."""
    numeric = all(
        not isinstance(value, str) or (isinstance(value, Field) and _looks_numeric(value))
        for value in (left, right)
    )
    if numeric:
        return _ordered(to_number(left), operator, to_number(right))
    first, second = to_text(left), to_text(right)
    if operator not in ("==", "!=") and not (SAFE_ORDER.match(first) and SAFE_ORDER.match(second)):
        raise NotModelled("the order of texts depends on the locale")
    return _ordered(first, operator, second)


def _ordered(left: _Ordered, operator: str, right: _Ordered) -> bool:
    if operator == "==":
        return left == right
    if operator == "!=":
        return left != right
    if operator == "<":
        return left < right
    if operator == "<=":
        return left <= right
    return left > right if operator == ">" else left >= right


def calculate(left: float, operator: str, right: float) -> float:
    if operator == "+":
        return finite(left + right)
    if operator == "-":
        return finite(left - right)
    if operator == "*":
        return finite(left * right)
    if operator == "^":
        return _power(left, right)
    if right == 0:
        raise NotModelled("awk divides by zero")
    return finite(left / right) if operator == "/" else math.fmod(left, right)


def _power(base: float, exponent: float) -> float:
    """gawk multiplies for whole exponents, mawk calls pow()."""
    try:
        value = math.pow(base, exponent)
    except (ValueError, OverflowError) as error:
        raise NotModelled("awk computes a number that is too large") from error
    if exponent == int(exponent) and abs(exponent) <= 64:
        product, square, count = 1.0, base, int(abs(exponent))
        while count:
            if count % 2:
                product *= square
            count //= 2
            square *= square
        if (product if exponent >= 0 else 1 / product if product else 0.0) != value:
            raise NotModelled("mawk and gawk compute this power differently")
    elif exponent == int(exponent):
        raise NotModelled("awk computes a large power")
    return finite(value)


_CONVERSION = re.compile(
    r"%(?P<flags>[-+ 0]*)(?P<width>[0-9]*)(?P<precision>\.[0-9]*)?(?P<kind>.?)", re.DOTALL
)


def formatted(template: str, values: Sequence[Value]) -> str:
    """`sprintf(template, values…)`."""
    parts: list[str] = []
    position = used = 0
    for match in _CONVERSION.finditer(template):
        parts.append(template[position : match.start()])
        position = match.end()
        if match.group() == "%%":
            parts.append("%")
            continue
        if used >= len(values):
            raise NotModelled("printf of awk with too few values")
        parts.append(_converted(match, values[used]))
        used += 1
    parts.append(template[position:])
    return bounded("".join(parts))


def _converted(match: re.Match[str], value: Value) -> str:
    flags, width, kind = match["flags"], match["width"], match["kind"]
    precision = match["precision"]
    if len(width) > 4 or len(precision or "") > 4:
        raise NotModelled("printf of awk with a huge width")
    if kind == "s":
        text = to_text(value)
        if set(flags) - {"-"} or ((width or precision) and not text.isascii()):
            raise NotModelled("this conversion of printf in awk")
        return str("%" + flags + width + (precision or "") + "s") % text
    if kind and kind in "di":
        number = int(to_number(value))
        if abs(number) > LARGEST or (precision is not None and "0" in flags):
            raise NotModelled("mawk and gawk convert large numbers differently")
        if precision is not None and int(precision[1:] or 0) == 0 and number == 0:
            raise NotModelled("this conversion of printf in awk")
        return str(match.group()[:-1] + "d") % number
    if kind and kind in "feEgG":
        return str(match.group()) % finite(to_number(value))
    if kind and kind in "xXou":
        number = int(to_number(value))
        if not 0 <= number <= LARGEST or precision is not None or set(flags) & {"+", " "}:
            raise NotModelled("this conversion of printf in awk")
        return str(match.group()[:-1] + ("d" if kind == "u" else kind)) % number
    raise NotModelled("this conversion of printf in awk")
