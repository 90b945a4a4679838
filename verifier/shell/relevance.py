"""Which variables can still matter: names that occur in text that may still run.

An approximation in the safe direction: a name that counts although it does not matter keeps two
paths apart longer than needed; one that is missed becomes a hole, never a wrong value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from verifier.shell import nodes
from verifier.shell.state import Body

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _last(source: nodes.Source) -> dict[str, int]:
    """Where each identifier of a text ends the last time it occurs."""
    found: dict[str, int] | None = source.memo.get("last")
    if found is None:
        found = {match.group(): match.end() for match in _NAME.finditer(source.text)}
        source.memo["last"] = found
    return found


def _names(source: nodes.Source, start: int, end: int) -> frozenset[str]:
    found: frozenset[str] | None = source.memo.get((start, end))
    if found is None:
        found = source.memo[start, end] = frozenset(_NAME.findall(source.text, start, end))
    return found


def identifiers(
    places: Iterable[tuple[nodes.Source, int]], functions: Mapping[str, Body]
) -> frozenset[str]:
    """Every identifier in the texts that are running and in the functions they may call."""
    sources = {source for source, _ in places} | {body.source for body in functions.values()}
    return frozenset().union(*(_last(source) for source in sources))


class Calls:
    """Which identifiers the functions that are defined at one time mention, and whom they call."""

    def __init__(self, functions: dict[str, Body]) -> None:
        self.functions = functions
        self._mentioning: dict[str, list[str]] | None = None
        self._readers: dict[str, tuple[str, ...]] = {}
        self._closures: dict[str, frozenset[str]] = {}
        self._stretches: dict[tuple[nodes.Source, int], frozenset[str]] = {}

    def readers(self, name: str) -> tuple[str, ...]:
        """The functions that a variable may be read in, directly or by one that they call."""
        found = self._readers.get(name)
        if found is None:
            if self._mentioning is None:
                self._mentioning = {}
                for function in self.functions:
                    for other in self._mentioned(function):
                        self._mentioning.setdefault(other, []).append(function)
            seen = dict.fromkeys(self._mentioning.get(name, ()))
            pending = list(seen)
            while pending:
                for caller in self._mentioning.get(pending.pop(), ()):
                    if caller not in seen:
                        seen[caller] = None
                        pending.append(caller)
            found = self._readers[name] = tuple(seen)
        return found

    def mentioned(self, source: nodes.Source, start: int, end: int) -> frozenset[str]:
        """The identifiers in a stretch of text and in all functions that it may call."""
        found = self._stretches.get((source, start))
        if found is None:
            names = _names(source, start, end)
            called = [name for name in names if name in self.functions]
            found = names.union(*(self._closure(name) for name in called))
            self._stretches[source, start] = found
        return found

    def _mentioned(self, function: str) -> frozenset[str]:
        body = self.functions[function]
        return _names(body.source, body.node.start, body.node.end)

    def _closure(self, function: str) -> frozenset[str]:
        found = self._closures.get(function)
        if found is None:
            seen = {function}
            pending = [function]
            parts = []
            while pending:
                names = self._mentioned(pending.pop())
                parts.append(names)
                for name in names:
                    if name in self.functions and name not in seen:
                        seen.add(name)
                        pending.append(name)
            found = self._closures[function] = frozenset().union(*parts)
        return found


class Relevance:
    """What matters at one place: the rest of every text that is running."""

    def __init__(self, places: list[tuple[nodes.Source, int]], calls: Calls) -> None:
        earliest: dict[nodes.Source, int] = {}
        for source, offset in places:
            earliest[source] = min(offset, earliest.get(source, offset))
        self._tails = [(_last(source), offset) for source, offset in earliest.items()]
        self._calls = calls
        self._functions: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        """Whether the variable may still be read."""
        return self._later(name) or any(self._called(f) for f in self._calls.readers(name))

    def _later(self, name: str) -> bool:
        for last, offset in self._tails:  # noqa: SIM110 - a generator costs more, and this is hot
            if last.get(name, -1) > offset:
                return True
        return False

    def _called(self, function: str) -> bool:
        found = self._functions.get(function)
        if found is None:
            found = self._functions[function] = self._later(function)
        return found
