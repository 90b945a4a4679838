"""Redirections, and what is known of files and pipes."""

from __future__ import annotations

from collections.abc import Callable

from verifier.model.command import Write
from verifier.model.files import file_key
from verifier.model.text import EMPTY, Hole, Lit, Origin, Text, hole, lit
from verifier.model.tree import Unreadable
from verifier.shell import nodes
from verifier.shell.files import is_sure, place, tree_path
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import State, Stream, Var


class RedirectError(ShellError):
    """A redirection fails: the command does not run, and the script goes on."""


def around(
    m: Machine,
    redirects: tuple[nodes.Redirect, ...],
    state: State,
    body: Callable[[State], list[State]],
) -> list[State]:
    """Run `body` with the redirections in force."""
    if not redirects:
        return body(state)
    before, mark = state.fds, m.streams
    results: list[State] = []
    for s, _ in m.attempt(state, lambda s: apply(m, s, redirects)):
        for result in body(s):
            restore(result, before, mark)
            results.append(result)
    return results


def restore(state: State, fds: dict[int, int | None], mark: int) -> None:
    """End redirections: the descriptors as before, streams opened after `mark` forgotten."""
    if len(state.fds) > len(fds) and any(number >= _FIRST_CHOSEN for number in state.fds):
        # Those that bash chose stay open.
        fds = {**fds, **{n: s for n, s in state.fds.items() if n >= _FIRST_CHOSEN}}
        kept = set(fds.values())
        state.streams = {n: s for n, s in state.streams.items() if n <= mark or n in kept}
        state.fds = fds
        return
    state.fds = fds
    if any(number > mark for number in state.streams):
        state.streams = {n: s for n, s in state.streams.items() if n <= mark}


def apply(m: Machine, state: State, redirects: tuple[nodes.Redirect, ...]) -> tuple[Write, ...]:
    """Put redirections in force. Gives the files that they write."""
    writes: list[Write] = []
    for redirect in redirects:
        writes.extend(_one(m, state, redirect))
    return tuple(writes)


def _one(m: Machine, state: State, redirect: nodes.Redirect) -> list[Write]:
    from verifier.shell import expand

    operator = redirect.operator
    reading = operator.startswith("<") and operator != "<>"
    descriptor = redirect.descriptor
    if isinstance(descriptor, str):
        number = _named(m, state, redirect, descriptor)
    else:
        number = descriptor if descriptor is not None else 0 if reading else 1
    if operator in ("<<", "<<-"):
        document = redirect.target
        assert isinstance(document, nodes.HereDocument)
        _open(m, state, number, Stream(expand.quoted_text(m, state, document.body)))
        return []
    assert isinstance(redirect.target, nodes.Word)
    if operator == "<<<":
        text = expand.text_of(m, state, redirect.target) + lit("\n")
        _open(m, state, number, Stream(text))
        return []
    target = expand.text_of(m, state, redirect.target)
    if operator in (">&", "<&"):
        source = descriptor_of(target)
        if source is not None:
            _duplicate(state, number, source)
            return []
    if operator in ("<", "<&"):
        if is_removed(state, target):
            raise RedirectError(f"{file_key(target, state.cwd)}: No such file or directory")
        _open(m, state, number, Stream(read_file(m, state, target)))
        return []
    if operator == "<>":
        _open(m, state, number, Stream(None))
        return []
    both = operator in ("&>", "&>>", ">&")
    append = operator in (">>", "&>>")
    if operator in (">", "&>", ">&") and state.opt("noclobber"):
        _may_not_exist(m, state, target, redirect)
    stream = _file_stream(m, state, target, append)
    opened = _open(m, state, 1 if both else number, stream)
    if both:
        state.fds = {**state.fds, 2: opened}
    return [] if stream.null else [Write(path=target, append=append)]


def _may_not_exist(m: Machine, state: State, target: Text, redirect: nodes.Redirect) -> None:
    """Under `set -C`. Raises RedirectError for a file that the script has written."""
    key = place(state.files, file_key(target, state.cwd))
    content = state.files.get(key)
    if content is not None and is_sure(content):
        raise RedirectError(f"{key}: cannot overwrite existing file")
    if (key not in state.files or content is not None) and target.known not in _DEVICES:
        m.assume(m.span(state, redirect.start, redirect.end), f"{key} does not exist yet")


_CHOSEN = "number:fd"
"""How the symbol of a descriptor begins that bash chose."""
_FIRST_CHOSEN = 1000


def _named(m: Machine, state: State, redirect: nodes.Redirect, name: str) -> int:
    """The descriptor of `{name}>file`, a new one, and of `{name}>&-`."""
    target = redirect.target
    literal = target.parts[0] if isinstance(target, nodes.Word) and target.parts else None
    if isinstance(literal, nodes.Literal) and literal.value == "-" and redirect.operator[1:] == "&":
        value = state.vars.get(name, Var()).value
        chosen = descriptor_of(value) if isinstance(value, Text) else None
        return int(chosen) if chosen is not None and chosen.isdigit() else _FIRST_CHOSEN
    m.streams += 1
    number = _FIRST_CHOSEN + m.streams
    state.set(name, Var(hole("a descriptor that bash chose", f"{_CHOSEN}{number}")))
    return number


def descriptor_of(target: Text) -> str | None:
    """The descriptor that `>&` names: digits, with a `-` to move it, or `-` to close one."""
    known = target.known
    if known is not None:
        return known if known.rstrip("-").isdigit() or known == "-" else None
    pieces = [p.value if isinstance(p, Lit) else p.symbol for p in target.pieces]
    text = "".join(pieces)
    chosen = text.removeprefix(_CHOSEN)
    return chosen if chosen != text and chosen.rstrip("-").isdigit() else None


def _duplicate(state: State, number: int, target: str) -> None:
    fds = dict(state.fds)
    source = target.rstrip("-")
    if source:
        fds[number] = fds.get(int(source))
    if target.endswith("-"):
        fds.pop(int(source) if source else number, None)
    state.fds = fds


def _open(m: Machine, state: State, number: int, stream: Stream) -> int:
    m.streams += 1
    state.streams = {**state.streams, m.streams: stream}
    state.fds = {**state.fds, number: m.streams}
    return m.streams


_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/full")


def _file_stream(m: Machine, state: State, target: Text, append: bool) -> Stream:
    if target.known in _DEVICES:
        return Stream(EMPTY, null=True)
    key = place(state.files, file_key(target, state.cwd))
    if not append:
        state.set_file(key, EMPTY)
    else:
        content = state.files.get(key)
        if content is not None:
            content = m.resolve(state, content)
            state.set_file(key, content)
        if content is None or not is_sure(content):
            removed = key in state.files and content is None
            earlier = hole(f"earlier content of {key}", f"file:{key}")
            state.set_file(key, EMPTY if removed else earlier)
    return Stream(EMPTY, file=key)


def is_removed(state: State, path: Text) -> bool:
    """Whether the script has removed the file for certain."""
    key = place(state.files, file_key(path, state.cwd))
    return key in state.files and state.files[key] is None


def read_file(m: Machine, state: State, path: Text) -> Text | None:
    """Content of a file that the script wrote or that the tree holds; None when unknown."""
    if path.known == "/dev/null":
        return EMPTY
    key = place(state.files, file_key(path, state.cwd))
    if key in state.files:
        content = state.files[key]
        if content is not None:
            content = m.resolve(state, content)
        return content if content is not None and is_sure(content) else None
    inside = tree_path(path)
    if inside is None and state.cwd is not None and path.known is not None:
        inside = tree_path(state.cwd + lit("/" + path.known)) if path.known[:1] != "/" else None
    if not inside:
        return None
    try:
        data = m.tree.read(inside)
    except Unreadable:
        return None
    if data is None or b"\0" in data:
        return None
    from verifier.model.text import Span

    text = data.decode("utf-8", "surrogateescape")
    return Text((Lit(text, Origin(Span(inside, 1), f"content of {inside}")),))


def complain(m: Machine, state: State) -> None:
    """Write a message of the shell to standard error, for whoever reads that."""
    place = m.place[1] if m.place is not None else 0
    emit(m, state, 2, hole("a message of the shell", f"output:message:{m.site(state, place)}"))


def emit(m: Machine, state: State, descriptor: int, text: Text) -> None:
    """Write text to a descriptor."""
    number = state.fds.get(descriptor)
    if number is None or not text.pieces:
        return
    stream = state.streams.get(number)
    if stream is None or stream.null:
        return
    if stream.file is not None:
        before = state.files.get(stream.file)
        content = text if before is None else before + text
        state.set_file(stream.file, _bounded(m, content))
        return
    if stream.text is None:
        return
    state.streams = {
        **state.streams,
        number: stream._replace(text=_bounded(m, stream.text + text)),
    }


def _bounded(m: Machine, text: Text) -> Text:
    if len(text.pieces) > 400:
        from verifier.shell.variables import compact

        text = compact(text)
    if text.known is not None and len(text.known) > m.limits.characters:
        raise ShellError("output too long")
    return text


def forget_output(m: Machine, state: State, symbol: str) -> None:
    """Standard output holds something nobody knows, at a place nobody knows."""
    number = state.fds.get(1)
    if number is None or state.streams[number].null:
        return
    file = state.streams[number].file
    if file is not None:
        state.set_file(file, hole(f"what a trap writes into {file}", symbol))
    state.streams = {**state.streams, number: Stream(None)}


def is_captured(state: State, descriptor: int = 1) -> bool:
    """Whether anybody can see what is written there."""
    number = state.fds.get(descriptor)
    return number is not None and not state.streams[number].null


def stdin(state: State, descriptor: int = 0) -> Text | None:
    """What is left to read on standard input; None when unknown."""
    number = state.fds.get(descriptor)
    return None if number is None else state.streams[number].text


def set_stdin(state: State, text: Text | None, descriptor: int = 0) -> None:
    """What is left after a command has read."""
    number = state.fds.get(descriptor)
    if number is not None:
        stream = state.streams[number]
        state.streams = {**state.streams, number: stream._replace(text=text)}


__all__ = ["Hole", "apply", "around", "emit", "read_file"]
