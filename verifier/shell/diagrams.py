"""Formulas over numbered atoms as binary decision diagrams.

A formula is a number: 0 is false, 1 true, others index a table of nodes. Equal formulas have
equal numbers, so joining paths that cover every case gives 1 again.
"""

from __future__ import annotations

FALSE = 0
TRUE = 1


class TooManyConditions(Exception):
    """The table of nodes has reached its limit."""


class Diagrams:
    """The table of formulas of one evaluation."""

    def __init__(self, limit: int = 400_000) -> None:
        self._limit = limit
        # The newest atom stands on top, so that adding it to a condition makes one node.
        self._nodes: list[tuple[int, int, int]] = [(-1, 0, 0), (-1, 1, 1)]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._and: dict[tuple[int, int], int] = {}
        self._meets: dict[tuple[int, int], bool] = {}
        self._or: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {0: 1, 1: 0}
        self._supports: list[int] = [0, 0]
        self._without: dict[tuple[int, int], int] = {}
        self._restricted: dict[tuple[int, int], int] = {}
        self._path_counts: dict[int, int] = {}

    def allow(self, more: int) -> None:
        """Let the table grow by so many nodes, whatever its limit was."""
        self._limit = max(self._limit, len(self._nodes) + more)

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
                found = self.node(va, self.both(la, lb), self.both(ha, hb))
            elif va > vb:
                found = self.node(va, self.both(la, b), self.both(ha, b))
            else:
                found = self.node(vb, self.both(a, lb), self.both(a, hb))
            self._and[key] = found
        return found

    def meet(self, a: int, b: int) -> bool:
        """Whether both can hold at once. Makes no formula, unlike `both`."""
        if a == 0 or b == 0:
            return False
        if a == 1 or b == 1 or a == b:
            return True
        key = (a, b) if a < b else (b, a)
        if key in self._and:
            return self._and[key] != 0
        found = self._meets.get(key)
        if found is None:
            if len(self._meets) > self._limit:
                raise TooManyConditions
            _, (low, high) = self.branches(a, b)
            found = self._meets[key] = self.meet(*high) or self.meet(*low)
        return found

    def branches(self, a: int, b: int) -> tuple[int, tuple[tuple[int, int], tuple[int, int]]]:
        """The newest atom of both, and what is left of them where it fails and where it holds."""
        va, la, ha = self._nodes[a]
        vb, lb, hb = self._nodes[b]
        if va == vb:
            return va, ((la, lb), (ha, hb))
        if va > vb:
            return va, ((la, b), (ha, b))
        return vb, ((a, lb), (a, hb))

    def no(self, a: int) -> int:
        """not a."""
        found = self._not.get(a)
        if found is None:
            variable, low, high = self._nodes[a]
            found = self.node(variable, self.no(low), self.no(high))
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
                found = self.node(va, self.either(la, lb), self.either(ha, hb))
            elif va > vb:
                found = self.node(va, self.either(la, b), self.either(ha, b))
            else:
                found = self.node(vb, self.either(a, lb), self.either(a, hb))
            self._or[key] = found
        return found

    def choose(self, test: int, yes: int, otherwise: int) -> int:
        """`yes` where `test` holds, `otherwise` elsewhere."""
        if yes == otherwise or test == 1:
            return yes
        if test == 0:
            return otherwise
        if yes <= 1 and otherwise <= 1:
            return test if yes else self.no(test)
        return self.either(self.both(test, yes), self.both(self.no(test), otherwise))

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
                found = self.node(variable, low, high)
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
                found = self.node(variable, self.restrict(low, care), self.restrict(high, care))
            elif without == 0:
                found = self.restrict(high, having)
            elif having == 0:
                found = self.restrict(low, without)
            else:
                found = self.node(
                    variable, self.restrict(low, without), self.restrict(high, having)
                )
            self._restricted[key] = found
        return found

    def disjoint(self, formulas: list[int]) -> bool:
        """Whether no two of them hold at once, whatever values mean."""
        union = 0
        for formula in formulas:
            if self.both(union, formula):
                return False
            union = self.either(union, formula)
        return True

    def support(self, a: int) -> int:
        """The atoms that `a` speaks of, as a bit set."""
        return self._supports[a]

    def given(self, formula: int, literals: dict[int, bool]) -> int:
        """What the formula says beside these literals."""
        return self._given(formula, literals, {0: 0, 1: 1})

    def _given(self, formula: int, literals: dict[int, bool], memo: dict[int, int]) -> int:
        found = memo.get(formula)
        if found is None:
            variable, low, high = self._nodes[formula]
            if variable in literals:
                found = self._given(high if literals[variable] else low, literals, memo)
            else:
                found = self.node(
                    variable,
                    self._given(low, literals, memo),
                    self._given(high, literals, memo),
                )
            memo[formula] = found
        return found

    def paths(self, formula: int) -> int:
        """In how many ways the diagram leads to true."""
        if formula <= 1:
            return formula
        found = self._path_counts.get(formula)
        if found is None:
            _, low, high = self._nodes[formula]
            found = self.paths(low) + self.paths(high)
            self._path_counts[formula] = found
        return found

    def parts(self, a: int) -> tuple[int, int, int]:
        """Variable, low and high branch of a node."""
        return self._nodes[a]

    def literal(self, index: int, holds: bool) -> int:
        """The atom, or its negation."""
        return self.node(index, 0, 1) if holds else self.node(index, 1, 0)

    def node(self, variable: int, low: int, high: int) -> int:
        """The formula `high` where the atom `variable` holds and `low` elsewhere."""
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
