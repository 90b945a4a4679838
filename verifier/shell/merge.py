"""Which paths become one.

Paths are joined wherever they meet: what they differ in becomes a value that depends on the path
(`Case`), and a launch that uses such values is told apart again (`ways.ways`). Only paths that
differ in what speaks of speculative decoding go on separately, up to a limit, because a value
computed from a `Case` is a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from verifier.model.text import Text
from verifier.shell.join import differing, is_unset, join
from verifier.shell.machine import Machine
from verifier.shell.options import IMPORTANT
from verifier.shell.state import Array, State, Var
from verifier.shell.texts import symbol

Matters = Callable[[str], bool]
_FIXED = ("options", "fds", "subshell", "getopts", "loops", "traps")
"""What no value can stand for both sides of."""


def merge(m: Machine, states: list[State], matters: Matters) -> list[State]:
    """The same paths, fewer of them. All have the same flow and the same frames."""
    if len(states) < 2:
        return states
    apart = [
        column
        for name in sorted(differing(states))
        if (column := _apart(name, [state.vars.get(name) for state in states])) and matters(name)
    ]
    result = _joined(m, states, apart, matters)
    if len(result) > m.limits.states and apart:
        result = _joined(m, result, [], matters)
    return result


def _apart(name: str, found: list[Var | None]) -> list[object]:
    """Something for each path that is equal for those that may be joined; nothing when all may."""
    if important(name, found):
        return list(_numbered(found))
    # No one value is exported on some paths and not on others.
    flags: list[object] = [
        None if var is None or is_unset(name, var) else var.exported for var in found
    ]
    return flags if len({flag for flag in flags if flag is not None}) > 1 else []


def by_importance(m: Machine, states: list[State]) -> list[State]:
    """Join all paths that agree on everything about speculative decoding."""
    return merge(m, states, lambda name: True)


def _joined(
    m: Machine, states: list[State], columns: list[list[object]], matters: Matters
) -> list[State]:
    """Join the states that agree in every column."""
    groups: dict[tuple[object, ...], list[State]] = {}
    for place, fixed in enumerate(_fixed(states, matters)):
        key = (fixed, *(column[place] for column in columns))
        groups.setdefault(key, []).append(states[place])
    return [group[0] if len(group) == 1 else join(m, group) for group in groups.values()]


def _numbered(values: list[Var | None]) -> list[int]:
    """Equal values get equal numbers. Long lists cost more to hash than to compare."""
    found: list[Var | None] = []
    numbers: list[int] = []
    for value in values:
        same = (n for n, other in enumerate(found) if other is value or other == value)
        number = next(same, len(found))
        if number == len(found):
            found.append(value)
        numbers.append(number)
    return numbers


def _fixed(states: list[State], matters: Matters) -> list[tuple[object, ...]]:
    """For each state what must agree, as far as it is not the same for all."""
    first = states[0]
    parts: list[list[object]] = []
    for attribute in _FIXED:
        value = getattr(first, attribute)
        if any(getattr(state, attribute) is not value for state in states):
            parts.append([_frozen(getattr(state, attribute)) for state in states])
    if any(state.locals is not first.locals for state in states):
        # Which variables the functions around hide; what they hid is a value like others.
        parts.append([tuple(frozenset(frame) for frame in state.locals) for state in states])
    if any(state.functions is not first.functions for state in states):
        parts.append(
            [
                frozenset((n, id(b.node)) for n, b in state.functions.items() if matters(n))
                for state in states
            ]
        )
    return list(zip(*parts, strict=True)) if parts else [()] * len(states)


def _frozen(value: object) -> object:
    """Something to compare by."""
    return tuple(sorted(value.items(), key=_first)) if isinstance(value, dict) else value


def _first(item: tuple[object, object]) -> Any:
    return item[0]


def important(name: str, found: list[Var | None]) -> bool:
    """Whether what differs speaks of speculative decoding."""
    values = [_parts(var) for var in found]
    if not _speaks(name) and not any(_speaks(part) for parts in values for part in parts):
        return False
    if all(var == found[0] for var in found):
        return False
    if _speaks(name):
        return True
    different = set().union(*values).difference(set(values[0]).intersection(*values))
    return any(map(_speaks, different))


def _parts(var: Var | None) -> tuple[str, ...]:
    value = var.value if var is not None else None
    if isinstance(value, Text):
        return (symbol(value),)
    return tuple(symbol(w.text) for w in value.items) if isinstance(value, Array) else ()


@lru_cache(maxsize=1024)
def _speaks(text: str) -> bool:
    return any(mark in text for mark in IMPORTANT)
