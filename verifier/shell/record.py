"""Collects the commands of all paths; the same command on several paths becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal

from verifier.model.command import Command, Write
from verifier.model.condition import Condition
from verifier.model.record import NamedTuple
from verifier.model.text import Span, Text, Word
from verifier.shell.diagrams import TooManyConditions
from verifier.shell.recursion import deep

if TYPE_CHECKING:
    from verifier.shell.logic import Logic
    from verifier.shell.teller import Teller

Kind = Literal["external", "function", "builtin"]


class Known(NamedTuple):
    """The condition of a path, and what conditions were relative to at that time."""

    context: int
    condition: int
    assumed: int
    """How much was known by then of the ways in which the script stops: `Logic.assumed`."""


class Entry(NamedTuple):
    """One command on one path."""

    key: tuple[object, ...]
    argv: tuple[Word, ...]
    span: Span
    kind: Kind
    conditions: tuple[Known, ...]
    """Of each path that runs it: put together only when somebody asks."""
    order: tuple[int, ...]
    """See `Machine.order`."""
    env: Mapping[str, Text]
    files: Mapping[str, Text]
    stdin: Text | None
    writes: tuple[Write, ...]
    background: bool
    cwd: Text | None
    calls: tuple[Span, ...]


class Recorder:
    """Commands seen so far. What a path records before it turns out to fork can be taken back."""

    def __init__(self, logic: Logic | None = None) -> None:
        self.logic = logic
        self.muted = 0
        self.ends: list[tuple[Span, object, int]] = []
        """Where paths end the script, with which status and under which condition."""
        self._entries: dict[tuple[object, ...], Entry] = {}
        self._waiting: list[Entry] = []
        self._open = 0

    def begin(self) -> int:
        """Start a stretch that may be taken back."""
        self._open += 1
        return len(self._waiting)

    def rollback(self, mark: int) -> None:
        """Take the stretch back."""
        del self._waiting[mark:]
        self._open -= 1

    def commit(self, mark: int) -> None:
        """Keep the stretch."""
        self._open -= 1
        if not self._open:
            for entry in self._waiting:
                self._keep(entry)
            self._waiting.clear()

    def flush(self) -> None:
        """Keep all that is still waiting: evaluation has stopped."""
        for entry in self._waiting:
            with suppress(TooManyConditions):  # the condition under which it is known stays
                self._keep(entry)
        self._waiting.clear()
        self._open = 0

    def add(self, entry: Entry) -> None:
        """Record one command."""
        if self.muted:
            return
        if self._open:
            self._waiting.append(entry)
        else:
            self._keep(entry)

    def __len__(self) -> int:
        return len(self._entries)

    def _keep(self, entry: Entry) -> None:
        old = self._entries.get(entry.key)
        if old is not None and old.conditions != entry.conditions:
            conditions = (*old.conditions, *entry.conditions)
            if len(conditions) > _MANY:
                assert self.logic is not None
                conditions = _fewer(self.logic, conditions)
            entry = entry._replace(conditions=conditions)
        self._entries[entry.key] = entry

    def entries(self) -> list[Entry]:
        """All of them, in the order of execution."""
        return sorted(self._entries.values(), key=lambda entry: entry.order)


_MANY = 64
_MORE = 20_000
"""Nodes to put a condition together with when the table is full."""


def _fewer(logic: Logic, conditions: tuple[Known, ...]) -> tuple[Known, ...]:
    """One for each time: whatever was known by then was the same."""
    found: dict[int, int] = {}
    for context, condition, assumed in conditions:
        whole = logic.whole(condition, context)
        found[assumed] = logic.either(found[assumed], whole) if assumed in found else whole
    return tuple(Known(0, condition, assumed) for assumed, condition in found.items())


def words_key(words: tuple[Word, ...]) -> tuple[object, ...]:
    """What the words say."""
    return tuple((word.text.key, word.splits) for word in words)


def texts_key(texts: Mapping[str, Text]) -> tuple[object, ...]:
    """What the named texts say."""
    return tuple(sorted((name, text.key) for name, text in texts.items()))


def _when(entry: Entry, logic: Logic, teller: Teller) -> Condition:
    with deep():
        return _told(entry, logic, teller)


def _told(entry: Entry, logic: Logic, teller: Teller) -> Condition:
    logic.allow(_MORE)
    try:
        times = _fewer(logic, entry.conditions)
        told = 0
        for _, condition, assumed in times:
            told = logic.either(told, logic.told(condition, assumed))
    except TooManyConditions:
        return teller.condition(None, 1, entry.span)
    exact: int | None = 0
    try:
        for _, condition, assumed in times:
            exact = logic.either(exact or 0, logic.exactly(condition, assumed))
    except TooManyConditions:
        exact = None
    return teller.condition(exact, told, entry.span)


def command(entry: Entry, order: int, logic: Logic, teller: Teller) -> Command:
    """The entry as readers get it, at its place among all."""
    return Command(
        argv=entry.argv,
        span=entry.span,
        kind=entry.kind,
        when=Condition.later(partial(_when, entry, logic, teller)),
        order=order,
        env=entry.env,
        files=entry.files,
        stdin=entry.stdin,
        writes=entry.writes,
        background=entry.background,
        cwd=entry.cwd,
        calls=entry.calls,
    )
