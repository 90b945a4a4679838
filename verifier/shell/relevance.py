"""Which variables can still matter: names that occur in text that may still run.

An approximation in the safe direction: a name that counts although it does not matter keeps two
paths apart longer than needed; one that is missed becomes a hole, never a wrong value.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.shell import nodes
from verifier.shell.state import Body

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Tail:
    """Where each identifier of a text occurs last."""

    def __init__(self, text: str) -> None:
        self.last: dict[str, int] = {}
        for match in _NAME.finditer(text):
            self.last[match.group()] = match.end()


@lru_cache(maxsize=64)
def _tail(source: nodes.Source) -> _Tail:
    return _Tail(source.text)


@lru_cache(maxsize=2048)
def _body_names(source: nodes.Source, start: int, end: int) -> frozenset[str]:
    return frozenset(_NAME.findall(source.text, start, end))


class Relevance:
    """What matters at one place: the rest of every text that is running."""

    def __init__(self, places: list[tuple[nodes.Source, int]], functions: dict[str, Body]) -> None:
        self._tails = [(_tail(source).last, offset) for source, offset in places]
        self._functions = functions
        self._names: set[str] | None = None

    def __call__(self, name: str) -> bool:
        """Whether the variable may still be read."""
        return self._later(name) or name in self._called()

    def _later(self, name: str) -> bool:
        return any(last.get(name, -1) > offset for last, offset in self._tails)

    def _called(self) -> set[str]:
        """Identifiers in the functions that may still be called."""
        if self._names is None:
            self._names = set()
            pending = [name for name in self._functions if self._later(name)]
            seen = set(pending)
            while pending:
                body = self._functions[pending.pop()]
                names = _body_names(body.source, body.node.start, body.node.end)
                self._names |= names
                for name in names:
                    if name in self._functions and name not in seen:
                        seen.add(name)
                        pending.append(name)
        return self._names
