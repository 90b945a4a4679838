"""Runs one command for several paths at once.

Paths that differ in what a command does not read need not each run it: it runs on one state
that stands for all, and the paths part again afterwards.
"""

from __future__ import annotations

from verifier.model.text import Text, hole
from verifier.shell import nodes
from verifier.shell.join import differing, join
from verifier.shell.machine import Machine, literal_name
from verifier.shell.merge import by_importance, important
from verifier.shell.report import PLAIN
from verifier.shell.state import State, Var

_SHELLS = ("bash", "sh", ".", "source")
"""A helper script is run once for many paths, as a function of a library is."""


def run_together(m: Machine, command: nodes.Node, live: list[State]) -> list[State] | None:
    """The paths after the command; None when each has to run it itself.

    What a function of a library reads may differ too, unless that is about speculative decoding:
    inside the library it is then a value that depends on the path.
    """
    first = live[0]
    if not all(_alike(first, other) for other in live[1:]):
        return None
    if isinstance(command, nodes.Function):
        m.run_node(command, first)
        for other in live[1:]:
            other.functions, other.status = first.functions, first.status
        return live
    library = m.calls_library(first, command) or literal_name(command) in _SHELLS
    names = differing(live)
    source = first.frames[-1].source
    mentioned = m.calls(first.functions).mentioned(source, command.start, command.end)
    read = {name for name in names if name in mentioned}
    apart = False
    if not _only_plain(m, first, command, set()):
        read.update(name for name in names if _exported(live, name))
        apart = bool(_differing_files(live))
    if not read and not apart:
        return _run_group(m, command, live, names, read, library)
    if not library:
        return None
    about = [n for n in sorted(read) if important(n, [s.vars.get(n) for s in live])]
    groups: dict[tuple[Var | None, ...], list[State]] = {}
    for state in live:
        groups.setdefault(tuple(state.vars.get(name) for name in about), []).append(state)
    return [
        end
        for group in groups.values()
        for end in _run_group(m, command, group, names, read, library)
    ]


def _only_plain(m: Machine, state: State, node: object, seen: set[str]) -> bool:
    """Whether a command runs nothing that needs its exact environment."""
    if isinstance(node, nodes.Simple) and node.words:
        name = literal_name(node)
        if name is None:
            return False
        if m.options.watch is not None and m.options.watch(name):
            return False
        body = state.functions.get(name)
        if body is not None:
            if name not in seen and not m.calls_library(state, node):
                seen.add(name)
                if not _only_plain(m, state, body.node.body(), seen):
                    return False
        elif name not in PLAIN:
            return False
    return all(_only_plain(m, state, inner, seen) for inner in nodes.values(node))


def _alike(one: State, two: State) -> bool:
    """Whether they differ in nothing but variables and files (and in the last status)."""
    return (
        one.functions is two.functions
        and one.args == two.args
        and one.options == two.options
        and one.cwd == two.cwd
        and one.fds == two.fds
        and one.streams == two.streams
        and one.locals == two.locals
        and one.getopts == two.getopts
        and one.traps == two.traps
        and one.conditional == two.conditional
    )


def _exported(states: list[State], name: str) -> bool:
    return any((var := s.vars.get(name)) is not None and var.exported for s in states)


def _run_group(
    m: Machine,
    command: nodes.Node,
    group: list[State],
    names: set[str],
    read: set[str],
    library: bool,
) -> list[State]:
    if len(group) == 1:
        return m.run_node(command, group[0])
    unread = {
        name: Var(hole(f"{name} differs between branches", f"apart:{name}:{m.steps}"))
        for name in names - read
    }
    # What the command makes of a file that differs is part of its result; it is rarely read.
    files = _differing_files(group)
    copies = []
    for state in group:
        copy = state.copy()
        copy.vars = {**state.vars, **unread}
        copies.append(copy)
    joined = join(m, copies)
    before = {name: joined.vars.get(name) for name in names}
    kept = {key: joined.files.get(key) for key in files}
    ends = m.run_node(command, joined)
    if library:
        going = [end for end in ends if end.flow is None]
        ends = [end for end in ends if end.flow is not None]
        ends += by_importance(m, going) if len(going) > 1 else going
    return [
        after
        for state in group
        for end in ends
        if (after := _part(m, state, end, before, kept)) is not None
    ]


def _differing_files(states: list[State]) -> set[str]:
    first = states[0].files
    keys: set[str] = set()
    for state in states[1:]:
        if state.files is not first:
            keys.update(
                key
                for key in {**first, **state.files}
                if key not in first or key not in state.files or first[key] != state.files[key]
            )
    return keys


def _part(
    m: Machine,
    state: State,
    end: State,
    before: dict[str, Var | None],
    files: dict[str, Text | None],
) -> State | None:
    """The one path out of all that `end` stands for; None when it does not lead there."""
    condition = m.logic.split(state.cond, end.cond)[0]
    if not condition:
        return None
    after = end.copy()
    after.cond = condition
    after.vars = dict(end.vars)
    for name in before:
        if end.vars.get(name) is before[name]:
            # The command did not change it.
            own = state.vars.get(name)
            if own is None:
                after.vars.pop(name, None)
            else:
                after.vars[name] = own
    if files:
        after.files = dict(end.files)
        for key, content in files.items():
            if key in end.files and end.files[key] is content:
                if key in state.files:
                    after.files[key] = state.files[key]
                else:
                    del after.files[key]
    after.locals = tuple(_hidden(frame, state, before) for frame in end.locals)
    return after


def _hidden(
    frame: dict[str, Var | None], state: State, before: dict[str, Var | None]
) -> dict[str, Var | None]:
    """The same for what a `local` of the command hid."""
    if not any(name in frame and frame[name] is before[name] for name in before):
        return frame
    return {
        name: state.vars.get(name) if name in before and var is before[name] else var
        for name, var in frame.items()
    }
