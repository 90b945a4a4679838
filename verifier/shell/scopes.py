"""Whose variable a name means: those of functions, and those that are set for one command's run.

`State.locals` has what each running scope hides, the innermost last: for a function what its
`local` variables hid, and below it what the assignments before its call hid. `eval`, `source` and
the like have a scope too when assignments stand before them; nothing is local to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from verifier.model.text import Text, lit
from verifier.shell.state import State, Var

_TEXT = ""
"""A name that no variable has, in the scope of a text."""
_OPTIONS = "-"
"""In a function's scope: the options of `set` that `local -` keeps."""
GLOBAL = -1
"""The number of the scope around all others."""

Scope = dict[str, Var | None]


def enter(state: State, hidden: Scope, *, text: bool) -> None:
    """Begin a scope of variables that are set for a run; `text`: that of `eval` or the like."""
    state.locals = (*state.locals, {**hidden, _TEXT: None} if text else hidden)


def leave(state: State) -> None:
    """End the innermost scope, and bring back what it hid."""
    scope = state.locals[-1]
    state.locals = state.locals[:-1]
    if not scope:
        return
    if _OPTIONS in scope:
        _restore_options(state, scope[_OPTIONS])
        scope = {name: var for name, var in scope.items() if name != _OPTIONS}
    lasting = [name for name in scope if name in state.vars and state.vars[name].lasting]
    for name in lasting:
        scope = {n: v for n, v in scope.items() if n != name}
        for depth, outer in enumerate(state.locals):
            if name in outer:
                _replace(state, depth, {n: v for n, v in outer.items() if n != name})
        state.set(name, state.vars[name]._replace(temporary=False, lasting=False))
    restore(state, scope.items())


def restore(state: State, hidden: Iterable[tuple[str, Var | None]]) -> None:
    """Bind names to what they were bound to."""
    variables = None
    for name, var in hidden:
        if variables is None:
            variables = dict(state.vars)
        if var is None:
            variables.pop(name, None)
        else:
            variables[name] = var
    if variables is not None:
        state.vars = variables


def function(state: State) -> int:
    """The number of the running function's own scope; GLOBAL outside functions."""
    for depth in range(len(state.locals) - 1, -1, -1):
        if _TEXT not in state.locals[depth]:
            return depth
    return GLOBAL


def make_local(state: State, name: str) -> None:
    """Give the running function its own variable of this name."""
    own = function(state)
    if own == GLOBAL or any(name in scope for scope in state.locals[own:]):
        return
    hidden = state.vars.get(name)
    _replace(state, own, {**state.locals[own], name: hidden})
    exported = hidden is not None and hidden.exported and not hidden.readonly
    if hidden is None or not hidden.temporary:
        state.set(name, Var(exported=exported))
        return
    temporary = own > 0 and name in state.locals[own - 1]
    state.set(name, Var(hidden.value, exported=exported, temporary=temporary))


def keep_options(state: State) -> None:
    """`local -`."""
    own = function(state)
    if own == GLOBAL or _OPTIONS in state.locals[own]:
        return
    from verifier.shell.settings import SET

    kept = lit(" ".join(sorted(state.options & SET)))
    _replace(state, own, {**state.locals[own], _OPTIONS: Var(kept)})


def _restore_options(state: State, kept: Var | None) -> None:
    from verifier.shell.settings import SET

    if kept is not None and isinstance(kept.value, Text) and kept.value.known is not None:
        state.options = (state.options - SET) | frozenset(kept.value.known.split())


def lasts(state: State, name: str, *, by_export: bool) -> bool:
    """Whether a temporary variable that is made exported or readonly takes the place of those that
    it hides. `by_export`: by `export` or `readonly`, which do so for the variables of a text only
    inside a function."""
    own = function(state)
    return not (by_export and own == GLOBAL and of(state, name) > own)


def uncover(state: State, name: str) -> bool:
    """Unset the innermost variable of this name, so that the one it hides is seen.

    False for a variable of the running function, which stays local, and for one that hides none.
    """
    own = function(state)
    for depth in range(len(state.locals) - 1, -1, -1):
        if name not in state.locals[depth]:
            continue
        if depth == own:
            return False
        hidden = state.locals[depth][name]
        _replace(state, depth, {n: v for n, v in state.locals[depth].items() if n != name})
        restore(state, ((name, hidden),))
        return True
    return False


def keep(state: State, name: str, hidden: Var | None) -> None:
    """Make a variable that was set for the run of `local` the function's own; it hides `hidden`."""
    own = function(state)
    scope = state.locals[own]
    before = scope.get(name)
    if before is not None and before.temporary:
        _replace(state, own, {**scope, name: hidden})
    state.set(name, state.vars[name]._replace(temporary=False))


def of(state: State, name: str) -> int:
    """The number of the scope that a visible variable belongs to."""
    for depth in range(len(state.locals) - 1, -1, -1):
        if name in state.locals[depth]:
            return depth
    return GLOBAL


def hides(state: State, name: str, scope: int) -> bool:
    """Whether the variable that `scope` sees is not the visible one."""
    return any(name in inner for inner in state.locals[scope + 1 :])


def seen(state: State, name: str, scope: int) -> Var | None:
    """The variable that `scope` sees."""
    for inner in state.locals[scope + 1 :]:
        if name in inner:
            return inner[name]
    return state.vars.get(name)


@contextmanager
def seen_from(state: State, name: str, scope: int) -> Iterator[None]:
    """Inside, the name means the variable that `scope` sees."""
    for depth in range(scope + 1, len(state.locals)):
        if name in state.locals[depth]:
            break
    else:
        yield
        return
    visible = state.vars.get(name)
    restore(state, ((name, state.locals[depth][name]),))
    try:
        yield
    finally:
        _replace(state, depth, {**state.locals[depth], name: state.vars.get(name)})
        restore(state, ((name, visible),))


def _replace(state: State, depth: int, scope: Scope) -> None:
    state.locals = (*state.locals[:depth], scope, *state.locals[depth + 1 :])
