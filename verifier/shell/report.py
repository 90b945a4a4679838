"""Reports a command to the recorder, with what it gets to see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from verifier.model.command import program_name
from verifier.model.text import Lit, Span, Text, Word
from verifier.shell import redirect
from verifier.shell.files import linked, place
from verifier.shell.machine import LimitReached, Machine
from verifier.shell.record import Entry, Kind, Known, texts_key, words_key
from verifier.shell.state import State, exported, is_own_input
from verifier.shell.ways import ways

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

PLAIN = frozenset(
    """: [ break cd continue declare echo exit export false local let mapfile pwd printf read
    readonly return set shift shopt test true typeset unset wait kill
    amd-smi apt apt-get awk basename cat chmod cp curl cut date df diff dirname dpkg du find git
    grep head hf hostname huggingface-cli jq ln ls lsof mkdir mktemp mv nproc nvidia-smi patch
    paste pgrep pip pip3 pkill ps realpath readlink rm rocm-smi rsync sed seq sleep sort ss stat
    tail tar tee touch tr uniq uv wc wget which yum""".split()
)
"""Builtins and programs that start no server: which environment they get is of little interest."""


def report(m: Machine, state: State, plan: Plan, start: int, end: int, kind: Kind) -> None:
    """Report the command if anybody wants it."""
    watch = m.options.watch
    first = plan.argv[0]
    if watch is None:
        if kind == "builtin":
            return
    else:
        known = program_name(first)
        if known is None or not watch(known):
            return
    outer = state.cond
    apart = _told_apart(m, plan, kind)
    for condition in _ways(m, state, plan, kind) if apart and m.cases else [outer]:
        state.cond = condition
        bare = not apart and (kind == "function" or program_name(first) in PLAIN)
        m.recorder.add(_entry(m, state, plan, m.span(state, start, end), kind, start, bare))
    state.cond = outer
    if len(m.recorder) > m.limits.commands:
        raise LimitReached("commands")


def _ways(m: Machine, state: State, plan: Plan, kind: Kind) -> list[int]:
    """The conditions to report a command under: a program that may be a server by each."""
    if kind != "external":
        return ways(m, state.cond, plan.argv, {})
    named = " ".join(p.value for w in plan.argv for p in w.text.pieces if isinstance(p, Lit))
    read = [
        Word(content)
        for key, content in state.files.items()
        if content is not None and key[-1:] != "/" and key.rpartition("/")[2] in named
    ]
    stdin = redirect.stdin(state)
    if stdin is not None:
        read.append(Word(stdin))
    # A word that stays open has alternatives to read; a file has not.
    return ways(m, state.cond, [*read, *plan.argv], _exported(m, state))


def _told_apart(m: Machine, plan: Plan, kind: Kind) -> bool:
    if m.options.watch is not None:
        # Only what somebody asks for is reported at all.
        return True
    if kind == "builtin":
        return False
    words = [program_name(plan.argv[0])]
    words += [None if word.splits else word.text.known for word in plan.argv[1:]]
    exact = m.options.exact
    return words[0] not in PLAIN if exact is None else exact(words)


def _entry(
    m: Machine, state: State, plan: Plan, span: Span, kind: Kind, start: int, bare: bool
) -> Entry:
    """`bare`: what the command sees is of no interest, as of most in a script."""
    argv = tuple(
        w if w.splits else Word(m.resolve(state, w.text))
        for word in plan.argv
        for w in m.resolve_word(state, word)
    )
    env: Mapping[str, Text]
    files: Mapping[str, Text]
    if bare:
        env, files, seen = {}, {}, None
    else:
        env, shown = _environment(m, state)
        files = {name: m.resolve(state, text) for name, text in _files(state).items()}
        seen = (shown, texts_key(files))
    stdin = redirect.stdin(state)
    if stdin is not None:
        stdin = m.resolve(state, stdin)
    calls = tuple(f.call for f in state.frames if f.call is not None)
    key = (
        m.site(state, start),
        span,
        kind,
        words_key(argv),
        seen,
        None if stdin is None else stdin.key,
        tuple((w.path.key, w.append) for w in plan.writes),
        state.background,
        None if state.cwd is None else state.cwd.key,
    )
    assumed, context = m.logic.known_here
    return Entry(
        key,
        argv,
        span,
        kind,
        (Known(context, state.cond, assumed),),
        m.order(state),
        env,
        files,
        stdin,
        plan.writes,
        state.background,
        state.cwd,
        calls,
    )


def _files(state: State) -> Mapping[str, Text]:
    files: dict[str, Text] = {}
    for name, text in state.files.items():
        if text is None or name.endswith("/"):
            continue
        if linked(text) is not None:
            content = state.files.get(place(state.files, name))
            text = text if content is None else content
        files[name] = text
    return files


def _exported(m: Machine, state: State) -> Mapping[str, Text]:
    """Worked out once for all commands that run before a variable changes."""
    known = m.exported
    if known is None or known[0] is not state.vars:
        known = m.exported = (state.vars, exported(state))
    return known[1]


def _environment(m: Machine, state: State) -> tuple[Mapping[str, Text], tuple[object, ...]]:
    """What the script exported, without what is not set on this path, and a key for it."""
    exported_here = _exported(m, state)
    key = (state.cond, m.logic.known_here)
    known = m.environment
    if known is not None and known[0] is exported_here and known[1] == key:
        return known[2], known[3]
    env: dict[str, Text] = {}
    for name, text in exported_here.items():
        if text.known is None:
            words = m.resolve_word(state, Word(text, True))
            if len(words) != 1:
                continue
            text = m.resolve(state, words[0].text)
            if is_own_input(name, text):
                continue
        env[name] = text
    m.environment = (exported_here, key, env, texts_key(env))
    return env, m.environment[3]
