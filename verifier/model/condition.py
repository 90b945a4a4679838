"""What must be true of the inputs for something to happen: an OR of ANDs of atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from verifier.model.record import NamedTuple
from verifier.model.text import Span


class InputIs(NamedTuple):
    """An input variable equals `value` (`holds`) or differs from it.

    `value` None means unset; the empty string means set and empty. A test that treats unset and
    empty alike, such as `[ -z "$X" ]`, becomes two alternatives.
    """

    name: str
    value: str | None
    holds: bool = True


class Test(NamedTuple):
    """Any other test. `key` identifies its meaning (same key, same truth in one run)."""

    key: str
    text: str
    """As a person would write it, such as `$CONC -gt 4`."""
    span: Span
    holds: bool = True


Atom = InputIs | Test
Conjunction = frozenset[Atom]


def _subject(atom: Atom) -> tuple[str, str | None]:
    return (f"input:{atom.name}", atom.value) if isinstance(atom, InputIs) else (atom.key, None)


def consistent(atoms: Conjunction) -> bool:
    """Whether the atoms can hold together, as far as equality and repetition decide it."""
    equals: dict[str, str | None] = {}
    truths: dict[tuple[str, str | None], bool] = {}
    for atom in atoms:
        subject = _subject(atom)
        if truths.setdefault(subject, atom.holds) != atom.holds:
            return False
        if (
            isinstance(atom, InputIs)
            and atom.holds
            and equals.setdefault(atom.name, atom.value) != atom.value
        ):
            return False
    return True


def entails(conjunction: Conjunction, atom: Atom) -> bool:
    """Whether `conjunction` makes `atom` true: it says so, or another value is already fixed."""
    if atom in conjunction:
        return True
    if isinstance(atom, Test):
        return any(
            isinstance(other, Test) and other.key == atom.key and other.holds == atom.holds
            for other in conjunction
        )
    return not atom.holds and any(
        isinstance(other, InputIs)
        and other.holds
        and other.name == atom.name
        and other.value != atom.value
        for other in conjunction
    )


def _without_implied(conjunction: Conjunction) -> Conjunction:
    """Drop `X is not a` beside `X is b`, and all but one telling of the same test."""
    fixed: dict[str, str | None] = {}
    tests: dict[tuple[str, bool], Test] = {}
    for atom in conjunction:
        if isinstance(atom, Test):
            other = tests.get((atom.key, atom.holds), atom)
            tests[atom.key, atom.holds] = min(atom, other)
        elif atom.holds:
            fixed[atom.name] = atom.value
    inputs = (
        atom
        for atom in conjunction
        if isinstance(atom, InputIs)
        and (atom.holds or fixed.get(atom.name, atom.value) == atom.value)
    )
    return frozenset(tests.values()).union(inputs)


def negated(atom: Atom) -> Atom:
    """The same atom with the other truth."""
    return atom._replace(holds=not atom.holds)


def _joined(one: Conjunction, two: Conjunction) -> Conjunction | None:
    """One conjunction that says `one or two`, when there is one; else None."""
    if all(entails(two, atom) for atom in one):
        return one
    if all(entails(one, atom) for atom in two):
        return two
    subjects = {_subject(other): other for other in two}
    for atom in one:
        other = subjects.get(_subject(atom))
        if other is None or atom.holds == other.holds:
            continue
        positive, negative = (one, two) if atom.holds else (two, one)
        pivot = atom if atom.holds else other
        rest = frozenset(a for a in negative if _subject(a) != _subject(pivot))
        # positive says `pivot and rest` exactly, negative `not pivot and rest`: together, rest.
        if all(entails(positive, a) for a in rest) and all(
            entails(rest | {pivot}, a) for a in positive
        ):
            return rest
    return None


class Condition:
    """A disjunction of conjunctions. No alternative: never. An empty alternative: always."""

    __slots__ = ("_known", "_tell")

    def __init__(self, alternatives: tuple[Conjunction, ...]) -> None:
        self._known: tuple[Conjunction, ...] | None = alternatives
        self._tell: Callable[[], Condition] | None = None

    @classmethod
    def later(cls, tell: Callable[[], Condition]) -> Condition:
        """A condition that is worked out when somebody asks for it: most are of no interest."""
        made = cls(())
        made._known, made._tell = None, tell
        return made

    @property
    def alternatives(self) -> tuple[Conjunction, ...]:
        if self._known is None:
            assert self._tell is not None
            self._known, self._tell = self._tell().alternatives, None
        return self._known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Condition):
            return NotImplemented
        return self is other or self.alternatives == other.alternatives

    def __hash__(self) -> int:
        return hash(self.alternatives)

    def __repr__(self) -> str:
        return f"Condition({self.alternatives!r})"

    def __reduce__(self) -> tuple[type[Condition], tuple[tuple[Conjunction, ...]]]:
        return Condition, (self.alternatives,)

    @property
    def always(self) -> bool:
        return any(not conjunction for conjunction in self.alternatives)

    @property
    def never(self) -> bool:
        return not self.alternatives

    def also(self, other: Condition) -> Condition:
        """Both hold."""
        if other.always:
            return self
        if self.always:
            return other
        return of(a | b for a in self.alternatives for b in other.alternatives)

    def either(self, other: Condition) -> Condition:
        """At least one holds."""
        return of((*self.alternatives, *other.alternatives))

    def negate(self) -> Condition:
        """It does not hold. Grows with the product of the alternatives' sizes."""
        result = ALWAYS
        for conjunction in self.alternatives:
            result = result.also(of(frozenset((negated(atom),)) for atom in conjunction))
        return result

    def compatible(self, other: Condition) -> bool:
        """Whether both can hold at once, as far as the atoms decide it."""
        return not self.also(other).never


def of(conjunctions: Iterable[Conjunction]) -> Condition:
    """The simplest condition found for these alternatives; contradictory ones vanish."""
    kept: list[Conjunction] = []
    pending = [_without_implied(c) for c in conjunctions if consistent(c)]
    pending.reverse()
    while pending:
        new = pending.pop()
        for index, old in enumerate(kept):
            joined = _joined(old, new)
            if joined is not None:
                del kept[index]
                pending.append(_without_implied(joined))
                break
        else:
            kept.append(new)
    return Condition(tuple(kept))


def when(atom: Atom) -> Condition:
    """The condition that is one atom."""
    return Condition((frozenset((atom,)),))


ALWAYS = Condition((frozenset(),))
NEVER = Condition(())
