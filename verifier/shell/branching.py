"""`if` and `case`: each branch on the paths that come to it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from verifier.model.text import Text
from verifier.shell import conditions, expand, nodes, pipe_status, questions, redirect, simple
from verifier.shell.machine import Machine
from verifier.shell.paths import join_paths, split
from verifier.shell.state import State


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
    for result in m.run_paths(script, states):
        result.conditional = outer
        if result.flow is not None:
            ended.append(result)
            continue
        yes, no = split(m, result)
        holding.extend(yes)
        failing.extend(no)
    return holding, failing


def if_(m: Machine, node: nodes.If, state: State) -> list[State]:
    """Run an `if`."""
    return redirect.around(m, node.redirects, state, lambda s: branches(m, node, [s]))


def branches(m: Machine, node: nodes.If, waiting: list[State]) -> list[State]:
    """Run an `if` without redirections on several paths."""
    results: list[State] = []
    for test, branch in node.branches:
        holding, failing = condition(m, test, waiting, results)
        results.extend(m.run_paths(branch, holding))
        waiting = join_paths(m, failing) if len(failing) > 1 else failing
    if node.otherwise is not None:
        return results + m.run_paths(node.otherwise, waiting)
    for state in waiting:
        pipe_status.keep(m, state)
        state.status = 0
    return results + waiting


def case(m: Machine, node: nodes.Case, state: State) -> list[State]:
    """Run a `case`."""
    return redirect.around(m, node.redirects, state, lambda s: clauses(m, node, [s]))


def clauses(m: Machine, node: nodes.Case, states: list[State]) -> list[State]:
    """Run a `case` without redirections on several paths."""
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
            results.extend(m.run_paths(clause.body, [s for s, _ in running]))
            continue
        for s, text in running:
            for result in m.run_list(clause.body, s):
                if result.flow is not None:
                    results.append(result)
                else:
                    (falling if clause.terminator == ";&" else waiting).append((result, text))
    for s, _ in waiting:
        pipe_status.keep(m, s)
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
