"""What `$( … )` gives."""

from __future__ import annotations

from verifier.model.text import EMPTY, Hole, Lit, Origin, Piece, Text, hole
from verifier.shell import expand, nodes, questions, redirect
from verifier.shell.files import PLACES
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import State, Stream
from verifier.shell.subshells import enter_subshell, leave_subshell
from verifier.shell.texts import cut, derived


def run_substitution(m: Machine, state: State, script: nodes.Script, start: int) -> Text:
    """Output of `$( … )` without trailing newlines. Changes status and files of `state`.

    A negative `start` means `<( … )`, whose output is kept as it is.
    """
    m.substitutions += 1
    site = m.site(state, abs(start))
    content = _file_content(m, state, script, site)
    if content is not None and start >= 0:
        return _stripped(m, content)
    m.streams += 1
    number = m.streams
    inner = enter_subshell(state)
    inner.loops = state.loops
    inner.fds = {**inner.fds, 1: number}
    inner.streams = {**inner.streams, number: Stream()}
    if not state.opt("inherit_errexit"):
        inner.options = inner.options - {"errexit"}
    place, running, position = m.place, m.running, m.places[-1]
    m.substituting.append((place, running, script))
    try:
        with m.process():
            ends = m.run_list(script, inner)
    finally:
        m.substituting.pop()
    m.place, m.running, m.places[-1] = place, running, position
    ends = _agreeing(m, ends, number)
    if len(ends) > 1 and m.tries <= m.limits.forks:
        from verifier.shell.machine import Fork

        raise Fork([end.cond for end in ends])
    from verifier.shell.join import join

    if not ends:
        raise ShellError("a command substitution never ends", fatal=True)
    end = ends[0] if len(ends) == 1 else join(m, ends)
    output = end.streams[number].text
    state.status = end.status
    state.files = end.files
    state.streams = {n: s for n, s in end.streams.items() if n != number}
    if output is None:
        output = hole("output of a command", f"output:{site}", Origin(m.span(state, abs(start))))
    return output if start < 0 else _stripped(m, output)


def _agreeing(m: Machine, ends: list[State], number: int) -> list[State]:
    """Ends that differ in nothing that the parent can see are one."""
    from verifier.shell.join import join

    groups: dict[tuple[object, ...], list[State]] = {}
    for end in ends:
        end.flow = None
        files = tuple(sorted(end.files.items(), key=lambda item: item[0]))
        groups.setdefault((end.streams[number], files), []).append(end)
    joined = []
    for group in groups.values():
        plain = [leave_subshell(group[0], end) for end in group]
        joined.append(plain[0] if len(plain) == 1 else join(m, plain))
    return joined


def _file_content(m: Machine, state: State, script: nodes.Script, site: str) -> Text | None:
    """`$(<file)`; None for any other script."""
    if len(script.commands) != 1:
        return None
    only = script.commands[0]
    if not isinstance(only, nodes.Simple) or only.words or only.assignments:
        return None
    if len(only.redirects) != 1 or only.redirects[0].operator != "<":
        return None
    target = only.redirects[0].target
    assert isinstance(target, nodes.Word)
    path = expand.text_of(m, state, target)
    if redirect.is_removed(state, path):
        state.status = 1
        return EMPTY
    content = redirect.read_file(m, state, path)
    state.status = 0
    if content is None:
        shown = questions.shown_text(path)
        state.status = m.pending(state, script.start, f"`< {shown}`")
        return hole(f"content of {shown}", f"output:{site}")
    return content


def _without_newlines(pieces: list[Piece]) -> list[Piece]:
    """The pieces up to the last one that is sure to hold another character than newlines."""
    result = list(pieces)
    while result:
        piece = result[-1]
        if isinstance(piece, Hole):
            if piece.symbol.startswith(questions.NUMBERS):
                break
            result.pop()
            continue
        value = piece.value.rstrip("\n")
        if value:
            result[-1] = piece if len(value) == len(piece.value) else Lit(value, piece.origin)
            break
        result.pop()
    return result


def _stripped_tail(m: Machine, pieces: list[Piece], before: list[Piece], last: Hole) -> Text:
    """Newlines, then something that may be empty: then they go as well."""
    if last.symbol.startswith(questions.NUMBERS):
        return Text(pieces)
    if last.input is not None:
        empty = questions.is_empty(m, Text((last,)))
        without = _stripped(m, Text(pieces[:-1]))
        return m.case(empty, without, Text(pieces), last.reason, last.origin)
    tail = cut(Text(pieces), sum(_length(piece) for piece in before))
    return Text((*before, *derived(last.reason, "stripped", tail).pieces))


def _length(piece: Piece) -> int:
    return len(piece.value) if isinstance(piece, Lit) else 1


def _stripped(m: Machine, text: Text) -> Text:
    """Without trailing newlines (and NUL characters)."""
    pieces = list(text.pieces)
    while pieces and isinstance(pieces[-1], Lit):
        value = pieces[-1].value.rstrip("\n")
        if value:
            pieces[-1] = Lit(value, pieces[-1].origin)
            return Text(pieces)
        pieces.pop()
    if pieces:
        last = pieces[-1]
        assert isinstance(last, Hole)
        case = m.cases.get(last.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            yes, no = (
                _stripped(m, Text((*pieces[:-1], *side[0].text.pieces)))
                for side in (case.yes, case.no)
            )
            return m.case(case.test, yes, no, last.reason, last.origin)
        before = _without_newlines(pieces[:-1])
        if any(isinstance(piece, Lit) for piece in pieces[len(before) : -1]) or (
            before and before[-1] != pieces[len(before) - 1]
        ):
            return _stripped_tail(m, pieces, before, last)
        if not last.symbol.startswith((*questions.NUMBERS, *PLACES)) and last.input is None:
            tail = derived(last.reason, "stripped", Text((last,))).pieces[0]
            assert isinstance(tail, Hole)
            choices = last.choices
            if choices is not None:
                choices = tuple(choice.rstrip("\n") for choice in choices)
            pieces[-1] = tail._replace(origin=last.origin, choices=choices)
        elif last.input is not None:
            pieces[-1] = last
    return Text(pieces) if pieces else EMPTY
