"""`getopts`: bash's own reading of options, one at each call."""

from __future__ import annotations

import re

from verifier.model.record import NamedTuple
from verifier.model.text import Span, Text, lit
from verifier.shell import variables
from verifier.shell.machine import Machine
from verifier.shell.state import State

UNKNOWN = 0
"""Instead of a position in the word: some place in a word that is not followed."""
_NUMBER = re.compile(r"[ \t\n\v\f\r]*([-+]?[0-9]+)", re.ASCII)


class _Option(NamedTuple):
    """What one call finds: the letter, `?` or `:`, and the argument."""

    name: str
    argument: str | None
    following: int
    """Where the next call begins: the number of the argument, and the place in it."""
    position: int


def step(m: Machine, state: State, options: str, name: str, args: list[str], start: int) -> bool:
    """One call. False when it starts at a place that is not known."""
    place = _start(m, state)
    if place is None:
        return False
    index, position = place
    if position > 1 and index <= len(args) and position > len(args[index - 1]):
        return False
    span = m.span(state, start)
    found = _next(options, args, index, position)
    _put(
        m, state, "OPTIND", lit(str(found.following if isinstance(found, _Option) else found)), span
    )
    state.getopts = found.position if isinstance(found, _Option) else 1
    if isinstance(found, int):
        _forget_argument(m, state)
        _put(m, state, name, lit("?"), span)
        state.status = 1
        return True
    state.status = _put(m, state, name, lit(found.name), span)
    if found.argument is None:
        _forget_argument(m, state)
    else:
        _put(m, state, "OPTARG", lit(found.argument), span)
    return True


def _start(m: Machine, state: State) -> tuple[int, int] | None:
    """The number of the next argument and the place in it, 1 for its beginning."""
    index = variables.text_of_value(variables.lookup(m, state, "OPTIND"))
    if index is None:
        return 1, 1
    if index.known is None or state.getopts == UNKNOWN or _is_readonly(state, "OPTIND"):
        return None
    number = _number(index.known)
    return (number, state.getopts) if number > 0 else (1, 1)


def position_after(index: Text | None) -> int:
    """The place in a word once OPTIND is assigned: 1, 0 and the like begin again."""
    if index is None:
        return 1
    return UNKNOWN if index.known is None or _number(index.known) > 1 else 1


def _number(text: str) -> int:
    match = _NUMBER.match(text)
    return int(match.group(1)) if match else 0


def _next(options: str, args: list[str], index: int, position: int) -> _Option | int:
    """The next option; at the end the number of the argument that follows the options."""
    if index > len(args):
        return len(args) + 1
    word = args[index - 1]
    if position == 1 or position == len(word):
        if word == "--":
            return index + 1
        if not word.startswith("-") or word == "-":
            return index
        position = 1
    silent = options.startswith(":")
    letter = word[position]
    place = options.find(letter, 1 if silent else 0)
    found = place >= 0 and letter != ":"
    position += 1
    if found and options[place + 1 : place + 2] == ":":
        value: str | None = word[position:]
        index += 1
        if not value:
            value = args[index - 1] if index <= len(args) else None
            index += value is not None
        if value is None:
            return _Option(":" if silent else "?", letter if silent else None, index, 1)
        return _Option(letter, value, index, 1)
    if position >= len(word):
        index, position = index + 1, 1
    if not found:
        return _Option("?", letter if silent else None, index, position)
    # Bash leaves OPTARG unset for an option without an argument.
    return _Option(letter, None, index, position)


def _is_readonly(state: State, name: str) -> bool:
    var = state.vars.get(name)
    return var is not None and var.readonly


def _forget_argument(m: Machine, state: State) -> None:
    if not _is_readonly(state, "OPTARG"):
        variables.unset(m, state, "OPTARG")


def _put(m: Machine, state: State, variable: str, value: Text, span: Span) -> int:
    """Assign; the status of `getopts` when that fails."""
    if not variables.NAME.match(variable):
        return 1
    try:
        variables.assign(m, state, variable, value, span, how="set by getopts")
    except variables.ReadOnly:
        if state.opt("errexit"):
            raise
        return 2
    return 0
