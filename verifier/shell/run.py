"""Runs nodes on states: lists, pipelines, branches, groups. A path that can go on in two ways
becomes two states; states that agree are joined again after each command of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import lru_cache, partial
from typing import Any

from verifier.model.text import EMPTY, Hole, Lit, Origin, Text, hole
from verifier.shell import (
    conditions,
    expand,
    jobs,
    loops,
    nodes,
    questions,
    redirect,
    simple,
    sums,
    traps,
)
from verifier.shell.files import PLACES
from verifier.shell.machine import LimitReached, Machine, ShellError
from verifier.shell.merge import merge
from verifier.shell.relevance import Relevance
from verifier.shell.state import Body, Flow, Formula, Pending, State, Status, Stream, Var, dense
from verifier.shell.texts import derived
from verifier.shell.together import run_together
from verifier.shell.variables import status_text

Handler = Callable[[Machine, Any, State], list[State]]


def connect(m: Machine) -> None:
    """Give the machine its ways to run nodes."""
    m.run_node = lambda node, state: run_node(m, node, state)
    m.run_list = lambda script, state: run_list(m, script, state)
    m.run_unit = lambda script, state: run_list(m, script, state, unit=True)
    m.run_substitution = lambda state, script, start: run_substitution(m, state, script, start)


def run_node(m: Machine, node: nodes.Node, state: State) -> list[State]:
    """Run one command."""
    before, stops = state.cond, m.stops
    _enter(m, node, state)
    kind = type(node)
    try:
        states = _HANDLERS[kind](m, node, state)
    except ShellError as error:
        # A word of `for` or `case`; simple commands see to their own.
        simple.fail(m, state, error, leave=True)
        states = [state]
    finally:
        m.depth -= 1
    m.end = node.end
    if kind in _FATAL and not (kind is nodes.Pipeline and node.negated):  # type: ignore[union-attr]
        states = [after for s in states for after in _errexit(m, s, node)]
    return _leave(m, before, stops, states)


def _run_all(m: Machine, node: nodes.Node, states: list[State]) -> list[State]:
    """Run one command on several paths."""
    several = _SEVERAL.get(type(node))
    if len(states) == 1 or several is None or node.redirects:  # type: ignore[union-attr]
        return [end for state in states for end in run_node(m, node, state)]
    before, stops = 0, m.stops
    for state in states:
        before = m.logic.either(before, state.cond)
    _enter(m, node, states[0])
    try:
        ends = several(m, node, states)
    finally:
        m.depth -= 1
    return _leave(m, before, stops, ends)


def _enter(m: Machine, node: nodes.Node, state: State) -> None:
    m.steps += 1
    if m.steps > m.limits.steps:
        raise LimitReached("steps")
    m.depth += 1
    if m.depth > m.limits.depth:
        raise LimitReached("depth")
    m.place = (state.frames[-1].source, node.start)
    m.running = node


def _leave(m: Machine, before: int, stops: int, states: list[State]) -> list[State]:
    """The paths that go on after a command, in which `m.stops` rose from `stops` by those that
    ended the script."""
    if m.inside:
        _abridge(m, before, states)
        return states
    going = [s for s in states if s.flow is None or s.flow.kind != "exit"]
    if len(going) < len(states):
        for stopped in states:
            if stopped.flow is not None and stopped.flow.kind == "exit":
                _stop(m, stopped)
    if m.stops != stops and going:
        _go_on(m, before, going)
    _abridge(m, before, going)
    return going


def _abridge(m: Machine, before: int, states: list[State]) -> None:
    """Name the ways out of a command that many tests of unknown things decide together.

    Such conditions grow with every command, and say little: that `grep` found one thing and not
    the other. Where the inputs leave several ways open, which one is taken becomes one test.
    """
    if len(states) < 2:
        return
    logic = m.logic
    if not any(logic.is_long(state.cond, before) for state in states):
        return
    atoms = 0
    for state in states:
        atoms |= logic.support(state.cond)
    atoms &= ~(logic.support(before) | logic.direct)
    rest = before
    for state in states[:-1]:
        way = logic.named(state.cond)
        taken = logic.both(logic.both(logic.forget(state.cond, atoms), way), rest)
        state.cond = taken
        rest = logic.both(rest, logic.no(taken))
    states[-1].cond = rest


def _stop(m: Machine, stopped: State) -> None:
    """Nothing comes after the shell itself, so whatever still runs knows that it did not stop."""
    m.stops += 1
    if m.recorder.muted:
        return
    logic = m.logic
    if m.options.closed and m.place is not None:
        span = m.place[0].span(m.place[1])
        m.recorder.ends.append((span, stopped.status, logic.whole(stopped.cond)))
    going = logic.no(logic.whole(stopped.cond))
    told = stopped.status == 0 or bool(logic.support(going) & logic.central)
    logic.assume(going, told)


def _go_on(m: Machine, before: int, states: list[State]) -> None:
    """Paths stand for all that came to a command, although some of it stopped there.

    What decides only whether the script goes on is in `Logic.assume`, once and for all; the
    conditions of paths say what keeps them apart.
    """
    logic = m.logic
    if len(states) == 1:
        states[0].cond = before
        return
    gates = 0
    for state in states:
        gates |= logic.support(state.cond)
    gates &= logic.gates & ~logic.support(before)
    conditions = [logic.forget(state.cond, gates) for state in states]
    if logic.disjoint(conditions):
        for state, condition in zip(states, conditions, strict=True):
            state.cond = condition
    rest = before
    for state in states:
        rest = logic.both(rest, logic.no(state.cond))
    if rest:
        wider = [logic.either(state.cond, rest) for state in states]
        sizes = [logic.support(condition).bit_count() for condition in wider]
        simplest = sizes.index(min(sizes))
        states[simplest].cond = wider[simplest]


def _errexit(m: Machine, state: State, node: nodes.Node) -> list[State]:
    """Under `set -e` a failure ends the shell; a command of unknown status is taken to succeed."""
    if state.flow is not None or state.status == 0:
        return [state]
    if state.conditional or not (state.opt("errexit") or state.traps):
        return [state]
    if isinstance(state.status, Pending):
        traps.not_expected(m, state)
        if state.opt("errexit"):
            state.status = 0
        return [state]
    yes, no = split(m, state)
    failed = [after for s in no for after in traps.failed(m, s)]
    for s in failed:
        if s.flow is None and s.opt("errexit"):
            s.flow = Flow("exit")
    return yes + failed


def split(m: Machine, state: State) -> tuple[list[State], list[State]]:
    """The state where the last status is zero, and where it is not."""
    success = m.success(state)
    yes, no = m.logic.split(state.cond, success)
    if no == 0:
        state.status = 0
        return [state], []
    if yes == 0:
        state.status = _failure(state.status)
        return [], [state]
    other = state.copy()
    state.cond, other.cond = yes, no
    state.status = 0
    other.status = _failure(other.status)
    return [state], [other]


def _failure(status: Status) -> Status:
    if isinstance(status, Formula) and status.code is not None:
        return status.code
    return status


def run_list(m: Machine, script: nodes.Script, state: State, *, unit: bool = False) -> list[State]:
    """Run commands one after the other.

    `unit`: a whole script or string, which goes on with the next line after a command that could
    not be expanded.
    """
    if unit and not m.follows_last:
        text = state.frames[-1].source.text
        m.follows_last = "$_" in text or "${_" in text
    return _run_list(m, script, [state], unit)


def _run_list(
    m: Machine, script: nodes.Script, live: list[State], unit: bool = False
) -> list[State]:
    if not live:
        return []
    source = live[0].frames[-1].source
    ended: list[State] = []
    discarded: list[State] = []
    before: nodes.Node | None = None
    for command in script.commands:
        if discarded and before is not None and _new_line(source, before, command):
            live, discarded = _going_on(m, live, discarded), []
        before = command
        after: list[State] = []
        results = run_together(m, command, live) if len(live) > 1 else None
        if results is None:
            results = _run_all(m, command, live)
        for result in results:
            if unit and result.flow is not None and _stays(result):
                discarded.append(result)
            else:
                (after if result.flow is None else ended).append(result)
        m.places[-1] = (source, command.end)
        live = join_paths(m, after) if len(after) > 1 else after
        if not live and not discarded:
            break
    if discarded:
        live = _going_on(m, live, discarded)
    if len(ended) > 1:
        ended = join_paths(m, ended)
    return live + ended


def _stays(state: State) -> bool:
    """Whether a text that runs goes on behind a command that could not be expanded."""
    flow, frame = state.flow, state.frames[-1]
    if flow is None or flow.kind != "discard":
        return False
    if frame.kind != "script":
        return flow.levels == 1 and not state.subshell
    if frame.string and flow.levels > 1:
        state.flow = Flow("exit")
        return False
    return True


def _new_line(source: nodes.Source, before: nodes.Node, command: nodes.Node) -> bool:
    """Whether bash reads the command only after it has run the one before."""
    return "\n" in source.text[before.end : command.start].replace("\\\n", "")


def _going_on(m: Machine, live: list[State], discarded: list[State]) -> list[State]:
    for state in discarded:
        state.flow = None
    states = live + discarded
    return join_paths(m, states) if len(states) > 1 else states


def join_paths(m: Machine, states: list[State]) -> list[State]:
    """Join those that agree on all that can still matter."""
    groups: dict[tuple[object, ...], list[State]] = {}
    for state in states:
        groups.setdefault((state.flow, len(state.frames), state.conditional), []).append(state)
    result: list[State] = []
    for group in groups.values():
        if len(group) > 1:
            result.extend(merge(m, group, Relevance(m.places, m.calls(group[0].functions))))
        else:
            result.extend(group)
    return result


def _and_or(m: Machine, node: nodes.AndOr, state: State) -> list[State]:
    outer = state.conditional
    last = len(node.commands) - 1
    state.conditional = True
    live, ended = _parted(m.run_node(node.commands[0], state))
    for index, operator in enumerate(node.operators, 1):
        after: list[State] = []
        for current in live:
            yes, no = split(m, current)
            going, staying = (yes, no) if operator == "&&" else (no, yes)
            after.extend(staying)
            for s in going:
                s.conditional = outer if index == last else True
                running, gone = _parted(m.run_node(node.commands[index], s))
                after.extend(running)
                ended.extend(gone)
        for s in after:
            s.conditional = True
        live = join_paths(m, after) if len(after) > 1 else after
    for s in live + ended:
        s.conditional = outer
    return live + ended


def _parted(states: list[State]) -> tuple[list[State], list[State]]:
    return [s for s in states if s.flow is None], [s for s in states if s.flow is not None]


# --- subshells and pipelines -----------------------------------------------------------------


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


def _subshell(m: Machine, node: nodes.Subshell, state: State) -> list[State]:
    def body(inner: State) -> list[State]:
        base = inner
        with m.process():
            ends = m.run_list(node.body, enter_subshell(inner))
        after = [leave_subshell(base, end) for end in ends]
        for one in after:
            end_pipe_status(one)
        return after

    return redirect.around(m, node.redirects, state, body)


def _group(m: Machine, node: nodes.Group, state: State) -> list[State]:
    return redirect.around(m, node.redirects, state, lambda s: m.run_list(node.body, s))


def _background(m: Machine, node: nodes.Background, state: State) -> list[State]:
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
    for end in (*ends, *_endless(m, state, ends)):
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


def _endless(m: Machine, state: State, ends: list[State]) -> list[State]:
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


def _pipeline(m: Machine, node: nodes.Pipeline, state: State) -> list[State]:
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
                keep_pipe_status(m, result)
            if isinstance(status, int):
                result.status = 1 if status == 0 else 0
            else:
                result.status = Formula(m.logic.no(m.success(result)), 1)
    return results


def keep_pipe_status(m: Machine, state: State) -> None:
    """Before the status becomes another one than that of the last command."""
    if "PIPESTATUS" not in state.vars and _asks_for_pipe_status(state.frames[-1].source):
        state.set("PIPESTATUS", Var(dense([status_text(m, state)])))


@lru_cache(maxsize=64)
def _asks_for_pipe_status(source: nodes.Source) -> bool:
    return "PIPESTATUS" in source.text


def end_pipe_status(state: State) -> None:
    """After a command: its status is the only one."""
    if "PIPESTATUS" in state.vars:
        state.drop("PIPESTATUS")


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
                endless = _endless(m, inner, ends)
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
    if stream is None or not (
        state.opt("pipefail") or _asks_for_pipe_status(state.frames[-1].source)
    ):
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


def run_substitution(m: Machine, state: State, script: nodes.Script, start: int) -> Text:
    """Output of `$( … )` without trailing newlines. Changes status and files of `state`.

    A negative `start` means `<( … )`, whose output is kept as it is.
    """
    m.substitutions += 1
    site = m.site(state, abs(start))
    content = _file_content(m, state, script, site)
    if content is not None and start >= 0:
        return _stripped(m, content)
    m.streams += 1
    number = m.streams
    inner = enter_subshell(state)
    inner.loops = state.loops
    inner.fds = {**inner.fds, 1: number}
    inner.streams = {**inner.streams, number: Stream()}
    if not state.opt("inherit_errexit"):
        inner.options = inner.options - {"errexit"}
    place, running, position = m.place, m.running, m.places[-1]
    m.substituting.append((place, running, script))
    try:
        with m.process():
            ends = m.run_list(script, inner)
    finally:
        m.substituting.pop()
    m.place, m.running, m.places[-1] = place, running, position
    ends = _agreeing(m, ends, number)
    if len(ends) > 1 and m.tries <= m.limits.forks:
        from verifier.shell.machine import Fork

        raise Fork([end.cond for end in ends])
    from verifier.shell.join import join

    if not ends:
        raise ShellError("a command substitution never ends", fatal=True)
    end = ends[0] if len(ends) == 1 else join(m, ends)
    output = end.streams[number].text
    state.status = end.status
    state.files = end.files
    state.streams = {n: s for n, s in end.streams.items() if n != number}
    if output is None:
        output = hole("output of a command", f"output:{site}", Origin(m.span(state, abs(start))))
    return output if start < 0 else _stripped(m, output)


def _agreeing(m: Machine, ends: list[State], number: int) -> list[State]:
    """Ends that differ in nothing that the parent can see are one."""
    from verifier.shell.join import join

    groups: dict[tuple[object, ...], list[State]] = {}
    for end in ends:
        end.flow = None
        files = tuple(sorted(end.files.items(), key=lambda item: item[0]))
        groups.setdefault((end.streams[number], files), []).append(end)
    joined = []
    for group in groups.values():
        plain = [leave_subshell(group[0], end) for end in group]
        joined.append(plain[0] if len(plain) == 1 else join(m, plain))
    return joined


def _file_content(m: Machine, state: State, script: nodes.Script, site: str) -> Text | None:
    """`$(<file)`; None for any other script."""
    if len(script.commands) != 1:
        return None
    only = script.commands[0]
    if not isinstance(only, nodes.Simple) or only.words or only.assignments:
        return None
    if len(only.redirects) != 1 or only.redirects[0].operator != "<":
        return None
    target = only.redirects[0].target
    assert isinstance(target, nodes.Word)
    path = expand.text_of(m, state, target)
    if redirect.is_removed(state, path):
        state.status = 1
        return EMPTY
    content = redirect.read_file(m, state, path)
    state.status = 0
    if content is None:
        shown = questions.shown_text(path)
        state.status = m.pending(state, script.start, f"`< {shown}`")
        return hole(f"content of {shown}", f"output:{site}")
    return content


def _stripped(m: Machine, text: Text) -> Text:
    """Without trailing newlines (and NUL characters)."""
    pieces = list(text.pieces)
    while pieces and isinstance(pieces[-1], Lit):
        value = pieces[-1].value.rstrip("\n")
        if value:
            pieces[-1] = Lit(value, pieces[-1].origin)
            return Text(pieces)
        pieces.pop()
    if pieces:
        last = pieces[-1]
        assert isinstance(last, Hole)
        case = m.cases.get(last.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            yes, no = (
                _stripped(m, Text((*pieces[:-1], *side[0].text.pieces)))
                for side in (case.yes, case.no)
            )
            return m.case(case.test, yes, no, last.reason, last.origin)
        if not last.symbol.startswith((*questions.NUMBERS, *PLACES)) and last.input is None:
            tail = derived(last.reason, "stripped", Text((last,))).pieces[0]
            assert isinstance(tail, Hole)
            choices = last.choices
            if choices is not None:
                choices = tuple(choice.rstrip("\n") for choice in choices)
            pieces[-1] = tail._replace(origin=last.origin, choices=choices)
        elif last.input is not None:
            pieces[-1] = last
    return Text(pieces) if pieces else EMPTY


# --- branches --------------------------------------------------------------------------------


def condition(
    m: Machine, script: nodes.Script, states: list[State], ended: list[State]
) -> tuple[list[State], list[State]]:
    """Run a condition: the states where it holds and where it does not. Others go to `ended`."""
    if not states:
        return [], []
    outer = states[0].conditional
    for state in states:
        state.conditional = True
    holding: list[State] = []
    failing: list[State] = []
    for result in _run_list(m, script, states):
        result.conditional = outer
        if result.flow is not None:
            ended.append(result)
            continue
        yes, no = split(m, result)
        holding.extend(yes)
        failing.extend(no)
    return holding, failing


def _if(m: Machine, node: nodes.If, state: State) -> list[State]:
    return redirect.around(m, node.redirects, state, lambda s: _branches(m, node, [s]))


def _branches(m: Machine, node: nodes.If, waiting: list[State]) -> list[State]:
    results: list[State] = []
    for test, branch in node.branches:
        holding, failing = condition(m, test, waiting, results)
        results.extend(_run_list(m, branch, holding))
        waiting = join_paths(m, failing) if len(failing) > 1 else failing
    if node.otherwise is not None:
        return results + _run_list(m, node.otherwise, waiting)
    for state in waiting:
        keep_pipe_status(m, state)
        state.status = 0
    return results + waiting


def _case(m: Machine, node: nodes.Case, state: State) -> list[State]:
    return redirect.around(m, node.redirects, state, lambda s: _clauses(m, node, [s]))


def _clauses(m: Machine, node: nodes.Case, states: list[State]) -> list[State]:
    results: list[State] = []
    waiting: list[tuple[State, Text]] = []
    for state in states:
        reading = simple.guarded(m, lambda s: expand.text_of(m, s, node.word))
        for s, text in m.attempt(state, reading):
            if text is None:
                results.append(s)
            else:
                waiting.append((s, text))
    falling: list[tuple[State, Text]] = []
    for clause in node.clauses:
        running = falling
        falling = []
        following: list[tuple[State, Text]] = []
        for current, text in waiting:
            m.at(current, node)
            for s, test in _matched(m, text, clause, current):
                if test is None:
                    results.append(s)
                    continue
                yes, no = m.logic.split(s.cond, test)
                if yes and no:
                    other = s.copy()
                    s.cond, other.cond = yes, no
                    running.append((s, text))
                    following.append((other, text))
                else:
                    (running if yes else following).append((s, text))
        waiting = following
        for s, _ in running if not clause.body.commands else ():
            s.status = 0
        if clause.terminator == ";;":
            results.extend(_run_list(m, clause.body, [s for s, _ in running]))
            continue
        for s, text in running:
            for result in m.run_list(clause.body, s):
                if result.flow is not None:
                    results.append(result)
                else:
                    (falling if clause.terminator == ";&" else waiting).append((result, text))
    for s, _ in waiting:
        keep_pipe_status(m, s)
        s.status = 0
    return results + [s for s, _ in (*waiting, *falling)]


def _matched(
    m: Machine, text: Text, clause: nodes.CaseClause, state: State
) -> list[tuple[State, int | None]]:
    """The formula that says that the text matches, None where a pattern cannot be expanded."""
    if not state.opt("nocasematch"):
        known = [expand.plain(m, pattern) for pattern in clause.patterns]
        values = [value for value in known if value is not None]
        if len(values) == len(known):
            resolved = m.resolve(state, text)
            tests = (questions.equals(m, resolved, value) for value in values)
            return [(state, _first_of(m, state, tests))]
    return m.attempt(state, simple.guarded(m, partial(_any, m, text, clause)))


def _any(m: Machine, text: Text, clause: nodes.CaseClause, state: State) -> int:
    # `case` reads extended globs as the parser did: when they parsed, the option was on.
    extglob = state.opt("extglob")
    pieces = (expand.pattern_of(m, state, pattern) for pattern in clause.patterns)
    tests = (conditions.pattern_test(m, state, text, one, extglob=extglob) for one in pieces)
    return _first_of(m, state, tests)


def _first_of(m: Machine, state: State, tests: Iterable[int]) -> int:
    """That one of the tests holds; none behind one that is sure to hold is looked at."""
    result = 0
    for test in tests:
        result = m.logic.either(result, test)
        if m.logic.implies(state.cond, result):
            break
    return result


def _function(m: Machine, node: nodes.Function, state: State) -> list[State]:
    body = Body(node, state.frames[-1].source, state.opt("allexport"))
    state.functions = {**state.functions, node.name: body}
    state.status = 0
    return [state]


def _arithmetic(m: Machine, node: nodes.Arithmetic, state: State) -> list[State]:
    def evaluate(s: State) -> None:
        try:
            expression = expand.arithmetic_text(m, s, node.expression)
        except ShellError as error:
            simple.fail(m, s, error, leave=True)
            return
        end_pipe_status(s)
        try:
            success = questions.truth(m, sums.evaluate(m, s, expression).truth)
            s.status = _test_status(m, s, success)
        except ShellError as error:
            simple.fail(m, s, error)

    def body(start: State) -> list[State]:
        return [s for s, _ in m.attempt(start, evaluate)]

    return redirect.around(m, node.redirects, state, body)


def _test_status(m: Machine, state: State, success: int) -> Status:
    yes, no = m.logic.split(state.cond, success)
    if no == 0:
        return 0
    return 1 if yes == 0 else Formula(success, 1)


def _conditional(m: Machine, node: nodes.Conditional, state: State) -> list[State]:
    def evaluate(s: State) -> None:
        try:
            s.status = _test_status(m, s, conditions.conditional(m, s, node.expression))
        except conditions.OperandError:
            s.status = 1
        except ShellError as error:
            simple.fail(m, s, error, leave=True)
        end_pipe_status(s)

    def body(start: State) -> list[State]:
        return [s for s, _ in m.attempt(start, evaluate)]

    return redirect.around(m, node.redirects, state, body)


def _coproc(m: Machine, node: nodes.Coproc, state: State) -> list[State]:
    results = _background(m, nodes.Background(node.command, node.start, node.end), state)
    name = node.name or "COPROC"
    for s in results:
        site = m.site(s, node.start)
        ends = [hole("descriptor of a coprocess", f"number:{site}:{n}") for n in (0, 1)]
        s.set(name, Var(dense(ends), array="a"))
        s.set(f"{name}_PID", Var(hole("process id of a coprocess", f"number:{site}:pid")))
    return results


def _bad(m: Machine, node: nodes.Bad, state: State) -> list[State]:
    m.unresolved(m.span(state, node.start, node.end), node.reason)
    # A text that `eval` or `source` runs ends here, and the script goes on.
    state.flow = Flow("exit" if state.frames[-1].kind in ("script", "function") else "end")
    state.status = 2
    return [state]


_FATAL = frozenset(
    (nodes.Simple, nodes.Pipeline, nodes.Subshell, nodes.Arithmetic, nodes.Conditional)
)

_SEVERAL: dict[type, Callable[[Machine, Any, list[State]], list[State]]] = {
    nodes.If: _branches,
    nodes.Case: _clauses,
    nodes.Group: lambda m, node, states: _run_list(m, node.body, states),
}

_HANDLERS: dict[type, Handler] = {
    nodes.Simple: simple.run_simple,
    nodes.Pipeline: _pipeline,
    nodes.AndOr: _and_or,
    nodes.Background: _background,
    nodes.Script: run_list,
    nodes.Subshell: _subshell,
    nodes.Group: _group,
    nodes.If: _if,
    nodes.For: loops.counted(loops.run_for),
    nodes.ForArithmetic: loops.counted(loops.run_for_arithmetic),
    nodes.While: loops.counted(loops.run_while),
    nodes.Case: _case,
    nodes.Function: _function,
    nodes.Arithmetic: _arithmetic,
    nodes.Conditional: _conditional,
    nodes.Coproc: _coproc,
    nodes.Bad: _bad,
}
