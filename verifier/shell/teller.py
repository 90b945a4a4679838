"""Conditions as readers get them: few alternatives of few tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.condition import NEVER, Atom, Condition, Conjunction, InputIs, Test
from verifier.model.text import Span
from verifier.shell.diagrams import TooManyConditions
from verifier.shell.logic import INPUT, is_central, members

if TYPE_CHECKING:
    from verifier.shell.logic import Literal, Logic

_MANY_PATHS = 4_000
"""A diagram with more ways to be true is not written out as alternatives."""
_FEW_AXIOMS = 24
"""Beyond this many relations between atoms a condition is shortened without them."""


class Teller:
    """Tells the formulas of one evaluation."""

    def __init__(self, logic: Logic, limit: int) -> None:
        self._logic = logic
        self._limit = limit
        """Alternatives of one condition."""
        self._conditions: dict[tuple[int | None, int], Condition] = {}
        self._reader_atoms: dict[Literal, Atom] = {}
        self._factors: dict[int, tuple[list[tuple[Literal, ...]], bool]] = {}
        """The alternatives of questions that several conditions ask."""

    def condition(self, exact: int | None, told: int, where: Span) -> Condition:
        """A formula as alternatives, at most as many as the limit says.

        When there would be more, or it is too large to be known, `told` is: the condition for
        runs that get past the script's own checks. When these are still too many, what all of
        them share stays and the rest is one opaque test.
        """
        if told == 0:
            return NEVER
        key = (exact, told)
        found = self._conditions.get(key)
        if found is None:
            found = self._conditions[key] = self._condition(exact, told, where)
        return found

    def _condition(self, formula: int | None, told: int, where: Span) -> Condition:
        self._logic.allow(20_000)
        opaque: tuple[Atom, ...] = ()
        exact = False
        if formula is not None:
            common = self._logic.common(formula)
            cubes, exact = self._alternatives(formula, common, False)
        if formula is not None and not exact:
            factored = self._factored(formula, common, where)
            if factored is not None:
                cubes, opaque = factored
                exact = True
        if not exact:
            text = f"the script does not stop before line {where.line}"
            opaque = (Test(f"reached:{where.path}:{where.line}", text, where, True),)
            common = self._logic.common(told)
            cubes, exact = self._alternatives(told, common, True)
        if not exact:
            text = f"one of many combinations of the tests before line {where.line}"
            opaque = (Test(f"combination:{where}:{formula}:{told}", text, where, True),)
        sure = self._reduced(tuple(sorted(common)))
        alternatives: dict[Conjunction, None] = {}
        for cube in cubes:
            own = self._reduced(tuple(literal for literal in cube if literal not in common))
            follows = {other for literal in own for other in self._logic.implied(literal)}
            literals = (*(literal for literal in sure if literal not in follows), *own)
            alternatives[frozenset(self._atoms(literals)).union(opaque)] = None
        return Condition(tuple(alternatives))

    def _factored(
        self, formula: int, common: frozenset[Literal], where: Span
    ) -> tuple[list[tuple[Literal, ...]], tuple[Atom, ...]] | None:
        """The same in full, independent questions with the most answers told as one test each.

        None when there are too many alternatives nevertheless.
        """
        from verifier.shell.factors import factors

        try:
            parts = [
                (self._factor(factor.formula), factor)
                for factor in factors(self._logic, self._logic.given(formula, dict(common)))
            ]
        except TooManyConditions:
            return None
        if not all(exact for (_, exact), _ in parts):
            return None
        parts.sort(key=lambda part: len(part[0][0]))
        cubes: list[tuple[Literal, ...]] = [()]
        atoms: list[Atom] = []
        for (own, _), factor in parts:
            if len(cubes) * len(own) <= self._limit:
                cubes = [(*cube, *more) for cube in cubes for more in own]
            elif any(is_central(subject) for subject in factor.subjects):
                return None
            else:
                key = f"either:{self._logic.fingerprint(factor.formula)}"
                atoms.append(Test(key, self._either(own), where, True))
        return cubes, tuple(atoms)

    def _factor(self, formula: int) -> tuple[list[tuple[Literal, ...]], bool]:
        found = self._factors.get(formula)
        if found is None:
            found = self._factors[formula] = self._cubes(formula, False)
        return found

    def _either(self, cubes: list[tuple[Literal, ...]]) -> str:
        """Alternatives as one test: `X is unset, empty or "a"`."""
        shown = [self._atoms(self._reduced(tuple(sorted(cube)))) for cube in sorted(cubes)]
        first = shown[0][0]
        values = [
            cube[0].value
            for cube in shown
            if len(cube) == 1
            and isinstance(cube[0], InputIs)
            and cube[0].holds
            and cube[0].name == first[0]
        ]
        if len(values) == len(shown):
            values.sort(key=lambda value: (value is None, value == ""))
            words = [_value(value) for value in values]
            return f"{first[0]} is {', '.join(words[:-1])} or {words[-1]}"
        return " or ".join(" and ".join(_atom_text(atom) for atom in cube) for cube in shown)

    def _alternatives(
        self, formula: int, common: frozenset[Literal], shorten: bool
    ) -> tuple[list[tuple[Literal, ...]], bool]:
        """Conjunctions that say the formula beside what is common, and whether they say it all."""
        try:
            return self._cubes(self._logic.given(formula, dict(common)), shorten)
        except TooManyConditions:
            return [()], False

    def _cubes(self, formula: int, shorten: bool) -> tuple[list[tuple[Literal, ...]], bool]:
        """Few conjunctions that say the formula, and whether they say all of it.

        With `shorten`, what makes them too many is left out: first tests of anything but inputs,
        last of all what inputs say about speculative decoding and accuracy runs.
        """
        exact = True
        for bits in (0, *(self._least_important(formula) if shorten else ())):
            if bits:
                formula = self._logic.forget(formula, bits)
                exact = False
            if self._logic.paths(formula) > _MANY_PATHS:
                continue
            axioms = self._axioms_over(self._logic.support(formula))
            lower = self._logic.both(formula, axioms)
            upper = self._logic.either(formula, self._logic.no(axioms))
            try:
                return _Cover(self._logic, self._limit).of(lower, upper)[0], exact
            except _TooLong:
                continue
        return [()], False

    def _least_important(self, formula: int) -> list[int]:
        """Bit sets of atoms in the order in which a condition can do without them."""
        groups: dict[tuple[int, int, str], int] = {}
        for index in members(self._logic.support(formula)):
            subject = self._logic.predicates[index].subject
            rank = 0
            if subject.startswith(INPUT):
                rank = 3 if is_central(subject) else 2
            elif not self._logic.gates >> index & 1:
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

    def _axioms_over(self, bits: int) -> int:
        result = 1
        axioms = self._logic.axioms(bits)
        for clause in axioms if len(axioms) <= _FEW_AXIOMS else ():
            result = self._logic.both(result, clause)
        return result

    def _reduced(self, cube: tuple[Literal, ...]) -> tuple[Literal, ...]:
        """The literals without those that another one implies (`X is not a` beside `X is b`)."""
        kept = dict.fromkeys(cube)
        for literal in cube:
            if literal in kept:
                for other in self._logic.implied(literal):
                    if other != literal:
                        kept.pop(other, None)
        return tuple(kept)

    def _atoms(self, cube: tuple[tuple[int, bool], ...]) -> list[Atom]:
        atoms = self._reader_atoms
        for literal in cube:
            if literal not in atoms:
                atoms[literal] = self._reader_atom(*literal)
        return [atoms[literal] for literal in cube]

    def _reader_atom(self, index: int, holds: bool) -> Atom:
        predicate = self._logic.predicates[index]
        if predicate.kind == "eq" and predicate.subject.startswith(INPUT):
            value = predicate.operand
            assert not isinstance(value, int)
            return InputIs(predicate.subject[len(INPUT) :], value, holds)
        key = f"{predicate.kind}:{predicate.subject}:{predicate.operand!r}"
        return Test(key, predicate.text, predicate.span, holds)


def _value(value: str | None) -> str:
    return "unset" if value is None else f'"{value}"' if value else "empty"


def _atom_text(atom: Atom) -> str:
    if isinstance(atom, InputIs):
        return f"{atom.name} is {'' if atom.holds else 'not '}{_value(atom.value)}"
    return atom.text if atom.holds else f"not {atom.text}"


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
