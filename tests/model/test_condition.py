"""Laws of conditions: simplifying never changes what they say."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from verifier.model import condition as conditions
from verifier.model.condition import ALWAYS, NEVER, Atom, Condition, InputIs, of, when
from verifier.model.text import NOWHERE

VALUES = (None, "", "a", "b")
TESTS = ("t", "u")

atoms = st.one_of(
    st.builds(InputIs, st.sampled_from(["X", "Y"]), st.sampled_from(VALUES), st.booleans()),
    st.builds(
        conditions.Test, st.sampled_from(TESTS), st.just("t"), st.just(NOWHERE), st.booleans()
    ),
)
conjunctions = st.frozensets(atoms, max_size=4)

WORLDS = [
    ({"X": x, "Y": y}, dict(zip(TESTS, truths, strict=True)))
    for x, y in product((*VALUES, "c"), repeat=2)
    for truths in product((True, False), repeat=len(TESTS))
]
World = tuple[dict[str, str | None], dict[str, bool]]


def _true(atom: Atom, world: World) -> bool:
    inputs, tests = world
    if isinstance(atom, InputIs):
        return (inputs[atom.name] == atom.value) == atom.holds
    return tests[atom.key] == atom.holds


def _table(condition: Condition) -> list[bool]:
    return [
        any(all(_true(a, world) for a in c) for c in condition.alternatives) for world in WORLDS
    ]


@given(st.lists(conjunctions, max_size=5))
def test_simplifying_keeps_the_truth_table(alternatives: list[frozenset[Atom]]) -> None:
    assert _table(of(alternatives)) == _table(Condition(tuple(alternatives)))


@given(st.lists(conjunctions, max_size=3), st.lists(conjunctions, max_size=3))
def test_and_or_not_follow_their_truth_tables(
    left: list[frozenset[Atom]], right: list[frozenset[Atom]]
) -> None:
    one, two = of(left), of(right)
    pairs = list(zip(_table(one), _table(two), strict=True))
    assert _table(one.also(two)) == [a and b for a, b in pairs]
    assert _table(one.either(two)) == [a or b for a, b in pairs]
    assert _table(one.negate()) == [not a for a in _table(one)]


def test_both_branches_of_a_test_join_to_always() -> None:
    yes = conditions.Test("t", "$X -gt 4", NOWHERE)
    assert when(yes).either(when(yes._replace(holds=False))) == ALWAYS


def test_a_case_with_a_default_covers_everything() -> None:
    named = [when(InputIs("X", v)) for v in "abcdefgh"]
    default = of([frozenset(InputIs("X", v, False) for v in "abcdefgh")])
    joined = default
    for condition in named:
        joined = joined.either(condition)
    assert joined == ALWAYS


def test_two_values_of_one_input_exclude_each_other() -> None:
    assert when(InputIs("X", "a")).also(when(InputIs("X", "b"))) == NEVER
    assert not when(InputIs("X", "a")).compatible(when(InputIs("X", "a", False)))
