"""PIPESTATUS, kept only where a text asks for it."""

from __future__ import annotations

from verifier.shell import nodes
from verifier.shell.machine import Machine
from verifier.shell.state import State, Var, dense
from verifier.shell.variables import status_text


def keep(m: Machine, state: State) -> None:
    """Before the status becomes another one than that of the last command."""
    if "PIPESTATUS" not in state.vars and asks(state.frames[-1].source):
        state.set("PIPESTATUS", Var(dense([status_text(m, state)])))


def asks(source: nodes.Source) -> bool:
    """Whether a text reads the statuses of pipelines at all."""
    found: bool | None = source.memo.get("PIPESTATUS")
    if found is None:
        found = source.memo["PIPESTATUS"] = "PIPESTATUS" in source.text
    return found


def end(state: State) -> None:
    """After a command: its status is the only one."""
    if "PIPESTATUS" in state.vars:
        state.drop("PIPESTATUS")
