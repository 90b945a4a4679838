"""Numbers as Python's `int` and `float` read them, kept exact.

Sources: Python 3.11 `int`, `float`; `human_readable_int` in vLLM 0.33.0
`vllm/utils/argparse_utils.py` (`1k` is 1000, `1K` is 1024, decimals only with small letters).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_HUMAN = re.compile(r"(\d+(?:\.\d+)?)([kKmMgGtT])")
_POWER = {"k": 1, "m": 2, "g": 3, "t": 4}


def python_int(text: str) -> int | None:
    """What `int(text)` gives; None where it raises."""
    try:
        return int(text)
    except ValueError:
        return None


def python_float(text: str) -> Decimal | None:
    """What `float(text)` gives, with the digits as written; None where it raises."""
    try:
        float(text)
    except ValueError:
        return None
    try:
        return Decimal(text.strip().replace("_", ""))
    except InvalidOperation:
        return None


def human_int(text: str) -> int | None:
    """vLLM's integer with an optional suffix; None where it raises."""
    text = text.strip()
    match = _HUMAN.fullmatch(text)
    if match is None:
        return python_int(text)
    number, suffix = match.groups()
    if suffix.islower():
        return int(float(number) * 1000 ** _POWER[suffix])
    whole = python_int(number)
    return None if whole is None else whole * 1024 ** _POWER[suffix.lower()]


def same_number(one: object, two: object) -> bool:
    """Whether two values are numbers of equal value; NaN equals nothing, a bool is no number."""
    if isinstance(one, bool) or isinstance(two, bool):
        return False
    if not isinstance(one, int | Decimal) or not isinstance(two, int | Decimal):
        return False
    return one == two
