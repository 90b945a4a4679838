"""Commands whose output is a pure function of their arguments and input.

Each model is exact for what it accepts and raises NotModelled for everything else; the caller
then makes the output a hole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from verifier.model.record import dataclass, field
from verifier.model.text import EMPTY, Text


class NotModelled(Exception):
    """The model does not know what the command prints; the message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a command.

    `argv` includes the name. `stdin` is None when the input is unknown or a terminal.
    `read` gives a file's content by its name, None when it is unknown or missing. `env` gives
    the environment as far as it is known.
    """

    argv: tuple[Text, ...]
    stdin: Text | None = None
    read: Callable[[Text], Text | None] = lambda name: None
    env: Callable[[], Mapping[str, Text]] = dict
    variable: Callable[[str], Text | None] = lambda name: None
    """What a program sees of one variable, None when it is not set. May raise NotModelled."""
    by_bytes: Callable[[], bool] = lambda: False
    """Whether it is known that the locale compares texts byte by byte."""


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

# Each family is a module with a dictionary MODELS; it is imported when a command of it runs.
_FAMILIES = {
    "printing": "echo printf true false : yes",
    "streams": "cat tee head tail tac",
    "lines": "sort uniq paste cut wc rev",
    "characters": "tr",
    "paths": "basename dirname",
    "numbers": "seq expr bc",
    "awk": "awk mawk gawk",
    "python": "python python3",
    "jq": "jq",
    "search": "grep egrep fgrep",
    "sed": "sed",
    "variables": "envsubst printenv",
    "digests": "base64 md5sum sha1sum sha256sum sha512sum",
}
_MODULES = {name: module for module, names in _FAMILIES.items() for name in names.split()}


def model(name: str) -> Model | None:
    """The model of the command with this name (no folders), None when there is none.

    Modules are imported on first use.
    """
    module = _MODULES.get(name)
    if module is None:
        return None
    models = import_module(f"verifier.shell.commands.{module}").MODELS
    return cast("Model", models[name])


def run(call: Call) -> Result:
    """Run the model of `call.argv[0]`. Raises NotModelled."""
    name = call.argv[0].known
    found = model(name.rsplit("/", 1)[-1]) if name is not None else None
    if found is None:
        raise NotModelled(f"{call.argv[0].display()} is not modelled")
    return found(call)
