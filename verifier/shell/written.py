"""Scripts that the script itself has written, and then runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.model.files import file_key
from verifier.model.text import Lit, Text, Word
from verifier.shell import nodes, processes
from verifier.shell.files import place
from verifier.shell.machine import Machine
from verifier.shell.state import State
from verifier.shell.syntax import parse

if TYPE_CHECKING:
    from verifier.shell.commands.wrappers import Inner


def run(
    m: Machine,
    state: State,
    name: Text,
    args: tuple[Word, ...],
    start: int,
    inner: Inner | None = None,
) -> list[State] | None:
    """Run the file as a process of its own; None when the script has not written it.

    `inner`: how a shell is told to run it. Without it the file is the command itself.
    """
    if inner is None and not any(isinstance(p, Lit) and "/" in p.value for p in name.pieces):
        return None
    key = place(state.files, file_key(name, state.cwd))
    content = state.files.get(key)
    if content is None or (inner is None and not _is_shell(content)):
        return None
    if not processes.says_something(content):
        m.unresolved(m.span(state, start), f"what {key} holds when it runs is not known")
        return None
    if content.known is None:
        m.assume(m.span(state, start), f"unknown parts of {key} are plain words")
    if inner is None:
        m.assume(m.span(state, start), f"{key} can be executed")
    source = nodes.Source(key, processes.as_script(m, content))
    options = inner.shell_options if inner is not None else ()
    return processes.process(m, state, source, parse(source), name, args, start, options, inner)


def _is_shell(content: Text) -> bool:
    first = content.pieces[0] if content.pieces else None
    line = first.value.split("\n", 1)[0] if isinstance(first, Lit) else ""
    return not line.startswith("#!") or re.search(r"\b(ba|da)?sh\b", line) is not None
