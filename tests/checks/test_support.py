"""Witnesses of path conditions: `without` finds a path exactly when there is one."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from checks.support import inputs_of, without
from verifier.model.condition import ALWAYS, NEVER, Atom, Condition, InputIs, of
from verifier.model.condition import Test as Fact
from verifier.model.text import NOWHERE

EVAL = InputIs("EVAL_ONLY", "true")
BIG = Fact("conc>4", "$CONC -gt 4", NOWHERE)
FILE = Fact("file", "-f x", NOWHERE)
ATOMS: tuple[Atom, ...] = (EVAL, BIG, FILE)

conjunctions = st.dictionaries(st.sampled_from(ATOMS), st.booleans(), max_size=3).map(
    lambda chosen: frozenset(atom._replace(holds=holds) for atom, holds in chosen.items())
)
conditions = st.lists(conjunctions, max_size=4).map(of)


def holds(condition: Condition, world: dict[Atom, bool]) -> bool:
    return any(
        all(world[atom._replace(holds=True)] is atom.holds for atom in conjunction)
        for conjunction in condition.alternatives
    )


@settings(max_examples=300, deadline=None)
@given(conditions, conditions)
def test_without_against_the_truth_table(one: Condition, two: Condition) -> None:
    worlds = [dict(zip(ATOMS, values, strict=True)) for values in product((True, False), repeat=3)]
    left = without(one, two)
    difference = [w for w in worlds if holds(one, w) and not holds(two, w)]
    assert left.never is (not difference)
    assert all(w in difference for w in worlds if holds(left, w))


def test_without_the_same_is_never() -> None:
    assert without(ALWAYS, ALWAYS).never
    assert without(NEVER, ALWAYS).never
    assert without(ALWAYS, NEVER).always


def test_tests_beside_inputs_are_left_out() -> None:
    assert inputs_of(of([frozenset({EVAL, FILE})])) == of([frozenset({EVAL})])
    assert inputs_of(of([frozenset({FILE})])) == of([frozenset({FILE})])
