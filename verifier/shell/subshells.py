"""Processes of the script's own: subshells, background jobs, coprocesses."""

from __future__ import annotations

from verifier.model.text import Origin, Text, hole
from verifier.shell import jobs, nodes, pipe_status, redirect, traps
from verifier.shell.machine import Machine
from verifier.shell.state import State, Var, dense


def enter_subshell(state: State) -> State:
    """A copy for a process of its own."""
    inner = state.copy()
    inner.subshell += 1
    inner.traps = traps.inherited(state)
    inner.loops = 0
    return inner


def leave_subshell(base: State, end: State) -> State:
    """The parent after a process that ended in `end`: only files and output remain."""
    after = base.copy()
    after.cond = end.cond
    after.status = end.status
    after.files = end.files
    after.streams = end.streams
    return after


def subshell(m: Machine, node: nodes.Subshell, state: State) -> list[State]:
    """Run `( … )`."""

    def body(inner: State) -> list[State]:
        base = inner
        with m.process():
            ends = m.run_list(node.body, enter_subshell(inner))
        after = [leave_subshell(base, end) for end in ends]
        for one in after:
            pipe_status.end(one)
        return after

    return redirect.around(m, node.redirects, state, body)


def background(m: Machine, node: nodes.Background, state: State) -> list[State]:
    """Run `… &`."""
    inner = enter_subshell(state)
    inner.background = True
    site = m.site(state, node.start)
    span = m.span(state, node.start)
    results = []
    if isinstance(node.command, nodes.Subshell):
        inner.subshell = state.subshell  # it is no further process
    with m.process():
        ends = m.run_node(node.command, inner)
    jobs.started(m, state, f"{jobs.JOB}{site}", ends)
    for end in (*ends, *unending(m, state, ends)):
        after = leave_subshell(state, end)
        after.files = _unsettled(state.files, after.files, site)
        if after.streams is not state.streams:
            after.streams = {
                number: stream
                if state.streams.get(number) == stream
                else stream._replace(text=None)
                for number, stream in after.streams.items()
            }
        after.status = 0
        pid = hole("process id of a background job", f"{jobs.JOB}{site}", Origin(span))
        after.set("!", Var(pid))
        results.append(after)
    return results


def unending(m: Machine, state: State, ends: list[State]) -> list[State]:
    """The paths on which a process beside this one never ends; this one goes on all the same."""
    rest = state.cond
    for end in ends:
        rest = m.logic.both(rest, m.logic.no(end.cond))
    if not rest:
        return []
    left = state.copy()
    left.cond = rest
    return [left]


def _unsettled(
    before: dict[str, Text | None], after: dict[str, Text | None], site: str
) -> dict[str, Text | None]:
    """Files that a background job writes: nobody knows how far it is."""
    if before is after:
        return after
    return {
        name: content
        if name in before and before[name] == content
        else hole(f"{name} is written in the background", f"file:{name}:{site}")
        for name, content in after.items()
    }


def coproc(m: Machine, node: nodes.Coproc, state: State) -> list[State]:
    """Run a coprocess."""
    results = background(m, nodes.Background(node.command, node.start, node.end), state)
    name = node.name or "COPROC"
    for s in results:
        site = m.site(s, node.start)
        ends = [hole("descriptor of a coprocess", f"number:{site}:{n}") for n in (0, 1)]
        s.set(name, Var(dense(ends), array="a"))
        s.set(f"{name}_PID", Var(hole("process id of a coprocess", f"number:{site}:pid")))
    return results
