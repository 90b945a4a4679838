"""Bash's builtin commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from verifier.model.text import EMPTY, Hole, Lit, Origin, Text, Word, hole, lit
from verifier.shell import (
    commands,
    declare,
    folders,
    processes,
    questions,
    redirect,
    relevance,
    sums,
    traps,
    variables,
)
from verifier.shell.conditions import Bracket, UsageError
from verifier.shell.logic import INPUT
from verifier.shell.machine import Machine, ShellError
from verifier.shell.simple import Declared, Plan, dispatch, fail
from verifier.shell.state import UNSET, Flow, Formula, State, Status
from verifier.shell.texts import join

Builtin = Callable[[Machine, State, Plan, int], None]
"""Changes the state; may raise ShellError or Fork."""


def run(m: Machine, state: State, name: str, plan: Plan, start: int, end: int) -> list[State]:
    """Run a builtin on a state that may be changed."""
    running = _PATHS.get(name)
    if running is not None:
        return running(m, state, plan, start, end)
    action = _SIMPLE[name]

    def attempt(s: State) -> None:
        try:
            action(m, s, plan, start)
        except ShellError as error:
            fail(m, s, error)
        else:
            if s.fds.get(2) is not None and _complains(name, s.status):
                redirect.complain(m, s)

    return [s for s, _ in m.attempt(state, attempt)]


def _complains(name: str, status: Status) -> bool:
    """Whether a builtin that ended so may have said why on standard error."""
    if name in ("test", "[", "return", "exit", "logout"):
        return status == 2
    if name == "wait" and isinstance(status, int):
        return status in (2, 127)
    return status != 0 and (status != 1 or name not in _QUIET)


_QUIET = frozenset("false let read getopts shopt command type mapfile readarray".split())
"""Builtins whose status 1 is no error."""


def _late(module: str, name: str) -> Builtin:
    """A builtin whose module is loaded when it is first run."""

    def action(m: Machine, state: State, plan: Plan, start: int) -> None:
        getattr(import_module(f"verifier.shell.{module}"), name)(m, state, plan, start)

    return action


def _known(plan: Plan) -> list[str] | None:
    """The arguments when all are known."""
    result = []
    for word in plan.argv[1:]:
        if word.splits or word.text.known is None:
            return None
        result.append(word.text.known)
    return result


# --- nothing, tests, output ------------------------------------------------------------------


def _true(m: Machine, state: State, plan: Plan, start: int) -> None:
    state.status = 0


def _false(m: Machine, state: State, plan: Plan, start: int) -> None:
    state.status = 1


def _test(m: Machine, state: State, plan: Plan, start: int) -> None:
    args = [w for word in plan.argv[1:] for w in m.resolve_word(state, word)]
    if plan.argv[0].text.known == "[":
        if not args or args[-1].text.known != "]":
            raise ShellError("missing `]'", status=2)
        args.pop()
    try:
        success = Bracket(m, state, args, start).formula()
    except UsageError:
        state.status = 2
        return
    yes, no = m.logic.split(state.cond, success)
    state.status = 0 if no == 0 else 1 if yes == 0 else Formula(success, 1)


def _model(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`echo`, `printf`: the models of the commands, or unknown output."""
    from verifier.shell import external

    name = plan.argv[0].text.known or ""
    argv = plan.argv
    if name == "printf" and len(argv) > 3 and argv[1].text.known == "-v":
        _printf_variable(m, state, plan, start)
        return
    state.status = 0
    if name == "printf" and _is_misused(argv):
        state.status = 2
        return
    if name == "echo" and not redirect.is_captured(state):
        return
    if external.modelled(m, state, name, argv, start) is None:
        external.unknown_effects(m, state, plan, name, start)
        state.status = 0


def _printf_variable(m: Machine, state: State, plan: Plan, start: int) -> None:
    from verifier.shell.printf import printf

    argv = [*plan.argv[:3], *plan.argv[4:]] if _dashes(plan) else plan.argv
    target = argv[2].text.known
    span = m.span(state, start)
    if target is None:
        m.unresolved(span, "printf -v with an unknown name")
        return
    if not _TARGET.fullmatch(target):
        state.status = 2
        return
    state.status = 0
    if any(word.splits for word in argv[3:]):
        text = hole("printf of an unknown number of words", f"output:{m.site(state, start)}")
        state.status = m.pending(state, start, "`printf`")
    else:
        texts = [m.resolve(state, word.text) for word in argv[3:]]
        printed = printf(texts[0], texts[1:])
        text = printed.output
        unsure = m.pending(state, start, "`printf`") if printed.status is None else printed.status
        state.status = unsure
    name, subscript = variables.target(m, state, target)
    variables.assign(m, state, name, text, span, subscript=subscript, how=f"printed into {name}")


_TARGET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[.+\])?", re.ASCII | re.DOTALL)


def _is_misused(argv: list[Word]) -> bool:
    """Whether there is no format."""
    if any(word.splits for word in argv):
        return False
    words = [word.text.known for word in argv[1:3]]
    if not words or (words[0] == "--" and len(argv) == 2) or words[0] == "-v":
        return True
    return (
        words[0] is not None and words[0].startswith("-") and words[0] != "--" and len(words[0]) > 1
    )


def _dashes(plan: Plan) -> bool:
    """`printf -v name -- format`."""
    argv = plan.argv
    return len(argv) > 4 and not argv[3].splits and argv[3].text.known == "--"


# --- variables -------------------------------------------------------------------------------


def _unset(m: Machine, state: State, plan: Plan, start: int) -> None:
    words = _known(plan)
    if words is None:
        _unset_some(m, state, plan, start)
        return
    functions = "-f" in words
    state.status = 0
    names = [w for w in words if w not in ("-f", "-v", "-n", "--")]
    for name in names:
        base, subscript = variables.target(m, state, name)
        if functions:
            state.functions = {n: f for n, f in state.functions.items() if n != name}
        elif subscript is not None:
            declare.unset_element(m, state, base, subscript)
        elif "-n" in words:
            variables.unset(m, state, name, reference=True)
        elif name in state.vars or name not in state.functions or "-v" in words:
            variables.unset(m, state, name)
        else:
            state.functions = {n: f for n, f in state.functions.items() if n != name}


def _unset_some(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`unset "$name"`: whatever the name can be may be gone."""
    state.status = 0
    if plan.argv[1].text.known == "-f":
        if state.functions:
            m.unresolved(m.span(state, start), "unset of an unknown name")
        return
    only = variables.only_hole(plan.argv[1].text) if len(plan.argv) == 2 else None
    names = {*state.vars, *state.functions, *relevance.identifiers(m.places, state.functions)}
    if only is not None and not plan.argv[1].splits:
        subject = INPUT + only.input if only.input is not None else only.symbol
        names = {name for name in names if m.logic.can_be(state.cond, subject, name)}
    if only is None or not names.isdisjoint(state.functions):
        m.unresolved(m.span(state, start), "unset of an unknown name")
    changed = dict(state.vars)
    for name in names:
        if name in changed or not m.options.closed:
            gone = hole(f"{name} may have been unset", f"unset:{name}:{m.site(state, start)}")
            changed[name] = changed.get(name, UNSET)._replace(value=gone)
    state.vars = changed


def _set(m: Machine, state: State, plan: Plan, start: int) -> None:
    argv = [w for word in plan.argv[1:] for w in m.resolve_word(state, word)]
    if len(plan.argv) == 1:
        _outside(m, state, plan, start)  # it lists all variables
    position = 0
    state.status = 0
    while position < len(argv):
        word = argv[position]
        known = None if word.splits else word.text.known
        if known in ("--", "-"):
            if known == "--" or position + 1 < len(argv):
                state.args = tuple(argv[position + 1 :])
            return
        if known is None or known[:1] not in ("-", "+") or len(known) < 2:
            state.args = tuple(argv[position:])
            return
        on = known[0] == "-"
        for letter in known[1:]:
            if letter == "o":
                position += 1
                if position >= len(argv):
                    # It lists all options.
                    _outside(m, state, plan, start)
                    state.status = 0
                    return
                name = argv[position].text.known
                if name is not None and name not in ("xtrace", "verbose"):
                    _option(m, state, name, on, start)
            elif letter in _LETTERS:
                _option(m, state, _LETTERS[letter], on, start)
        position += 1


def _option(m: Machine, state: State, name: str, on: bool, start: int) -> None:
    state.set_opt(name, on)
    if name == "noexec" and on:
        state.flow = Flow("exit")  # what is read from here on does not run
    elif name == "keyword" and on:
        m.unresolved(m.span(state, start), "assignments behind commands (set -k) are not followed")
    elif name == "posix" and on:
        m.assume(m.span(state, start), "POSIX mode changes nothing of what follows")


_LETTERS = {
    "a": "allexport",
    "B": "braceexpand",
    "b": "notify",
    "C": "noclobber",
    "E": "errtrace",
    "e": "errexit",
    "f": "noglob",
    "H": "histexpand",
    "h": "hashall",
    "k": "keyword",
    "m": "monitor",
    "n": "noexec",
    "T": "functrace",
    "u": "nounset",
}


def _shift(m: Machine, state: State, plan: Plan, start: int) -> None:
    number = 1
    state.status = 0
    if len(plan.argv) > 2 and not any(word.splits for word in plan.argv):
        state.status, state.flow = 1, Flow("discard")
        return
    if len(plan.argv) > 1:
        known = m.resolve(state, plan.argv[1].text).known
        if known is not None and not (known.isascii() and known.isdigit()):
            state.status = 1
            return
        if known is None:
            unknown = hole("arguments after an unknown shift", f"args:{m.site(state, start)}")
            state.args = (Word(unknown, True),)
            return
        number = int(known)
    items = m.decided_words(state, state.args, number)
    vague = any(word.splits for word in items[:number]) or (
        number > len(items) and any(word.splits for word in items)
    )
    if vague:
        unknown = hole("arguments after a shift", f"args:{m.site(state, start)}")
        state.args = (Word(unknown, True),)
        state.status = m.pending(state, start, "shift")
        return
    if number > len(items):
        state.status = 1
        return
    state.args = items[number:]


def _let(m: Machine, state: State, plan: Plan, start: int) -> None:
    success = 0
    for word in plan.argv[1:]:
        truth = sums.evaluate(m, state, word.text).truth
        success = questions.truth(m, truth)
    yes, no = m.logic.split(state.cond, success)
    state.status = 0 if no == 0 else 1 if yes == 0 else Formula(success, 1)


# --- options ---------------------------------------------------------------------------------


def _getopts(m: Machine, state: State, plan: Plan, start: int) -> None:
    from verifier.shell import getopts, reading

    known = [None if w.splits else m.resolve(state, w.text).known for w in plan.argv[1:]]
    if len(known) < 2 and None not in known:
        state.status = 2
        return
    given = plan.argv[3:] if len(plan.argv) > 3 else list(state.args)
    args = [None if w.splits else m.resolve(state, w.text).known for w in given]
    options, name = known[0], known[1] if len(known) > 1 else None
    texts = [a for a in args if a is not None]
    if options is not None and name is not None and len(texts) == len(args):
        if getopts.step(m, state, options, name, texts, start):
            return
    names = [name or "OPT", "OPTARG", "OPTIND"]
    names = [one for one in names if not state.vars.get(one, UNSET).readonly]
    reading.unknown(m, state, names, None, m.site(state, start), start)


# --- control ---------------------------------------------------------------------------------


_INTEGER = re.compile(r"[ \t\n]*[-+]?[0-9]+[ \t\n]*", re.ASCII)


def _leave(kind: str) -> Builtin:
    looping = kind in ("break", "continue")

    def leave(m: Machine, state: State, plan: Plan, start: int) -> None:
        arguments = plan.argv[1:]
        if arguments and arguments[0].text.known == "--" and not arguments[0].splits:
            arguments = arguments[1:]
        if looping and not state.loops:
            # Bash only says that this makes sense in a loop.
            state.status = 0
            return
        if len(arguments) > 1 and not any(word.splits for word in arguments):
            state.status, state.flow = 1, Flow("discard")
            return
        argument = m.resolve(state, arguments[0].text) if arguments else None
        if looping:
            _leave_loops(state, kind, "1" if argument is None else argument.known)
            return
        inside = kind == "exit" or any(f.kind in ("function", "source") for f in state.frames)
        if argument is not None and inside:
            known = argument.known
            if known is None:
                state.status = _status_of(m, state, argument, start)
            else:
                state.status = int(known) & 255 if _INTEGER.fullmatch(known) else 2
        if inside:
            state.flow = Flow(kind)
        else:
            state.status = 2

    return leave


def _leave_loops(state: State, kind: str, levels: str | None) -> None:
    """`break` and `continue`; 0 and less leave all loops."""
    state.status = 0
    if levels is not None and not _INTEGER.fullmatch(levels):
        state.status, state.flow = 128, Flow("exit")
        return
    number = int(levels) if levels is not None else 1
    if number < 1:
        state.status = 1
        kind, number = "break", state.loops
    state.flow = Flow(kind, min(number, state.loops))


def _status_of(m: Machine, state: State, text: Text, start: int) -> Formula:
    """`return $rc` with an unknown number."""
    return Formula(questions.equals(m, m.resolve(state, text), "0"), None)


def _quiet(m: Machine, state: State, plan: Plan, start: int) -> None:
    """Builtins that change nothing that a script can see here."""
    state.status = 0


def _alias(m: Machine, state: State, plan: Plan, start: int) -> None:
    """Without `expand_aliases`, which is reported where it is set, nothing uses them."""
    words = _known(plan)
    if words and all("=" in word for word in words):
        state.status = 0
    else:
        _outside(m, state, plan, start)


def _outside(m: Machine, state: State, plan: Plan, start: int) -> None:
    """Builtins that ask the world outside."""
    from verifier.shell import external

    external.unknown_effects(m, state, plan, plan.argv[0].text.known, start)


# --- running others --------------------------------------------------------------------------


def _without_first(plan: Plan, count: int = 1) -> Plan:
    return plan._replace(argv=plan.argv[count:], declared=plan.declared[count:])


def _command(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    """`command name …` without functions; `command -v name`."""
    words = [w.text.known or "" for w in plan.argv]
    skip = 1
    letters = ""
    while skip < len(words) and re.fullmatch("-[pvV]+", words[skip]):
        letters += words[skip]
        skip += 1
    skip += words[skip : skip + 1] == ["--"]
    if "v" in letters or "V" in letters:
        return _find(m, state, plan, skip, start, shown="V" in letters)
    if skip >= len(words):
        state.status = 0
        return [state]
    rest = _without_first(plan, skip)
    return dispatch(m, start, end, state, rest, functions=False)


def _find(
    m: Machine, state: State, plan: Plan, first: int, start: int, *, shown: bool
) -> list[State]:
    """`command -v name`, with the names from the argument `first` on; `shown`: `-V`."""
    from verifier.shell import describe, external

    name = plan.argv[first].text.known if len(plan.argv) == first + 1 else None
    if name is not None and describe.kind(state, name) is not None:
        if not shown:
            redirect.emit(m, state, 1, lit(name + "\n"))
        else:
            external.unknown_effects(m, state, plan, "command", start)
        state.status = 0
        return [state]
    if name is None or "/" in name or shown:
        external.unknown_effects(m, state, plan, "command", start)
        return [state]
    # Where the program is installed nobody knows, but not that its path ends in its name.
    state.status = m.pending(state, start, f"`command -v {name}`")
    origin = Origin(m.span(state, start), "printed by command -v")
    folder = Hole(f"the folder of {name}", f"folder:{name}", origin)
    path = Text((folder, Lit(f"/{name}\n", origin)))
    found = m.case(m.success(state), path, EMPTY, f"output of `command -v {name}`", origin)
    redirect.emit(m, state, 1, found)
    return [state]


def _builtin(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    if len(plan.argv) < 2:
        state.status = 0
        return [state]
    name = plan.argv[1].text.known
    if name not in BUILTINS:
        state.status = 1
        return [state]
    return run(m, state, name, _without_first(plan), start, end)


def _exec(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    argv = plan.argv
    if len(argv) == 1:
        state.status = 0
        return [state]
    skip = 1
    while skip < len(argv) and (argv[skip].text.known or "").startswith("-"):
        skip += 2 if argv[skip].text.known == "-a" else 1
    rest = _without_first(plan, skip)
    if not rest.argv:
        state.status = 0
        return [state]
    results = dispatch(m, start, end, state, rest, functions=False, builtins=False)
    for result in results:
        if result.flow is None:
            result.flow = Flow("exit")
    return results


_PATHS: dict[str, Callable[[Machine, State, Plan, int, int], list[State]]] = {
    "command": _command,
    "builtin": _builtin,
    "exec": _exec,
    "eval": processes.run_eval,
    "source": processes.run_source,
    ".": processes.run_source,
}

_SIMPLE: dict[str, Builtin] = {
    ":": _true,
    "true": _true,
    "false": _false,
    "test": _test,
    "[": _test,
    "echo": _model,
    "printf": _model,
    "unset": _unset,
    "set": _set,
    "shopt": _late("settings", "shopt"),
    "shift": _shift,
    "let": _let,
    "read": _late("reading", "read"),
    "mapfile": _late("reading", "mapfile"),
    "readarray": _late("reading", "mapfile"),
    "getopts": _getopts,
    "break": _leave("break"),
    "continue": _leave("continue"),
    "return": _leave("return"),
    "exit": _leave("exit"),
    "trap": traps.declare,
    "wait": _late("jobs", "wait"),
    "cd": folders.change,
    "pushd": folders.push,
    "popd": folders.pop,
    "pwd": folders.show,
    "declare": declare.run,
    "typeset": declare.run,
    "local": declare.run,
    "export": declare.run,
    "readonly": declare.run,
    "alias": _alias,
    "unalias": _outside,
    "hash": _late("describe", "hashed"),
    "ulimit": _outside,
    "umask": _outside,
    "kill": _late("jobs", "kill"),
    "jobs": _outside,
    "disown": _quiet,
    "bg": _quiet,
    "fg": _outside,
    "type": _late("describe", "describe_type"),
    "times": _outside,
    "dirs": _outside,
    "caller": _late("describe", "caller"),
    "enable": _outside,
    "help": _outside,
    "history": _outside,
    "logout": _leave("exit"),
    "suspend": _quiet,
    "compgen": _outside,
    "complete": _quiet,
    "bind": _quiet,
}

BUILTINS = frozenset((*_PATHS, *_SIMPLE))

__all__ = ["BUILTINS", "Declared", "commands", "join", "run"]
