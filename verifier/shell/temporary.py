"""The temporary environment: `K=3 command`."""

from __future__ import annotations

from verifier.model.record import NamedTuple
from verifier.model.text import Text, hole
from verifier.shell import expand, nodes, variables
from verifier.shell.machine import Machine, with_step
from verifier.shell.state import State, Var

# Of the builtins these see the temporary variables in a scope of their own.
_SCOPED = frozenset("eval source . unset mapfile readarray read declare typeset local".split())


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
    value = with_step(value, span, f"assigned to {name}")
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
    if not isinstance(var.value, Text):
        return value if var.value is None else hole("a list appended to", f"list:{name}:{m.steps}")
    return variables.transform(m, state, var, value, var.value)


def enter(state: State, bound: dict[str, Temporary]) -> None:
    """Make the variables those of the function that is about to run."""
    state.locals = (*state.locals, {name: one.hidden for name, one in bound.items()})


def drop(state: State, bound: dict[str, Temporary]) -> None:
    """Forget them: the command is not run."""
    for name, one in bound.items():
        _bind(state, name, one.hidden)


def leave(m: Machine, state: State, bound: dict[str, Temporary], command: str | None) -> None:
    """After a command that is not a function."""
    inside = command in ("eval", "source", ".")
    for name, one in bound.items():
        var = state.vars.get(name)
        hidden = one.hidden
        lasting = var is not None and not var.temporary and not inside  # as `export` makes it
        changed = var is not None and var.value is not one.value and command not in _SCOPED
        if var is not None and isinstance(var.value, Text) and (lasting or changed):
            # A builtin that assigns, like `printf -v`, assigns to the outer variable too.
            outer = hidden or Var()
            hidden = outer._replace(
                value=variables.transform(m, state, outer, var.value, None),
                exported=outer.exported or lasting,
                readonly=outer.readonly or (lasting and var.readonly),
            )
        _bind(state, name, hidden)


def _bind(state: State, name: str, var: Var | None) -> None:
    if var is None:
        state.drop(name)
    else:
        state.set(name, var)
