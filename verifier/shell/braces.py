"""Brace expansion: `{a,b}`, `{1..9..2}`, `{a..e}`, nested; invalid forms stay as they are.

Follows bash 5.2, braces.c, whose answers for half-formed braces are part of the language.
"""

from __future__ import annotations

import re
from itertools import islice

from verifier.model.record import dataclass, replace
from verifier.shell.nodes import Literal, Parameter, Part, Word

_BRACES = 400
"""Opening braces in one word; each may be looked at once for every other."""


class TooMany(Exception):
    """The expansion would make more words than the limit."""


@dataclass(frozen=True, slots=True)
class _Char:
    """An unquoted literal character, or the text of one term of a range."""

    value: str
    start: int
    end: int


_Item = _Char | Part
_Items = list[_Item]


def expand_braces(word: Word, limit: int = 10_000) -> tuple[Word, ...]:
    """The words that brace expansion makes of `word`; `(word,)` when there is nothing to do.

    Only unquoted literal characters count; every other part moves along as it is. Raises TooMany.
    """
    if not any(isinstance(p, Literal) and not p.quoted and "{" in p.value for p in word.parts):
        return (word,)
    items: _Items = []
    for part in word.parts:
        if isinstance(part, Literal) and not part.quoted:
            items += [
                _Char(c, part.start + i, min(part.start + i + 1, part.end))
                for i, c in enumerate(part.value)
            ]
        else:
            items.append(part)
    if sum(_is(item, "{") for item in items) > _BRACES:
        raise TooMany(f"more than {_BRACES} opening braces in one word")
    expanded = _expand(items, limit)
    if expanded == [items]:
        return (word,)
    return tuple(Word(_parts(found), word.start, word.end) for found in expanded)


def _parts(items: _Items) -> tuple[Part, ...]:
    parts: list[Part] = []
    run: list[_Char] = []
    for item in items:
        if isinstance(item, _Char):
            # Braces come before parameters: `$a{b,c}` reads `$ab $ac`.
            before = parts[-1] if parts and not run else None
            if isinstance(before, Parameter) and _continues(before, item):
                parts[-1] = replace(before, name=before.name + item.value, end=before.end + 1)
            else:
                run.append(item)
            continue
        if run:
            parts.append(_literal(run))
            run = []
        parts.append(item)
    if run:
        parts.append(_literal(run))
    return tuple(parts)


def _continues(parameter: Parameter, item: _Char) -> bool:
    """Whether the character lengthens the name of a parameter without braces."""
    bare = parameter.end - parameter.start == len(parameter.name) + 1
    named = parameter.name[0] == "_" or parameter.name[0].isalpha()
    return bare and named and item.value.isascii() and (item.value.isalnum() or item.value == "_")


def _literal(run: list[_Char]) -> Literal:
    return Literal("".join(c.value for c in run), False, run[0].start, run[-1].end)


def _is(item: _Item, char: str) -> bool:
    return isinstance(item, _Char) and item.value == char


def _plain(items: _Items, index: int) -> str:
    if index >= len(items):
        return ""
    item = items[index]
    return item.value if isinstance(item, _Char) else ""


def _find(items: _Items, index: int, wanted: str) -> int:
    """The next `wanted` at this level, or the end. A `}` counts only behind a `,` or `..`."""
    level = 0
    ready = wanted != "}"
    while index < len(items):
        char = _plain(items, index)
        if char == wanted and level == 0 and ready:
            if not (char == "{" and index == 0 and _plain(items, 1) == "}"):
                return index
        elif char == "{":
            level += 1
        elif char == "}" and level:
            level -= 1
        elif wanted == "}" and level == 0:
            dots = char == "." and _plain(items, index + 1) == "."
            ready = ready or char == "," or (dots and _plain(items, index + 2) != "}")
        index += 1
    return index


def _expand(items: _Items, limit: int) -> list[_Items]:
    results: list[_Items] = [[]]
    while items:
        opening = _find(items, 0, "{")
        closing = len(items)
        while opening < len(items):
            closing = _find(items, opening + 1, "}")
            if closing < len(items):
                break
            opening = _find(items, opening + 1, "{")
        preamble, inside = items[:opening], items[opening + 1 : closing]
        if opening == len(items):
            middle: list[_Items] = [[]]
        elif any(_is(item, ",") for item in inside):
            middle = _alternatives(inside, limit)
        else:
            middle = _sequence(inside, limit) or [items[opening : closing + 1]]
        if len(results) * len(middle) > limit:
            raise TooMany(f"brace expansion makes more than {limit} words")
        results = [r + preamble + m for r in results for m in middle]
        items = items[closing + 1 :]
    return results


def _alternatives(inside: _Items, limit: int) -> list[_Items]:
    found: list[_Items] = []
    start = 0
    while start <= len(inside):
        end = _find(inside, start, ",")
        found += _expand(inside[start:end], limit)
        if len(found) > limit:
            raise TooMany(f"brace expansion makes more than {limit} words")
        start = end + 1
    return found


# Compiled when it is first needed, as many scripts have none.
_SEQUENCE = (
    r"(?:(?P<low>\s*[-+]?[0-9]+\s*)\.\.(?P<high>[-+]?[0-9]+)"
    r"|(?P<first>[A-Za-z])\.\.(?P<last>[A-Za-z]))(?:\.\.(?P<step>[-+]?[0-9]+))?"
)


_LARGE = 1 << 63


def _narrow(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _sequence(inside: _Items, limit: int) -> list[_Items] | None:
    """The terms of `a..b` or `a..b..step`; None when it is not a range."""
    if not inside or not all(isinstance(item, _Char) for item in inside):
        return None
    match = re.fullmatch(
        _SEQUENCE, "".join(_plain(inside, i) for i in range(len(inside))), re.ASCII
    )
    if match is None:
        return None
    low, high = match["low"] or "", match["high"] or ""
    start, end = (int(low), int(high)) if low else (ord(match["first"]), ord(match["last"]))
    step = abs(int(match["step"] or 1)) or 1
    if not all(-_LARGE <= number < _LARGE for number in (start, end, step)):
        return None
    distance = abs(end - start)
    too_far = end < start + 3 - _LARGE if start > 0 else start < 0 and end > start + _LARGE - 3
    if too_far or distance // step > (1 << 31) - 4:
        return None if low else []
    count = distance // step + 1
    if count > limit:
        raise TooMany(f"brace expansion makes more than {limit} words")
    terms = islice(
        range(start, end + (1 if end >= start else -1), step if end >= start else -step), count
    )
    if low:
        padded = any(re.match(r"-?0.", side) for side in (low, high))
        width = max(len(low), len(high)) if padded else 0
        # Bash pads only what fits into 32 bits.
        values = [f"{_narrow(term) if padded else term:0{width}d}" for term in terms]
    else:
        values = [chr(term) for term in terms]
    start_of, end_of = inside[0].start, inside[-1].end
    # The backslash between `Z` and `a` is read as one that quotes.
    return [
        [Literal("", True, start_of, end_of) if v == "\\" else _Char(v, start_of, end_of)]
        for v in values
    ]
