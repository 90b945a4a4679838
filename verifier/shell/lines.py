"""`$LINENO` and the lines of calls, as bash 5.2 counts them (parse.y, execute_cmd.c).

Bash notes the line of a simple command once it has read enough to know that it is one: behind the
second word, or behind the first where that is an assignment or a redirection.
"""

from __future__ import annotations

from verifier.shell import nodes
from verifier.shell.machine import Machine
from verifier.shell.state import State

ASTRAY = " LINENO"
"""Set once an error has left a command of several lines: bash goes on counting from the line of
the error."""


def current(m: Machine, state: State) -> int | None:
    """The line of the command that is being expanded; None where that is not known."""
    if ASTRAY in state.vars:
        return None
    place, node = m.place, m.running
    for outer_place, outer, script in reversed(m.substituting):
        if place is None or outer_place is None or place[0] is not outer_place[0]:
            break
        if not script.start <= place[1] <= script.end:
            break
        if _has_lines(place[0].text, script) or not all(map(_is_plain, script.commands)):
            # Bash writes such a substitution anew before it runs it, in other lines.
            return None
        place, node = outer_place, outer
    if place is None or node is None or node.start != place[1]:
        return None
    return of(place[0], node)


def _has_lines(text: str, script: nodes.Script) -> bool:
    """Whether a substitution is more than one line, between backquotes leading ones included."""
    start = script.start
    while start and text[start - 1] in " \t\n":
        start -= 1
    quoted = text[start - 1 : start] == "`"
    return "\n" in text[start if quoted else script.start : script.end]


def _is_plain(node: nodes.Node) -> bool:
    """Whether bash writes the command on one line."""
    if isinstance(node, nodes.Pipeline | nodes.AndOr):
        return all(map(_is_plain, node.commands))
    return isinstance(node, nodes.Simple)


def of(source: nodes.Source, node: nodes.Node) -> int | None:
    """The line of a command."""
    if source.skew is None:
        return None
    if isinstance(node, nodes.Simple):
        place = _told(node)
    elif isinstance(node, nodes.Conditional | nodes.Arithmetic) and not node.redirects:
        place = node.end - 1
    elif isinstance(node, nodes.For | nodes.ForArithmetic | nodes.Case) and not node.redirects:
        place = node.start
    else:
        return None
    return source.span(place).line + source.skew


def _told(node: nodes.Simple) -> int:
    """Where bash has read far enough to tell what the command is."""
    parts: list[nodes.Assignment | nodes.Word | nodes.Redirect] = [
        *node.assignments,
        *node.words,
        *node.redirects,
    ]
    if len(parts) > 1:
        parts.sort(key=lambda part: part.start)
        if isinstance(parts[0], nodes.Word):
            second = parts[1]
            return second.start if isinstance(second, nodes.Redirect) else _last(second)
    return _last(parts[0]) if parts else node.start


def _last(part: nodes.Assignment | nodes.Word | nodes.Redirect) -> int:
    return max(part.end - 1, part.start)
