"""What the shell tells of itself: `declare -p` and `-F`, `type`, `hash`, `command -v`, `$-`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.text import Hole, Lit, Text, Word, lit
from verifier.shell import declarations, redirect, variables
from verifier.shell.machine import Machine
from verifier.shell.state import UNSET, State

if TYPE_CHECKING:
    from verifier.shell.simple import Declared, Plan

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


def declared(
    m: Machine, state: State, plan: Plan, names: list[Word | Declared], on: set[str], start: int
) -> None:
    """`declare -p`, `-f` and `-F`; `on` has the options."""
    from verifier.shell.external import unknown_effects

    words = [w.text.known for w in names if isinstance(w, Word) and not w.splits]
    known = [word for word in words if word is not None]
    builtin = plan.argv[0].text.known
    if len(known) == len(names) and known:
        if "p" in on and builtin in ("export", "readonly"):
            # They list all of their kind, or take no notice of the names.
            state.status = 0
            return
        if "p" in on and "f" not in on and "F" not in on:
            if _print_variables(m, state, known):
                return
        elif "F" in on and "p" not in on and all(name in state.functions for name in known):
            redirect.emit(m, state, 1, lit("".join(f"{name}\n" for name in known)))
            state.status = 0
            return
    unknown_effects(m, state, plan, "declare", start)
    if not names:
        state.status = 0
    if on & {"f", "F"} and len(known) == len(names) and known:
        found = [name in state.functions for name in known]
        if m.options.closed or all(found):
            state.status = 0 if all(found) else 1


def _print_variables(m: Machine, state: State, names: list[str]) -> bool:
    """False where it is not known what there is to print."""
    found: list[str] = []
    missing = False
    for name in names:
        var = state.vars.get(name)
        if var is None:
            if not m.options.closed or variables.is_special(name):
                return False
            missing = True
            continue
        if var == UNSET and (state.locals or not m.options.closed):
            return False  # declared, or unset by the script
        shown = declarations.declaration(m, name, var)
        if shown is None:
            return False
        found.append(shown + "\n")
    redirect.emit(m, state, 1, lit("".join(found)))
    state.status = 1 if missing else 0
    return True


def caller(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`caller`: where the running function or sourced file was called."""
    from verifier.shell.external import unknown_effects

    words = [None if w.splits else w.text.known for w in plan.argv[1:]]
    calls = variables.calls(state)
    level = int(words[0]) if words and words[0] is not None and words[0].isdigit() else 0
    line = calls[level].line if level + 1 < len(calls) else None
    if len(words) > 1 or None in words:
        unknown_effects(m, state, plan, "caller", start)
    elif not words and len(calls) < 2:
        redirect.emit(m, state, 1, lit("0 NULL\n" if calls else ""))
        state.status = 0 if calls else 1
    elif words and not (words[0] or "").isdigit():
        state.status = 2
    elif level + 1 >= len(calls):
        state.status = 1
    elif line is None:
        unknown_effects(m, state, plan, "caller", start)
        state.status = 0
    else:
        name = f"{calls[level + 1].name} " if words else ""
        text = lit(f"{line} {name}") + calls[level + 1].path + lit("\n")
        redirect.emit(m, state, 1, text)
        state.status = 0
