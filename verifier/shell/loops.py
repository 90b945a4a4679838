"""Loops. Rounds that are decided run one by one; a loop whose rounds depend on unknown things is
read once with unknown values in everything that its rounds change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Origin, Text, Word, hole, lit
from verifier.shell import expand, nodes, questions, redirect, simple, sums, variables
from verifier.shell.logic import Predicate
from verifier.shell.machine import ANY_ROUND, Machine, ShellError
from verifier.shell.state import Array, Flow, Formula, Pending, State, Stream, Table, Var

Loop = nodes.For | nodes.ForArithmetic | nodes.While


class Round(NamedTuple):
    """The paths out of one round."""

    going: list[State]
    """On to the next round."""
    done: list[State]
    """The loop's condition no longer holds."""
    left: list[State]
    """By `break`, `return`, `exit` or an outer loop's `continue`."""


RunRound = Callable[[State], Round]


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
        results: list[State] = []
        for s, items in m.attempt(start, simple.guarded(m, lambda s: _items(m, node, s))):
            if items is None:
                results.append(s)
            elif node.select:
                results.extend(_unknown(m, node, s, _for_round(m, node, None)))
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


def _for_round(m: Machine, node: nodes.For, item: Text | None) -> RunRound:
    def run(state: State) -> Round:
        span = m.span(state, node.start)
        value = item
        if value is None:
            name = f"loop:{m.site(state, node.start)}:{node.name}"
            value = hole(f"{node.name} takes values that are not known", name, Origin(span))
        try:
            how = f"taken by the loop variable {node.name}"
            var = state.vars.get(node.name)
            if var is not None and var.nameref:
                state.set(node.name, var._replace(value=value))
            else:
                variables.assign(m, state, node.name, value, span, how=how)
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


def _after(states: list[State]) -> list[State]:
    """States that left the loop, one level further out."""
    for state in states:
        flow = state.flow
        if flow is not None and flow.kind in ("break", "continue"):
            if flow.levels <= 1:
                state.flow = None
            else:
                state.flow = Flow(flow.kind, flow.levels - 1)
    return states


def _listed(m: Machine, node: nodes.For, state: State, items: tuple[Word, ...]) -> list[State]:
    from verifier.shell.run import keep_pipe_status

    if not items:
        keep_pipe_status(m, state)
        state.status = 0
        return [state]
    if any(item.splits for item in items):
        return _unknown(m, node, state, _for_round(m, node, None))
    rounds = [_for_round(m, node, item.text) for item in items]
    if len(items) > m.limits.iterations:
        return _unknown(m, node, state, _for_round(m, node, None))
    if len(items) > m.limits.unsure_iterations and _unsure(m, state, rounds[0]):
        return _unknown(m, node, state, _for_round(m, node, None))
    return _rounds(m, _body_start(node), state, rounds)


def _unsure(m: Machine, state: State, run: RunRound) -> bool:
    """Whether some paths leave in the first round and others do not."""
    mark = m.recorder.begin()
    m.recorder.muted += 1
    try:
        first = run(state.copy())
    finally:
        m.recorder.muted -= 1
        m.recorder.rollback(mark)
    return bool(first.going) and any(_survives(s) for s in first.left)


def _body_start(node: Loop) -> int:
    """A place behind the words that a loop expands before its rounds."""
    commands = node.body.commands
    return commands[0].start if isinstance(node, nodes.For) and commands else node.start


def _rounds(m: Machine, place: int, state: State, rounds: list[RunRound]) -> list[State]:
    from verifier.shell.run import join_paths

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
    return live + _after(left)


# --- while, until, for (( )) -----------------------------------------------------------------


def run_while(m: Machine, node: nodes.While, state: State) -> list[State]:
    """`while` and `until`."""
    return redirect.around(
        m, node.redirects, state, lambda s: _conditional_loop(m, node, s, _while_round(m, node))
    )


def _while_round(m: Machine, node: nodes.While) -> RunRound:
    from verifier.shell.run import condition, keep_pipe_status

    def run(state: State) -> Round:
        before = 0 if _is_first(m, node) else state.status
        ended: list[State] = []
        source = state.frames[-1].source
        m.places.append((source, node.start))
        m.places.append((source, node.start))
        try:
            yes, no = condition(m, node.condition, [state], ended)
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
            keep_pipe_status(m, s)
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
        expression = expand.quoted_text(m, state, word)
        if expression.known is not None and not expression.known.strip():
            return 1
        return questions.truth(m, sums.evaluate(m, state, expression).truth)
    except ShellError:
        return None


def _arithmetic_round(m: Machine, node: nodes.ForArithmetic) -> RunRound:
    from verifier.shell.run import keep_pipe_status

    def run(state: State) -> Round:
        going: list[State] = []
        done: list[State] = []
        left: list[State] = []
        for s, test in m.attempt(state, lambda s: _compute(m, s, node.test)):
            yes, no = m.logic.split(s.cond, test or 0)
            if no:
                other = s.copy()
                other.cond = no
                if test is None:
                    other.status = 1
                elif _is_first(m, node):
                    keep_pipe_status(m, other)
                    other.status = 0
                done.append(other)
            if not yes:
                continue
            s.cond = yes
            result = _sorted_out(m, _body(m, node, node.body, s))
            left.extend(result.left)
            for after in result.going:
                for t, ok in m.attempt(after, lambda t: _compute(m, t, node.step)):
                    (done if ok is None else going).append(t)
                    t.status = 1 if ok is None else t.status
        return Round(going, done, left)

    return run


def _conditional_loop(m: Machine, node: Loop, state: State, run: RunRound) -> list[State]:
    """Run rounds while each of them is decided; what is undecided is read as unknown."""
    from verifier.shell.run import join_paths

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
            goes = bool(result.done) or any(_survives(s) for s in result.left)
            if (stays and goes) or number >= m.limits.iterations:
                m.recorder.rollback(mark)
                finished.extend(_unknown(m, node, start, run))
                continue
            m.recorder.commit(mark)
            going.extend(result.going)
            finished.extend(result.done)
            finished.extend(_after(result.left))
        live = join_paths(m, going) if len(going) > 1 else going
        number += 1
    return finished


def _survives(state: State) -> bool:
    return state.flow is not None and state.flow.kind not in ("exit", "discard")


# --- loops whose rounds are not known --------------------------------------------------------


def _unknown(m: Machine, node: Loop, state: State, run: RunRound) -> list[State]:
    """Any number of rounds at once."""
    site = m.site(state, node.start)
    first_atom = len(m.logic.predicates)
    outer = m.rounds
    m.rounds = (*outer, (_body_start(node), ANY_ROUND))
    try:
        start, result = _any_round(m, node, state, run, site)
    finally:
        m.rounds = outer
    dying = [s for s in result.left if not _survives(s)]
    survivors = _after([s for s in result.left if _survives(s)])
    endless = not result.done and isinstance(node, nodes.While | nodes.ForArithmetic)
    if not endless:
        end = start.copy()
        end.status = _loop_status(m, node, start, site)
        survivors.insert(0, end)
    return _exclusive(m, node, state, survivors, dying, first_atom, site)


def _loop_status(m: Machine, node: Loop, start: State, site: str) -> Pending:
    source = start.frames[-1].source
    return Pending(f"status:{site}:loop", "the loop's last command succeeds", (source, node.start))


def _exclusive(
    m: Machine,
    node: Loop,
    state: State,
    survivors: list[State],
    dying: list[State],
    first_atom: int,
    site: str,
) -> list[State]:
    """Give every way out of the loop its own condition, in place of what rounds tested."""
    from verifier.shell.run import join_paths

    inner = ((1 << len(m.logic.predicates)) - 1) & ~((1 << first_atom) - 1)
    ways = survivors + dying[:1]
    span = m.span(state, node.start)
    rest = state.cond
    for number, way in enumerate(ways):
        base = m.logic.both(m.logic.forget(way.cond, inner), rest)
        if isinstance(way.status, Formula):
            way.status = Formula(m.logic.forget(way.status.success, inner), None)
        if number == len(ways) - 1:
            way.cond = base
            break
        text = f"the loop on line {span.line} ends " + _how(way, number)
        test = m.logic.atom(Predicate(f"loop:{site}", f"end{number}", None, text, span))
        way.cond = m.logic.both(base, test)
        rest = m.logic.both(rest, m.logic.no(test))
    return join_paths(m, [way for way in ways if way.cond]) if len(ways) > 1 else ways


def _how(way: State, number: int) -> str:
    if way.flow is not None:
        return f"by {way.flow.kind}"
    return "by its condition" if number == 0 else "by break"


def _any_round(
    m: Machine, node: Loop, state: State, run: RunRound, site: str
) -> tuple[State, Round]:
    """The state before some round, unknown in everything that rounds change, and that round."""
    span = m.span(state, node.start)
    runs = m.logic.atom(
        Predicate(f"loop:{site}", "runs", None, f"the loop on line {span.line} runs", span)
    )
    start = state.copy()
    key = (span.path, node.start)
    changed = m.loops.setdefault(key, {})
    for name, kind in changed.items():
        _forget(m, start, name, kind, site, node)
    for _ in range(_TRIES):
        inside = start.copy()
        inside.cond = m.logic.both(state.cond, runs)
        mark = m.recorder.begin()
        result = run(inside)
        fresh = {
            name: kind
            for name in _changed(start, result.going)
            if (kind := _kind(m, start, result.going, name)) != changed.get(name)
        }
        other = _forget_rest(m, start, result.going, site)
        if not fresh and not other:
            m.recorder.commit(mark)
            return start, result
        m.recorder.rollback(mark)
        changed.update(fresh)
        for name, kind in fresh.items():
            _forget(m, start, name, kind, site, node)
    m.unresolved(span, "the loop changes too much to be followed")
    return start, result


_TRIES = 8


def _changed(start: State, results: list[State]) -> set[str]:
    names: set[str] = set()
    for result in results:
        if result.vars is start.vars:
            continue
        for name in {**start.vars, **result.vars}:
            one, two = start.vars.get(name), result.vars.get(name)
            if one is not two and one != two:
                names.add(name)
    return names


def _kind(m: Machine, start: State, results: list[State], name: str) -> str:
    """What rounds may leave in a variable: "A" or "a" arrays, "n" a number, "t" a text, and the
    same with "?" when it may be unset."""
    found = [s.vars.get(name) for s in (*results, start)]
    present = [var.value for var in found if var is not None and var.value is not None]
    if any(isinstance(value, Table) for value in present):
        return "A"
    if any(isinstance(value, Array) for value in present):
        grows = all(_grows(start.vars.get(name), s.vars.get(name)) for s in results)
        return "a+" if grows else "a"
    if len(present) < len(found) or any(
        isinstance(value, Text) and variables.unset_where(m, name, value) for value in present
    ):
        return "t?"
    numbers = all(isinstance(value, Text) and _is_number(value) for value in present)
    return "n" if numbers else "t"


def _forget(m: Machine, start: State, name: str, kind: str, site: str, node: Loop) -> None:
    """Give a variable the value "whatever earlier rounds left"."""
    var = start.vars.get(name, Var())
    span = m.span(start, node.start)
    reason = f"{name} changes in the loop on line {span.line}"
    unknown = hole(reason, f"loop:{site}:{name}", Origin(span))
    if kind == "A":
        start.set(name, var._replace(value=Table((), reason), array="A"))
    elif kind[0] == "a":
        old = var.value if isinstance(var.value, Array) and kind == "a+" else Array()
        items = tuple(item for item in old.items if not item.splits)
        if len(items) != len(old.items) or old.indices is not None:
            items = ()
        value = Array((*items, Word(unknown, True)), None, len(items))
        start.set(name, var._replace(value=value, array="a"))
    elif kind == "n" and var.value is not None:
        number = hole(reason, f"number:loop:{site}:{name}", Origin(span))
        start.set(name, var._replace(value=number))
    elif kind == "t" and var.value is not None:
        start.set(name, var._replace(value=unknown))
    else:
        start.set(name, var._replace(value=_maybe_unset(m, unknown, site, name, node, start)))


def _maybe_unset(m: Machine, unknown: Text, site: str, name: str, node: Loop, start: State) -> Text:
    from verifier.shell.machine import Case

    span = m.span(start, node.start)
    test = m.logic.atom(
        Predicate(f"loop:{site}", f"sets {name}", None, f"the loop sets {name}", span)
    )
    key = f"maybe-loop:{site}:{name}"
    m.cases[key] = Case(test, (Word(unknown),), ())
    return hole(f"{name} may be set in the loop", key, Origin(span))


def _is_number(text: Text) -> bool:
    known = text.known
    if known is not None:
        return known.isascii() and known.isdigit()
    only = variables.only_hole(text)
    return only is not None and only.symbol.startswith(questions.NUMBERS)


def _grows(before: Var | None, after: Var | None) -> bool:
    """Whether a round only appends to an array."""
    old = before.value if before is not None else None
    new = after.value if after is not None else None
    return (
        isinstance(old, Array)
        and isinstance(new, Array)
        and old.indices is None
        and new.indices is None
        and new.items[: len(old.items)] == old.items
    )


def _forget_rest(m: Machine, start: State, results: list[State], site: str) -> bool:
    """Files, pipes, arguments and the folder that rounds change. Whether there are new ones."""
    fresh = False
    for result in results:
        for name, content in result.files.items():
            if start.files.get(name, EMPTY) != content or name not in start.files:
                unknown = hole(f"{name} is written in a loop", f"file:{name}:{site}")
                if start.files.get(name) != unknown:
                    start.set_file(name, unknown)
                    fresh = True
        for number, stream in start.streams.items():
            after = result.streams.get(number, stream)
            if after != stream and stream.text is not None:
                start.streams = {**start.streams, number: _unknown_stream(stream)}
                fresh = True
        if result.args != start.args:
            unknown_args = (Word(hole("arguments left over by a loop", f"args:{site}"), True),)
            if start.args != unknown_args:
                start.args = unknown_args
                fresh = True
        if result.cwd != start.cwd:
            folder = hole("a loop changes the folder", f"cwd:{site}")
            if start.cwd != folder:
                start.cwd = folder
                fresh = True
        if result.functions.keys() - start.functions.keys():
            start.functions = {**result.functions, **start.functions}
    return fresh


def _unknown_stream(stream: Stream) -> Stream:
    return stream._replace(text=None)


__all__ = ["Var", "lit", "run_for", "run_for_arithmetic", "run_while"]
