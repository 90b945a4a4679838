"""Tells true inputs and choices from gaps by the symbols of holes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum

from verifier.model.command import Branch, Command
from verifier.model.condition import Test
from verifier.model.launch import Launch
from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Span, Text
from verifier.shell.branches import NESTED
from verifier.shell.files import named_files


class Kind(Enum):
    """What a hole is to somebody who wants all of them gone."""

    INPUT = "input"
    """An input of the script, or computed from inputs alone."""
    MACHINE = "machine"
    """What a program says of the machine, the network, the time or what is installed."""
    PROGRAM = "program"
    """What a Python program prints that is not modelled, such as one that loads the model."""
    LOOP = "loop"
    """What the rounds of a loop make, whose number is not known: often an input decides it."""
    CHOICE = "choice"
    """One of several values, each under its condition, and none of them a gap."""
    GAP = "gap"


class Unknown(NamedTuple):
    """One unknown part of a launch."""

    where: str
    """The flag or word, the variable, or the file."""
    kind: Kind
    symbol: str
    reason: str
    span: Span | None


MACHINE = frozenset(
    """amd-smi command curl date df find free getent hf hostname huggingface-cli id ip ls lscpu
    mktemp nproc numactl nvcc nvidia-smi pgrep pip pip3 ps rocm-smi ss stat uname uuidgen which
    whoami""".split()
)
_PLACES = ("input:", "start:", "root:", "call:", "home(", "special:", "arguments", "number:")
_LOGS = (".csv", ".log")
"""Named in variables of the harness; no engine reads them."""
_OUTPUT = re.compile(r"output of `(?:[A-Za-z_]\w*=\S* )*(?:\S*/)?([\w.+-]+)")
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_OURS = re.compile(
    r"(?:output|loop|branch|changed|file\??|read|list|array|unset|args|outer|apart|cwd|odd"
    r"|unexported|stdin|bad|deep|text|same|elements?|names|keys|reference|many|attributes):"
)


def unknowns(launch: Launch, branches: Mapping[str, Branch]) -> Iterator[Unknown]:
    """Every unknown part of the arguments, the environment and the named files."""
    command = launch.command
    for where, text in _texts(command):
        for hole in text.holes:
            yield from _parts(where, hole, branches, frozenset())


def _texts(command: Command) -> Iterator[tuple[str, Text]]:
    flag = ""
    for number, word in enumerate(command.argv):
        first = word.text.pieces[0] if word.text.pieces else None
        if isinstance(first, Hole):
            yield f"{flag or f'word {number}'}", word.text
            continue
        if first is not None and first.value.startswith("-"):
            flag = first.value.partition("=")[0][:40]
        yield flag or f"word {number}", word.text
    for name, text in command.env.items():
        yield f"env {name}", text
    for name, text in named_files(command).items():
        if not name.rstrip(">").endswith(_LOGS):
            yield f"file {name}", text


def _parts(
    where: str, hole: Hole, branches: Mapping[str, Branch], around: frozenset[str]
) -> Iterator[Unknown]:
    """The hole itself, then what is unknown in the values that it may stand for."""
    span = hole.origin.span if hole.origin is not None else None
    branch = branches.get(hole.symbol)
    if branch is None:
        yield Unknown(where, kind_of(hole, branches), hole.symbol, hole.reason, span)
        return
    yield Unknown(where, Kind.CHOICE, hole.symbol, hole.reason, span)
    if hole.symbol in around:
        return
    for word in (*branch.then, *branch.otherwise):
        for inner in word.text.holes:
            yield from _parts(where, inner, branches, around | {hole.symbol})


def kind_of(hole: Hole, branches: Mapping[str, Branch], depth: int = 6) -> Kind:
    """What a hole is that does not stand for a choice; it may be computed from one."""
    if hole.symbol.startswith("input:"):
        return Kind.INPUT  # its default may look like anything
    said = _OUTPUT.search(hole.reason)
    if said is not None and "output:" in hole.symbol:
        if said[1] in MACHINE:
            return Kind.MACHINE
        return Kind.PROGRAM if said[1].startswith("python") else Kind.GAP
    plain = _QUOTED.sub("", hole.symbol)
    if "loop:" in plain and not _OURS.search(plain.replace("loop:", "")):
        return Kind.LOOP
    nested = NESTED.findall(plain)
    plain = NESTED.sub("input:", plain)
    if _OURS.search(plain):
        return Kind.GAP
    for symbol in nested:
        kind = _kind_inside(symbol, branches, depth)
        if kind is not Kind.INPUT:
            return kind
    return Kind.INPUT if any(place in plain for place in _PLACES) else Kind.GAP


def _kind_inside(symbol: str, branches: Mapping[str, Branch], depth: int) -> Kind:
    """The first kind of the holes that a choice stands for that is no input."""
    branch = branches.get(symbol)
    if branch is None or not depth:
        return Kind.GAP
    for word in (*branch.then, *branch.otherwise):
        for inner in word.text.holes:
            if inner.symbol in branches:
                kind = _kind_inside(inner.symbol, branches, depth - 1)
            else:
                kind = kind_of(inner, branches, depth - 1)
            if kind is not Kind.INPUT:
                return kind
    return Kind.INPUT


def opaque_tests(launch: Launch) -> Iterator[str]:
    """Tests in the launch's condition that stand for more than they say."""
    seen: set[str] = set()
    for conjunction in launch.when.alternatives:
        for atom in conjunction:
            if isinstance(atom, Test) and atom.key.startswith(
                ("reached:", "combination:", "taken:")
            ):
                if atom.text not in seen:
                    seen.add(atom.text)
                    yield atom.text


__all__ = ["Kind", "Unknown", "kind_of", "opaque_tests", "unknowns"]
