"""How each engine reads its arguments, environment and config files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.engines.pieces import words_of
from verifier.engines.recognise import Entry, recognise
from verifier.model.command import Command, Note

if TYPE_CHECKING:
    from verifier.engines.sources import ReadFile
    from verifier.model.launch import Launch
    from verifier.policy import Policy


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
    if not _may_start(command):
        return None
    from verifier.engines.choices import variants
    from verifier.engines.merge import merge
    from verifier.engines.places import at_literals
    from verifier.engines.reading import read
    from verifier.engines.splices import readings
    from verifier.model.record import replace

    entries = [recognise(reading, command.kind) for reading in readings(command)]
    engine = next((entry.engine for entry in entries if entry is not None), None)
    if engine is None:
        return None
    placed = at_literals(command)
    found: list[Launch] = []
    for variant in variants(placed, policy.argument_variables.get(engine, ())):

        def launches(singly: bool, variant: Command = variant) -> list[Launch]:
            parts = readings(variant, singly=singly)
            starts = [recognise(reading, variant.kind) for reading in parts]
            entries.extend(starts)
            return [
                read(variant, reading, entry, policy, image, read_file)
                for reading, entry in zip(parts, starts, strict=True)
                if entry is not None
            ]

        some = launches(False)
        # One part may be refused in one vector, and another in the next.
        refused = len(some) > 1 and all(launch.refused for launch in some)
        found.extend(launches(True) if refused else some)
    merged = replace(merge(found), command=command)
    start = next(entry.start for entry in entries if entry is not None)
    if not any(word.splits for word in command.argv[:start]):
        merged = replace(merged, argv=command.argv[start:])
    return _noted(merged, entries)


def _may_start(command: Command) -> bool:
    """A quick no for the commands that start no server, which are nearly all."""
    if any(word.splits and word.alternatives for word in command.argv):
        return True
    return recognise(words_of(command.argv), command.kind) is not None


def _noted(launch: Launch, entries: Sequence[Entry | None]) -> Launch:
    """Say so when some values of the arguments start no server, or another engine."""
    if all(e is not None and e.engine == launch.engine for e in entries):
        return launch
    from verifier.model.record import replace

    note = Note(span=launch.span, text="which server this starts depends on its arguments")
    return replace(launch, unresolved=(*launch.unresolved, note))
