"""Argument vectors with parts that can be several lists of words: what to read, one by one.

Two such parts that decide the same setting are read in every combination; parts that have
nothing to do with each other are varied one after the other, so that ten of them cost the sum of
their alternatives and not the product. A part may be varied by itself only when what it says does
not depend on its neighbours: it begins with an option and no neighbour can take its words as
values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from verifier.engines.log import Log
from verifier.engines.options import Reader
from verifier.engines.pieces import Arg, prefix
from verifier.engines.recognise import recognise
from verifier.engines.tables import Option, table
from verifier.model.command import Command
from verifier.model.launch import EngineName
from verifier.model.text import Text, Word, lit

MAX_READINGS = 64
"""Combinations tried of parts that decide the same settings."""
_TOGETHER = "speculation"
_UNCLEAR = "?"
_JOINT = re.compile(
    r"spec|draft|accept|mtp|eagle|ngram|steps|topk|dspark|^sc$|^uno|^model|^method$|^set$|"
    r"^(?:disagg-)?config(?:-key)?$|^trtllm$|override|extra",
    re.IGNORECASE,
)
"""Options that decide speculation together, or bring in a file of any options."""
_LISTS = ("elements of ", "arguments of ")
"""How the reasons of unknown arrays and positional parameters begin."""
_TABLES: dict[EngineName, tuple[str, ...]] = {
    "vllm": ("vllm", "dynamo_vllm"),
    "sglang": ("sglang", "dynamo_sglang"),
    "trtllm": ("trtllm", "dynamo_trtllm"),
    "atom": ("atom",),
    "tilert": ("tilert",),
}


def readings(command: Command, *, singly: bool = False) -> list[list[Arg]]:
    """Argument vectors that together show all that the command can say.

    Parts that have nothing to do with each other change together from one vector to the next,
    or, `singly`, one after the other, which tells whether any of all combinations would do. Parts
    with too many combinations stay open in all of them.
    """
    argv = command.argv
    alternatives = {
        index: word.alternatives
        for index, word in enumerate(argv)
        if word.splits and word.alternatives
    }
    if not alternatives:
        return [[_arg(word) for word in argv]]
    out: dict[tuple[int, ...], list[Arg]] = {}
    groups = _groups(argv, alternatives, command.kind)
    closed = [group for group in groups if _count(group, alternatives) <= MAX_READINGS]
    base = {index: 0 for group in closed for index in group}
    combined = [_combinations(group, alternatives) for group in closed]
    if singly or not closed:
        choices = [{**base, **choice} for ways in combined for choice in ways] or [base]
    else:
        choices = [
            {index: place for ways in combined for index, place in ways[turn % len(ways)].items()}
            for turn in range(max(map(len, combined)))
        ]
    for choice in choices:
        key = tuple(choice[index] for index in sorted(choice))
        if key not in out:
            out[key] = list(_words(argv, choice))
    return list(out.values())


def _combinations(
    group: Sequence[int], alternatives: dict[int, tuple[tuple[Word, ...], ...]]
) -> list[dict[int, int]]:
    """Every way to choose one alternative for each part of a group."""
    ranges = (range(len(alternatives[index])) for index in group)
    return [dict(zip(group, chosen, strict=True)) for chosen in product(*ranges)]


def _count(group: Sequence[int], alternatives: dict[int, tuple[tuple[Word, ...], ...]]) -> int:
    count = 1
    for index in group:
        count *= len(alternatives[index])
    return count


def _words(argv: Sequence[Word], choice: dict[int, int]) -> Iterator[Arg]:
    for index, word in enumerate(argv):
        if index in choice:
            assert word.alternatives is not None
            yield from map(_arg, word.alternatives[choice[index]])
        else:
            yield _arg(word)


def _arg(word: Word) -> Arg:
    return Arg(word.text, word.splits, listed=word.splits and _listed(word))


def _listed(word: Word) -> bool:
    """Whether an open word is a list of arguments rather than one value without quotes."""
    return word.alternatives is not None or any(
        hole.reason.startswith(_LISTS) for hole in word.text.holes
    )


# Which parts belong together


def _groups(
    argv: Sequence[Word], alternatives: dict[int, tuple[tuple[Word, ...], ...]], kind: str
) -> list[tuple[int, ...]]:
    """The parts whose alternatives must be combined with each other."""
    tables = _tables(argv, alternatives, kind)
    topics = {index: _topics(argv, index, alternatives[index], tables) for index in alternatives}
    for run in _runs(alternatives):
        if any(_UNCLEAR in topics[index] for index in run):
            for index in run:
                topics[index].add(_UNCLEAR)
    groups: list[tuple[set[int], set[str]]] = []
    for index, names in topics.items():
        members, subjects = {index}, set(names)
        for group in [g for g in groups if g[1] & names]:
            groups.remove(group)
            members |= group[0]
            subjects |= group[1]
        groups.append((members, subjects))
    return [tuple(sorted(members)) for members, _ in groups]


def _tables(
    argv: Sequence[Word], alternatives: dict[int, tuple[tuple[Word, ...], ...]], kind: str
) -> list[Reader]:
    entry = recognise(list(_words(argv, dict.fromkeys(alternatives, 0))), kind)
    names = () if entry is None else _TABLES[entry.engine]
    return [Reader(table(name), Log()) for name in names]


def _runs(indices: dict[int, tuple[tuple[Word, ...], ...]]) -> list[list[int]]:
    """Parts with no other word between them."""
    runs: list[list[int]] = []
    for index in sorted(indices):
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _topics(
    argv: Sequence[Word],
    index: int,
    alternatives: tuple[tuple[Word, ...], ...],
    readers: Sequence[Reader],
) -> set[str]:
    """What a part can decide; `?` when that depends on its neighbours."""
    before = argv[index - 1].text if index else None
    awaited = None if before is None else _option(before, readers)
    awaiting = awaited is not None and awaited[1] is not None and awaited[1].single
    topics: set[str] = set()
    if awaiting and awaited is not None:
        topics.add(_topic(*awaited))
    ends: set[bool] = set()
    for words in alternatives:
        starts = bool(words) and prefix(words[0].text).startswith("-")
        if not readers or (bool(words) == starts if awaiting else bool(words) != starts):
            topics.add(_UNCLEAR)
        if awaiting and not words:
            topics.add(_UNCLEAR)
        ends.add(_open_end(words, readers))
        for word in words:
            found = _option(word.text, readers)
            if found is not None:
                topics.add(_topic(*found))
    follows = argv[index + 1] if index + 1 < len(argv) else None
    if True in ends and follows is not None and (follows.splits or len(ends) > 1):
        topics.add(_UNCLEAR)
    return topics


def _open_end(words: Sequence[Word], readers: Sequence[Reader]) -> bool:
    """Whether the word after these may be the last option's value."""
    if not words:
        return False
    last = _option(words[-1].text, readers)
    if last is not None:
        return last[1] is None or (last[1].kind not in ("flag", "pair") and not last[2])
    options = [found for word in words if (found := _option(word.text, readers)) is not None]
    return bool(options) and options[-1][1] is not None and options[-1][1].kind in ("list", "list0")


def _option(text: Text, readers: Sequence[Reader]) -> tuple[str, Option | None, bool] | None:
    """(name as written, option, whether a value is in the same word); None for an operand."""
    start = prefix(text)
    if not start.startswith("-") or start == "-":
        return None
    name, equals, _ = start.partition("=")
    if text.known is None and not equals:
        return _UNCLEAR, None, False
    for spelling in (name, "--" + name.lstrip("-").replace("_", "-").partition(".")[0]):
        for reader in readers:
            shape = reader.shape(Arg(lit(spelling)))
            if shape.option is not None:
                return name, shape.option, bool(equals) or shape.explicit is not None
    return name, None, bool(equals)


def _topic(name: str, option: Option | None, _explicit: bool) -> str:
    bare = name.lstrip("-").replace("_", "-").partition(".")[0]
    if _JOINT.search(bare) or (option is not None and _JOINT.search(option.dest)):
        return _TOGETHER
    return bare if option is None else option.dest
