"""How each engine reads its arguments, environment and config files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from verifier.engines.pieces import Arg
from verifier.engines.recognise import Entry, recognise
from verifier.model.command import Command, Note
from verifier.model.text import Word

if TYPE_CHECKING:
    from verifier.engines.sources import ReadFile
    from verifier.model.launch import Launch
    from verifier.policy import Policy

MAX_READINGS = 64
"""Argument vectors tried when parts of one can be several things."""


def read_launch(
    command: Command,
    policy: Policy,
    *,
    image: str | None = None,
    read_file: ReadFile | None = None,
) -> Launch | None:
    """The server that a command starts, with every setting as its engine reads it.

    None: the command starts no server of a known engine. `image` dates the engine where the
    policy names no version; `read_file` gives files that the script did not write.
    """
    if not command.argv:
        return None
    readings = _readings(command.argv)
    entries = [recognise(reading, command.kind) for reading in readings]
    if not any(entries):
        return None
    from verifier.engines.merge import merge
    from verifier.engines.reading import read

    found = [
        read(command, reading, entry, policy, image, read_file)
        for reading, entry in zip(readings, entries, strict=True)
        if entry is not None
    ]
    return _noted(merge(found), entries)


def _noted(launch: Launch, entries: Sequence[Entry | None]) -> Launch:
    """Say so when some values of the arguments start no server, or another engine."""
    if all(e is not None and e.engine == launch.engine for e in entries):
        return launch
    from dataclasses import replace

    note = Note(span=launch.span, text="which server this starts depends on its arguments")
    return replace(launch, unresolved=(*launch.unresolved, note))


def _readings(argv: Sequence[Word]) -> list[list[Arg]]:
    """Every argument vector that `argv` can be, or one with open words when there are many."""
    count = 1
    for word in argv:
        if word.splits and word.alternatives is not None:
            count *= max(1, len(word.alternatives))
    if count == 1 or count > MAX_READINGS:
        single = [_words(word, count == 1) for word in argv]
        return [[arg for words in single for arg in words]]
    options = [list(_choices(word)) for word in argv]
    return [[arg for part in parts for arg in part] for parts in product(*options)]


def _words(word: Word, only: bool) -> list[Arg]:
    if only and word.splits and word.alternatives:
        return [Arg(text) for text in word.alternatives[0]]
    return [Arg(word.text, word.splits)]


def _choices(word: Word) -> Iterator[list[Arg]]:
    if word.splits and word.alternatives:
        for alternative in word.alternatives:
            yield [Arg(text) for text in alternative]
    else:
        yield [Arg(word.text, word.splits)]
