"""Paths that go on in several ways, and paths that meet again."""

from __future__ import annotations

from verifier.shell.machine import Machine
from verifier.shell.merge import merge
from verifier.shell.relevance import Relevance
from verifier.shell.state import Formula, State, Status


def leave(m: Machine, before: int, stops: int, states: list[State]) -> list[State]:
    """The paths that go on after a command, in which `m.stops` rose from `stops` by those that
    ended the script."""
    if len(states) == 1 and m.stops == stops and not _exits(states[0]):
        return states
    if m.inside:
        _abridge(m, before, states)
        return states
    going = [s for s in states if not _exits(s)]
    if len(going) < len(states):
        for stopped in filter(_exits, states):
            _stop(m, stopped)
    if m.stops != stops and going:
        _go_on(m, before, going)
    _abridge(m, before, going)
    return going


def _exits(state: State) -> bool:
    return state.flow is not None and state.flow.kind == "exit"


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
