"""Commands whose output is a pure function of their arguments and input.

Each model is exact for what it accepts and raises NotModelled for everything else; the caller
then makes the output a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from verifier.model.text import EMPTY, Text


class NotModelled(Exception):
    """The model does not know what the command prints; the message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a command.

    `argv` includes the name. `stdin` is None when the input is unknown or a terminal.
    `read` gives a file's content by its name, None when it is unknown or missing.
    """

    argv: tuple[Text, ...]
    stdin: Text | None = None
    read: Callable[[Text], Text | None] = lambda name: None


@dataclass(frozen=True, slots=True)
class Write:
    """A file that the command writes, by the name it was given."""

    name: Text
    content: Text
    append: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """Standard output, exit status (None when unknown) and files written."""

    stdout: Text = EMPTY
    status: int | None = 0
    writes: tuple[Write, ...] = field(default=())


Model = Callable[[Call], Result]


def model(name: str) -> Model | None:
    """The model of the command with this name (no folders), None when there is none.

    Modules are imported on first use.
    """
    raise NotImplementedError


def run(call: Call) -> Result:
    """Run the model of `call.argv[0]`. Raises NotModelled."""
    raise NotImplementedError
