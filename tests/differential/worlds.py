"""An evaluation with unknown inputs against real runs with every combination of some values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from tests.differential.compare import Fill, fits
from verifier.model.command import Command, Evaluation
from verifier.model.condition import Condition, InputIs
from verifier.model.text import Hole

_SPECIAL = {"UNSET": None, "EMPTY": ""}


def worlds(script: str) -> Iterator[dict[str, str]]:
    """The environments that the first line lists: `# inputs: A=UNSET|EMPTY|x; B=1|2`."""
    first = script.split("\n", 1)[0].removeprefix("# inputs:")
    domains: dict[str, list[str | None]] = {}
    for item in first.split(";"):
        name, _, values = item.strip().partition("=")
        domains[name] = [_SPECIAL.get(value, value) for value in values.split("|")]
    for chosen in itertools.product(*domains.values()):
        yield {n: v for n, v in zip(domains, chosen, strict=True) if v is not None}


def holds(when: Condition, env: Mapping[str, str]) -> bool | None:
    """Whether the inputs meet a condition; None when it asks about other things too."""
    result: bool | None = False
    for alternative in when.alternatives:
        inputs = [atom for atom in alternative if isinstance(atom, InputIs)]
        if all((env.get(atom.name) == atom.value) == atom.holds for atom in inputs):
            if len(inputs) == len(alternative):
                return True
            result = None
    return result


def filler(command: Command, env: Mapping[str, str]) -> Fill:
    """The values of the holes that are inputs."""
    values: dict[str, str] = {}
    for word in command.argv:
        for piece in word.text.pieces:
            if isinstance(piece, Hole) and piece.input is not None and not piece.input.isdigit():
                value = env.get(piece.input)
                if piece.default is not None and not (
                    value or (value == "" and not piece.or_empty)
                ):
                    value = piece.default
                values[piece.symbol] = value or ""
    return values.get


def contradiction(
    evaluation: Evaluation, env: Mapping[str, str], actual: list[list[str]], *, may_stop: bool
) -> str | None:
    """How a run contradicts the claims. `may_stop`: the script may end before the last claim."""
    claimed = [(c, holds(c.when, env)) for c in evaluation.commands]
    unsure = [c for c, truth in claimed if truth is None]

    def skipping(places: set[int]) -> set[int]:
        for place in sorted(places):
            here = place
            while here < len(actual) and here + 1 not in places and may_run(actual[here]):
                here += 1
                places.add(here)
        return places

    def may_run(words: list[str]) -> bool:
        return bool(evaluation.unresolved) or any(
            fits(c.argv[1:], words, filler(c, env)) for c in unsure
        )

    reached = skipping({0})
    for command, truth in claimed:
        if not truth:
            continue
        after = {
            p + 1
            for p in reached
            if p < len(actual) and fits(command.argv[1:], actual[p], filler(command, env))
        }
        if not after:
            if may_stop and len(actual) in reached:
                return None
            place = max(reached)
            ran = actual[place] if place < len(actual) else None
            said = [word.text.display() for word in command.argv[1:]]
            return f"{dict(env)}: says {said}, bash ran {ran}"
        reached = skipping(after)
    if len(actual) not in reached:
        return f"{dict(env)}: bash also ran {actual[max(reached)]}"
    return None
