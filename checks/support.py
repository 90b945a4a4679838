"""What several checks need: unread parts, path conditions, small findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from verifier.model import condition
from verifier.model.command import Command, Note
from verifier.model.condition import Condition, Conjunction, InputIs, Test, entails, negated
from verifier.model.finding import Finding, Related, Status
from verifier.model.record import NamedTuple, replace
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.context import Context, RecipeFacts

_MOST_STEPS = 2_000
_MOST_SHOWN = 6
_MOST_VARIANTS = 32


def unread(context: Context, said: Iterable[Finding] = ()) -> Iterator[Finding]:
    """What should have been judged and could not be read, but for what was said already."""
    known = {(finding.span, finding.message) for finding in said}
    for note in context.unread:
        if (note.span, note.text) in known:
            continue
        yield Finding(
            status=Status.UNRESOLVED,
            code="unread",
            message=f"not judged: {note.text}",
            span=note.span,
        )


def unevaluated(recipe: RecipeFacts) -> Iterator[Finding]:
    """Places where reading the recipe stopped short: what follows may hide anything."""
    for note in recipe.unresolved:
        yield from_note(note, "not_evaluated", "what follows may hide a launch")


def from_note(note: Note, code: str, consequence: str) -> Finding:
    """An unresolved finding of a note."""
    return Finding(
        status=Status.UNRESOLVED,
        code=code,
        message=f"{note.text}; {consequence}",
        span=note.span,
        when=note.when,
    )


def passed(code: str, message: str, span: Span, when: Condition = condition.ALWAYS) -> Finding:
    """A finding that says what was found right."""
    return Finding(status=Status.PASS, code=code, message=message, span=span, when=when)


def not_applicable(message: str) -> Finding:
    """The one finding of a check that has nothing to judge."""
    return Finding(status=Status.NA, code="not_applicable", message=message)


def call_site(command: Command) -> tuple[Related, ...]:
    """Where the function or helper script around a command was called."""
    return tuple(
        Related(span=span, text="called from here")
        for span in command.calls
        if span.path != command.span.path or span.line != command.span.line
    )


def variants(command: Command) -> tuple[Command, ...]:
    """The command with every argument vector that it can have, as far as they are listed."""
    choices = [
        word.alternatives if word.splits and word.alternatives is not None else ((word,),)
        for word in command.argv
    ]
    if all(len(choice) == 1 and len(choice[0]) == 1 for choice in choices):
        return (command,)
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST_VARIANTS:
        return (command,)
    return tuple(
        replace(command, argv=tuple(word for part in parts for word in part))
        for parts in product(*choices)
    )


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one holds. Not simplified: conditions of real scripts are long."""
    return Condition(tuple(dict.fromkeys(c for one in conditions for c in one.alternatives)))


def meet(one: Condition, other: Condition) -> Condition:
    """Both hold. Not simplified, and empty exactly when the two exclude each other."""
    if one.always or other.always:
        return other if one.always else one
    pairs = product(one.alternatives, other.alternatives)
    return Condition(tuple(dict.fromkeys(a | b for a, b in pairs if not _exclude(a, b))))


def compatible(one: Condition, other: Condition) -> bool:
    """Whether both can hold at once."""
    pairs = product(one.alternatives, other.alternatives)
    return any(not _exclude(a, b) for a, b in pairs)


def shown(condition: Condition) -> Condition:
    """Short enough for a report: what all alternatives share when there are many of them."""
    from verifier.model.condition import of

    if len(condition.alternatives) <= _MOST_SHOWN:
        return of(condition.alternatives)
    return of([frozenset.intersection(*condition.alternatives)])


def coarse(condition: Condition) -> bool:
    """Whether the evaluator gave only a part of the condition: the paths may not exist."""
    return any(
        isinstance(atom, Test) and atom.key.startswith("combination:")
        for conjunction in condition.alternatives
        for atom in conjunction
    )


class _Facts(NamedTuple):
    """A conjunction, ready to be compared."""

    values: Mapping[str, str | None]
    """Inputs that equal something."""
    equal: frozenset[tuple[str, str | None]]
    different: frozenset[tuple[str, str | None]]
    true: frozenset[str]
    """Keys of tests that hold."""
    false: frozenset[str]


@lru_cache(maxsize=8192)
def _facts(conjunction: Conjunction) -> _Facts:
    inputs = [atom for atom in conjunction if isinstance(atom, InputIs)]
    tests = [atom for atom in conjunction if isinstance(atom, Test)]
    equal = frozenset((atom.name, atom.value) for atom in inputs if atom.holds)
    return _Facts(
        values=dict(equal),
        equal=equal,
        different=frozenset((atom.name, atom.value) for atom in inputs if not atom.holds),
        true=frozenset(atom.key for atom in tests if atom.holds),
        false=frozenset(atom.key for atom in tests if not atom.holds),
    )


def _exclude(one: Conjunction, two: Conjunction) -> bool:
    """Whether two consistent conjunctions contradict each other."""
    a, b = _facts(one), _facts(two)
    return not (
        a.true.isdisjoint(b.false)
        and a.false.isdisjoint(b.true)
        and a.equal.isdisjoint(b.different)
        and a.different.isdisjoint(b.equal)
        and all(a.values[name] == b.values[name] for name in a.values.keys() & b.values.keys())
    )


def without(one: Condition, other: Condition) -> Condition:
    """Some way in which `one` holds and `other` does not; `NEVER` when there is none.

    Not the whole difference, which can be huge: one witness for each alternative of `one`.
    """
    found: list[Conjunction] = []
    for conjunction in one.alternatives:
        witness = _witness(conjunction, other.alternatives)
        if witness is not None:
            found.append(witness)
    return Condition(tuple(found))


def inputs_of(other: Condition) -> Condition:
    """`other` with tests of anything but inputs left out, where inputs remain."""
    kept = []
    for conjunction in other.alternatives:
        inputs = frozenset(atom for atom in conjunction if isinstance(atom, InputIs))
        kept.append(inputs or conjunction)
    return Condition(tuple(dict.fromkeys(kept)))


def _witness(start: Conjunction, excluded: Sequence[Conjunction]) -> Conjunction | None:
    relevant = [c for c in excluded if not _exclude(start, c)]
    budget = [_MOST_STEPS]
    found = _extended(start, relevant, budget)
    # Out of budget: better to judge a path that cannot happen than to miss one that can.
    return start if found is None and budget[0] <= 0 else found


def _extended(
    current: Conjunction, excluded: Sequence[Conjunction], budget: list[int]
) -> Conjunction | None:
    """`current` with atoms that make every excluded conjunction false, if there are such."""
    if not excluded:
        return current
    first, rest = excluded[0], excluded[1:]
    if _exclude(current, first):
        return _extended(current, rest, budget)
    for atom in sorted((a for a in first if not entails(current, a)), key=_input_first):
        budget[0] -= 1
        if budget[0] <= 0:
            return None
        opposite = frozenset((negated(atom),))
        if not _exclude(current, opposite):
            found = _extended(current | opposite, rest, budget)
            if found is not None:
                return found
    return None


def _input_first(atom: condition.Atom) -> tuple[bool, str]:
    return not isinstance(atom, InputIs), str(atom[0])
