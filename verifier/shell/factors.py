"""Conditions that are several independent questions at once.

Written out as alternatives they multiply: three questions with eight answers each are 512. A
question of its own can be told as one test instead.
"""

from __future__ import annotations

from verifier.model.record import NamedTuple
from verifier.shell.logic import Logic, members

_MANY_VALUES = 12
"""So many values asked about at most are put together in search of a question of its own."""


class Factor(NamedTuple):
    """One question: a formula that shares no value with the rest of the condition."""

    formula: int
    subjects: frozenset[str]


def factors(logic: Logic, formula: int) -> list[Factor]:
    """Formulas that together say `formula` and do not speak of the same values."""
    bits: dict[str, int] = {}
    for index in members(logic.support(formula)):
        subject = logic.predicates[index].subject
        bits[subject] = bits.get(subject, 0) | 1 << index
    found: list[Factor] = []
    rest = formula
    for size in (1, 2, 3):
        if size > 1 and len(bits) > _MANY_VALUES:
            break
        for group in _groups(list(bits), size):
            if not all(subject in bits for subject in group) or len(bits) <= size:
                continue
            own = sum(bits[subject] for subject in group)
            part = logic.forget(rest, logic.support(rest) & ~own)
            others = logic.forget(rest, own)
            if logic.both(part, others) == rest:
                found.append(Factor(part, frozenset(group)))
                rest = others
                for subject in group:
                    del bits[subject]
    if rest != 1:
        found.append(Factor(rest, frozenset(bits)))
    return [factor for factor in found if factor.formula != 1]


def _groups(subjects: list[str], size: int) -> list[tuple[str, ...]]:
    from itertools import combinations

    return list(combinations(subjects, size))
