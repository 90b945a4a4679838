"""`declare`, `local`, `export`, `readonly`, `typeset`; unsetting elements."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext

from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Text, Word, hole
from verifier.shell import elements, nodes, redirect, scopes, simple, temporary, variables
from verifier.shell.machine import Machine, ShellError, input_text
from verifier.shell.simple import Declared, Plan
from verifier.shell.state import Array, State, Table, Var, dense
from verifier.shell.texts import cut, marked

_FLAGS = frozenset("aAilucrxngtpfF")


def run(m: Machine, state: State, plan: Plan, start: int) -> None:
    """Declare variables. Raises ShellError."""
    name = plan.argv[0].text.known or ""
    arguments = plan.declared or list(plan.argv)
    on, off, rest = _options(name, arguments[1:])
    if "f" in on and rest and ("x" in on or "x" in off):
        _export_functions(state, rest, exported="x" in on)
        return
    if on & {"p", "f", "F"} or not rest:
        if not (name == "export" and "f" in on):
            from verifier.shell import describe

            describe.declared(m, state, plan, rest, on, start)
        return
    if name == "local" and scopes.function(state) == scopes.GLOBAL:
        state.status = 1
        return
    try:
        # The values are expanded before the assignments in front of the command are carried out.
        with temporary.not_yet(state, plan.bound):
            expanded, refused = _all_expanded(m, state, name, on, off, rest)
    except ShellError as error:
        # The values are words like others; unlike a scalar, a list is even assigned here.
        simple.fail(m, state, error, leave=True)
        return
    state.status = 1 if refused else 0
    for one in expanded:
        try:
            _declare(m, state, name, on, off, one, start)
        except variables.NoNumber as error:
            simple.fail(m, state, error)
            return
        except variables.AssignmentError as error:
            # `declare` complains in its own words of a readonly variable.
            if name in ("export", "readonly") or not isinstance(error, variables.ReadOnly):
                simple.fail(m, state, error)
            state.status = 1
            if state.flow is not None:
                return
        except ShellError:
            # A readonly variable keeps its value; the other arguments are declared all the same.
            state.status = 1


class _Refused(ShellError):
    """A declaration that bash complains of and leaves out."""


def _all_expanded(
    m: Machine,
    state: State,
    name: str,
    on: set[str],
    off: set[str],
    arguments: list[Word | Declared],
) -> tuple[list[_Scalar | Word], bool]:
    """What is still to be declared, and whether a list was refused. Raises ShellError."""
    found: list[_Scalar | Word] = []
    refused = False
    for argument in arguments:
        if not isinstance(argument, Declared):
            found.append(argument)
            continue
        try:
            one = _expanded(m, state, name, on, off, argument)
        except _Refused as error:
            if scopes.function(state) == scopes.GLOBAL:
                # Outside functions a list that cannot be assigned leaves the line.
                raise ShellError(str(error)) from error
            refused = True
            continue
        if one is not None:
            found.append(one)
    return found, refused


def _export_functions(state: State, names: list[Word | Declared], *, exported: bool) -> None:
    """`export -f name`."""
    state.status = 0
    for one in names:
        known = one.text.known if isinstance(one, Word) else None
        body = None if known is None else state.functions.get(known)
        if known is None or body is None:
            state.status = 1
            continue
        state.functions = {**state.functions, known: body._replace(exported=exported)}


def _options(
    name: str, arguments: list[Word | Declared]
) -> tuple[set[str], set[str], list[Word | Declared]]:
    on: set[str] = set()
    off: set[str] = set()
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        known = None if isinstance(argument, Declared) else argument.text.known
        if known is None or known[:1] not in ("-", "+") or len(known) < 2:
            break
        position += 1
        if known == "--":
            break
        (on if known[0] == "-" else off).update(set(known[1:]) & _FLAGS)
    if name == "export":
        if "n" in on:
            on.discard("n")
            off.add("x")
        else:
            on.add("x")
    elif name == "readonly":
        on.add("r")
    return on, off, arguments[position:]


def _prepare(m: Machine, state: State, builtin: str, on: set[str], off: set[str], name: str) -> str:
    """Give the variable its scope and attributes (all but readonly) before it is assigned."""
    if state.locals and builtin in ("declare", "typeset", "local") and "g" not in on:
        outer = state.vars.get(name)
        if outer is not None and outer.readonly and scopes.of(state, name) == scopes.GLOBAL:
            raise _Refused(f"{name}: readonly variable")
        scopes.make_local(state, name)
    target = name if "n" in on | off else variables.follow(m, state, name)
    var = state.vars.get(target)
    if var is None:
        var = Var()
        if not m.options.closed and not (on & set("aAn")):
            # It may have come with the environment.
            var = Var(input_text(target), inherited=True)
            if not on & set("xirlu"):
                var = Var()
    if var.temporary and on & {"x", "r"}:
        by_export = builtin in ("export", "readonly")
        var = var._replace(lasting=scopes.lasts(state, target, by_export=by_export))
    if var.readonly and (off & {"r"}):
        raise ShellError(f"{name}: readonly variable")
    if variables.is_read_only(state, target):
        raise variables.ReadOnly(target)
    if ("A" in on and (var.array == "a" or isinstance(var.value, Array))) or (
        "a" in on and (var.array == "A" or isinstance(var.value, Table))
    ):
        raise _Refused(f"{name}: cannot convert an array into one of the other kind")
    var = var._replace(
        exported=(var.exported or "x" in on) and "x" not in off,
        integer=(var.integer or "i" in on) and "i" not in off,
        nameref=(var.nameref or "n" in on) and "n" not in off,
        case=_case(on, off, var.case),
    )
    if "A" in on:
        value = Table((("0", var.value),)) if isinstance(var.value, Text) else var.value
        var = var._replace(array="A", value=value)
    elif "a" in on and var.array != "A":
        value = dense([var.value]) if isinstance(var.value, Text) else var.value
        var = var._replace(array="a", value=value)
    state.set(target, var)
    return target


def _case(on: set[str], off: set[str], before: str) -> str:
    """`-l`, `-u` or `-c`; two of them cancel each other."""
    given = on & set("ulc")
    if given:
        return given.pop() if len(given) == 1 else ""
    return "" if before in off else before


def _finish(state: State, on: set[str], name: str) -> None:
    if "r" in on:
        state.set(name, state.vars[name]._replace(readonly=True))


def _declare(
    m: Machine,
    state: State,
    name: str,
    on: set[str],
    off: set[str],
    one: _Scalar | Word,
    start: int,
) -> None:
    target = one.node.name if isinstance(one, _Scalar) else _NAME.match(one.text.known or "")
    with _scope(state, name, on, target if isinstance(target, str) else target and target[0]):
        if isinstance(one, _Scalar):
            _assigned(m, state, name, on, off, one)
        elif one.splits or one.text.known is None:
            _partly_known(m, state, name, on, off, one.text, start)
        else:
            _plain(m, state, name, on, off, one.text, start)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _scope(
    state: State, builtin: str, on: set[str], name: str | None
) -> AbstractContextManager[None]:
    """For `declare -g` look at the global variable where functions have hidden it."""
    if name is None or not state.locals:
        return nullcontext()
    if builtin in ("export", "readonly"):
        return scopes.seen_from(state, *variables.referred_scope(state, name))
    if "g" not in on:
        return nullcontext()
    return scopes.seen_from(state, name, scopes.GLOBAL)


class _Scalar(NamedTuple):
    """`name=value` whose value has been expanded."""

    node: nodes.Assignment
    value: Text
    subscript: Text | None


def _expanded(
    m: Machine, state: State, builtin: str, on: set[str], off: set[str], argument: Declared
) -> _Scalar | None:
    """Expand a value before any is assigned: `local a=1 b=$a` reads the outer `a`.

    A list is assigned at once (None), so that later arguments see it.
    """
    from verifier.shell import expand

    node = argument.node
    span = m.span(state, node.start, node.end)
    associative = "A" in on or variables.is_array_name(state, node.name) == "A"
    if isinstance(node.value, nodes.ArrayValue):
        value, append = simple.array_value(
            m, state, node.name, node.value, associative=associative, append=node.append
        )
        with _scope(state, builtin, on, node.name):
            target = _prepare(m, state, builtin, on, off, node.name)
            old = state.vars[target]
            if old.inherited and not node.append:
                state.set(target, old._replace(value=None, inherited=False))
            variables.assign_array(m, state, target, value, span, append)
            _finish(state, on, target)
        return None
    text = expand.text_of(m, state, node.value, assignment=True)
    if any(map(expand.is_joined, node.value.parts)) and elements.odd_ifs(m, state):
        # Joined with a blank here where IFS is empty.
        text = hole("a list joined under another IFS", f"odd:{m.site(state, node.start)}")
    subscript = None
    if node.subscript is not None:
        subscript = expand.subscript_text(m, state, node.subscript)
    return _Scalar(node, text, subscript)


def _assigned(
    m: Machine, state: State, builtin: str, on: set[str], off: set[str], scalar: _Scalar
) -> None:
    """`declare name=value`."""
    node, text, subscript = scalar
    span = m.span(state, node.start, node.end)
    target = _prepare(m, state, builtin, on, off, node.name)
    if "n" in on:
        state.set(target, state.vars[target]._replace(value=text, inherited=False))
    elif (
        subscript is not None
        or not (on & {"a", "A"} or builtin not in ("export", "readonly"))
        or not _assign_list(m, state, target, text, node.append, node.start)
    ):
        variables.assign(m, state, target, text, span, subscript=subscript, append=node.append)
    _finish(state, on, target)


def _plain(
    m: Machine,
    state: State,
    builtin: str,
    on: set[str],
    off: set[str],
    text: Text,
    start: int,
) -> None:
    """An argument that came out of an expansion, or a bare name."""
    known = text.known or ""
    name, equals, _ = known.partition("=")
    if not equals:
        base = name.partition("[")[0]
        if name == "-" and builtin == "local":
            scopes.keep_options(state)
            return
        if not variables.NAME.match(base):
            raise ShellError(f"{name}: not a valid identifier")
        _bare(m, state, builtin, on, off, base)
        return
    _store(m, state, builtin, on, off, name, cut(text, len(name) + 1), start)


def _store(
    m: Machine,
    state: State,
    builtin: str,
    on: set[str],
    off: set[str],
    name: str,
    value: Text,
    start: int,
) -> None:
    append = name.endswith("+")
    name = name.rstrip("+")
    base, bracket, rest = name.partition("[")
    if not variables.NAME.match(base):
        raise ShellError(f"{name}: not a valid identifier")
    target = _prepare(m, state, builtin, on, off, base)
    subscript = variables.subscript(m, state, target, rest[:-1]) if bracket else None
    listed = builtin not in ("export", "readonly") or bool(on & {"a", "A"})
    if listed and not bracket and _assign_list(m, state, target, value, append, start):
        _finish(state, on, target)
        return
    variables.assign(
        m, state, target, value, m.span(state, start), subscript=subscript, append=append
    )
    _finish(state, on, target)


def _assign_list(
    m: Machine, state: State, name: str, value: Text, append: bool, start: int
) -> bool:
    """`declare -a "x=(a b)"`: bash reads a list in quotes as a list after all."""
    known = value.known
    if not state.vars[name].array or not (
        known is None or (known.startswith("(") and known.endswith(")"))
    ):
        return False
    made = _read_list(m, state, name, known, append)
    if made is None:
        reason = f"{name} is declared with a list in quotes"
        unknown = Word(hole(reason, f"list:{m.site(state, start)}:{name}"), True)
        made = Table((), reason) if state.vars[name].array == "A" else Array((unknown,)), append
    variables.assign_array(m, state, name, made[0], m.span(state, start), made[1])
    return True


def _read_list(
    m: Machine, state: State, name: str, known: str | None, append: bool
) -> tuple[Array | Table, bool] | None:
    """The elements of a list that a text holds; None when it is not known or none."""
    if known is None:
        return None
    from verifier.shell.syntax import parse

    script = parse(nodes.Source("", f"x={known}"))
    command = script.commands[0] if len(script.commands) == 1 else None
    if not isinstance(command, nodes.Simple) or len(command.assignments) != 1 or command.words:
        return None
    value = command.assignments[0].value
    if not isinstance(value, nodes.ArrayValue):
        return None
    table = state.vars[name].array == "A"
    return simple.array_value(m, state, name, value, associative=table, append=append)


def _bare(m: Machine, state: State, builtin: str, on: set[str], off: set[str], name: str) -> None:
    known = state.vars.get(name)
    if known is None and not state.locals and not m.options.closed and on == {"x"}:
        # `export NAME` of an input: it is in the environment already, if it is set at all.
        state.set(name, Var(input_text(name), exported=True, inherited=True))
        return
    if known is None and builtin in ("export", "readonly"):
        if not m.options.closed:
            state.set(
                name, Var(input_text(name), exported="x" in on, inherited=True, readonly="r" in on)
            )
        else:
            state.set(name, Var(exported="x" in on, readonly="r" in on))
        return
    target = _prepare(m, state, builtin, on, off, name)
    _finish(state, on, target)


def _partly_known(
    m: Machine,
    state: State,
    builtin: str,
    on: set[str],
    off: set[str],
    text: Text,
    start: int,
) -> None:
    """`export "$NAME=$VALUE"`: fine when the name is known."""
    characters, holes = marked(text)
    place = characters.find("=")
    if place > 0 and not holes & ((1 << place) - 1):
        name = characters[:place]
        _store(m, state, builtin, on, off, name, cut(text, place + 1), start)
        return
    m.unresolved(m.span(state, start), f"{builtin} of an unknown name")


def unset_element(m: Machine, state: State, name: str, subscript: Text) -> None:
    """`unset 'a[1]'`."""
    name = variables.follow(m, state, name)
    var = state.vars.get(name)
    if var is None:
        return
    value = var.value
    if subscript.known in ("@", "*") and not isinstance(value, Table):
        state.set(name, var._replace(value=Array()))
        return
    if isinstance(value, Table):
        if subscript.known is None:
            m.unresolved(m.span(state, m.place[1] if m.place else 0), "unset of an unknown element")
            return
        items = tuple((k, t) for k, t in value.items if k != subscript.known)
        state.set(name, var._replace(value=Table(items, value.vague)))
        return
    if isinstance(value, Array) and not value.vague:
        index = variables.index_value(m, state, subscript)
        pairs = dict(value.pairs())
        if index is None:
            m.unresolved(m.span(state, m.place[1] if m.place else 0), "unset of an unknown element")
            return
        if index < 0:
            index += max(pairs, default=-1) + 1
            if index < 0:
                raise ShellError(f"{name}: bad array subscript")
        pairs.pop(index, None)
        state.set(name, var._replace(value=variables.from_pairs(pairs)))
    elif isinstance(value, Array):
        unknown = hole(f"{name} after an element is unset", f"unset:{name}:{m.steps}")
        state.set(name, var._replace(value=Array((Word(unknown, True),))))
    elif isinstance(value, Text) and subscript.known == "0":
        variables.unset(m, state, name)


__all__ = ["EMPTY", "redirect", "run", "unset_element"]
