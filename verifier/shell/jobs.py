"""`wait` and `kill -0`: how processes in the background end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from verifier.model.text import Hole, Text
from verifier.shell.machine import Machine
from verifier.shell.state import State

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

JOB = "number:job:"
"""How the symbol of the number of a background process begins."""


def started(m: Machine, state: State, symbol: str, ends: Iterable[State]) -> None:
    """Remember how a background process ends; what differs between paths is not known."""
    codes = {end.status if isinstance(end.status, int) else None for end in ends}
    known = m.jobs.get(symbol)
    if known is not None:
        codes.add(known[0])
    m.jobs[symbol] = (codes.pop() if len(codes) == 1 else None, _process(state))


def _process(state: State) -> tuple[int, int]:
    """Only the process that started another can wait for it."""
    return state.subshell, sum(frame.kind == "script" for frame in state.frames)


def wait(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin."""
    words = [word for given in plan.argv[1:] for word in m.resolve_word(state, given)]
    if not words:
        state.status = 0
        return
    last = words[-1]
    code = None
    if not last.splits and not any((w.text.known or "").startswith("-") for w in words):
        code = _code(m, state, m.resolve(state, last.text))
    state.status = m.pending(state, start, "`wait`") if code is None else code


def _code(m: Machine, state: State, job: Text) -> int | None:
    only = job.pieces[0] if len(job.pieces) == 1 else None
    found = m.jobs.get(only.symbol) if isinstance(only, Hole) else None
    return found[0] if found is not None and found[1] == _process(state) else None


def kill(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin: that the shell itself is alive is known, and not how a killed process ends."""
    from verifier.shell.external import unknown_effects

    unknown_effects(m, state, plan, "kill", start)
    words = plan.argv[1:]
    symbols = [word.text.holes[0].symbol if word.text.holes else "" for word in words]
    if words and words[0].text.known == "-0":
        if symbols == ["", "number:pid"]:
            state.status = 0
        return
    for symbol, (_, process) in list(m.jobs.items()):
        named = [s for s in symbols if s]
        if symbol in named or not all(s in m.jobs for s in named) or not named:
            m.jobs[symbol] = (None, process)
