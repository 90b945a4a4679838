"""Pipelines, and the statuses of their parts."""

from __future__ import annotations

from contextlib import nullcontext

from verifier.shell import nodes, pipe_status, redirect
from verifier.shell.machine import Machine
from verifier.shell.state import Formula, Pending, State, Status, Stream, Var, dense
from verifier.shell.subshells import enter_subshell, leave_subshell, unending
from verifier.shell.variables import status_text


def pipeline(m: Machine, node: nodes.Pipeline, state: State) -> list[State]:
    """Run a pipeline, or one command behind `!` or `time`."""
    if not node.commands:
        state.status = 1 if node.negated else 0
        return [state]
    outer = state.conditional
    only = node.commands[0] if len(node.commands) == 1 else None
    if node.negated:
        # Without `set -e` only the command itself may fail, not what is inside it.
        plain = isinstance(only, nodes.Simple | nodes.Arithmetic | nodes.Conditional)
        state.conditional = outer or plain or state.opt("errexit")
    if only is not None:
        trapped = state.traps
        if node.negated and isinstance(only, nodes.Subshell):
            state.traps = {}
        results = m.run_node(only, state)
        if trapped and node.negated and isinstance(only, nodes.Subshell):
            for result in results:
                result.traps = trapped
    else:
        results = _piped(m, node, state)
    for result in results:
        result.conditional = outer
        if node.negated and result.flow is None:
            status = result.status
            if not isinstance(node.commands[0], nodes.Conditional | nodes.Arithmetic):
                pipe_status.keep(m, result)
            if isinstance(status, int):
                result.status = 1 if status == 0 else 0
            else:
                result.status = Formula(m.logic.no(m.success(result)), 1)
    return results


def _piped(m: Machine, node: nodes.Pipeline, state: State) -> list[State]:
    last = len(node.commands) - 1
    mark = m.streams
    paths: list[tuple[State, int | None, tuple[Status, ...]]] = [(state, None, ())]
    final: list[tuple[State, tuple[Status, ...]]] = []
    outer_conditional = state.conditional
    for index, command in enumerate(node.commands):
        following: list[tuple[State, int | None, tuple[Status, ...]]] = []
        for base, source, statuses in paths:
            here = index == last and state.opt("lastpipe")
            inner = base.copy() if here else enter_subshell(base)
            # What fails alone ends only its own process; a group or function stops where it fails.
            alone = index != last and _is_program(command, base)
            inner.conditional = outer_conditional or alone
            fds = dict(inner.fds)
            sink: int | None = None
            if source is not None:
                fds[0] = source
            if index != last:
                m.streams += 1
                sink = m.streams
                inner.streams = {**inner.streams, sink: Stream()}
                fds[1] = sink
                if node.merged[index]:
                    fds[2] = sink
            inner.fds = fds
            if isinstance(command, nodes.Subshell) and not here:
                inner.subshell = base.subshell  # it is no further process
            with nullcontext() if here else m.process():
                ends = m.run_node(command, inner)
            if index != last:
                # It is stopped when nobody reads any more.
                endless = unending(m, inner, ends)
                for end in endless:
                    assert sink is not None
                    end.streams = {**end.streams, sink: Stream(text=None)}
                ends += endless
            for end in ends:
                if here:
                    end.fds = base.fds
                    end.conditional = outer_conditional
                    after = end
                else:
                    after = leave_subshell(base, end)
                    after.status = base.status  # which is what the next one sees as `$?`
                status = end.status
                if status == 0 and index != last and not inner.conditional and not alone:
                    # It may have stopped early at a program that is taken to succeed.
                    if base.opt("errexit"):
                        status = m.pending(base, command.start, "a part of a pipeline")
                if statuses and statuses[-1] == 0 and _left_unread(end, source):
                    # The writer may have been stopped for want of a reader.
                    writer = node.commands[index - 1]
                    statuses = (
                        *statuses[:-1],
                        m.pending(base, writer.start, "a part of a pipeline"),
                    )
                all_statuses = (*statuses, status)
                if index == last:
                    final.append((after, all_statuses))
                else:
                    following.append((after, sink, all_statuses))
        paths = following
    for s, _ in final:
        redirect.restore(s, s.fds, mark)
    return [_finish_pipe(m, s, statuses) for s, statuses in final]


def _left_unread(state: State, stream: int | None) -> bool:
    """Whether a pipe holds what nobody has read, where anybody asks for the writer's status."""
    if stream is None or not (state.opt("pipefail") or pipe_status.asks(state.frames[-1].source)):
        return False
    text = state.streams[stream].text if stream in state.streams else None
    return text is not None and bool(text.pieces)


def _is_program(command: nodes.Node, state: State) -> bool:
    if not isinstance(command, nodes.Simple) or not command.words:
        return False
    word = command.words[0]
    parts = word.parts if isinstance(word, nodes.Word) else ()
    first = parts[0] if len(parts) == 1 else None
    name = first.value if isinstance(first, nodes.Literal) else None
    return name is not None and name not in state.functions and name not in ("eval", ".", "source")


def _finish_pipe(m: Machine, state: State, statuses: tuple[Status, ...]) -> State:
    texts = []
    for status in statuses:
        state.status = status
        texts.append(status_text(m, state))
    state.set("PIPESTATUS", Var(dense(texts)))
    if state.opt("pipefail"):
        state.status = _pipefail(m, state, statuses)
    return state


def _pipefail(m: Machine, state: State, statuses: tuple[Status, ...]) -> Status:
    if all(status == 0 for status in statuses):
        return 0
    if all(isinstance(s, int) for s in statuses):
        return next(s for s in reversed(statuses) if s != 0)
    unknown = [s for s in statuses if s != 0]
    if all(isinstance(s, Pending) for s in unknown):
        return unknown[-1] if len(unknown) == 1 else _all_succeed(m, state, statuses)
    return _all_succeed(m, state, statuses)


def _all_succeed(m: Machine, state: State, statuses: tuple[Status, ...]) -> Status:
    pending = [s for s in statuses if isinstance(s, Pending)]
    if len(pending) == len([s for s in statuses if s != 0]):
        first = pending[0]
        return Pending("+".join(p.key for p in pending), first.text, first.place)
    success = 1
    for status in statuses:
        success = m.logic.both(success, m.success(state, status))
    return Formula(success, None)
