"""Loops whose rounds depend on unknown things are read once, with unknown values in everything
that their rounds change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.model.record import NamedTuple
from verifier.model.text import Origin, Text, Word, hole
from verifier.shell import nodes, questions, variables
from verifier.shell.join import differing
from verifier.shell.logic import Predicate
from verifier.shell.machine import ANY_ROUND, Case, Changes, Machine
from verifier.shell.paths import join_paths
from verifier.shell.state import Array, Flow, Formula, Pending, State, Table, Var

_TRIES = 8

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


def after_loop(states: list[State]) -> list[State]:
    """States that left the loop, one level further out."""
    for state in states:
        flow = state.flow
        if flow is not None and flow.kind in ("break", "continue"):
            if flow.levels <= 1:
                state.flow = None
            else:
                state.flow = Flow(flow.kind, flow.levels - 1)
    return states


def body_start(node: Loop) -> int:
    """A place behind the words that a loop expands before its rounds."""
    commands = node.body.commands
    return commands[0].start if isinstance(node, nodes.For) and commands else node.start


def survives(state: State) -> bool:
    """Whether a path that left the loop goes on behind it."""
    return state.flow is not None and state.flow.kind not in ("exit", "discard")


def unknown(
    m: Machine, node: Loop, state: State, run: RunRound, seen: Sequence[State] = ()
) -> list[State]:
    """Any number of rounds at once. `seen`: how a round ended that was run from `state`."""
    site = m.site(state, node.start)
    first_atom = len(m.logic.predicates)
    outer = m.rounds
    m.rounds = (*outer, (body_start(node), ANY_ROUND))
    try:
        start, result = _any_round(m, node, state, run, site, seen)
    finally:
        m.rounds = outer
    dying = [s for s in result.left if not survives(s)]
    survivors = after_loop([s for s in result.left if survives(s)])
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
    m: Machine, node: Loop, state: State, run: RunRound, site: str, seen: Sequence[State]
) -> tuple[State, Round]:
    """The state before some round, unknown in everything that rounds change, and that round."""
    span = m.span(state, node.start)
    runs = m.logic.atom(
        Predicate(f"loop:{site}", "runs", None, f"the loop on line {span.line} runs", span)
    )
    start = state.copy()
    changes = m.loops.setdefault((span.path, node.start), Changes())
    forgetting = _Forgetting(m, node, site, start, changes)
    forgetting.known()
    forgetting.what_changed(seen, 0)
    for _ in range(_TRIES):
        inside = start.copy()
        inside.cond = m.logic.both(state.cond, runs)
        mark = m.recorder.begin()
        result = run(inside)
        if not forgetting.what_changed(result.going, ANY_ROUND):
            m.recorder.commit(mark)
            return start, result
        m.recorder.rollback(mark)
    m.unresolved(span, "the loop changes too much to be followed")
    return start, result


class _Forgetting:
    """Makes unknown in the state before a round what rounds change."""

    def __init__(self, m: Machine, node: Loop, site: str, start: State, changes: Changes) -> None:
        self._m = m
        self._node = node
        self._site = site
        self._start = start
        self._changes = changes
        self._files = changes.files.setdefault(site, {})

    def known(self) -> None:
        """What an earlier reading of the loop found."""
        for name, kind in self._changes.names.items():
            _forget(self._m, self._start, name, kind, self._site, self._node)
        for name in self._files:
            self._start.set_file(name, self._unknown_file(name))
        if self._changes.args:
            self._start.args = self._unknown_args()
        if self._changes.folder:
            self._start.cwd = self._unknown_folder()
        for descriptor in self._changes.descriptors:
            self._forget_stream(self._start.fds.get(descriptor))

    def what_changed(self, ends: Sequence[State], number: int) -> bool:
        """What round `number` changed. Whether there was anything new."""
        fresh = {
            name: kind
            for name in _changed(self._start, ends)
            if (kind := _kind(self._m, self._start, ends, name)) != self._changes.names.get(name)
        }
        found = [bool(fresh)]
        for end in ends:
            found += [
                self._files_of(end, number),
                self._streams_of(end),
                self._arguments_of(end),
                self._folder_of(end),
            ]
            if end.functions.keys() - self._start.functions.keys():
                self._start.functions = {**end.functions, **self._start.functions}
        self._changes.names.update(fresh)
        for name, kind in fresh.items():
            _forget(self._m, self._start, name, kind, self._site, self._node)
        return any(found)

    def _files_of(self, end: State, number: int) -> bool:
        start = self._start
        if end.files is start.files:
            return False
        fresh = False
        own = self._m.of_round(start, number)
        for name, content in end.files.items():
            if name in start.files and start.files[name] == content:
                continue
            if name not in start.files and own.search(name):
                # Its name is unknown, and another one in every round.
                continue
            unknown = self._unknown_file(name)
            if start.files.get(name) != unknown:
                self._files[name] = None
                start.set_file(name, unknown)
                fresh = True
        return fresh

    def _unknown_file(self, name: str) -> Text:
        return hole(f"{name} is written in a loop", f"file:{name}:{self._site}")

    def _streams_of(self, end: State) -> bool:
        fresh = False
        for number, stream in self._start.streams.items():
            if stream.text is not None and end.streams.get(number, stream) != stream:
                self._changes.descriptors.update(
                    fd for fd, other in self._start.fds.items() if other == number
                )
                self._forget_stream(number)
                fresh = True
        return fresh

    def _forget_stream(self, number: int | None) -> None:
        streams = self._start.streams
        if number is not None and number in streams:
            self._start.streams = {**streams, number: streams[number]._replace(text=None)}

    def _arguments_of(self, end: State) -> bool:
        if end.args == self._start.args:
            return False
        unknown = self._unknown_args()
        if self._start.args == unknown:
            return False
        self._start.args = unknown
        self._changes.args = True
        return True

    def _unknown_args(self) -> tuple[Word, ...]:
        return (Word(hole("arguments left over by a loop", f"args:{self._site}"), True),)

    def _folder_of(self, end: State) -> bool:
        if end.cwd == self._start.cwd:
            return False
        unknown = self._unknown_folder()
        if self._start.cwd == unknown:
            return False
        self._start.cwd = unknown
        self._changes.folder = True
        return True

    def _unknown_folder(self) -> Text:
        return hole("a loop changes the folder", f"cwd:{self._site}")


def _changed(start: State, results: Sequence[State]) -> set[str]:
    return {
        name
        for result in results
        for name in differing([start, result])
        if start.vars.get(name) != result.vars.get(name)
    }


def _kind(m: Machine, start: State, results: Sequence[State], name: str) -> str:
    """What rounds may leave in a variable: "A" or "a" arrays, "n" a number, "t" a text; with "?" it
    may be unset, and with "+" something was appended to what was there."""
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
    texts = [value for value in present if isinstance(value, Text)]
    if all(map(_is_number, texts)):
        return "n"
    *after, before = texts
    return "t+" if all(_begins(text, before) for text in after) else "t"


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
    elif kind in ("t", "t+") and var.value is not None:
        appended = kind == "t+" and isinstance(var.value, Text)
        start.set(name, var._replace(value=var.value + unknown if appended else unknown))  # type: ignore[operator]
    else:
        start.set(name, var._replace(value=_maybe_unset(m, unknown, site, name, node, start)))


def _maybe_unset(m: Machine, unknown: Text, site: str, name: str, node: Loop, start: State) -> Text:
    span = m.span(start, node.start)
    test = m.logic.atom(
        Predicate(f"loop:{site}", f"sets {name}", None, f"the loop sets {name}", span)
    )
    key = f"maybe-loop:{site}:{name}"
    m.cases[key] = Case(test, (Word(unknown),), ())
    return hole(f"{name} may be set in the loop", key, Origin(span))


def _begins(text: Text, start: Text) -> bool:
    """Whether the text is the other with something behind it."""
    return Text(text.pieces[: len(start.pieces)]) == start


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
