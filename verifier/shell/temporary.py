"""The temporary environment: `K=3 command`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from verifier.model.record import NamedTuple
from verifier.model.text import Text, Word, hole
from verifier.shell import expand, nodes, scopes, variables
from verifier.shell.machine import Machine, with_step
from verifier.shell.state import State, Var, scalar

# Of the builtins these see the temporary variables in a scope of their own.
_SCOPED = frozenset("unset mapfile readarray read declare typeset local".split())


class Temporary(NamedTuple):
    """One variable for the run of one command."""

    hidden: Var | None
    value: Text


def bind(m: Machine, state: State, node: nodes.Assignment) -> tuple[str, Temporary] | None:
    """Carry out one assignment before a command. None for one that bash refuses."""
    if node.subscript is not None:
        return None
    name = variables.follow(m, state, node.name)
    span = m.span(state, node.start, node.end)
    seen = state.vars.get(name)
    if seen is not None and seen.readonly:
        if state.opt("errexit"):
            raise variables.ReadOnly(name)
        return None
    value = _value(m, state, node, name)
    # The expansion may have assigned the variable itself: `x=${x:=1} command`.
    hidden = state.vars.get(name)
    value = variables.given(m, name, with_step(value, span, f"assigned to {name}"))
    state.set(name, Var(value, exported=True, temporary=True))
    variables.after_assignment(m, state, name)
    return name, Temporary(hidden, value)


def _value(m: Machine, state: State, node: nodes.Assignment, name: str) -> Text:
    if isinstance(node.value, nodes.ArrayValue):
        return hole("a list assigned before a command", f"list:{m.site(state, node.start)}")
    value = expand.text_of(m, state, node.value, assignment=True)
    if not node.append:
        return value
    var = variables.existing(m, state, name)
    return variables.transform(m, state, var, value, scalar(var))


def settle(m: Machine, state: State, bound: dict[str, Temporary]) -> dict[str, Temporary]:
    """After all of them: `x= y=${x:=1} command` has assigned to the outer `x` as well."""
    result = bound
    for name, one in bound.items():
        var = state.vars.get(name)
        if var is not None and var.value is not one.value and isinstance(var.value, Text):
            outer = one.hidden or Var()
            value = variables.transform(m, state, outer, var.value, None)
            result = {**result, name: Temporary(outer._replace(value=value), var.value)}
    return result


def runs_text(argv: list[Word]) -> bool:
    """Whether the command is a builtin that runs a text of the script."""
    for word in argv:
        known = None if word.splits else word.text.known
        if known not in ("command", "builtin"):
            return known in ("eval", "source", ".")
    return False


def enter(state: State, bound: dict[str, Temporary], *, text: bool) -> None:
    """Make the variables those of the function or text that is about to run."""
    scopes.enter(state, {name: one.hidden for name, one in bound.items()}, text=text)


def drop(state: State, bound: dict[str, Temporary]) -> None:
    """Forget them: the command is not run."""
    scopes.restore(state, ((name, one.hidden) for name, one in bound.items()))


def stay(state: State, bound: dict[str, Temporary]) -> None:
    """There is no command behind them, so they are assignments like others."""
    for name, one in bound.items():
        var = state.vars.get(name)
        if var is not None:
            exported = one.hidden is not None and one.hidden.exported
            state.set(name, var._replace(exported=exported, temporary=False))


@contextmanager
def not_yet(state: State, bound: dict[str, Temporary]) -> Iterator[None]:
    """Inside, the variables are what they were."""
    if not bound:
        yield
        return
    set_ = [(name, state.vars.get(name)) for name in bound]
    drop(state, bound)
    try:
        yield
    finally:
        scopes.restore(state, set_)


def leave(m: Machine, state: State, bound: dict[str, Temporary], argv: list[Word]) -> None:
    """After a command that runs no text of the script."""
    command = None if argv[0].splits else argv[0].text.known
    declaring = command in ("declare", "typeset", "local") and scopes.function(state) >= 0
    for name, one in bound.items():
        var = state.vars.get(name)
        if declaring and any(_names(word, name) for word in argv[1:]):
            scopes.keep(state, name, one.hidden)
            continue
        hidden = one.hidden
        lasting = var is not None and var.lasting
        changed = var is not None and var.value is not one.value and command not in _SCOPED
        if var is not None and isinstance(var.value, Text) and (lasting or changed):
            # A builtin that assigns, like `printf -v`, assigns to the outer variable too.
            outer = hidden or Var()
            hidden = outer._replace(
                value=variables.transform(m, state, outer, var.value, None),
                exported=outer.exported or lasting,
                readonly=outer.readonly or (lasting and var.readonly),
            )
        scopes.restore(state, ((name, hidden),))


def _names(word: Word, name: str) -> bool:
    return (word.text.known or "").partition("=")[0].rstrip("+") == name
