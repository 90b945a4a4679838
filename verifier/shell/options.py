"""What a caller decides about one evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from verifier.model.record import dataclass, field
from verifier.model.text import Text


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep any script's evaluation short; a hit one is reported by its name here."""

    states: int = 16
    """Paths kept apart at one place because they differ in speculative decoding; beyond that they
    are joined like others, and their values are alternatives that depend on the path."""
    ways: int = 8
    """Times one command is reported when its words depend on the path; what differs beyond that
    is given as alternatives."""
    forks: int = 64
    """Ways one simple command can go by the expansions in it."""
    recursion_steps: int = 2_000
    """Commands after which a function that calls itself is followed only twice."""
    steps: int = 60_000
    """Commands run, all paths together."""
    iterations: int = 1_000
    """Rounds of one loop that are run one by one; a longer loop is read like an unknown one."""
    unsure_iterations: int = 16
    """The same for a loop that some paths leave early and others do not."""
    call_depth: int = 40
    """Functions, sourced files and helper scripts inside each other."""
    depth: int = 400
    """Compound commands and substitutions inside each other."""
    commands: int = 10_000
    """Different commands reported."""
    characters: int = 2_000_000
    """Length of one value or file."""
    pieces: int = 12_000
    """Parts of one value, known and unknown ones by turns."""
    words: int = 10_000
    """Elements of one array, or words of one command."""
    all_words: int = 200_000
    """Words of all commands together, on all paths."""
    choices: int = 32
    """Values listed for something that differs between branches."""
    alternatives: int = 24
    """Combinations listed in one command's condition."""
    conditions: int = 400_000
    """Nodes of all path conditions together."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to evaluate a script."""

    closed: bool = False
    """Inputs are exactly `env`; every other variable is unset at the start."""
    env: Mapping[str, str | Text] = field(default_factory=dict)
    """A `Text` may hold holes: a variable that is set to something that is not known."""
    limits: Limits = Limits()
    arguments: tuple[str, ...] = ()
    """Positional parameters. Without them they are inputs too, unless `closed`."""
    exact: Callable[[Sequence[str | None]], bool] | None = None
    """Which commands to report once for each path on which they differ, told by their words (None:
    not known). Without it: all but well-known helpers."""
    watch: Callable[[str], bool] | None = None
    """Which command names to report, builtins included; None: external commands and functions."""
    branches: bool = False
    """Also give what every value that depends on the path stands for: `Evaluation.branches`."""


IMPORTANT = (
    "specul",
    "SIMULATE",
    "ACC_LEN",
    "accept",
    "draft",
    "SPEC",
    "FORCE_NUM",
    "chat-template",
)
"""Differences in text that contains one of these are given up last when paths must be joined."""
