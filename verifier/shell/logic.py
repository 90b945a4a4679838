"""Path conditions as binary decision diagrams over what tests say about unknown values.

A formula is a number: 0 is false, 1 true, others index a table of nodes. Equal formulas have
equal numbers, so joining paths that cover every case gives 1 again. Atoms about the same unknown
value know each other: `x = 8` decides `x > 4`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from verifier.model.condition import NEVER, Atom, Condition, Conjunction, InputIs, Test
from verifier.model.record import NamedTuple
from verifier.model.text import NOWHERE, Span
from verifier.shell.options import IMPORTANT
from verifier.shell.texts import digest

FALSE = 0
TRUE = 1

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
_MANY_PATHS = 60
"""A diagram with more ways to be true is not written out as alternatives."""
_FEW_ATOMS = 6
_FEW_TESTS = 4
"""A formula of more tests of other things than inputs is given a name where paths are told apart
by it."""
_NAMED = "many tests of files and programs decide it"
_LONG_SEARCH = 4_000
"""Steps of the search for a contradiction in what few atoms say, such as one test of a script."""
_SHORT_SEARCH = 200
"""The same for a test of many atoms, such as the condition of a path."""
_FEW_AXIOMS = 24
"""Beyond this many relations between atoms a condition is shortened without them."""


class TooManyConditions(Exception):
    """The table of nodes has reached its limit."""


class Logic:
    """The table of formulas of one evaluation."""

    def __init__(self, limit: int = 400_000) -> None:
        self._limit = limit
        # The newest atom stands on top, so that adding it to a condition makes one node.
        self._nodes: list[tuple[int, int, int]] = [(-1, 0, 0), (-1, 1, 1)]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._and: dict[tuple[int, int], int] = {}
        self._or: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {0: 1, 1: 0}
        self._supports: list[int] = [0, 0]
        self._commons: dict[int, frozenset[Literal]] = {}
        self._path_counts: dict[int, int] = {}
        self._conditions: dict[tuple[int | None, int], Condition] = {}
        self._restricted: dict[tuple[int, int], int] = {}
        self._reader_atoms: dict[Literal, Atom] = {}
        self._prints: dict[int, str] = {0: "0", 1: "1"}
        self._without: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, str, tuple[int, int]], int] = {}
        self._split: dict[tuple[int, int], tuple[int, int]] = {}
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
        self._axioms: dict[int, list[tuple[int, int]]] = {}
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
        self._known_beside: dict[tuple[int, int, tuple[int, int]], int] = {}
        self._context = 1
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
        common = self._common(formula)
        for index, holds in common:
            self._learn(index, holds)
        rest = self._given(formula, dict(common))
        if rest > 1:
            bits = self._related_bits(self.support(rest))
            self._clauses.append((rest, bits))
            self._clause_bits |= bits

    @contextmanager
    def inside(self, condition: int) -> Iterator[None]:
        """Around a stretch in which conditions are told relative to `condition`.

        A function need not carry along what led to its call; what that settles is still known.
        """
        outer = self._context, self._contexts
        if condition != 1:
            bits = self._related_bits(self.support(condition))
            self._contexts = (*outer[1], (condition, bits))
            self._context = self.both(outer[0], condition)
        try:
            yield
        finally:
            self._context, self._contexts = outer

    def whole(self, condition: int) -> int:
        """The condition with all that conditions are relative to here."""
        return self.both(self._context, condition)

    @property
    def known_here(self) -> tuple[int, int]:
        """Changes whenever more or less is known beside conditions."""
        return self.assumed, self._context

    def _learn(self, index: int, holds: bool) -> None:
        for known, truth in self._implied((index, holds)):
            self._facts[known] = truth
            self._fact_bits |= 1 << known

    def asked(self, condition: int) -> int:
        """The atoms that the condition or an assumption speaks of, as a bit set."""
        beside = self._fact_bits | self._clause_bits | self.support(self._context)
        return self.support(condition) | beside

    def _beside(self, condition: int, bits: int) -> int:
        """The condition and what is assumed about the values that the atoms `bits` are about."""
        clauses = [*self._contexts, *self._clauses] if self._clause_bits & bits else self._contexts
        if not any(about & bits for _, about in clauses):
            return condition
        key = (condition, bits, self.known_here)
        found = self._known_beside.get(key)
        if found is None:
            found = self._known_beside[key] = self._with(condition, bits)
        return found

    def _with(self, condition: int, bits: int) -> int:
        """All clauses that the values are connected with, however indirectly."""
        waiting = [*self._contexts, *self._clauses]
        taken = True
        while taken:
            later = []
            taken = False
            for clause in waiting:
                if clause[1] & bits:
                    bits |= clause[1]
                    condition = self.both(condition, clause[0])
                    taken = True
                else:
                    later.append(clause)
            waiting = later
        return condition

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
            elif _is_central(predicate.subject):
                self.central |= 1 << index
            self._relate(index, predicate)
        return self._node(index, 0, 1)

    def _first_of(self, predicate: Predicate) -> None:
        """Unset and empty come first, so that each later atom of an input knows them."""
        name = predicate.subject[len(INPUT) :]
        self._by_subject[predicate.subject] = []
        for value in (None, ""):
            text = f"{name} is {value!r}"
            self.atom(Predicate(predicate.subject, "eq", value, text, NOWHERE))

    def both(self, a: int, b: int) -> int:
        """a and b."""
        if a == b or b == 1:
            return a
        if a == 1:
            return b
        if a == 0 or b == 0:
            return 0
        key = (a, b) if a < b else (b, a)
        found = self._and.get(key)
        if found is None:
            va, la, ha = self._nodes[a]
            vb, lb, hb = self._nodes[b]
            if va == vb:
                found = self._node(va, self.both(la, lb), self.both(ha, hb))
            elif va > vb:
                found = self._node(va, self.both(la, b), self.both(ha, b))
            else:
                found = self._node(vb, self.both(a, lb), self.both(a, hb))
            self._and[key] = found
        return found

    def no(self, a: int) -> int:
        """not a."""
        found = self._not.get(a)
        if found is None:
            variable, low, high = self._nodes[a]
            found = self._node(variable, self.no(low), self.no(high))
            self._not[a] = found
            self._not[found] = a
        return found

    def either(self, a: int, b: int) -> int:
        """a or b."""
        if a == b or b == 0:
            return a
        if a == 0:
            return b
        if a == 1 or b == 1:
            return 1
        key = (a, b) if a < b else (b, a)
        found = self._or.get(key)
        if found is None:
            va, la, ha = self._nodes[a]
            vb, lb, hb = self._nodes[b]
            if va == vb:
                found = self._node(va, self.either(la, lb), self.either(ha, hb))
            elif va > vb:
                found = self._node(va, self.either(la, b), self.either(ha, b))
            else:
                found = self._node(vb, self.either(a, lb), self.either(a, hb))
            self._or[key] = found
        return found

    def choose(self, test: int, yes: int, otherwise: int) -> int:
        """`yes` where `test` holds, `otherwise` elsewhere."""
        return self.either(self.both(test, yes), self.both(self.no(test), otherwise))

    def split(self, condition: int, test: int) -> tuple[int, int]:
        """`condition` where `test` holds and where it does not; FALSE where that cannot be.

        When one side cannot be, the other is `condition` itself: the test says nothing new.
        """
        if self.support(test) & self._fact_bits:
            test = self._given(test, self._facts)
        if test <= 1:
            return (condition, 0) if test else (0, condition)
        known = self._beside(condition, self._related_bits(self.support(test)))
        key = (known, test)
        found = self._split.get(key)
        if found is None:
            found = self._split[key] = self._parted(known, test)
        if known == condition:
            return found
        if found[1] == 0:
            return condition, 0
        if found[0] == 0:
            return 0, condition
        return self.both(condition, test), self.both(condition, self.no(test))

    def _parted(self, condition: int, test: int) -> tuple[int, int]:
        variable, low, high = self._nodes[test]
        if low <= 1 and high <= 1:
            sides = self._by_common(condition, variable)
            if sides is not None:
                can, cannot = sides if low == 0 else (sides[1], sides[0])
                if not can:
                    return 0, condition
                if not cannot:
                    return condition, 0
                return self.both(condition, test), self.both(condition, self.no(test))
        yes = self.both(condition, test)
        no = self.both(condition, self.no(test))
        if not self._possible(yes, test):
            return 0, condition
        if not self._possible(no, test):
            return condition, 0
        return yes, no

    def _by_common(self, condition: int, variable: int) -> tuple[bool, bool] | None:
        """Whether the atom can hold and can fail, when what is settled about its value tells."""
        common = self._common(condition)
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
            common = self._common(condition)
            for index in self._by_subject.get(subject, ()):
                for holds in (True, False):
                    if (index, holds) in common or self._facts.get(index) is holds:
                        found = self.both(found, self._literal(index, holds))
            self._known[key] = found
        return found

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
        return self._given(known, truths) != 0

    def implies(self, condition: int, test: int) -> bool:
        """Whether `test` holds wherever `condition` does."""
        return condition == 0 or self.split(condition, test)[1] == 0

    def forget(self, condition: int, variables: int) -> int:
        """The condition without regard to the atoms in the bit set `variables`: some value fits."""
        if not self.support(condition) & variables:
            return condition
        key = (condition, variables)
        found = self._without.get(key)
        if found is None:
            variable, low, high = self._nodes[condition]
            low, high = self.forget(low, variables), self.forget(high, variables)
            if variables >> variable & 1:
                found = self.either(low, high)
            else:
                found = self._node(variable, low, high)
            self._without[key] = found
        return found

    def restrict(self, formula: int, care: int) -> int:
        """A simpler formula that says the same wherever `care` holds (Coudert and Madre)."""
        if care == 1 or formula <= 1:
            return formula
        if care == 0:
            return 0
        key = (formula, care)
        found = self._restricted.get(key)
        if found is None:
            variable, low, high = self._nodes[formula]
            top, without, having = self._nodes[care]
            if top > variable:
                found = self.restrict(formula, self.either(without, having))
            elif top < variable:
                found = self._node(variable, self.restrict(low, care), self.restrict(high, care))
            elif without == 0:
                found = self.restrict(high, having)
            elif having == 0:
                found = self.restrict(low, without)
            else:
                found = self._node(
                    variable, self.restrict(low, without), self.restrict(high, having)
                )
            self._restricted[key] = found
        return found

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

    def disjoint(self, formulas: list[int]) -> bool:
        """Whether no two of them hold at once, whatever values mean."""
        union = 0
        for formula in formulas:
            if self.both(union, formula):
                return False
            union = self.either(union, formula)
        return True

    def distinguishing(self, formulas: list[int]) -> int:
        """The atoms in which diagrams differ: all above the nodes that every one of them has."""
        everywhere: set[int] | None = None
        somewhere: set[int] = set()
        for formula in set(formulas):
            nodes = self._reached(formula)
            everywhere = set(nodes) if everywhere is None else everywhere & nodes
            somewhere |= nodes
        bits = 0
        for node in somewhere - (everywhere or set()):
            bits |= 1 << self._nodes[node][0]
        return bits

    def _reached(self, formula: int) -> set[int]:
        seen: set[int] = set()
        pending = [formula]
        while pending:
            node = pending.pop()
            if node > 1 and node not in seen:
                seen.add(node)
                pending.extend(self._nodes[node][1:])
        return seen

    def support(self, a: int) -> int:
        """The atoms that `a` speaks of, as a bit set."""
        return self._supports[a]

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

    def _node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        found = self._unique.get(key)
        if found is None:
            found = len(self._nodes)
            if found > self._limit:
                raise TooManyConditions
            self._nodes.append(key)
            supports = self._supports
            supports.append(supports[low] | supports[high] | 1 << variable)
            self._unique[key] = found
        return found

    # --- what atoms about one value say about each other ---

    def _relate(self, index: int, new: Predicate) -> None:
        others = self._by_subject.setdefault(new.subject, [])
        for other in others:
            for a, wanted_a, b, wanted_b in _implications(
                new, index, self.predicates[other], other
            ):
                self._conflicts.setdefault((a, wanted_a), []).append((b, not wanted_b))
                self._conflicts.setdefault((b, not wanted_b), []).append((a, wanted_a))
                left = self._literal(a, not wanted_a)
                clause = self.either(left, self._literal(b, wanted_b))
                self._axioms.setdefault(index, []).append((other, clause))
                self._axioms.setdefault(other, []).append((index, clause))
                for literal, follows in (
                    ((a, wanted_a), (b, wanted_b)),
                    ((b, not wanted_b), (a, not wanted_a)),
                ):
                    if self._facts.get(literal[0]) is literal[1]:
                        self._facts[follows[0]] = follows[1]
                        self._fact_bits |= 1 << follows[0]
        others.append(index)
        self._related.clear()
        self._subject_bits[new.subject] = self._subject_bits.get(new.subject, 0) | 1 << index

    def _literal(self, index: int, holds: bool) -> int:
        return self._node(index, 0, 1) if holds else self._node(index, 1, 0)

    def _possible(self, formula: int, test: int) -> bool:
        """Whether `formula`, which holds `test` or its negation, can be true at all."""
        if formula == 0:
            return False
        bits = self.support(test)
        related = self._related_bits(bits)
        if not related & self.support(formula) & ~bits and bits & (bits - 1) == 0:
            return True
        return _Search(
            self._nodes,
            self._conflicts,
            related,
            self.support,
            _LONG_SEARCH if bits.bit_count() <= _FEW_ATOMS else _SHORT_SEARCH,
        ).satisfiable(formula)

    def _related_bits(self, bits: int) -> int:
        """The atoms that speak of the same values as those in `bits`."""
        related = self._related.get(bits)
        if related is None:
            related = 0
            for index in _members(bits):
                related |= self._subject_bits[self.predicates[index].subject]
            self._related[bits] = related
        return related

    def asks_about(self, subject: str) -> bool:
        """Whether any atom speaks of the value."""
        return subject in self._subject_bits

    # --- for readers ---

    def condition(self, exact: int | None, told: int, limit: int, where: Span) -> Condition:
        """A formula as alternatives, at most `limit` of them.

        When there would be more, or it is too large to be known, `told` is: the condition for
        runs that get past the script's own checks. When these are still too many, what all of
        them share stays and the rest is one opaque test.
        """
        if told == 0:
            return NEVER
        key = (exact, told)
        found = self._conditions.get(key)
        if found is None:
            found = self._conditions[key] = self._condition(exact, told, limit, where)
        return found

    def _condition(self, formula: int | None, told: int, limit: int, where: Span) -> Condition:
        self._limit = max(self._limit, len(self._nodes) + 20_000)
        opaque: tuple[Atom, ...] = ()
        exact = False
        if formula is not None:
            common = self._common(formula)
            cubes, exact = self._alternatives(formula, common, limit, False)
        if not exact:
            text = f"the script does not stop before line {where.line}"
            opaque = (Test(f"reached:{where.path}:{where.line}", text, where, True),)
            common = self._common(told)
            cubes, exact = self._alternatives(told, common, limit, True)
        if not exact:
            text = f"one of many combinations of the tests before line {where.line}"
            opaque = (Test(f"combination:{where}:{formula}:{told}", text, where, True),)
        sure = self._reduced(tuple(sorted(common)))
        alternatives: dict[Conjunction, None] = {}
        for cube in cubes:
            own = self._reduced(tuple(literal for literal in cube if literal not in common))
            follows = {other for literal in own for other in self._implied(literal)}
            literals = (*(literal for literal in sure if literal not in follows), *own)
            alternatives[frozenset(self._atoms(literals)).union(opaque)] = None
        return Condition(tuple(alternatives))

    def _alternatives(
        self, formula: int, common: frozenset[Literal], limit: int, shorten: bool
    ) -> tuple[list[tuple[Literal, ...]], bool]:
        """Conjunctions that say the formula beside what is common, and whether they say it all."""
        try:
            return self._cubes(self._given(formula, dict(common)), limit, shorten)
        except TooManyConditions:
            return [()], False

    def _cubes(
        self, formula: int, limit: int, shorten: bool
    ) -> tuple[list[tuple[Literal, ...]], bool]:
        """Few conjunctions that say the formula, and whether they say all of it.

        With `shorten`, what makes them too many is left out: first tests of anything but inputs,
        last of all what inputs say about speculative decoding and accuracy runs.
        """
        exact = True
        for bits in (0, *(self._least_important(formula) if shorten else ())):
            if bits:
                formula = self.forget(formula, bits)
                exact = False
            if self._paths(formula) > _MANY_PATHS:
                continue
            axioms = self._axioms_over(self.support(formula))
            lower = self.both(formula, axioms)
            upper = self.either(formula, self.no(axioms))
            try:
                return _Cover(self, limit).of(lower, upper)[0], exact
            except _TooLong:
                continue
        return [()], False

    def _least_important(self, formula: int) -> list[int]:
        """Bit sets of atoms in the order in which a condition can do without them."""
        groups: dict[tuple[int, int, str], int] = {}
        for index in _members(self.support(formula)):
            subject = self.predicates[index].subject
            rank = 0
            if subject.startswith(INPUT):
                rank = 3 if _is_central(subject) else 2
            elif not self.gates >> index & 1:
                rank = 1
            key = (rank, index if rank == 2 else 0, subject)
            groups[key] = groups.get(key, 0) | 1 << index
        by_rank: list[int] = []
        for rank in (0, 1):
            bits = 0
            for key, found in groups.items():
                bits |= found if key[0] == rank else 0
            by_rank.append(bits)
        inputs: dict[str, int] = {}
        for key, found in sorted(groups.items()):
            if key[0] >= 2:
                inputs[key[2]] = inputs.get(key[2], 0) | found
        return [bits for bits in (*by_rank, *inputs.values()) if bits]

    def _given(self, formula: int, literals: dict[int, bool]) -> int:
        """What the formula says beside these literals."""
        memo: dict[int, int] = {0: 0, 1: 1}

        def visit(node: int) -> int:
            found = memo.get(node)
            if found is None:
                variable, low, high = self._nodes[node]
                if variable in literals:
                    found = visit(high if literals[variable] else low)
                else:
                    found = self._node(variable, visit(low), visit(high))
                memo[node] = found
            return found

        return visit(formula)

    def _paths(self, formula: int) -> int:
        """In how many ways the diagram leads to true."""
        if formula <= 1:
            return formula
        found = self._path_counts.get(formula)
        if found is None:
            _, low, high = self._nodes[formula]
            found = self._paths(low) + self._paths(high)
            self._path_counts[formula] = found
        return found

    def _axioms_over(self, bits: int) -> int:
        result = 1
        seen: set[int] = set()
        for index in _members(bits):
            for other, clause in self._axioms.get(index, ()):
                if bits >> other & 1 and clause not in seen:
                    seen.add(clause)
                    if len(seen) > _FEW_AXIOMS:
                        return 1
                    result = self.both(result, clause)
        return result

    def _common(self, formula: int) -> frozenset[Literal]:
        """Literals that hold on every way to true, also by what atoms say about each other."""
        if formula <= 1:
            return frozenset()
        found = self._commons.get(formula)
        if found is None:
            variable, low, high = self._nodes[formula]
            sides = [
                self._common(branch) | self._implied((variable, holds))
                for branch, holds in ((low, False), (high, True))
                if branch
            ]
            found = sides[0] if len(sides) == 1 else sides[0] & sides[1]
            self._commons[formula] = found
        return found

    def _implied(self, literal: Literal) -> frozenset[Literal]:
        """The literal and those that follow from it."""
        others = self._conflicts.get(literal, ())
        return frozenset((literal, *((other, not wanted) for other, wanted in others)))

    def _reduced(self, cube: tuple[Literal, ...]) -> tuple[Literal, ...]:
        """The literals without those that another one implies (`X is not a` beside `X is b`)."""
        kept = dict.fromkeys(cube)
        for literal in cube:
            if literal in kept and literal in self._conflicts:
                for other, wanted in self._conflicts[literal]:
                    kept.pop((other, not wanted), None)
        return tuple(kept)

    def _atoms(self, cube: tuple[tuple[int, bool], ...]) -> list[Atom]:
        atoms = self._reader_atoms
        for literal in cube:
            if literal not in atoms:
                atoms[literal] = self._reader_atom(*literal)
        return [atoms[literal] for literal in cube]

    def _reader_atom(self, index: int, holds: bool) -> Atom:
        predicate = self.predicates[index]
        if predicate.kind == "eq" and predicate.subject.startswith(INPUT):
            value = predicate.operand
            assert not isinstance(value, int)
            return InputIs(predicate.subject[len(INPUT) :], value, holds)
        key = f"{predicate.kind}:{predicate.subject}:{predicate.operand!r}"
        return Test(key, predicate.text, predicate.span, holds)

    def parts(self, a: int) -> tuple[int, int, int]:
        """Variable, low and high branch of a node."""
        return self._nodes[a]

    def node(self, variable: int, low: int, high: int) -> int:
        """The formula `high` where the atom `variable` holds and `low` elsewhere."""
        return self._node(variable, low, high)


def _is_central(subject: str) -> bool:
    return any(mark in subject for mark in _KEPT_LAST)


def _members(bits: int) -> list[int]:
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
    found: list[tuple[int, bool, int, bool]] = []
    for one, one_id, two, two_id in ((new, new_id, old, old_id), (old, old_id, new, new_id)):
        if one.kind == "eq" and two.kind == "eq":
            found.append((one_id, True, two_id, False))
            break
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


class _Search:
    """Looks for a way to make a formula true in which no two atoms contradict each other."""

    def __init__(
        self,
        nodes: list[tuple[int, int, int]],
        conflicts: dict[tuple[int, bool], list[tuple[int, bool]]],
        related: int,
        support: Callable[[int], int],
        steps: int,
    ) -> None:
        self._support = support
        self._nodes = nodes
        self._conflicts = conflicts
        self._related = related
        self._chosen: dict[int, bool] = {}
        self._steps = steps

    def satisfiable(self, formula: int) -> bool:
        """Whether there is a way. When the search gets long the answer is yes."""
        nodes, related = self._nodes, self._related
        if not self._support(formula) & related:
            return formula != 0
        while formula > 1:
            variable, low, high = nodes[formula]
            self._steps -= 1
            if self._steps < 0:
                return True
            if related >> variable & 1:
                break
            if low == 0:
                formula = high
            elif high == 0:
                formula = low
            elif low == 1 or high == 1:
                return True
            else:
                return self.satisfiable(high) or self.satisfiable(low)
        if formula <= 1:
            return formula == 1
        for value, branch in ((True, high), (False, low)):
            if branch == 0 or self._clashes(variable, value):
                continue
            self._chosen[variable] = value
            if self.satisfiable(branch):
                return True
            del self._chosen[variable]
        return False

    def _clashes(self, variable: int, value: bool) -> bool:
        chosen = self._chosen
        for other, wanted in self._conflicts.get((variable, value), ()):
            if chosen.get(other) is wanted:
                return True
        return False


class _TooLong(Exception):
    """More alternatives than wanted."""


class _Cover:
    """Few conjunctions that together say a formula (Minato's irredundant sum of products)."""

    def __init__(self, logic: Logic, limit: int) -> None:
        self._logic = logic
        self._limit = limit
        self._memo: dict[tuple[int, int], tuple[list[tuple[tuple[int, bool], ...]], int]] = {}

    def of(self, lower: int, upper: int) -> tuple[list[tuple[tuple[int, bool], ...]], int]:
        """Conjunctions whose union lies between `lower` and `upper`, and that union."""
        if lower == 0:
            return [], 0
        if upper == 1:
            return [()], 1
        found = self._memo.get((lower, upper))
        if found is not None:
            return found
        logic = self._logic
        vl, l0, l1 = logic.parts(lower)
        vu, u0, u1 = logic.parts(upper)
        variable = max(vl, vu)
        if vl != variable:
            l0 = l1 = lower
        if vu != variable:
            u0 = u1 = upper
        without, f0 = self.of(logic.both(l0, logic.no(u1)), u0)
        having, f1 = self.of(logic.both(l1, logic.no(u0)), u1)
        rest = logic.either(logic.both(l0, logic.no(f0)), logic.both(l1, logic.no(f1)))
        either, f2 = self.of(rest, logic.both(u0, u1))
        cubes = [((variable, False), *cube) for cube in without]
        cubes += [((variable, True), *cube) for cube in having]
        cubes += either
        if len(cubes) > self._limit:
            raise _TooLong
        union = logic.node(variable, logic.either(f0, f2), logic.either(f1, f2))
        self._memo[lower, upper] = cubes, union
        return cubes, union
