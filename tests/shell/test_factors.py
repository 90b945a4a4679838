"""Independent questions in a formula: together they say it, and they share no value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick
from verifier.model.text import NOWHERE
from verifier.shell.factors import factors
from verifier.shell.logic import Logic, Predicate

_SUBJECTS = "abcde"
_atoms = st.tuples(st.sampled_from(_SUBJECTS), st.sampled_from("xyz"))
_questions = st.lists(st.lists(_atoms, min_size=1, max_size=3), min_size=1, max_size=5)


def _formula(logic: Logic, questions: list[list[tuple[str, str]]]) -> int:
    """Each list says that one of its values is that text."""
    result = 1
    for question in questions:
        one = 0
        for subject, value in question:
            test = logic.atom(Predicate(subject, "other", value, f"{subject} {value}", NOWHERE))
            one = logic.either(one, test)
        result = logic.both(result, one)
    return result


@quick
@given(_questions)
def test_factors_say_the_formula(questions: list[list[tuple[str, str]]]) -> None:
    logic = Logic()
    formula = _formula(logic, questions)
    found = factors(logic, formula)
    together = 1
    for factor in found:
        together = logic.both(together, factor.formula)
    assert together == formula
    subjects = [subject for factor in found for subject in factor.subjects]
    assert len(subjects) == len(set(subjects))


def test_a_question_of_its_own_is_found_wherever_its_atoms_stand() -> None:
    """Atoms of one value stand apart from each other when it was asked about at two times."""
    logic = Logic()
    formula = _formula(logic, [[("a", "x"), ("b", "x")], [("c", "x")], [("a", "y"), ("b", "y")]])
    groups = {factor.subjects for factor in factors(logic, formula)}
    assert groups == {frozenset("ab"), frozenset("c")}
