"""In which order the locale puts texts."""

from __future__ import annotations

from verifier.shell import variables
from verifier.shell.machine import Machine
from verifier.shell.state import State

_BY_BYTES = frozenset(("C", "POSIX", "C.UTF-8", "C.utf8"))


def by_bytes(m: Machine, state: State, *, exported: bool = False) -> bool:
    """Whether it is known that texts are compared byte by byte.

    `exported`: by a program, which sees only exported variables.
    """
    for name in ("LC_ALL", "LC_COLLATE", "LANG"):
        var = state.vars.get(name)
        if exported and var is not None and not var.exported:
            continue
        value = variables.text_of_value(variables.lookup(m, state, name))
        if value is None:
            continue
        known = m.resolve(state, value).known
        if known is None:
            return False
        if known:
            return known in _BY_BYTES
    return True


def key(text: str) -> bytes:
    """What to compare by."""
    return text.encode("utf-8", "surrogateescape")
