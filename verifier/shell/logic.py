"""What tests ask about unknown values, as formulas.

Atoms about the same unknown value know each other: `x = 8` decides `x > 4`. What holds as long as
the script goes on is kept apart from the conditions of paths, which say what tells paths apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from verifier.model.record import NamedTuple
from verifier.model.text import NOWHERE, Span
from verifier.shell.diagrams import Diagrams, TooManyConditions
from verifier.shell.options import IMPORTANT
from verifier.shell.search import Search
from verifier.shell.texts import digest

Literal = tuple[int, bool]
"""An atom and whether it holds."""

INPUT = "input:"
"""Symbols of inputs begin with it; the rest is the variable's name."""


class Predicate(NamedTuple):
    """One yes-or-no question about an unknown value."""

    subject: str
    """Symbol of the value asked about."""
    kind: str
    """"eq" a string (or None for unset), "ge" or "numeq" an integer, else any other test."""
    operand: str | int | None
    text: str
    """For people, as it reads when it holds."""
    span: Span
    decide: Callable[[str | None], bool | None] | None = None
    """The answer for a known value (None: unset), when it can be told."""


_ABOUT_INPUTS = (INPUT, "case", "maybe", "arguments")
"""What the symbols of values that depend on inputs contain."""
_KEPT_LAST = (*IMPORTANT, "EVAL")
_FEW_ATOMS = 6
_FEW_TESTS = 4
"""A formula of more tests of other things than inputs is given a name where paths are told apart
by it."""
_MANY_ATOMS = 24
"""What is known beside conditions is put together as long as it speaks of no more atoms than this.
To know less is to take more for possible."""
_NAMED = "many tests of files and programs decide it"
_LONG_SEARCH = 4_000
"""Steps of the search for a contradiction in what few atoms say, such as one test of a script."""
_SHORT_SEARCH = 200
"""The same for a test of many atoms, such as the condition of a path."""


class Logic(Diagrams):
    """Formulas over what tests ask about unknown values."""

    def __init__(self, limit: int = 400_000) -> None:
        super().__init__(limit)
        self._commons: dict[int, frozenset[Literal]] = {}
        self._prints: dict[int, str] = {0: "0", 1: "1"}
        self._known: dict[tuple[int, str, tuple[int, int]], int] = {}
        self._decided: dict[tuple[int, int], tuple[bool, bool]] = {}
        self.predicates: list[Predicate] = []
        self.gates = 0
        """The atoms that say nothing about inputs, as a bit set."""
        self.direct = 0
        """Those about an input itself."""
        self.central = 0
        """Those about inputs that decide on speculative decoding or accuracy runs."""
        self._ids: dict[tuple[str, str, str | int | None], int] = {}
        self._by_subject: dict[str, list[int]] = {}
        self._subject_bits: dict[str, int] = {}
        self._related: dict[int, int] = {}
        self._settled: dict[int, int] = {}
        self._conflicts: dict[tuple[int, bool], list[tuple[int, bool]]] = {}
        self._follows: dict[Literal, frozenset[Literal]] = {}
        self.assumed = 0
        """Grows with every assumption."""
        self._assumptions: list[tuple[int, bool]] = []
        self._prefixes: tuple[list[int], list[int]] = ([1], [1])
        """The first so many of them in one formula: all, and those to be told."""
        self._facts: dict[int, bool] = {}
        self._fact_bits = 0
        self._clauses: list[tuple[int, int]] = []
        """What is assumed beside facts, each with the atoms that speak of the same values."""
        self._clause_bits = 0
        self._connections: dict[tuple[int, tuple[int, int]], tuple[int, int]] = {}
        self._context = 0
        """The number of the conditions that conditions are relative to here."""
        self._numbers: dict[tuple[int, ...], int] = {(): 0}
        self._numbered: list[tuple[int, ...]] = [()]
        self._context_support = 0
        self._context_bits = 0
        self._contexts: tuple[tuple[int, int], ...] = ()
        """What conditions are relative to, outermost first, in the same way."""

    # --- what holds as long as the script goes on ---

    def assume(self, formula: int, told: bool) -> None:
        """From now on `formula` holds on every path. `told`: a reader of a condition wants it,
        as far as it is about inputs."""
        if formula <= 1:
            return
        self._assumptions.append((self.forget(formula, self.gates), told))
        self.assumed = len(self._assumptions)
        common = self.common(formula)
        for index, holds in common:
            self._learn(index, holds)
        rest = self.given(formula, dict(common))
        if rest > 1:
            bits = self._related_bits(self.support(rest))
            self._clauses.append((rest, bits))
            self._clause_bits |= bits

    @contextmanager
    def inside(self, condition: int) -> Iterator[None]:
        """Around a stretch in which conditions are told relative to `condition`.

        A function need not carry along what led to its call; what that settles is still known.
        """
        outer = self._context, self._contexts, self._context_bits, self._context_support
        if condition != 1:
            bits = self._related_bits(self.support(condition))
            self._contexts = (*outer[1], (condition, bits))
            conditions = tuple(around for around, _ in self._contexts)
            self._context = self._numbers.setdefault(conditions, len(self._numbered))
            if self._context == len(self._numbered):
                self._numbered.append(conditions)
            self._context_bits |= bits
            self._context_support |= self.support(condition)
        try:
            yield
        finally:
            self._context, self._contexts, self._context_bits, self._context_support = outer

    def whole(self, condition: int, context: int | None = None) -> int:
        """The condition with all that conditions are relative to here, or were at another time."""
        number = self._context if context is None else context
        # Put together only where it is asked for: one formula of all can be very long.
        for around in reversed(self._numbered[number]):
            condition = self.both(around, condition)
        return condition

    @property
    def known_here(self) -> tuple[int, int]:
        """Changes whenever more or less is known beside conditions."""
        return self.assumed, self._context

    def _learn(self, index: int, holds: bool) -> None:
        for known, truth in self.implied((index, holds)):
            self._facts[known] = truth
            self._fact_bits |= 1 << known

    def asked(self, condition: int) -> int:
        """The atoms that the condition or an assumption speaks of, as a bit set."""
        beside = self._fact_bits | self._clause_bits | self._context_support
        return self.support(condition) | beside

    def _beside(self, condition: int, bits: int) -> int:
        """The condition and what is assumed about the values that the atoms `bits` are about."""
        return self.both(condition, self._connected(bits)[0])

    def _connected(self, bits: int) -> tuple[int, int]:
        """What is known beside conditions about the values that the atoms `bits` are about, however
        indirectly, and the atoms that speak of all these values."""
        if not (self._clause_bits | self._context_bits) & bits:
            return 1, bits
        key = (bits, self.known_here)
        found = self._connections.get(key)
        if found is None:
            found = self._connections[key] = self._all_connected(bits)
        return found

    def _all_connected(self, bits: int) -> tuple[int, int]:
        result = 1
        waiting = [*self._contexts, *self._clauses]
        taken = True
        while taken:
            later = []
            taken = False
            for clause in waiting:
                if not clause[1] & bits:
                    later.append(clause)
                    continue
                atoms = self.support(result) | self.support(clause[0])
                if atoms.bit_count() <= _MANY_ATOMS:
                    bits |= clause[1]
                    result = self.both(result, clause[0])
                    taken = True
            waiting = later
        return result, bits

    def exactly(self, condition: int, assumed: int) -> int:
        """The condition and the first `assumed` assumptions."""
        return self.both(condition, self._assumptions_until(assumed, False))

    def told(self, condition: int, assumed: int) -> int:
        """The condition and those of the assumptions that a reader wants, if they fit in."""
        try:
            return self.both(condition, self._assumptions_until(assumed, True))
        except TooManyConditions:
            return condition

    def _assumptions_until(self, count: int, told: bool) -> int:
        """All assumptions of a time in one formula; only those to be told when `told`."""
        found = self._prefixes[told]
        while len(found) <= count:
            formula, wanted = self._assumptions[len(found) - 1]
            last = found[-1]
            found.append(self.both(last, formula) if wanted or not told else last)
        return found[count]

    # --- formulas ---

    def atom(self, predicate: Predicate) -> int:
        """The formula that says `predicate`."""
        key = predicate[:3]
        index = self._ids.get(key)
        if index is None:
            if predicate.subject.startswith(INPUT) and predicate.subject not in self._by_subject:
                self._first_of(predicate)
                return self.atom(predicate)
            index = len(self.predicates)
            self._ids[key] = index
            self.predicates.append(predicate)
            if predicate.subject.startswith(INPUT):
                self.direct |= 1 << index
            if not any(mark in predicate.subject for mark in _ABOUT_INPUTS):
                self.gates |= 1 << index
            elif is_central(predicate.subject):
                self.central |= 1 << index
            self._relate(index, predicate)
        return self.node(index, 0, 1)

    def equal(self, subject: str, value: str | None) -> int | None:
        """The formula that says that a value is this one, if anybody has asked before."""
        index = self._ids.get((subject, "eq", value))
        return None if index is None else self.node(index, 0, 1)

    def _first_of(self, predicate: Predicate) -> None:
        """Unset and empty come first, so that each later atom of an input knows them."""
        name = predicate.subject[len(INPUT) :]
        self._by_subject[predicate.subject] = []
        for value in (None, ""):
            text = f"{name} is {value!r}"
            self.atom(Predicate(predicate.subject, "eq", value, text, NOWHERE))

    def split(self, condition: int, test: int) -> tuple[int, int]:
        """`condition` where `test` holds and where it does not; FALSE where that cannot be.

        When one side cannot be, the other is `condition` itself: the test says nothing new.
        """
        test = self._here(test)
        can, cannot = self._sides(condition, test)
        if not cannot:
            return condition, 0
        if not can:
            return 0, condition
        return self.both(condition, test), self.both(condition, self.no(test))

    def implies(self, condition: int, test: int) -> bool:
        """Whether `test` holds wherever `condition` does."""
        return condition == 0 or not self._sides(condition, self._here(test))[1]

    def rules_out(self, condition: int, test: int) -> bool:
        """Whether `test` holds nowhere that `condition` does."""
        return not self._sides(condition, self._here(test))[0]

    def _here(self, test: int) -> int:
        """What the test still asks where the facts hold."""
        return self.given(test, self._facts) if self.support(test) & self._fact_bits else test

    def _sides(self, condition: int, test: int) -> tuple[bool, bool]:
        """Whether the test can hold, and whether it can fail."""
        if test <= 1:
            return bool(test), not test
        beside, reach = self._connected(self._related_bits(self.support(test)))
        if self.support(condition) & reach:
            beside = self.both(condition, beside)
        # Otherwise the condition speaks of other things, and any condition that does would do.
        key = (beside, test)
        found = self._decided.get(key)
        if found is None:
            found = self._decided[key] = self._decide(beside, test)
        return found

    def _decide(self, condition: int, test: int) -> tuple[bool, bool]:
        variable, low, high = self._nodes[test]
        if low <= 1 and high <= 1:
            sides = self._by_common(condition, variable)
            if sides is not None:
                return sides if low == 0 else (sides[1], sides[0])
        if not self._possible(condition, test):
            return False, True
        return True, self._possible(condition, self.no(test))

    def _by_common(self, condition: int, variable: int) -> tuple[bool, bool] | None:
        """Whether the atom can hold and can fail, when what is settled about its value tells."""
        common = self.common(condition)
        settled = self._settled.get(condition)
        if settled is None:
            settled = 0
            for index, _ in common:
                settled |= 1 << index
            self._settled[condition] = settled
        related = self._related_bits(1 << variable)
        if related & self.support(condition) & ~settled:
            return None
        yes, no = (variable, True), (variable, False)
        return (
            no not in common and not any(c in common for c in self._conflicts.get(yes, ())),
            yes not in common and not any(c in common for c in self._conflicts.get(no, ())),
        )

    def known(self, condition: int, subject: str) -> int:
        """What the condition settles about one value, as a formula of few atoms."""
        condition = self._beside(condition, self._subject_bits.get(subject, 0))
        key = (condition, subject, self.known_here)
        found = self._known.get(key)
        if found is None:
            found = 1
            common = self.common(condition)
            for index in self._by_subject.get(subject, ()):
                for holds in (True, False):
                    if (index, holds) in common or self._facts.get(index) is holds:
                        found = self.both(found, self.literal(index, holds))
            self._known[key] = found
        return found

    def value_of(self, condition: int, subject: str) -> tuple[str | None] | None:
        """The value that the condition says to be equal (None: unset), None when it says none."""
        for index, holds in self.common(condition):
            predicate = self.predicates[index]
            if holds and predicate.kind == "eq" and predicate.subject == subject:
                assert not isinstance(predicate.operand, int)
                return (predicate.operand,)
        return None

    def told_elsewhere(self, subject: str) -> bool:
        """Whether what is known beside conditions speaks of the value."""
        beside = self._clause_bits | self._context_bits
        return bool(beside & self._subject_bits.get(subject, 0))

    def can_be(self, condition: int, subject: str, value: str) -> bool:
        """Whether the value asked about can be `value`, as far as its atoms tell."""
        truths: dict[int, bool] = {}
        for index in self._by_subject.get(subject, ()):
            predicate = self.predicates[index]
            if predicate.kind == "eq":
                truth: bool | None = predicate.operand == value
            else:
                truth = None if predicate.decide is None else predicate.decide(value)
            if truth is not None:
                if self._facts.get(index, truth) is not truth:
                    return False
                truths[index] = truth
        known = self._beside(condition, self._subject_bits.get(subject, 0))
        return self.given(known, truths) != 0

    def is_long(self, formula: int, beside: int = 1) -> bool:
        """Whether many tests of other things than inputs decide on it."""
        own = self.support(formula) & ~(self.direct | self.support(beside))
        return own.bit_count() > _FEW_TESTS

    def named(self, formula: int) -> int:
        """One new test in place of a long formula; the same for the same formula."""
        key = Predicate(f"way:{self.fingerprint(formula)}", "taken", None, _NAMED, NOWHERE)
        return self.atom(key)

    def short(self, formula: int) -> int:
        """The formula, or one new test in place of a long one."""
        return self.named(formula) if self.is_long(formula) else formula

    def fingerprint(self, a: int) -> str:
        """A short name that the same formula has in every evaluation."""
        found = self._prints.get(a)
        if found is None:
            variable, low, high = self._nodes[a]
            parts = (self.predicates[variable][:3], self.fingerprint(low), self.fingerprint(high))
            found = digest(parts)
            self._prints[a] = found
        return found

    def known_values(self, subject: str) -> list[str | None]:
        """The values that equality tests have compared the subject with so far."""
        return [
            predicate.operand  # type: ignore[misc]
            for index in self._by_subject.get(subject, ())
            if (predicate := self.predicates[index]).kind == "eq"
        ]

    # --- what atoms about one value say about each other ---

    def _relate(self, index: int, new: Predicate) -> None:
        others = self._by_subject.setdefault(new.subject, [])
        for other in others:
            for a, holds, b, follows in _implications(new, index, self.predicates[other], other):
                # One of the two is not so.
                self._exclude((a, holds), (b, not follows))
        others.append(index)
        self._related.clear()
        self._subject_bits[new.subject] = self._subject_bits.get(new.subject, 0) | 1 << index

    def _exclude(self, one: Literal, two: Literal) -> None:
        for literal, other in ((one, two), (two, one)):
            self._conflicts.setdefault(literal, []).append(other)
            self._follows.pop(literal, None)
            if self._facts.get(literal[0]) is literal[1]:
                self._facts[other[0]] = not other[1]
                self._fact_bits |= 1 << other[0]

    def _possible(self, condition: int, test: int) -> bool:
        """Whether the test can hold where the condition does."""
        if not self.meet(condition, test):
            return False
        bits = self.support(test)
        related = self._related_bits(bits)
        if not related & self.support(condition) & ~bits and bits & (bits - 1) == 0:
            return True
        steps = _LONG_SEARCH if bits.bit_count() <= _FEW_ATOMS else _SHORT_SEARCH
        return Search(self, self._conflicts, related, steps).satisfiable(condition, test)

    def _related_bits(self, bits: int) -> int:
        """The atoms that speak of the same values as those in `bits`."""
        related = self._related.get(bits)
        if related is None:
            related = 0
            for index in members(bits):
                related |= self._subject_bits[self.predicates[index].subject]
            self._related[bits] = related
        return related

    def asks_about(self, subject: str, condition: int) -> bool:
        """Whether the condition, or what is known beside it, speaks of the value."""
        bits = self._subject_bits.get(subject)
        return bits is not None and bool(bits & self.asked(condition))

    def common(self, formula: int) -> frozenset[Literal]:
        """Literals that hold on every way to true, also by what atoms say about each other."""
        if formula <= 1:
            return frozenset()
        found = self._commons.get(formula)
        if found is None:
            variable, low, high = self._nodes[formula]
            sides = [
                self.common(branch) | self.implied((variable, holds))
                for branch, holds in ((low, False), (high, True))
                if branch
            ]
            found = sides[0] if len(sides) == 1 else sides[0] & sides[1]
            self._commons[formula] = found
        return found

    def axioms(self, bits: int) -> list[int]:
        """What ties those of the atoms `bits` to each other that are about the same value."""
        return [
            self.either(self.literal(index, not holds), self.literal(other, not wanted))
            for index in members(bits)
            for holds in (True, False)
            for other, wanted in self._conflicts.get((index, holds), ())
            if other < index and bits >> other & 1
        ]

    def implied(self, literal: Literal) -> frozenset[Literal]:
        """The literal and those that follow from it."""
        found = self._follows.get(literal)
        if found is None:
            others = self._conflicts.get(literal, ())
            found = frozenset((literal, *((other, not wanted) for other, wanted in others)))
            self._follows[literal] = found
        return found


def is_central(subject: str) -> bool:
    """Whether a value decides on speculative decoding or on an accuracy run."""
    return any(mark in subject for mark in _KEPT_LAST)


def members(bits: int) -> list[int]:
    """The atoms in a bit set."""
    members = []
    while bits:
        lowest = bits & -bits
        members.append(lowest.bit_length() - 1)
        bits ^= lowest
    return members


def _implications(
    new: Predicate, new_id: int, old: Predicate, old_id: int
) -> list[tuple[int, bool, int, bool]]:
    """(a, truth of a, b, truth of b that follows) for two predicates about one value."""
    if new.kind == "eq" and old.kind == "eq":
        return [(new_id, True, old_id, False)]
    found: list[tuple[int, bool, int, bool]] = []
    for one, one_id, two, two_id in ((new, new_id, old, old_id), (old, old_id, new, new_id)):
        if one.kind == "eq" and two.decide is not None:
            assert not isinstance(one.operand, int)
            answer = two.decide(one.operand)
            if answer is not None:
                found.append((one_id, True, two_id, answer))
        elif one.kind == "numeq" and isinstance(one.operand, int):
            if two.kind == "numeq":
                found.append((one_id, True, two_id, False))
                break
            if two.kind == "ge" and isinstance(two.operand, int):
                found.append((one_id, True, two_id, one.operand >= two.operand))
        elif (
            one.kind == "ge"
            and two.kind == "ge"
            and isinstance(one.operand, int)
            and isinstance(two.operand, int)
            and one.operand > two.operand
        ):
            found.append((one_id, True, two_id, True))
    return found
