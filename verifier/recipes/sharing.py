"""Points of one script that differ only in what numbers them share one evaluation.

A sweep runs a script at many concurrencies. The variables that differ are left open, the script
is evaluated once, and each point's values are put in. That a value comes out as it would alone
is checked on one point of every script: where a point has an unknown part that no point of the
script had when it was evaluated by itself, it is evaluated by itself, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from verifier.model.condition import Condition, InputIs
from verifier.model.context import RecipeFacts
from verifier.recipes.substitution import NotKnown, filled, opened, unknown_parts, unknown_values
from verifier.recipes.views import named_files, view_of

if TYPE_CHECKING:
    from verifier.model.command import Command, Evaluation
    from verifier.model.text import Text
    from verifier.policy import Policy

_OPEN_FIELDS = frozenset(("conc", "job-conc", "conc-list", "exp-name", "result-filename"))
"""Fields of points that tell the points of one row apart."""
_Job = TypeVar("_Job")


def open_names(policy: Policy) -> frozenset[str]:
    """Variables that only these fields make."""
    rules = policy.point
    return frozenset(
        name
        for name, template in (
            *rules.single_node_variables.items(),
            *rules.multi_node_variables.items(),
        )
        if template[1:-1] in _OPEN_FIELDS
    )


def alike(
    jobs: Iterable[_Job],
    same: Callable[[_Job], object],
    most: int,
) -> list[list[_Job]]:
    """Jobs that may share an evaluation, at most so many together."""
    groups: dict[object, list[_Job]] = defaultdict(list)
    for job in jobs:
        groups[same(job)].append(job)
    return [group[at : at + most] for group in groups.values() for at in range(0, len(group), most)]


def differing(envs: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """The variables that differ, with their values."""
    first = envs[0]
    return {
        name: tuple(dict.fromkeys(env[name] for env in envs))
        for name in first
        if any(env[name] != first[name] for env in envs)
    }


class Sharing:
    """Evaluates the jobs of one script. `alone` gives the facts of one environment, `evaluate`
    the evaluation in an environment with open values, `facts` what an evaluation says."""

    def __init__(
        self,
        alone: Callable[[Mapping[str, str]], RecipeFacts],
        evaluate: Callable[[Mapping[str, str | Text]], Evaluation],
        facts: Callable[[Evaluation, Mapping[str, str]], RecipeFacts],
    ) -> None:
        self._alone = alone
        self._evaluate = evaluate
        self._facts = facts
        self._known: dict[object, set[str]] = {}
        """Unknown parts of jobs that were evaluated by themselves, by mode."""
        self._unlike: set[object] = set()
        """Modes in which the one evaluation said something else."""

    def of(self, mode: object, envs: Sequence[Mapping[str, str]]) -> Iterator[RecipeFacts]:
        """Facts of environments that differ in few variables, in order."""
        if len(envs) < 2 or mode in self._unlike:
            yield from (self._by_itself(mode, env) for env in envs)
            return
        differ = differing(envs)
        evaluation = self._evaluate({**envs[0], **opened(differ)})
        for env in envs:
            yield self._one(mode, evaluation, env, {name: env[name] for name in differ})

    def _one(
        self,
        mode: object,
        evaluation: Evaluation,
        env: Mapping[str, str],
        values: Mapping[str, str],
    ) -> RecipeFacts:
        if mode in self._unlike:
            return self._by_itself(mode, env)
        try:
            found = self._facts(filled(evaluation, values), env)
        except NotKnown:
            return self._by_itself(mode, env)
        known = self._known.get(mode)
        if known is None:
            alone = self._by_itself(mode, env)
            if _all(alone) != _all(found):
                self._unlike.add(mode)
            return alone
        return found if _parts(found) <= known else self._by_itself(mode, env)

    def _by_itself(self, mode: object, env: Mapping[str, str]) -> RecipeFacts:
        found = self._alone(env)
        self._known.setdefault(mode, set()).update(_parts(found))
        return found


def _parts(facts: RecipeFacts) -> frozenset[str]:
    notes = frozenset(f"{note.span}: {note.text}" for note in facts.unresolved)
    files = (text for launch in facts.launches for _, text in named_files(launch))
    in_files = frozenset(part for text in files for part in unknown_values(text))
    return notes.union(in_files, unknown_parts(_commands(facts)))


def _commands(facts: RecipeFacts) -> Iterator[Command]:
    yield from (launch.command for launch in facts.launches)
    yield from facts.clients
    yield from facts.evaluations


def _all(facts: RecipeFacts) -> tuple[object, ...]:
    return (
        view_of(facts),
        [(command.span, _shown(command.when)) for command in _commands(facts)],
        facts.workload,
        facts.model_prefix,
        facts.thinking_settings,
        facts.unresolved,
        facts.assumptions,
    )


def _shown(when: Condition) -> frozenset[frozenset[tuple[object, ...]]]:
    return frozenset(
        frozenset(
            tuple(atom) if isinstance(atom, InputIs) else (atom.text, atom.holds)
            for atom in conjunction
        )
        for conjunction in when.alternatives
    )
