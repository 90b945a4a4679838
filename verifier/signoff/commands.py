"""Commands that people give in comments.

    line    := command [run]
    command := "/reuse-sweep-run" | "/use"
    run     := digits, or the address of a workflow run

A command stands at the start of a line, outside quotes, code and hidden text.
"""

from __future__ import annotations

import re

from verifier.model.record import NamedTuple
from verifier.signoff.visible import visible_lines

NAMES = ("/reuse-sweep-run", "/use")

_COMMAND = re.compile(r"[ ]{0,3}(?P<name>/[a-z][a-z-]*)(?:[ \t]+(?P<rest>\S.*?))?[ \t]*$")
_RUN = re.compile(
    r"#?(\d{1,20})|https://[^\s/]+/[^\s/]+/[^\s/]+/actions/runs/(\d{1,20})(?:[/?#]\S*)?"
)


class Reuse(NamedTuple):
    """One reuse command."""

    line: int
    name: str
    run: int | None
    """The run it names; None for the bare command."""
    odd: str = ""
    """What follows the name and is no run: such a line is no command."""


def reuse_commands(text: str, names: tuple[str, ...] = NAMES) -> tuple[Reuse, ...]:
    """Every line of the text that gives a reuse command, malformed ones included."""
    found = []
    for number, line in visible_lines(text):
        match = _COMMAND.match(line)
        if match is None or match["name"] not in names:
            continue
        rest = match["rest"] or ""
        run = _RUN.fullmatch(rest)
        if run:
            found.append(Reuse(number, match["name"], int(run[1] or run[2])))
        else:
            found.append(Reuse(number, match["name"], None, rest))
    return tuple(found)
