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
    engine = next((entry.engine for entry in entries if entry is not None), None)
    if engine is None:
        return None
    from dataclasses import replace

    from verifier.engines.choices import variants
    from verifier.engines.merge import merge
    from verifier.engines.reading import read

    found: list[Launch] = []
    for variant in variants(command, policy.argument_variables.get(engine, ())):
        if variant is not command:
            readings = _readings(variant.argv)
            entries = [recognise(reading, variant.kind) for reading in readings]
        for reading, entry in zip(readings, entries, strict=True):
            if entry is not None:
                found.append(read(variant, reading, entry, policy, image, read_file))
    merged = replace(merge(found), command=command)
    start = next(entry.start for entry in entries if entry is not None)
    if not any(word.splits for word in command.argv[:start]):
        merged = replace(merged, argv=command.argv[start:])
    return _noted(merged, entries)


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
