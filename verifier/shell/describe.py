"""What the shell tells of itself: `declare -p` and `-F`, `type`, `hash`, `command -v`, `$-`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.text import Hole, Lit, Text, lit
from verifier.shell import redirect, variables
from verifier.shell.machine import Machine
from verifier.shell.state import State

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

KEYWORDS = frozenset(
    """! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until
    while""".split()
)

_LETTERS = (
    ("a", "allexport"),
    ("b", "notify"),
    ("e", "errexit"),
    ("f", "noglob"),
    ("h", "hashall"),
    ("k", "keyword"),
    ("m", "monitor"),
    ("u", "nounset"),
    ("", ""),
    ("B", "braceexpand"),
    ("C", "noclobber"),
    ("E", "errtrace"),
    ("H", "histexpand"),
    ("T", "functrace"),
)
"""The options that `$-` lists, in its order; the empty one stands for `v` and `x`."""


def flags(state: State) -> Text:
    """`$-`. Whether commands are traced (`set -x`, `set -v`) is not followed."""
    traced = Hole("whether commands are traced", "options:trace", choices=("", "v", "x", "vx"))
    pieces: list[Lit | Hole] = []
    for letter, name in _LETTERS:
        if not letter:
            pieces.append(traced)
        elif state.opt(name):
            pieces.append(Lit(letter))
    script = next(f for f in reversed(state.frames) if f.kind == "script")
    if script.string:
        pieces.append(Lit("c"))
    elif script is not state.frames[0]:
        pieces.append(
            Hole("whether a shell reads its standard input", "options:s", choices=("", "s"))
        )
    return Text(pieces)


def _single(plan: Plan) -> tuple[str, str] | None:
    """The options and the one name after them, when all are known."""
    words = [None if w.splits else w.text.known for w in plan.argv[1:]]
    options = ""
    while words and words[0] is not None and words[0].startswith("-"):
        options += words.pop(0)[1:]  # type: ignore[index]
    return (options, words[0]) if len(words) == 1 and words[0] is not None else None


def kind(state: State, name: str) -> str | None:
    """What `type -t` says of a name; None for what only the world outside knows."""
    from verifier.shell.builtins import BUILTINS

    if name in KEYWORDS:
        return "keyword"
    if name in state.functions:
        return "function"
    return "builtin" if name in BUILTINS else None


def describe_type(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`type`."""
    from verifier.shell.external import unknown_effects

    given = _single(plan)
    found = kind(state, given[1]) if given is not None and given[0] in ("", "t") else None
    if found is None:
        unknown_effects(m, state, plan, "type", start)
        return
    if given is not None and given[0] == "t":
        redirect.emit(m, state, 1, lit(found + "\n"))
    else:
        unknown_effects(m, state, plan, "type", start)
    state.status = 0


def hashed(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`hash`, which prints nothing as it is used."""
    words = [None if w.splits else w.text.known for w in plan.argv[1:]]
    known = all(w is not None and (w.startswith("-r") or kind(state, w)) for w in words)
    state.status = 0 if known and words else m.pending(state, start, "`hash`")
    if not words or any((w or "").startswith(("-l", "-t")) for w in words):
        from verifier.shell.external import unknown_effects

        unknown_effects(m, state, plan, "hash", start)


def declared(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`declare -p`, `-f` and `-F`: the status, and the name for `-F`."""
    from verifier.shell.external import unknown_effects

    given = _single(plan)
    found = None
    if given is not None and given[0] == "p":
        found = _variable(m, state, given[1])
    elif given is not None and given[0] in ("f", "F") and given[1] in state.functions:
        found = True
        if given[0] == "F":
            redirect.emit(m, state, 1, lit(given[1] + "\n"))
            state.status = 0
            return
    unknown_effects(m, state, plan, plan.argv[0].text.known, start)
    if found is not None:
        state.status = 0 if found else 1


def _variable(m: Machine, state: State, name: str) -> bool | None:
    """Whether there is a variable of this name, set or not; None when that is not known."""
    if not variables.NAME.match(name):
        return None
    var = state.vars.get(name)
    if var is None:
        return False if m.options.closed and name not in variables.VOLATILE else None
    if var.value is None:
        return True if var.array or var.exported or var.readonly or var.integer else None
    if isinstance(var.value, Text) and var.value.holes:
        return None
    return True
