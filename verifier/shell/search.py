"""Whether a formula can hold, given what its atoms say about each other."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.shell.diagrams import Diagrams


class Search:
    """Looks for a way to make two formulas true at once in which no two atoms contradict each
    other. Nothing is added to the table of formulas."""

    def __init__(
        self,
        diagrams: Diagrams,
        conflicts: Mapping[tuple[int, bool], list[tuple[int, bool]]],
        related: int,
        steps: int,
    ) -> None:
        self._diagrams = diagrams
        self._conflicts = conflicts
        self._related = related
        self._chosen: dict[int, bool] = {}
        self._steps = steps

    def satisfiable(self, one: int, two: int) -> bool:
        """Whether there is a way. When the search gets long the answer is yes."""
        diagrams, related = self._diagrams, self._related
        if one == 0 or two == 0:
            return False
        if not (diagrams.support(one) | diagrams.support(two)) & related:
            return diagrams.meet(one, two)
        self._steps -= 1
        if self._steps < 0:
            return True
        variable, (low, high) = diagrams.branches(one, two)
        if not related >> variable & 1:
            return self.satisfiable(*high) or self.satisfiable(*low)
        for value, (a, b) in ((True, high), (False, low)):
            if a == 0 or b == 0 or self._clashes(variable, value):
                continue
            self._chosen[variable] = value
            if self.satisfiable(a, b):
                return True
            del self._chosen[variable]
        return False

    def _clashes(self, variable: int, value: bool) -> bool:
        chosen = self._chosen
        for other, wanted in self._conflicts.get((variable, value), ()):
            if chosen.get(other) is wanted:
                return True
        return False
