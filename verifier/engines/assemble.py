"""A `Launch` from what an engine's reader found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.engines.layout import Layout, architecture, pick
from verifier.engines.log import Log
from verifier.engines.pieces import Arg
from verifier.engines.recognise import Entry
from verifier.model.command import Command
from verifier.model.launch import Launch, Role, Setting, Speculation, Value
from verifier.model.record import dataclass, field
from verifier.model.text import Text, Word


@dataclass(slots=True)
class Found:
    """What one engine's reader makes of a launch."""

    layout: Layout
    model: Text | None = None
    served: Text | None = None
    role: Role | None = None
    speculation: Speculation | None = None
    speculative_settings: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    other_speculations: tuple[Speculation, ...] = ()
    env: Mapping[str, Text] = field(default_factory=dict)


def launch(found: Found, entry: Entry, command: Command, args: Sequence[Arg], log: Log) -> Launch:
    """The launch as the checks see it."""
    if entry.wrapper is not None:
        log.assume(f"{entry.wrapper} is taken to run the server named in its arguments")
    return Launch(
        engine=entry.engine,
        entry=entry.name,
        command=command,
        argv=tuple(Word(arg.text, arg.open) for arg in args[entry.start :]),
        role=found.role,
        model=found.model,
        served_model_name=found.served,
        speculation=found.speculation,
        other_speculations=found.other_speculations,
        speculative_settings=found.speculative_settings,
        settings=found.settings,
        parallelism=pick(found.layout.parallelism, found.settings),
        precision=pick(found.layout.precision, found.settings),
        kernels=pick(found.layout.kernels, found.settings),
        architecture=architecture(found.layout, found.settings, found.env),
        refused=log.refused,
        refused_span=log.refused_span,
        assumptions=tuple(log.assumptions),
        unresolved=tuple(log.unresolved),
    )
