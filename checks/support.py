"""What several checks need: unread parts, path conditions, small findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.model import condition
from verifier.model.command import Command, Note
from verifier.model.condition import Condition, Conjunction, InputIs, entails, negated
from verifier.model.finding import Finding, Related, Status
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.context import Context, RecipeFacts

_MOST_STEPS = 2_000


def unread(context: Context) -> Iterator[Finding]:
    """Files that should have been judged and could not be read."""
    for note in context.unread:
        yield Finding(
            status=Status.UNRESOLVED,
            code="unread",
            message=f"this file was not judged: {note.text}",
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


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one holds."""
    result = condition.NEVER
    for one in conditions:
        result = result.either(one)
    return result


def without(one: Condition, other: Condition) -> Condition:
    """Some way in which `one` holds and `other` does not; `NEVER` when there is none.

    Not the whole difference, which can be huge: one witness for each alternative of `one`.
    """
    found: list[Conjunction] = []
    for conjunction in one.alternatives:
        witness = _witness(conjunction, other.alternatives)
        if witness is not None:
            found.append(witness)
    return condition.of(found)


def inputs_of(other: Condition) -> Condition:
    """`other` with tests of anything but inputs left out, where inputs remain."""
    kept = []
    for conjunction in other.alternatives:
        inputs = frozenset(atom for atom in conjunction if isinstance(atom, InputIs))
        kept.append(inputs or conjunction)
    return condition.of(kept)


def _witness(start: Conjunction, excluded: Sequence[Conjunction]) -> Conjunction | None:
    relevant = [c for c in excluded if condition.consistent(start | c)]
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
    if not condition.consistent(current | first):
        return _extended(current, rest, budget)
    for atom in sorted((a for a in first if not entails(current, a)), key=_input_first):
        budget[0] -= 1
        if budget[0] <= 0:
            return None
        extended = current | {negated(atom)}
        if condition.consistent(extended):
            found = _extended(extended, rest, budget)
            if found is not None:
                return found
    return None


def _input_first(atom: condition.Atom) -> tuple[bool, str]:
    return not isinstance(atom, InputIs), str(atom[0])
