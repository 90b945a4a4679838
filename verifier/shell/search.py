"""Whether a formula can hold, given what its atoms say about each other."""

from __future__ import annotations

from collections.abc import Callable


class Search:
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
