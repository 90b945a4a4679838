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


class Entry(NamedTuple):
    """One command on one path."""

    key: tuple[object, ...]
    argv: tuple[Word, ...]
    span: Span
    kind: Kind
    cond: int
    assumed: int
    """How much was known by then of the ways in which the script stops: `Logic.assumed`."""
    order: tuple[int, ...]
    """See `Machine.order`."""
    env: Mapping[str, Text]
    files: Mapping[str, Text]
    stdin: Text | None
    writes: tuple[Write, ...]
    background: bool
    cwd: Text | None
    calls: tuple[Span, ...]
    exact: int | None = None
    """The condition with all assumptions, when they were not the same for all paths."""


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
        if old is not None:
            assert self.logic is not None
            entry = _either(self.logic, old, entry)
        self._entries[entry.key] = entry

    def entries(self) -> list[Entry]:
        """All of them, in the order of execution."""
        return sorted(self._entries.values(), key=lambda entry: entry.order)


def _either(logic: Logic, old: Entry, new: Entry) -> Entry:
    """The same command at two times: each under what was known by then."""
    if old.exact is None and old.assumed == new.assumed:
        return new._replace(cond=logic.either(old.cond, new.cond))
    conditions = [logic.told(e.cond, e.assumed) for e in (old, new)]
    exact = [logic.exactly(e.cond, e.assumed) if e.exact is None else e.exact for e in (old, new)]
    return new._replace(cond=logic.either(*conditions), assumed=0, exact=logic.either(*exact))


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
    told = logic.told(entry.cond, entry.assumed)
    exact = entry.exact
    if exact is None:
        with suppress(TooManyConditions):
            exact = logic.exactly(entry.cond, entry.assumed)
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
