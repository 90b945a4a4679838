"""Conditions that are several independent questions at once.

Written out as alternatives they multiply: three questions with eight answers each are 512. A
question of its own can be told as one test instead.
"""

from __future__ import annotations

from verifier.model.record import NamedTuple
from verifier.shell.logic import Logic, members

_MANY_VALUES = 12
"""Of more values no question about several of them is looked for."""


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
    while formula > 1:
        subject = logic.predicates[logic.parts(formula)[0]].subject
        top = _top(logic, formula, bits[subject])
        if top is None:
            break
        found.append(Factor(top[0], frozenset((subject,))))
        formula = top[1]
        del bits[subject]
    for subject, own in list(bits.items()):
        part, others = _apart(logic, formula, own)
        if logic.both(part, others) == formula:
            found.append(Factor(part, frozenset((subject,))))
            formula = others
            del bits[subject]
    groups = _groups(logic, formula, bits) if len(bits) <= _MANY_VALUES else [list(bits)]
    for group in groups:
        part, others = _apart(logic, formula, sum(bits[subject] for subject in group))
        if logic.both(part, others) == formula:
            found.append(Factor(part, frozenset(group)))
            formula = others
            for subject in group:
                del bits[subject]
    found.append(Factor(formula, frozenset(bits)))
    return [factor for factor in found if factor.formula != 1]


def _top(logic: Logic, formula: int, own: int) -> tuple[int, int] | None:
    """The same as `_apart` for atoms that stand on top of all others, which costs little; None
    where they do not, or where the rest depends on them."""
    below: set[int] = set()
    said = _part(logic, formula, own, below)
    below.discard(0)
    if len(below) != 1:
        return None
    rest = below.pop()
    return None if logic.support(rest) & own else (said, rest)


def _part(logic: Logic, formula: int, own: int, below: set[int]) -> int:
    """The top of a diagram; what hangs below the atoms `own` is put into `below`."""
    variable, low, high = logic.parts(formula)
    if formula <= 1 or not own >> variable & 1:
        below.add(formula)
        return int(formula != 0)
    return logic.node(variable, _part(logic, low, own, below), _part(logic, high, own, below))


def _apart(logic: Logic, formula: int, own: int) -> tuple[int, int]:
    """What the formula says about the atoms `own`, and what about all others."""
    return logic.forget(formula, ~own), logic.forget(formula, own)


def _groups(logic: Logic, formula: int, bits: dict[str, int]) -> list[list[str]]:
    """The values grouped so that those of different groups say nothing about each other."""
    groups: list[list[str]] = []
    for subject in bits:
        apart, tied = [], [subject]
        for group in groups:
            if any(_tied(logic, formula, bits[subject], bits[other]) for other in group):
                tied += group
            else:
                apart.append(group)
        groups = [*apart, tied]
    return groups


def _tied(logic: Logic, formula: int, one: int, two: int) -> bool:
    """Whether what the formula says about one value depends on the other."""
    both = logic.forget(formula, ~(one | two))
    return logic.both(logic.forget(both, one), logic.forget(both, two)) != both
