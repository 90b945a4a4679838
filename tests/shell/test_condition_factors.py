"""Conditions of several independent questions are told in full all the same."""

from __future__ import annotations

import itertools

from tests.recipes.trees import MemoryTree
from verifier.model.condition import Condition, InputIs
from verifier.model.condition import Test as OtherTest
from verifier.shell import evaluate
from verifier.shell.options import Options


def condition(script: str) -> Condition:
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), Options())
    (command,) = [c for c in evaluation.commands if c.name == "srv"]
    return command.when


def told(found: Condition) -> set[str]:
    return {a.text for c in found.alternatives for a in c if isinstance(a, OtherTest)}


def one_of(name: str, count: int) -> str:
    values = "|".join(f"v{n}" for n in range(count))
    return f'case "${name}" in {values}) ;; *) exit 1 ;; esac\n'


def test_few_answers_stay_alternatives() -> None:
    found = condition(one_of("A", 3) + one_of("B", 3) + "srv\n")
    assert not told(found)
    assert set(found.alternatives) == {
        frozenset((InputIs("A", f"v{a}"), InputIs("B", f"v{b}")))
        for a, b in itertools.product(range(3), repeat=2)
    }


def test_what_multiplies_is_told_as_one_test() -> None:
    found = condition(one_of("A", 20) + one_of("B", 3) + "srv\n")
    values = ", ".join(f'"v{n}"' for n in range(19))
    assert told(found) == {f'A is {values} or "v19"'}
    assert len(found.alternatives) == 3


def test_unset_and_empty_are_told_last() -> None:
    script = f'[ -z "$A" ] || {{ {one_of("A", 12).strip()}; }}\n' + one_of("B", 3)
    (text,) = told(condition(script + "srv\n"))
    assert text.startswith('A is "v0", ') and text.endswith(', "v11", empty or unset')


def test_questions_of_two_values_are_found() -> None:
    script = (
        'if [ "$A" = 1 ]; then [ "$B" = 2 ] || exit 1; else [ "$B" = 3 ] || exit 1; fi\n'
        + one_of("C", 20)
        + one_of("D", 2)
    )
    found = condition(script + "srv\n")
    (text,) = told(found)
    assert text.startswith("C is ")
    assert len(found.alternatives) == 4


def test_what_decides_on_an_evaluation_is_never_hidden_in_a_test() -> None:
    values = " || ".join(f'[ "$EVAL_ONLY$A" = {n} ]' for n in range(30))
    found = condition(f"{values} || exit 1\n{one_of('B', 20)}srv\n")
    assert not any("EVAL_ONLY is" in text for text in told(found))
