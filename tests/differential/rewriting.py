"""The same script written in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from verifier.shell import nodes
from verifier.shell.syntax import parse


def _parsed(script: str) -> nodes.Script:
    return parse(nodes.Source("main.sh", script))


def _commands(node: object) -> Iterator[nodes.Simple]:
    """All simple commands that are not inside a word."""
    if isinstance(node, nodes.Simple):
        yield node
    for inner in nodes.values(node):
        if not isinstance(inner, nodes.Word | nodes.Assignment | nodes.Redirect):
            yield from _commands(inner)


def _replaced(script: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, text in sorted(changes, reverse=True):
        script = script[:start] + text + script[end:]
    return script


def commented(script: str) -> str:
    """With a line of comment before each command that begins a line, and behind plain ones."""
    lines = [(c.start, c.start, '# it\'s a "comment" $(x\n') for c in _parsed(script).commands]
    return _replaced(script, [one for one in lines if one[0] == 0 or script[one[0] - 1] == "\n"])


def continued(script: str) -> str:
    """With a continued line between all words of simple commands."""
    changes = []
    for command in _commands(_parsed(script)):
        for before, after in zip(command.words, command.words[1:], strict=False):
            if not script[before.end : after.start].strip(" "):
                changes.append((before.end, after.start, " \\\n "))
    return _replaced(script, changes)


def requoted(script: str, quote: Callable[[str], str]) -> str:
    """With other quotes around what stands in single ones."""
    changes = []
    for command in _commands(_parsed(script)):
        words = (*command.words, *(a.value for a in command.assignments))
        for word in words:
            for part in word.parts if isinstance(word, nodes.Word) else ():
                if not isinstance(part, nodes.Literal) or "\n" in part.value:
                    continue
                if script[part.start : part.end] == f"'{part.value}'":
                    changes.append((part.start, part.end, quote(part.value)))
    return _replaced(script, changes)
