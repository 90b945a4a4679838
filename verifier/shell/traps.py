"""`trap`: what a failing command runs (ERR) is followed; other traps are not main flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.text import Text
from verifier.shell import processes, redirect
from verifier.shell.machine import Machine
from verifier.shell.state import State

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

_FOLLOWED = ("ERR",)
# These run between the commands of the main flow.
_BETWEEN = ("DEBUG", "RETURN")


def declare(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin."""
    from verifier.shell.external import unknown_effects

    words = [m.resolve(state, word.text) for word in plan.argv[1:]]
    if words and words[0].known == "--":
        words = words[1:]
    state.status = 0
    if not words or words[0].known in ("-p", "-l"):
        unknown_effects(m, state, plan, "trap", start)
        return
    body, signals = words[0], words[1:]
    if not signals or (body.known or "x").isdigit():
        signals, body = words, Text(())
    if body.known == "-":
        body = Text(())
    for signal in signals:
        name = (signal.known or "").upper().removeprefix("SIG")
        span = m.span(state, start)
        if signal.known is None:
            m.unresolved(span, "a trap for an unknown signal is not followed")
        elif name in _FOLLOWED:
            state.traps = {**state.traps, name: (body, start)} if body.pieces else {}
        elif name in _BETWEEN and body.pieces:
            m.unresolved(span, f"the {name} trap is not followed")
        elif name in ("EXIT", "0") and body.pieces and state.subshell:
            # It runs where the process ends, and what it prints may be captured.
            redirect.forget_output(m, state, f"trap:{m.site(state, start)}")


def failed(m: Machine, state: State) -> list[State]:
    """Run the ERR trap of a command that has failed; its status stays the last one."""
    if "ERR" not in state.traps:
        return [state]
    traps, status = state.traps, state.status
    body, start = traps["ERR"]
    state.traps = {}
    results = processes.run_string(m, state, body, start, "trap")
    for result in results:
        if result.flow is None:
            result.status = status
        result.traps = traps
    return results


def not_expected(m: Machine, state: State) -> None:
    """A command of unknown status is taken to succeed."""
    if "ERR" in state.traps:
        span = m.span(state, state.traps["ERR"][1])
        m.assume(span, "no command fails whose status is not known, so this trap does not run")


def inherited(state: State) -> dict[str, tuple[Text, int]]:
    """The traps of a function or subshell that `state` starts."""
    return state.traps if state.opt("errtrace") else {}
