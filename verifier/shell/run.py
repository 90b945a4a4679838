"""Runs nodes on states: lists, pipelines, branches, groups. A path that can go on in two ways
becomes two states; states that agree are joined again after each command of a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from verifier.shell import (
    branching,
    conditions,
    expand,
    loops,
    nodes,
    pipe_status,
    pipelines,
    questions,
    redirect,
    simple,
    subshells,
    substitution,
    sums,
    traps,
)
from verifier.shell.lines import ASTRAY
from verifier.shell.machine import LimitReached, Machine, ShellError
from verifier.shell.paths import join_paths, leave, split
from verifier.shell.state import UNSET, Body, Flow, Formula, Pending, State, Status
from verifier.shell.together import run_together

_LAST_ARGUMENT = re.compile(r"\$\{?_(?![A-Za-z0-9_])")

Handler = Callable[[Machine, Any, State], list[State]]


def connect(m: Machine) -> None:
    """Give the machine its ways to run nodes."""
    m.run_node = lambda node, state: run_node(m, node, state)
    m.run_list = lambda script, state: run_list(m, script, state)
    m.run_paths = lambda script, states: _run_list(m, script, states)
    m.run_unit = lambda script, state: run_list(m, script, state, unit=True)
    m.run_substitution = lambda state, script, start: substitution.run_substitution(
        m, state, script, start
    )


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
    return leave(m, before, stops, states)


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
    return leave(m, before, stops, ends)


def _enter(m: Machine, node: nodes.Node, state: State) -> None:
    m.steps += 1
    if m.steps > m.limits.steps:
        raise LimitReached("steps")
    m.depth += 1
    if m.depth > m.limits.depth:
        raise LimitReached("depth")
    m.place = (state.frames[-1].source, node.start)
    m.running = node


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


def run_list(m: Machine, script: nodes.Script, state: State, *, unit: bool = False) -> list[State]:
    """Run commands one after the other.

    `unit`: a whole script or string, which goes on with the next line after a command that could
    not be expanded.
    """
    if unit and not m.follows_last:
        m.follows_last = _LAST_ARGUMENT.search(state.frames[-1].source.text) is not None
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
                if "\n" in source.text[command.start : command.end]:
                    result.set(ASTRAY, UNSET)
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


def _group(m: Machine, node: nodes.Group, state: State) -> list[State]:
    return redirect.around(m, node.redirects, state, lambda s: m.run_list(node.body, s))


# --- branches --------------------------------------------------------------------------------


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
        pipe_status.end(s)
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
        pipe_status.end(s)

    def body(start: State) -> list[State]:
        return [s for s, _ in m.attempt(start, evaluate)]

    return redirect.around(m, node.redirects, state, body)


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
    nodes.If: branching.branches,
    nodes.Case: branching.clauses,
    nodes.Group: lambda m, node, states: _run_list(m, node.body, states),
}

_HANDLERS: dict[type, Handler] = {
    nodes.Simple: simple.run_simple,
    nodes.Pipeline: pipelines.pipeline,
    nodes.AndOr: _and_or,
    nodes.Background: subshells.background,
    nodes.Script: run_list,
    nodes.Subshell: subshells.subshell,
    nodes.Group: _group,
    nodes.If: branching.if_,
    nodes.For: loops.counted(loops.run_for),
    nodes.ForArithmetic: loops.counted(loops.run_for_arithmetic),
    nodes.While: loops.counted(loops.run_while),
    nodes.Case: branching.case,
    nodes.Function: _function,
    nodes.Arithmetic: _arithmetic,
    nodes.Conditional: _conditional,
    nodes.Coproc: subshells.coproc,
    nodes.Bad: _bad,
}
