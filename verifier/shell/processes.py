"""Texts that run inside others: sourced files, `eval`, `bash -c`, helper scripts, wrappers."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.model.files import file_key
from verifier.model.text import Hole, Lit, Origin, Text, Word, hole, lit
from verifier.model.tree import Unreadable
from verifier.shell import lines, nodes, redirect, variables
from verifier.shell.files import is_placed, normal_tree_path, place, tree_path
from verifier.shell.machine import Machine, literal_name
from verifier.shell.state import Array, Body, Flow, Frame, State, Table, Value, Var
from verifier.shell.syntax import parse
from verifier.shell.texts import join

if TYPE_CHECKING:
    from verifier.shell.commands.wrappers import Inner
    from verifier.shell.simple import Plan


@lru_cache(maxsize=32)
def parsed(path: str, data: bytes) -> tuple[nodes.Source, nodes.Script]:
    """A file's commands; parsed once per content."""
    text = data.decode("utf-8", "surrogateescape")
    source = nodes.Source(path, text)
    return source, parse(source)


# --- eval and strings ------------------------------------------------------------------------

OPEN, CLOSE = "\ue000", "\ue001"
_PLACEHOLDER = re.compile(f"{OPEN}(\\d+){CLOSE}")


def as_script(m: Machine, text: Text) -> str:
    """The text with a placeholder for each hole."""
    parts: list[str] = []
    for piece in text.pieces:
        if isinstance(piece, Lit):
            parts.append(piece.value)
            continue
        key = str(len(m.holes))
        m.holes[key] = piece
        parts.append(f"{OPEN}{key}{CLOSE}")
    return "".join(parts)


def filled(m: Machine, value: str) -> list[Lit | Hole]:
    """A literal of an evaluated text, its placeholders made holes again."""
    pieces: list[Lit | Hole] = []
    position = 0
    for match in _PLACEHOLDER.finditer(value):
        pieces.append(Lit(value[position : match.start()]))
        pieces.append(m.holes[match.group(1)])
        position = match.end()
    pieces.append(Lit(value[position:]))
    return pieces


def says_something(text: Text) -> bool:
    """Whether any part of the text is known."""
    return text.known is not None or any(
        isinstance(p, Lit) and p.value.strip() for p in text.pieces
    )


def run_string(m: Machine, state: State, text: Text, start: int, name: str) -> list[State]:
    """Run a text in the shell that is running."""
    span = m.span(state, start)
    text = m.resolve(state, text)
    if text.known is None and not says_something(text):
        _forget_variables(m, state, start, f"{name} of an unknown text")
        return _unknown_text(m, state, start, name, f"{name} of a text that is not known")
    if text.known is None:
        m.assume(span, f"unknown parts of the text given to {name} are plain words")
    if sum(frame.kind == "eval" for frame in state.frames) >= m.limits.call_depth:
        what = f"{name} inside {name} too deep (limit: call_depth)"
        _forget_variables(m, state, start, f"{name} of an unknown text")
        return _unknown_text(m, state, start, name, what)
    outer = state.frames[-1]
    source = nodes.Source(span.path, as_script(m, text), span.line - 1, span.column - 1)
    line = lines.current(m, state) if name == "eval" else None
    source.skew = None if line is None else line - span.line
    script = parse(source, extglob=state.opt("extglob"))
    # A trap runs at one command after the other.
    site = m.site(state, start if name != "trap" else -m.end - 1)
    frame = Frame("eval", source, outer.name, outer.path, site, order=m.order(state))
    return _run_here(m, state, frame, script)


def _run_here(m: Machine, state: State, frame: Frame, script: nodes.Script) -> list[State]:
    """Run a text in this shell, inside one more frame."""
    frames = state.frames
    state.frames = (*frames, frame)
    m.places.append((frame.source, 0))
    rounds, m.rounds = m.rounds, ()
    if not script.commands:
        state.status = 0
    # Where a failure is expected, the text runs without `set -e`.
    suspended = state.conditional and state.opt("errexit")
    if suspended:
        state.set_opt("errexit", False)
    try:
        results = m.run_unit(script, state)
    finally:
        m.places.pop()
        m.rounds = rounds
    for result in results:
        result.frames = frames
        if result.flow is not None and result.flow.kind == "end":
            result.flow = None
        if suspended:
            result.set_opt("errexit", True)
    return results


def _unknown_text(m: Machine, state: State, start: int, shown: str, what: str) -> list[State]:
    """A shell runs a text that is not read; `what` says why."""
    from verifier.shell.external import unknown_output

    m.unresolved(m.span(state, start), what)
    state.status = m.pending(state, start, f"`{shown}`")
    unknown_output(m, state, f"`{shown}`", start)
    return [state]


def not_followed(m: Machine, state: State, name: str, body: Body, start: int) -> None:
    """A function is called, and nothing is known of what it does: the variables that it and those
    it calls speak of may change."""
    from verifier.shell.external import unknown_output

    mentioned = m.calls(state.functions).mentioned(body.source, body.node.start, body.node.end)
    _forget_variables(m, state, start, f"the call of {name}", mentioned)
    state.status = m.pending(state, start, name)
    unknown_output(m, state, name, start)


def _forget_variables(
    m: Machine, state: State, start: int, what: str, names: Collection[str] | None = None
) -> None:
    """What is not read runs in this shell: it may set any variable, or these."""
    site = m.site(state, start)
    origin = Origin(m.span(state, start))
    reason = f"{what} may change it"

    def unknown(name: str) -> Text:
        return Text((Hole(f"{name}: {reason}", f"changed:{site}:{name}", origin),))

    for name, var in list(state.vars.items()):
        if var.readonly or (names is not None and name not in names):
            continue
        value: Value = unknown(name)
        if isinstance(var.value, Array):
            value = Array((Word(unknown(name), True),))
        elif isinstance(var.value, Table):
            value = Table((), reason)
        state.set(name, var._replace(value=value, inherited=False))
    if names is None:
        state.args = (Word(unknown("the arguments"), True),)


def run_eval(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    """`eval`."""
    words = [w for word in plan.argv[1:] for w in m.resolve_word(state, word)]
    if words and words[0].text.known == "--":
        words = words[1:]
    if any(word.splits for word in words):
        m.assume(
            m.span(state, start), "unquoted unknown parts given to eval are single plain words"
        )
    return run_string(m, state, join([w.text for w in words], lit(" ")), start, "eval")


# --- source ----------------------------------------------------------------------------------


def run_source(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    """`source file arguments…`."""
    from verifier.shell.external import unknown_output

    span = m.span(state, start)
    if len(plan.argv) < 2:
        state.status = 2
        return [state]
    word = plan.argv[1]
    path = m.resolve(state, word.text)
    unread = len(m.notes)
    found = _sourced(m, state, path, span)
    if found is None:
        if len(m.notes) > unread:
            _forget_variables(m, state, start, "source of an unknown text")
        unknown_output(m, state, "`source`", start)
        state.status = 0
        return [state]
    source, script = found
    if sum(frame.kind == "source" for frame in state.frames) >= m.limits.call_depth:
        what = f"{source.path} is sourced too deep (limit: call_depth)"
        return _unknown_text(m, state, start, "source", what)
    frame = Frame(
        "source",
        source,
        "source",
        path,
        m.site(state, start),
        span,
        order=m.order(state),
        line=lines.current(m, state),
    )
    args = state.args
    replaced = len(plan.argv) > 2
    if replaced:
        state.args = tuple(plan.argv[2:])
    ends = bool(state.subshell) and _may_not_come_back(m, state, source, script)
    if ends:
        m.unresolved(span, f"bash may end the subshell with the last command of {source.path}")
    results = _run_here(m, state, frame, script)
    for result in results:
        if replaced:
            result.args = args
        if result.flow is not None and result.flow.kind == "return":
            result.flow = None
        elif ends and result.flow is None:
            result.flow = Flow("exit")
    return results


def _may_not_come_back(
    m: Machine, state: State, source: nodes.Source, script: nodes.Script
) -> bool:
    """Between parentheses bash 5.2 takes a program at the end of a file's last line for the last
    of the subshell, and becomes that program, when the line is a list."""
    from verifier.shell.builtins import BUILTINS

    last = script.commands[-1] if script.commands else None
    if m.substituting or last is None:
        return False
    if isinstance(last, nodes.AndOr):
        last = last.commands[-1]
    elif len(script.commands) < 2 or "\n" in source.text[script.commands[-2].end : last.start]:
        return False
    name = literal_name(last)
    return name is not None and name not in state.functions and name not in BUILTINS


_STDIN = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def _sourced(
    m: Machine, state: State, path: Text, span: object
) -> tuple[nodes.Source, nodes.Script] | None:
    from verifier.model.text import Span
    from verifier.shell.questions import shown_text

    assert isinstance(span, Span)
    key = place(state.files, file_key(path, state.cwd))
    content = redirect.stdin(state) if path.known in _STDIN else state.files.get(key)
    if content is None and path.known in _STDIN:
        m.unresolved(span, "what is sourced from standard input is not known")
        return None
    if content is not None:
        if not says_something(content):
            m.unresolved(span, f"what {key} holds when it is sourced is not known")
            return None
        source = nodes.Source(key, as_script(m, content))
        if content.known is None:
            m.assume(span, f"unknown parts of {key} are plain words")
        return source, parse(source)
    inside = tree_file(m, state, path, span)
    shown = inside or shown_text(path)
    data = _read(m, inside) if inside is not None else None
    if data is None or inside is None:
        if path.known is None and inside is None and not is_placed(path):
            m.unresolved(span, f"which file is sourced here is not known: {shown}")
        m.assume(span, f"{shown} is not in {m.tree.name}; it is taken to define functions only")
        return None
    return parsed(inside, data)


def _read(m: Machine, path: str) -> bytes | None:
    """The file's bytes, or None. One that is there and cannot be read may do anything."""
    from verifier.model.text import Span

    try:
        return m.tree.read(path)
    except Unreadable as error:
        m.unresolved(Span(path, 1), f"a script runs it, and it cannot be read: {error}")
        return None


def tree_file(m: Machine, state: State, path: Text, span: object) -> str | None:
    """The file of the tree that a path names, guessing where the tree is mounted if need be."""
    inside = tree_path(path)
    if inside is not None:
        return inside
    known = path.known
    if known is not None and not known.startswith("/"):
        base = None if state.cwd is None else tree_path(state.cwd)
        started = base is None
        if started:
            # A folder below the one that the script is started in.
            key = "" if state.cwd is None else file_key(state.cwd)
            base = None if key.startswith(("/", "<", "$", "..")) else key
        if base is not None:
            inside = normal_tree_path(f"{base}/{known}" if base else known)
            if inside is not None and _exists(m, inside):
                if started:
                    _assume_mount(m, span, "the script is started in the top folder of the tree")
                return inside
        return None
    tail = known if known is not None else _tail(path)
    if tail is None:
        return None
    parts = [part for part in tail.split("/") if part]
    for index in range(len(parts) - 1):
        inside = normal_tree_path("/".join(parts[index:]))
        if inside is not None and _exists(m, inside):
            from verifier.shell.questions import shown_text

            _assume_mount(m, span, f"{shown_text(path)} is {inside} of the tree")
            return inside
    return None


def _assume_mount(m: Machine, span: object, text: str) -> None:
    from verifier.model.text import Span

    assert isinstance(span, Span)
    m.assume(span, text)


def _tail(path: Text) -> str | None:
    """What follows the only hole, which stands first."""
    if not path.pieces or not isinstance(path.pieces[0], Hole):
        return None
    rest = Text(path.pieces[1:]).known
    return rest if rest is not None and rest.startswith("/") else None


def _exists(m: Machine, path: str) -> bool:
    return _read(m, path) is not None


# --- other processes -------------------------------------------------------------------------


def helper_script(m: Machine, state: State, name: Text) -> str | None:
    """The shell script of the tree that a command's name stands for."""
    known = name.known
    if known is not None and "/" not in known:
        return None
    span = m.span(state, m.place[1]) if m.place else None
    inside = tree_file(m, state, name, span) if span is not None else None
    if inside is None:
        return None
    data = _read(m, inside)
    if data is None:
        return None
    first = data.split(b"\n", 1)[0]
    if first.startswith(b"#!"):
        return inside if re.search(rb"\b(ba|da|)sh\b", first) else None
    return inside if inside.endswith(".sh") else None


def run_script(
    m: Machine,
    state: State,
    path: str,
    name: Text,
    args: tuple[Word, ...],
    start: int,
    options: tuple[str, ...],
) -> list[State]:
    """Run a script of the tree as a process of its own."""
    data = _read(m, path)
    if data is None:
        state.status = m.pending(state, start, f"`{path}`")
        return [state]
    source, script = parsed(path, data)
    return process(m, state, source, script, name, args, start, options)


def process(
    m: Machine,
    state: State,
    source: nodes.Source,
    script: nodes.Script,
    name: Text,
    args: tuple[Word, ...],
    start: int,
    options: tuple[str, ...],
    inner: Inner | None = None,
    *,
    string: bool = False,
) -> list[State]:
    from verifier.shell.subshells import leave_subshell

    span = m.span(state, start)
    if len(state.frames) >= 2 * m.limits.call_depth:
        m.unresolved(span, "scripts start each other too deep (limit: call_depth)")
        state.status = m.pending(state, start, "a script")
        return [state]
    child = state.copy()
    child.frames = (
        *state.frames,
        Frame(
            "script",
            source,
            "main",
            name,
            m.site(state, start),
            span,
            string,
            order=m.order(state),
        ),
    )
    child.args = args
    child.vars = inherited(m, state)
    child.functions = {}
    if (inner is None or not inner.clean) and any(b.exported for b in state.functions.values()):
        child.functions = {
            name: body._replace(imported=True)
            for name, body in state.functions.items()
            if body.exported
        }
    child.locals = ()
    child.traps = {}
    child.conditional = False
    child.options = State().options | frozenset(options)
    child.subshell = 0
    child.loops = 0
    child.status = 0
    if "PIPESTATUS" in source.text:
        child.set("PIPESTATUS", Var(Array()))
    if inner is not None:
        _environment(m, child, inner)
    places, m.places = m.places, [*m.places, (source, 0)]
    rounds, m.rounds = m.rounds, ()
    try:
        with m.process():
            ends = m.run_unit(script, child)
    finally:
        m.places = places
        m.rounds = rounds
    return [leave_subshell(state, end) for end in ends]


def inherited(m: Machine, state: State) -> dict[str, Var]:
    """The variables of a new process: what is exported."""
    result: dict[str, Var] = {}
    for name, var in state.vars.items():
        if var.exported and isinstance(var.value, Text):
            result[name] = Var(var.value, exported=True, inherited=var.inherited)
        elif m.options.closed:
            continue
        elif var.value is None and not var.exported:
            result[name] = Var()
        elif isinstance(var.value, Text) and name not in ("!", "IFS"):
            # Set but not exported: the process sees it only if it came with the environment.
            reason = f"{name} is set here but not exported"
            result[name] = Var(hole(reason, f"unexported:{name}:{m.steps}"))
    return result


def _environment(m: Machine, child: State, inner: Inner) -> None:
    from verifier.model.text import NOWHERE

    if inner.clean:
        child.vars = {}
    for name in inner.removed:
        child.set(name, Var())
    for name, value in inner.assignments:
        variables.assign(m, child, name, value, NOWHERE)
        child.set(name, child.vars[name]._replace(exported=True))


def run_inner(
    m: Machine, state: State, plan: Plan, inner: Inner, start: int, end: int
) -> list[State]:
    """Run the command inside a wrapper."""
    from verifier.shell import written

    span = m.span(state, start)
    wrapper = plan.argv[0].text.known or ""
    if inner.uncertain is not None:
        m.assume(span, f"{wrapper}: {inner.uncertain}")
    if inner.script is not None:
        return _shell_string(m, state, inner, start)
    if inner.stdin_script:
        text = redirect.stdin(state)
        if text is None or (text.known is None and not says_something(text)):
            # Like any other program from outside the tree: `curl … | sh` installs a tool.
            what = (
                f"{wrapper} runs what it reads, which is not known; it is taken to start no server"
            )
            m.assume(span, what)
            state.status = m.pending(state, start, f"`{wrapper}`")
            redirect.set_stdin(state, None)
            _output(m, state, plan, start)
            return [state]
        redirect.set_stdin(state, None)
        return _shell_string(m, state, inner._replace(script=text), start)
    if inner.script_file is not None:
        args = tuple(inner.words[1:]) if inner.words else ()
        ran = written.run(m, state, inner.script_file, args, start, inner)
        if ran is not None:
            return ran
        inside = tree_file(m, state, inner.script_file, span)
        if inside is not None and _read(m, inside) is not None:
            return _file(m, state, inside, inner, start)
        state.status = m.pending(state, start, f"`{wrapper}`")
        _output(m, state, plan, start)
        return [state]
    if not inner.words or len(inner.words) >= len(plan.argv):
        from verifier.shell.external import unknown_effects

        unknown_effects(m, state, plan, wrapper, start)
        return [state]
    return _wrapped(m, state, plan, inner, start, end)


def _wrapped(
    m: Machine, state: State, plan: Plan, inner: Inner, start: int, end: int
) -> list[State]:
    from verifier.shell.simple import dispatch

    before = state.vars
    if inner.clean:
        state.vars = {n: v._replace(exported=False) for n, v in state.vars.items()}
    for name in inner.removed:
        state.set(name, Var())
    span = m.span(state, start)
    for name, value in inner.assignments:
        variables.assign(m, state, name, value, span, how=f"set for {plan.argv[0].text.known}")
        state.set(name, state.vars[name]._replace(exported=True))
    if inner.stdin_words:
        lines = _lines_from_stdin(m, state, inner, start)
    else:
        lines = [list(inner.words)]
    states = [state]
    for words in lines:
        nested = plan._replace(argv=words, declared=[])
        states = [
            after
            for current in states
            for after in dispatch(m, start, end, current, nested, functions=False, builtins=False)
        ]
    for result in states:
        result.vars = before
        if len(lines) > 1:
            result.status = m.pending(result, start, "xargs")
    return states


def _lines_from_stdin(m: Machine, state: State, inner: Inner, start: int) -> list[list[Word]]:
    """The command lines that xargs makes of its input."""
    from verifier.shell.commands.batches import batches

    text, how = redirect.stdin(state), inner.batching
    site = m.site(state, start)
    groups = None
    if text is not None and text.known is not None and inner.uncertain is None:
        groups = batches(text.known, how)
    if groups is None:
        if inner.uncertain or how.replace or how.words or how.lines or not how.empty:
            what = "xargs runs its command for unknown input as often as needed"
            _unknown_text(m, state, start, "xargs", what)
            return []
        unknown = Word(hole("arguments from standard input", f"stdin:{site}"), True)
        return [[*inner.words, unknown]]
    redirect.set_stdin(state, lit(""))
    state.status = 0
    if how.replace is None:
        return [[*inner.words, *(Word(lit(word)) for word in group)] for group in groups]
    return [[_replaced(word, how.replace, group[0]) for word in inner.words] for group in groups]


def _replaced(word: Word, mark: str, value: str) -> Word:
    pieces = (
        p._replace(value=p.value.replace(mark, value)) if isinstance(p, Lit) else p
        for p in word.text.pieces
    )
    return Word(Text(pieces), word.splits)


def _shell_string(m: Machine, state: State, inner: Inner, start: int) -> list[State]:
    assert inner.script is not None
    span = m.span(state, start)
    text = m.resolve(state, inner.script)
    if text.known is None and not says_something(text):
        return _unknown_text(m, state, start, "bash -c", "a shell runs a text that is not known")
    if text.known is None:
        m.assume(span, "unknown parts of the text given to a shell are plain words")
    source = nodes.Source(span.path, as_script(m, text), span.line - 1, span.column - 1)
    source.skew = 1 - span.line
    words = inner.words
    name = words[0].text if words else lit("bash")
    script = parse(source)
    args, options = tuple(words[1:]), inner.shell_options
    string = not inner.stdin_script
    return process(m, state, source, script, name, args, start, options, inner, string=string)


def _file(m: Machine, state: State, path: str, inner: Inner, start: int) -> list[State]:
    data = _read(m, path)
    assert data is not None and inner.script_file is not None
    source, script = parsed(path, data)
    args = inner.words[1:] if inner.words else ()
    name = inner.script_file
    return process(m, state, source, script, name, tuple(args), start, inner.shell_options, inner)


def _output(m: Machine, state: State, plan: Plan, start: int) -> None:
    from verifier.shell.external import unknown_effects

    unknown_effects(m, state, plan, plan.argv[0].text.known, start)
