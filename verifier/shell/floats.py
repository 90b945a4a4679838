"""Decimal numbers as C's printf shows them."""

from __future__ import annotations

import re
from fractions import Fraction

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)

X87, QUAD, DOUBLE = 64, 113, 53
"""Bits in the mantissa of `long double` on x86-64 and AArch64, and of `double`."""


def rounded(value: Fraction, bits: int) -> Fraction:
    """The nearest binary floating point number (ties to even; exponent unbounded)."""
    if value == 0:
        return value
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    shift = bits - exponent
    scaled = size * Fraction(2) ** shift
    while scaled >= 1 << bits:
        scaled /= 2
        shift -= 1
    while scaled < 1 << (bits - 1):
        scaled *= 2
        shift += 1
    mantissa = Fraction(round(scaled)) / Fraction(2) ** shift
    return mantissa if value > 0 else -mantissa


def parse(text: str) -> Fraction | None:
    """A decimal number as written; None when it is none, or too long to be worth it."""
    if len(text) > 200 or not _DECIMAL.fullmatch(text):
        return None
    mantissa, _, exponent = text.lower().partition("e")
    return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)


def _fixed(value: Fraction, places: int) -> str:
    scaled = str(round(abs(value) * 10**places)).rjust(places + 1, "0")
    return scaled if places == 0 else f"{scaled[:-places]}.{scaled[-places:]}"


def _exponential(value: Fraction, places: int) -> tuple[str, int]:
    """Digits with a point, and the power of ten."""
    size = abs(value)
    if size == 0:
        return _fixed(size, places), 0
    power = len(str(size.numerator)) - len(str(size.denominator))
    if Fraction(10) ** power > size:
        power -= 1
    digits = _fixed(size / Fraction(10) ** power, places)
    if len(digits.partition(".")[0]) > 1:
        power += 1
        digits = _fixed(size / Fraction(10) ** power, places)
    return digits, power


def show(value: Fraction, negative: bool, kind: str, flags: str, width: int, places: int) -> str:
    """`%f`, `%e` or `%g` (and capitals) of a number with C's flags; `places` -1 when not given."""
    places = 6 if places < 0 else places
    lower = kind.lower()
    if lower == "f":
        body = _fixed(value, places)
    elif lower == "e":
        digits, power = _exponential(value, places)
        body = f"{digits}e{power:+03d}"
    else:
        body = _general(value, places or 1, "#" in flags)
    if "#" in flags and lower in "fe" and places == 0:
        body = body.replace("e", ".e") if lower == "e" else body + "."
    sign = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
    if "-" in flags:
        body = (sign + body).ljust(width)
    elif "0" in flags:
        body = sign + body.rjust(width - len(sign), "0")
    else:
        body = (sign + body).rjust(width)
    return body.upper() if kind.isupper() else body


def _general(value: Fraction, precision: int, alternate: bool) -> str:
    digits, power = _exponential(value, precision - 1)
    fixed = -4 <= power < precision
    body = _fixed(value, precision - 1 - power) if fixed else digits
    if "." in body and not alternate:
        body = body.rstrip("0").rstrip(".")
    elif alternate and "." not in body:
        body += "."
    return body if fixed else f"{body}e{power:+03d}"
