"""Loops whose rounds are decided run them one by one; `unknown_loops` reads the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.model.text import Origin, Text, Word, hole
from verifier.shell import (
    branching,
    expand,
    nodes,
    pipe_status,
    questions,
    redirect,
    simple,
    sums,
    variables,
)
from verifier.shell.machine import Machine, ShellError
from verifier.shell.paths import join_paths
from verifier.shell.state import State
from verifier.shell.texts import symbol
from verifier.shell.unknown_loops import (
    Loop,
    Round,
    RunRound,
    after_loop,
    body_start,
    survives,
    unknown,
)


def counted(
    run: Callable[[Machine, Any, State], list[State]],
) -> Callable[[Machine, Any, State], list[State]]:
    """Run a loop as one more that `break` can leave."""

    def inside(m: Machine, node: Loop, state: State) -> list[State]:
        outer = state.loops
        state.loops = outer + 1
        states = [state]
        try:
            states = run(m, node, state)
        finally:
            for end in states:
                end.loops = outer
        return states

    return inside


def run_for(m: Machine, node: nodes.For, state: State) -> list[State]:
    """`for name in words`."""

    def body(start: State) -> list[State]:
        if not variables.NAME.match(node.name):
            start.status = 1
            return [start]
        results: list[State] = []
        for s, items in m.attempt(start, simple.guarded(m, lambda s: _items(m, node, s))):
            if items is None:
                results.append(s)
            elif node.select:
                results.extend(unknown(m, node, s, _for_round(m, node, None)))
            else:
                results.extend(_listed(m, node, s, items))
        return results

    return redirect.around(m, node.redirects, state, body)


def _items(m: Machine, node: nodes.For, state: State) -> tuple[Word, ...]:
    if node.words is not None:
        found = tuple(expand.words(m, state, node.words))
    else:
        found = state.args
    found = tuple(w for item in found for w in m.resolve_word(state, item))
    depending = sum(m.words_case(word) is not None for word in found)
    if depending and 1 << depending <= m.limits.ways:
        return m.decided_words(state, found, m.limits.words)
    return found


def _any_of(m: Machine, state: State, node: nodes.For, items: tuple[Word, ...]) -> Text:
    """What the variable holds in a round that stands for any of the loop's."""
    site = m.site(state, node.start)
    open_items = [item.text for item in items if item.splits and item.text.holes]
    names = ",".join(symbol(text) for text in open_items)
    reason = f"{node.name} takes values that are not known"
    before = None
    if open_items:
        shown = questions.shown_text(open_items[0])
        reason = f"{node.name} takes each word of {shown if len(shown) < _LONG else 'a list'}"
        before = open_items[0].holes[0].origin
    origin = Origin(m.span(state, node.start), "read word by word", before)
    return hole(reason, f"each:{site}:{node.name}({names})", origin)


_LONG = 60


def _for_round(
    m: Machine, node: nodes.For, item: Text | None, items: tuple[Word, ...] = ()
) -> RunRound:
    def run(state: State) -> Round:
        span = m.span(state, node.start)
        value = item
        if value is None:
            value = _any_of(m, state, node, items)
        try:
            how = f"taken by the loop variable {node.name}"
            var = state.vars.get(node.name)
            if var is not None and var.nameref:
                state.set(node.name, var._replace(value=value))
            else:
                variables.assign(m, state, node.name, value, span, how=how)
            if node.select:
                # What is chosen is read from standard input.
                reply = hole("what is typed at a menu", f"reply:{m.site(state, node.start)}")
                variables.assign(m, state, "REPLY", reply, span)
                redirect.set_stdin(state, None)
        except ShellError as error:
            simple.fail(m, state, error)
            return Round([], [state], []) if state.flow is None else Round([], [], [state])
        return _sorted_out(m, _body(m, node, node.body, state))

    return run


def _body(m: Machine, node: Loop, body: nodes.Script, state: State) -> list[State]:
    source = state.frames[-1].source
    m.places.append((source, node.start))
    m.places.append((source, node.start))
    try:
        return m.run_list(body, state)
    finally:
        m.places.pop()
        m.places.pop()


def _sorted_out(m: Machine, states: list[State]) -> Round:
    going: list[State] = []
    left: list[State] = []
    for state in states:
        flow = state.flow
        if flow is None:
            going.append(state)
        elif flow.kind == "continue" and flow.levels <= 1:
            state.flow = None
            going.append(state)
        else:
            left.append(state)
    return Round(going, [], left)


def _listed(m: Machine, node: nodes.For, state: State, items: tuple[Word, ...]) -> list[State]:
    if not items:
        pipe_status.keep(m, state)
        state.status = 0
        return [state]
    if any(item.splits for item in items):
        return unknown(m, node, state, _for_round(m, node, None, items))
    rounds = [_for_round(m, node, item.text) for item in items]
    if len(items) > m.limits.iterations:
        return unknown(m, node, state, _for_round(m, node, None))
    if len(items) > m.limits.unsure_iterations:
        first = _tried(m, body_start(node), state, rounds[0])
        if first.going and any(survives(s) for s in first.left):
            return unknown(m, node, state, _for_round(m, node, None), first.going)
    return _rounds(m, body_start(node), state, rounds)


def _tried(m: Machine, place: int, state: State, run: RunRound) -> Round:
    """What the first round would do."""
    outer = m.rounds
    m.rounds = (*outer, (place, 0))
    mark = m.recorder.begin()
    m.recorder.muted += 1
    try:
        return run(state.copy())
    finally:
        m.recorder.muted -= 1
        m.recorder.rollback(mark)
        m.rounds = outer


def _rounds(m: Machine, place: int, state: State, rounds: list[RunRound]) -> list[State]:
    outer = m.rounds
    live = [state]
    left: list[State] = []
    try:
        for number, run in enumerate(rounds):
            m.rounds = (*outer, (place, number))
            going: list[State] = []
            for current in live:
                result = run(current)
                going.extend(result.going)
                left.extend(result.left)
                left.extend(result.done)
            live = join_paths(m, going) if len(going) > 1 else going
            if not live:
                break
    finally:
        m.rounds = outer
    return live + after_loop(left)


# --- while, until, for (( )) -----------------------------------------------------------------


def run_while(m: Machine, node: nodes.While, state: State) -> list[State]:
    """`while` and `until`."""
    return redirect.around(
        m, node.redirects, state, lambda s: _conditional_loop(m, node, s, _while_round(m, node))
    )


def _while_round(m: Machine, node: nodes.While) -> RunRound:
    def run(state: State) -> Round:
        before = 0 if _is_first(m, node) else state.status
        ended: list[State] = []
        source = state.frames[-1].source
        m.places.append((source, node.start))
        m.places.append((source, node.start))
        try:
            yes, no = branching.condition(m, node.condition, [state], ended)
        finally:
            m.places.pop()
            m.places.pop()
        if node.until:
            yes, no = no, yes
        going: list[State] = []
        left = ended
        for s in yes:
            result = _sorted_out(m, _body(m, node, node.body, s))
            going.extend(result.going)
            left.extend(result.left)
        for s in no:
            pipe_status.keep(m, s)
            s.status = before
        return Round(going, no, left)

    return run


def _is_first(m: Machine, node: Loop) -> bool:
    """Whether the first round runs: before it a loop has the status 0."""
    return m.rounds[-1] == (node.start, 0)


def run_for_arithmetic(m: Machine, node: nodes.ForArithmetic, state: State) -> list[State]:
    """`for ((init; test; step))`."""

    def body(start: State) -> list[State]:
        results: list[State] = []
        for s, ok in m.attempt(start, lambda s: _compute(m, s, node.init)):
            if ok is None:
                s.status = 1
                results.append(s)
                continue
            results.extend(_conditional_loop(m, node, s, _arithmetic_round(m, node)))
        return results

    return redirect.around(m, node.redirects, state, body)


def _compute(m: Machine, state: State, word: nodes.Word | None) -> int | None:
    """The formula of an expression, None after an error; an empty one is true."""
    if word is None:
        return 1
    try:
        expression = expand.arithmetic_text(m, state, word)
        if expression.known is not None and not expression.known.strip():
            return 1
        return questions.truth(m, sums.evaluate(m, state, expression).truth)
    except ShellError:
        return None


def _arithmetic_round(m: Machine, node: nodes.ForArithmetic) -> RunRound:
    def run(state: State) -> Round:
        going: list[State] = []
        done: list[State] = []
        left: list[State] = []
        m.at(state, node)
        for s, test in m.attempt(state, lambda s: _compute(m, s, node.test)):
            yes, no = m.logic.split(s.cond, test or 0)
            if no:
                other = s.copy()
                other.cond = no
                if test is None:
                    other.status = 1
                elif _is_first(m, node):
                    pipe_status.keep(m, other)
                    other.status = 0
                done.append(other)
            if not yes:
                continue
            s.cond = yes
            result = _sorted_out(m, _body(m, node, node.body, s))
            left.extend(result.left)
            for after in result.going:
                m.at(after, node)
                for t, ok in m.attempt(after, lambda t: _compute(m, t, node.step)):
                    (done if ok is None else going).append(t)
                    t.status = 1 if ok is None else t.status
        return Round(going, done, left)

    return run


def _conditional_loop(m: Machine, node: Loop, state: State, run: RunRound) -> list[State]:
    """Run rounds while each of them is decided; what is undecided is read as unknown."""
    key = (m.site(state, node.start), state.cond, m.logic.known_here)
    if key in m.undecided:
        # A loop around this one is read again, knowing less.
        return unknown(m, node, state, run)
    outer = m.rounds
    live = [state]
    finished: list[State] = []
    number = 0
    while live:
        going: list[State] = []
        for current in live:
            start = current.copy()
            m.rounds = (*outer, (node.start, number))
            mark = m.recorder.begin()
            result = run(current)
            m.rounds = outer
            stays = bool(result.going)
            goes = bool(result.done) or any(survives(s) for s in result.left)
            if (stays and goes) or number >= m.limits.iterations:
                m.recorder.rollback(mark)
                if number == 0:
                    m.undecided.add(key)
                finished.extend(unknown(m, node, start, run, result.going))
                continue
            m.recorder.commit(mark)
            going.extend(result.going)
            finished.extend(result.done)
            finished.extend(after_loop(result.left))
        live = join_paths(m, going) if len(going) > 1 else going
        number += 1
    return finished
