"""Simple commands: assignments, redirections, and finding out what a name runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from verifier.model.command import Write
from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Lit, Origin, Text, Word, hole, lit
from verifier.shell import (
    expand,
    lines,
    named,
    nodes,
    redirect,
    scopes,
    temporary,
    traps,
    variables,
)
from verifier.shell.machine import Machine, ShellError
from verifier.shell.paths import join_paths
from verifier.shell.report import report
from verifier.shell.state import (
    UNSET,
    Array,
    Body,
    Flow,
    Formula,
    Frame,
    State,
    Table,
    Value,
    Var,
    dense,
)

T = TypeVar("T")
DECLARING = frozenset(("declare", "typeset", "local", "export", "readonly"))


class Declared(NamedTuple):
    """An argument of `declare` and its kin that assigns."""

    node: nodes.Assignment


class Plan(NamedTuple):
    """A simple command, expanded."""

    argv: list[Word]
    declared: list[Word | Declared]
    """Arguments of a declaring builtin, the name included; empty for others."""
    writes: tuple[Write, ...]
    error: ShellError | None
    bound: dict[str, temporary.Temporary]
    """Variables that assignments before the command set for its run."""


def run_simple(m: Machine, node: nodes.Simple, state: State) -> list[State]:
    """Run a simple command."""
    results: list[State] = []
    fds, mark = state.fds, m.streams
    for s, plan in m.attempt(state, lambda s: _prepare(m, node, s)):
        if plan.error is not None:
            fail(m, s, plan.error, leave=True)
            ends = [s]
        elif not plan.argv:
            ends = [s]
        elif plan.bound:
            ends = [
                end
                for t, argv in named.told_apart(m, s, plan.argv)
                for end in _with_temporary(m, node, t, plan._replace(argv=argv))
            ]
        else:
            ends = _execute(m, node, s, plan)
        keeps = plan.argv and plan.argv[0].text.known == "exec" and len(plan.argv) == 1
        for end in ends:
            if node.redirects and not keeps:
                redirect.restore(end, fds, mark)
            if "PIPESTATUS" in end.vars:
                end.drop("PIPESTATUS")
            if m.follows_last:
                _remember(m, end, plan, node.start)
        results.extend(ends)
    return results


def _remember(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`$_` is the last argument of the command before, or nothing behind an assignment."""
    last = plan.argv[-1] if plan.argv else Word(EMPTY)
    if (
        last.splits
        or plan.error is not None
        or (plan.declared and isinstance(plan.declared[-1], Declared))
    ):
        last = Word(hole("the last argument of a command", f"last:{m.site(state, start)}"))
    state.set("_", state.vars.get("_", UNSET)._replace(value=last.text))


def _with_temporary(m: Machine, node: nodes.Simple, state: State, plan: Plan) -> list[State]:
    if not plan.argv:
        temporary.stay(state, plan.bound)
        state.status = 0
        return [state]
    first = plan.argv[0]
    name = None if first.splits else first.text.known
    function = name in state.functions
    scoped = function or temporary.runs_text(plan.argv)
    if scoped:
        temporary.enter(state, plan.bound, text=not function)
    ends = _execute(m, node, state, plan)
    for end in ends:
        if scoped:
            scopes.leave(end)
        else:
            temporary.leave(m, end, plan.bound, plan.argv)
    return ends


def fail(m: Machine, state: State, error: ShellError, *, leave: bool = False) -> None:
    """End the command with bash's message; a fatal one ends the shell.

    `leave`: a word could not be expanded, so bash also leaves all that is around the command.
    """
    state.status = error.status
    if state.fds.get(2) is not None:
        redirect.complain(m, state)
    if error.reported and state.opt("errexit"):
        state.flow = Flow("exit")
        return
    if isinstance(error, variables.NoNumber):
        state.flow = Flow("discard", 2)
        return
    if isinstance(error, variables.ReadOnly) and not leave:
        return
    if isinstance(error, redirect.RedirectError):
        return
    if error.fatal:
        state.flow = Flow("exit")
        if _in_string(state):
            state.status = 127 if not state.subshell else Formula(0, None)
    elif leave:
        state.flow = Flow("discard")


def guarded(m: Machine, action: Callable[[State], T]) -> Callable[[State], T | None]:
    """The same for a word of a compound command: None where it cannot be expanded."""

    def run(state: State) -> T | None:
        try:
            return action(state)
        except ShellError as error:
            fail(m, state, error, leave=True)
            return None

    return run


def _in_string(state: State) -> bool:
    """Whether `bash -c` runs: it ends with 127 where a script ends with 1."""
    return next(f.string for f in reversed(state.frames) if f.kind == "script")


def _prepare(m: Machine, node: nodes.Simple, state: State) -> Plan:
    substitutions = m.substitutions
    empty = Plan([], [], (), None, {})
    bound: dict[str, temporary.Temporary] = {}
    try:
        argv, declared = _words(m, node, state)
        if argv and argv[0].text.known in ("env", "sudo") and any(w.splits for w in argv):
            argv = _decided(m, state, argv)
        if not argv:
            # Nothing runs behind these redirections, so their files feed no substitution.
            for assignment in node.assignments:
                assign(m, state, assignment)
        writes = redirect.apply(m, state, node.redirects) if node.redirects else ()
        if not argv:
            if m.substitutions == substitutions:
                state.status = 0
            return empty._replace(writes=writes)
        for assignment in node.assignments:
            one = temporary.bind(m, state, assignment)
            if one is not None:
                earlier = bound.get(one[0])
                hidden = one[1].hidden if earlier is None else earlier.hidden
                bound[one[0]] = one[1]._replace(hidden=hidden)
        if len(bound) > 1:
            bound = temporary.settle(m, state, bound)
        return Plan(argv, declared, writes, None, bound)
    except ShellError as error:
        temporary.drop(state, bound)
        # Its traceback would keep all that was running alive.
        error.__traceback__ = error.__context__ = None
        return empty._replace(error=error)


def _words(
    m: Machine, node: nodes.Simple, state: State
) -> tuple[list[Word], list[Word | Declared]]:
    if not any(isinstance(word, nodes.Assignment) for word in node.words):
        return _plain_words(m, node, state), []
    argv: list[Word] = []
    declared: list[Word | Declared] = []
    for word in node.words:
        if isinstance(word, nodes.Assignment):
            source = state.frames[-1].source
            origin = Origin(m.span(state, word.start, word.end))
            shown = Word(Text((Lit(source.text[word.start : word.end], origin),)))
            for one in expand.braced_assignment(state, word):
                declared.append(Declared(one))
                argv.append(shown)
        else:
            expanded = expand.words(m, state, (word,))
            declared.extend(expanded)
            argv.extend(expanded)
    return argv, declared


def _decided(m: Machine, state: State, argv: list[Word]) -> list[Word]:
    """`env ${X:+A=$X} command`: which variables are set is told apart before it runs."""
    result = [argv[0]]
    for index, word in enumerate(argv[1:], 1):
        for one in m.resolve_word(state, word):
            case = m.cases.get(one.text.holes[0].symbol) if one.splits else None
            if case is not None:
                m.decide(state, case.test)
            result.append(one)
        first = word.text.pieces[0] if word.text.pieces else None
        head = first.value if isinstance(first, Lit) else ""
        if not word.splits and not head.startswith("-") and "=" not in head:
            return result + argv[index + 1 :]
    return result


_NAMING = frozenset(("let", "read", "unset"))


def _plain_words(m: Machine, node: nodes.Simple, state: State) -> list[Word]:
    """Where a word names a variable, as in `unset a[1]`, no file is taken to match it."""
    words: tuple[nodes.Word, ...] = node.words  # type: ignore[assignment]
    first = words[0].parts[0] if words and len(words[0].parts) == 1 else None
    naming = isinstance(first, nodes.Literal) and first.value in _NAMING
    if not naming or state.opt("noglob"):
        return expand.words(m, state, words)
    for word in words:
        shown = state.frames[-1].source.text[word.start : word.end]
        if shown[:1] not in "'\"" and any(char in shown for char in "*?["):
            m.assume(m.span(state, word.start, word.end), f"no file name matches {shown}")
    state.set_opt("noglob", True)
    try:
        return expand.words(m, state, words)
    finally:
        state.set_opt("noglob", False)


# --- assignments -----------------------------------------------------------------------------


def assign(m: Machine, state: State, node: nodes.Assignment) -> None:
    """Carry out one assignment. Raises ShellError."""
    span = m.span(state, node.start, node.end)
    if isinstance(node.value, nodes.ArrayValue):
        associative = variables.is_array_name(state, variables.follow(m, state, node.name)) == "A"
        value, append = array_value(
            m, state, node.name, node.value, associative=associative, append=node.append
        )
        variables.assign_array(m, state, node.name, value, span, append)
        return
    subscript = None
    if node.subscript is not None:
        if variables.is_array_name(state, variables.follow(m, state, node.name)) != "A":
            expand.check_index(state, node.name, node.subscript, ("'", "\\", "$"))
        subscript = expand.subscript_text(m, state, node.subscript)
    text = expand.text_of(m, state, node.value, assignment=True)
    variables.assign(m, state, node.name, text, span, subscript=subscript, append=node.append)


def array_value(
    m: Machine,
    state: State,
    name: str,
    value: nodes.ArrayValue,
    *,
    associative: bool,
    append: bool,
) -> tuple[Array | Table, bool]:
    """The elements of `( … )`, and whether they are still to be appended to the variable's."""
    var = state.vars.get(variables.follow(m, state, name))
    old = var.value if var is not None else None
    if associative:
        table = old if isinstance(old, Table) else Table()
        return _table_value(m, state, name, value, table, append), append
    plain: list[Word] = []
    if all(element.subscript is None for element in value.elements):
        for element in value.elements:
            plain.extend(expand.words(m, state, (element.value,), listed=True))
        sure = sum(1 for word in plain if not word.splits)
        return Array(tuple(plain), None, sure), append
    vague = _vague_array(m, state, name, value), append
    if append and isinstance(old, Array) and old.vague:
        return vague
    if isinstance(old, Text):
        old = dense([old])
    pairs = dict(old.pairs()) if append and isinstance(old, Array) else {}
    following = max(pairs, default=-1) + 1
    for element in value.elements:
        if element.subscript is None:
            for word in expand.words(m, state, (element.value,), listed=True):
                if word.splits:
                    return vague
                pairs[following] = word.text
                following += 1
            continue
        index = variables.index_value(m, state, expand.subscript_text(m, state, element.subscript))
        if index is not None and index < 0 and state.opt("errexit"):
            raise variables.AssignmentError(f"{name}: bad array subscript")
        if index is None or index < 0:
            return vague
        text = expand.text_of(m, state, element.value, assignment=True)
        pairs[index] = _added(var, pairs.get(index), text) if element.append else text
        following = index + 1
    return variables.from_pairs(pairs), False


def _table_element(m: Machine, state: State, word: nodes.Word) -> Text:
    first = word.parts[0] if word.parts else None
    if isinstance(first, nodes.Literal) and not first.quoted and first.value.startswith("~"):
        # Patch 24 of bash 5.2 expands it, and earlier ones do not.
        reason = "a tilde in an associative array, which not every bash 5.2 expands"
        return hole(reason, f"tilde:{m.site(state, word.start)}")
    return expand.subscript_text(m, state, word)


def _added(var: Var | None, earlier: Text | None, text: Text) -> Text:
    """`[index]+=text` in a list."""
    if earlier is None:
        return text
    return variables.summed(earlier, text) if var is not None and var.integer else earlier + text


def _vague_array(m: Machine, state: State, name: str, value: nodes.ArrayValue) -> Array:
    reason = f"{name} has elements at unknown places"
    return Array((Word(hole(reason, f"array:{m.site(state, value.start)}"), True),))


def _table_value(
    m: Machine, state: State, name: str, value: nodes.ArrayValue, old: Table, append: bool
) -> Table:
    items: dict[str, Text] = {}
    vague: str | None = None
    pending: Text | None = None
    for element in value.elements:
        if element.subscript is not None:
            key = expand.subscript_text(m, state, element.subscript)
            text = _table_element(m, state, element.value)
        elif pending is None:
            pending = expand.subscript_text(m, state, element.value)
            continue
        else:
            key, text, pending = pending, expand.subscript_text(m, state, element.value), None
        if key.known is None:
            vague = f"{name} has an element under an unknown key"
            continue
        # A new table replaces the old one only when it is complete, so `+=` still sees that one.
        earlier = (items.get(key.known) if append else None) or old.get(key.known)
        items[key.known] = _added(state.vars.get(name), earlier, text) if element.append else text
    if pending is not None and pending.known is not None:
        items[pending.known] = EMPTY
    elif pending is not None:
        vague = f"{name} has an element under an unknown key"
    return Table(tuple(items.items()), vague)


# --- running ---------------------------------------------------------------------------------


def _execute(m: Machine, node: nodes.Simple, state: State, plan: Plan) -> list[State]:
    return dispatch(m, node.start, node.end, state, plan)


def dispatch(
    m: Machine,
    start: int,
    end: int,
    state: State,
    plan: Plan,
    *,
    functions: bool = True,
    builtins: bool = True,
) -> list[State]:
    """Run what the first word names."""
    if not named.is_open(plan.argv):
        return _run_named(m, start, end, state, plan, functions, builtins)
    results: list[State] = []
    for s, argv in named.told_apart(m, state, plan.argv):
        if argv:
            told = plan._replace(argv=argv)
            results.extend(_run_named(m, start, end, s, told, functions, builtins))
        else:
            s.status = 0
            results.append(s)
    return results


def _run_named(
    m: Machine, start: int, end: int, state: State, plan: Plan, functions: bool, builtins: bool
) -> list[State]:
    from verifier.shell import builtins as built
    from verifier.shell import external

    first = plan.argv[0]
    name = None if first.splits else first.text.known
    m.place = (state.frames[-1].source, start)
    m.end = end
    if name is not None and functions and name in state.functions:
        report(m, state, plan, start, end, "function")
        return call(m, state, name, state.functions[name], plan, start)
    if name is not None and builtins and name in built.BUILTINS:
        report(m, state, plan, start, end, "builtin")
        return built.run(m, state, name, plan, start, end)
    report(m, state, plan, start, end, "external")
    return external.run(m, state, plan, start, end)


def call(m: Machine, state: State, name: str, body: Body, plan: Plan, start: int) -> list[State]:
    """Call a function."""
    from verifier.shell import processes

    depth = sum(1 for frame in state.frames if frame.kind == "function")
    again = sum(1 for f in state.frames if f.kind == "function" and f.name == name)
    most = m.limits.call_depth if m.steps <= m.limits.recursion_steps else 2
    if depth >= m.limits.call_depth or again >= most:
        text = f"{name} calls itself too deep (limit: call_depth)"
        # What it runs has been reported for the calls above, so nothing new is missed.
        (m.assume if again > 1 else m.unresolved)(m.span(state, start), text)
        processes.not_followed(m, state, name, body, start)
        return [state]
    node = body.node.body()
    span = m.span(state, start)
    frame = Frame(
        "function",
        body.source,
        name,
        _source_path(state, body),
        m.site(state, start),
        span,
        order=m.order(state),
        line=lines.current(m, state),
    )
    args, frames, loops, position = state.args, state.frames, state.loops, state.getopts
    state.loops = 0
    rounds = m.rounds
    m.rounds = ()
    state.frames = (*frames, frame)
    state.args = tuple(plan.argv[1:])
    state.locals = (*state.locals, {})
    trapped, state.traps = state.traps, traps.inherited(state)
    m.places.append((body.source, body.node.start))
    outer = state.cond
    state.cond = 1
    try:
        with m.logic.inside(outer):
            results = m.run_node(node, state)
    finally:
        m.places.pop()
        m.rounds = rounds
    for result in results:
        result.cond = m.logic.both(outer, result.cond)
        result.frames = frames
        result.args = args
        result.loops = loops
        result.traps = result.traps or trapped
        if "OPTIND" in result.locals[-1]:
            result.getopts = position
        scopes.leave(result)
        if not depth:
            variables.after_outermost(result)
        if result.flow is not None and result.flow.kind not in ("exit", "discard"):
            result.flow = None
    if len(results) <= 1:
        return results
    ended = [s for s in results if s.flow is not None]
    return join_paths(m, [s for s in results if s.flow is None]) + ended


def _source_path(state: State, body: Body) -> Text:
    if body.imported:
        return lit("environment")
    for frame in reversed(state.frames):
        if frame.source is body.source:
            return frame.path
    return variables.source_text(body.source)


__all__ = ["Declared", "Plan", "Value", "assign", "call", "dispatch", "run_simple"]
