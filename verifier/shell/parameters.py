"""Parameter expansion: `$x`, `${x:-y}`, `${a[@]}`, `${x%p}` and the rest."""

from __future__ import annotations

import re

from verifier.model.text import EMPTY, Text, Word, hole, lit
from verifier.shell import nodes, variables
from verifier.shell.defaults import with_default
from verifier.shell.diagrams import FALSE
from verifier.shell.elements import Elements, Found, keys, maybe
from verifier.shell.fetching import fetch
from verifier.shell.machine import Machine, ShellError
from verifier.shell.operators import length_of, operated
from verifier.shell.splitting import Fragment
from verifier.shell.spread import fragments_of
from verifier.shell.state import Array, State, Table
from verifier.shell.texts import derived, join

_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?\Z", re.DOTALL)
_DEFAULTS = ("-", ":-", "=", ":=", "?", ":?", "+", ":+")


def fragments(
    m: Machine, state: State, p: nodes.Parameter, *, quoted: bool, single: bool
) -> list[Fragment]:
    """What a parameter expands to. `single`: no splitting here, elements are joined."""
    found, name = _fetch(m, state, p)
    unset = FALSE
    if isinstance(found, Text):
        unset, found = maybe(m, state, found)
    if p.operator in _DEFAULTS and not p.length:
        return with_default(m, state, p, name, found, quoted, single, unset)
    if unset != FALSE and isinstance(found, Text):
        # To most operators an unset variable is an empty one.
        differs = state.opt("nounset") or p.operator.startswith("@")
        found = (
            None
            if differs and m.decide(state, unset)
            else m.case(unset, EMPTY, found, f"{name} is set in some branches only")
        )
    found = _checked(m, state, p, name, found)
    if p.length:
        if found is None and isinstance(p.subscript, nodes.Word):
            _checked_subscript(m, state, p.subscript)
        result: Found = length_of(m, state, p, found)
    elif p.operator:
        result = operated(m, state, p, name, found)
    else:
        result = found
    return fragments_of(m, state, p, result, quoted, single)


def _checked_subscript(m: Machine, state: State, subscript: nodes.Word) -> None:
    """`${#a[-9]}` of an element too far back is an error."""
    from verifier.shell import expand

    if (expand.subscript_text(m, state, subscript).known or "").startswith("-"):
        raise ShellError("bad array subscript", reported=True)


def _fetch(m: Machine, state: State, p: nodes.Parameter) -> tuple[Found, str]:
    """The value before any operator, and the name it belongs to."""
    name, subscript = p.name, p.subscript
    if p.indirect:
        if p.prefix:
            names = variables.names_with_prefix(m, state, name)
            star = p.prefix == "*"
            if names is None:
                text = hole(f"names of variables that begin with {name}", f"names({name})")
                return Elements((Word(text, True),), star), name
            return Elements(tuple(Word(lit(n)) for n in names), star), name
        if subscript in ("@", "*") and not p.operator:
            return keys(m, state, name, subscript == "*"), name
        return _indirect(m, state, p)
    return fetch(m, state, name, subscript), name


def _indirect(m: Machine, state: State, p: nodes.Parameter) -> tuple[Found, str]:
    var = state.vars.get(p.name)
    if var is not None and var.nameref and isinstance(var.value, Text):
        return var.value, p.name
    target = fetch(m, state, p.name, p.subscript)
    if target is None:
        missing = variables.NAME.match(p.name) and p.name not in state.vars
        if missing or state.opt("nounset") or p.operator not in _DEFAULTS:
            raise ShellError(f"{p.name}: invalid indirect expansion", reported=True)
        return None, p.name
    if isinstance(target, Elements) and not any(w.splits for w in target.items):
        target = join([word.text for word in target.items], lit(" "))
    if isinstance(target, Elements):
        name = f"indirect:{m.site(state, p.start)}"
        word = Word(hole("indirect expansion of an array", name), True)
        return Elements((word,), False), ""
    target = m.resolve(state, target)
    if target.known is None:
        where = f"value:{m.site(state, p.start)}"
        return derived("the variable's name is not known", where, target), ""
    match = _TARGET.match(target.known)
    if match:
        subscript: nodes.Word | str | None = None
        inner = match.group(2)
        if inner in ("@", "*"):
            subscript = inner
        elif inner is not None:
            literal = nodes.Literal(inner, False, p.start, p.end)
            subscript = nodes.Word((literal,), p.start, p.end)
        return fetch(m, state, match.group(1), subscript), match.group(1)
    if target.known.isdigit() or target.known in ("@", "*", "#", "?", "-", "$", "!"):
        return fetch(m, state, target.known, None), target.known
    raise ShellError(f"{target.known}: invalid variable name", reported=True)


def _checked(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> Found:
    unset = found is None and p.operator not in ("@a",)
    if p.length and p.subscript is not None and state.opt("nounset"):
        # Only arrays count that have been assigned, be it to nothing.
        var = state.vars.get(variables.follow(m, state, name))
        value = var.value if var is not None else variables.lookup(m, state, name)
        if not isinstance(value, Array | Table):
            raise ShellError(f"{name}: unbound variable", reported=True)
        return found
    if unset and state.opt("nounset"):
        raise ShellError(f"{name}: unbound variable", fatal=True, reported=True)
    return found
