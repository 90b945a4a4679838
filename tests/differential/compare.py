"""What the evaluator claims against what bash did."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.differential.scripts import LIBRARY
from verifier.model.command import Command, Evaluation
from verifier.model.text import Lit, Text, Word
from verifier.shell import evaluate
from verifier.shell.arithmetic import PREFIX
from verifier.shell.options import Options

_SYNTAX = re.compile("syntax error|unexpected end of file|.*: bad substitution")


class Files:
    """A tree in memory."""

    name = "the test's files"

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents = contents

    def read(self, path: str) -> bytes | None:
        return self.contents.get(path)

    def is_dir(self, path: str) -> bool:
        return any(name.startswith(path.rstrip("/") + "/") for name in self.contents) or not path

    def files(self, folder: str = "") -> tuple[str, ...]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        return tuple(sorted(name for name in self.contents if name.startswith(prefix)))


def is_recorder(name: str) -> bool:
    return name == "rec"


def claims(script: str, env: Mapping[str, str], *, closed: bool) -> Evaluation:
    """What the evaluator says the script records."""
    tree = Files({
        "main.sh": script.encode("utf-8", "surrogateescape"),
        "lib.sh": LIBRARY.encode(),
    })  # fmt: skip
    return evaluate("main.sh", tree, Options(closed=closed, env=env, watch=is_recorder))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`wrong` says how bash contradicts a claim; `holes` counts what is not known."""

    wrong: str | None
    holes: int
    commands: int


Fill = Callable[[str], str | None]
"""The value of a hole by its symbol, when it is known."""


def fits_text(text: Text, actual: str, fill: Fill) -> bool:
    """Whether the text can be `actual`; unknown holes can be anything."""
    starts = {0}
    for piece in text.pieces:
        if isinstance(piece, Lit):
            value: str | None = piece.value
        elif piece.choices is not None and fill(piece.symbol) is None:
            starts = {s + len(c) for s in starts for c in piece.choices if actual.startswith(c, s)}
            continue
        else:
            value = fill(piece.symbol)
        if value is None:
            starts = set(range(min(starts), len(actual) + 1)) if starts else set()
        else:
            starts = {s + len(value) for s in starts if actual.startswith(value, s)}
        if not starts:
            return False
    return len(actual) in starts


def fits(words: tuple[Word, ...], actual: list[str], fill: Fill) -> bool:
    """Whether the claimed arguments can be the actual ones."""
    return len(actual) in _reached({0}, words, actual, fill)


def _reached(places: set[int], words: tuple[Word, ...], actual: list[str], fill: Fill) -> set[int]:
    """Behind which arguments the words may end when they begin at one of the places."""
    for word in words:
        if word.splits and word.alternatives is not None:
            ways = [_reached(places, way, actual, fill) for way in word.alternatives]
            places = set().union(*ways)
        elif word.splits:
            places = set(range(min(places), len(actual) + 1)) if places else set()
        else:
            places = {
                p + 1 for p in places if p < len(actual) and fits_text(word.text, actual[p], fill)
            }
    return places


def records(evaluation: Evaluation) -> list[Command]:
    """What is claimed to be recorded: not the calls of a function that does so."""
    return [command for command in evaluation.commands if command.kind == "external"]


def _unknown(command: Command) -> bool:
    return any(word.splits or word.text.known is None for word in command.argv[1:])


def _may_fail(command: Command) -> bool:
    """Whether a word of it comes from an unknown value that may be no number or too short."""
    return any(
        h.symbol.startswith((PREFIX, "part")) for word in command.argv for h in word.text.holes
    )


def may_stop(script: str, evaluation: Evaluation, *, surprised: bool) -> bool:
    """Whether a failure that cannot be foreseen may end the script."""
    unsure = any(_unknown(c) or not c.when.always for c in records(evaluation))
    # Under `set -u` a value that is not known may be unset.
    exits = re.search(r"\b(?:set|bash) -[a-z]*e|@Z\}", script) is not None
    asks = any(words in script for words in ("command -v", "type ", "nosuch", "out.txt 2>/dev"))
    return (exits and (surprised or unsure or asks)) or ("set -u" in script and unsure)


def compare(evaluation: Evaluation, actual: list[list[str]], *, may_stop: bool = False) -> Verdict:
    """Match the claims with what ran, in order.

    Certain commands must have run, in this order; one under a condition may have run any number
    of times; with an unresolved part anything else may have run too. `may_stop`: the script may
    have ended early at a failure that cannot be foreseen.
    """
    claimed = records(evaluation)
    # Where bash stops reading at a syntax error, nothing is left open.
    unresolved = [note for note in evaluation.unresolved if not _SYNTAX.match(note.text)]
    open_ended = bool(unresolved) or may_stop
    holes = sum(_unknown(c) or not c.when.always for c in claimed) + len(unresolved)

    def fill(symbol: str) -> None:
        return None

    unsure = [c for c in claimed if not c.when.always or _may_fail(c)]

    def may_run(words: list[str]) -> bool:
        return open_ended or any(fits(c.argv[1:], words, fill) for c in unsure)

    def skipping(places: set[int]) -> set[int]:
        """Places reached by passing what may have run without a certain claim."""
        for place in sorted(places):
            here = place
            while here < len(actual) and here + 1 not in places and may_run(actual[here]):
                here += 1
                places.add(here)
        return places

    reached = skipping({0})
    for command in claimed:
        if not command.when.always or _may_fail(command):
            continue
        after = {
            p + 1 for p in reached if p < len(actual) and fits(command.argv[1:], actual[p], fill)
        }
        if not after:
            if may_stop:
                continue  # it ended early, or a process inside it did
            place = max(reached)
            ran = actual[place] if place < len(actual) else None
            said = [word.text.display() for word in command.argv[1:]]
            problem = f"line {command.span.line}: says {said}, bash ran {ran}"
            return Verdict(problem, holes, len(claimed))
        reached = skipping(after)
    if len(actual) not in reached:
        return Verdict(f"bash also ran {actual[max(reached)]}", holes, len(claimed))
    return Verdict(None, holes, len(claimed))
