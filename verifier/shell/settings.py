"""`shopt`, and what `set -o` and `shopt` print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.text import lit
from verifier.shell import redirect
from verifier.shell.machine import Machine
from verifier.shell.state import State

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

SET = frozenset(
    """allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof
    interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd
    physical pipefail posix privileged verbose vi xtrace""".split()
)
"""Options of `set -o`."""
_SHOPT = frozenset(
    """autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist
    compat31 compat32 compat40 compat41 compat42 compat43 compat44 complete_fullquote
    direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob
    force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit
    histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe
    lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion
    nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp
    progcomp_alias promptvars restricted_shell shift_verbose sourcepath varredir_close
    xpg_echo""".split()
)
_CHANGING = frozenset(
    """assoc_expand_once compat31 compat32 compat40 compat41 compat42 compat43 compat44
    expand_aliases extdebug localvar_inherit localvar_unset noexpand_translation xpg_echo""".split()
)
"""Options that are not followed, although they change what a script does."""
_TRACING = frozenset(("verbose", "xtrace"))


def shopt(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin."""
    from verifier.shell.external import unknown_effects

    words = [None if w.splits else w.text.known for w in plan.argv[1:]]
    flags = ""
    while words and words[0] is not None and words[0].startswith("-"):
        word = words.pop(0) or ""
        if word == "--":
            break
        flags += word[1:]
    names = [word for word in words if word is not None]
    if len(names) < len(words):
        m.unresolved(m.span(state, start), "shopt of an unknown option")
        return
    known = SET if "o" in flags else _SHOPT
    if names and ("s" in flags or "u" in flags):
        state.status = 0 if all(name in known for name in names) else 1
        for name in names:
            if name in known:
                switch(m, state, name, "s" in flags, start)
        return
    if not names or (_TRACING & set(names)):
        unknown_effects(m, state, plan, "shopt", start)
        state.status = 0 if not names else state.status
        return
    valid = [name for name in names if name in known]
    if "q" not in flags:
        printed = "".join(_line(state, name, flags) for name in valid)
        redirect.emit(m, state, 1, lit(printed))
    state.status = 0 if valid == names and all(map(state.opt, names)) else 1


def switch(m: Machine, state: State, name: str, on: bool, start: int) -> None:
    """Turn an option on or off."""
    if on and name in _CHANGING:
        what = "aliases are not expanded" if name == "expand_aliases" else f"{name} is not followed"
        m.unresolved(m.span(state, start), what)
    state.set_opt(name, on)


def _line(state: State, name: str, flags: str) -> str:
    on = state.opt(name)
    if "p" not in flags:
        return f"{name:<15}\t{'on' if on else 'off'}\n"
    if "o" in flags:
        return f"set {'-' if on else '+'}o {name}\n"
    return f"shopt -{'s' if on else 'u'} {name}\n"
