"""All that one engine's reader may look at."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.engines.log import Log
from verifier.engines.pieces import Arg
from verifier.engines.recognise import Entry
from verifier.engines.sources import Surroundings
from verifier.engines.versions import Version
from verifier.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Context:
    """One reading of one command."""

    entry: Entry
    arguments: Sequence[Arg]
    """From the first argument of the engine's parser on, injected ones included."""
    around: Surroundings
    log: Log
    version: Version | None = None
    """None: not known, the newest reading applies."""
