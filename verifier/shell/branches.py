"""What the values that depend on the path stand for, for readers who want to see both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from verifier.model.command import Branch, Command
from verifier.model.text import NOWHERE, Hole, Text
from verifier.shell.machine import Machine
from verifier.shell.teller import Teller


def branches_of(m: Machine, commands: Iterable[Command], teller: Teller) -> dict[str, Branch]:
    """Both sides of every such value in the commands, and of those inside these, by symbol."""
    found: dict[str, Branch] = {}
    waiting = list(dict.fromkeys(s for command in commands for s in _symbols(_texts(command))))
    while waiting:
        name = waiting.pop()
        case = m.cases.get(name)
        if case is None or name in found:
            continue
        when = teller.condition(case.test, case.test, NOWHERE)
        found[name] = Branch(when, case.yes, case.no)
        waiting.extend(_symbols(word.text for word in (*case.yes, *case.no)))
    return found


def _texts(command: Command) -> Iterator[Text]:
    yield from (word.text for word in command.argv)
    yield from command.env.values()
    yield from command.files.values()
    if command.stdin is not None:
        yield command.stdin


NESTED = re.compile(r"(?:cases?|maybe)\([0-9a-f]+,[0-9a-f]+\)")
"""The symbol of such a value inside that of another, which is computed from it."""


def _symbols(texts: Iterable[Text]) -> Iterator[str]:
    for text in texts:
        for piece in text.pieces:
            if isinstance(piece, Hole):
                yield piece.symbol
                yield from NESTED.findall(piece.symbol)
