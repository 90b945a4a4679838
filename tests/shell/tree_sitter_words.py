"""A second opinion on the words of simple commands, from tree-sitter-bash.

tree-sitter-bash misreads several shapes without an ERROR node, which is why it does not make the
nodes; where both agree on how many words every command has, a slip in either would have to be
made twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from verifier.shell.nodes import Function, Simple, Source, Word, values
from verifier.shell.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node as Tree


class Disagreement(NamedTuple):
    """A simple command of which the two parsers see different numbers of words (0: no command)."""

    offset: int
    text: str
    ours: int
    theirs: int


_MISREAD = re.compile(
    r"\$\w+[^\s$\"']*[/,:=]\$|\{\w+\}[<>]|\\[ \t]|\[\]=|[?*+@!]\("
    r"|\$\"|\{[^\s}]*[,.]|^<|<<|\$\[|\(\("
)
"""Shapes known to come out wrong: `$A/$B/x`, `{fd}>`, backslash-blank, `item[]=`, extended
patterns, `$"…"`, brace expansions, redirections in front, here-documents, `$[ ]`, `(( ))`."""

_OTHER = frozenset(("declare", "local", "export", "readonly", "typeset", "unset", "unsetenv", "["))
"""Commands that are nodes of other kinds there."""

_SKIPPED = frozenset(
    ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect", "comment")
)


def cross_check(source: Source) -> list[Disagreement]:
    """Commands whose word counts differ; empty when tree-sitter found an error in the text."""
    theirs = _their_counts(source.text)
    if theirs is None:
        return []
    found = []
    for command in _simple(parse(source)):
        first = command.words[0] if command.words else None
        text = source.text[command.start : command.end]
        if not isinstance(first, Word) or _MISREAD.search(text):
            continue
        name = source.text[first.start : first.end]
        count = theirs.get(first.start, 0)
        if name not in _OTHER and count != len(command.words):
            found.append(Disagreement(first.start, text, len(command.words), count))
    return found


def _simple(node: object) -> Iterator[Simple]:
    if isinstance(node, Simple):
        yield node
    if isinstance(node, Function):
        yield from _simple(node.body())
        return
    for item in values(node):
        yield from _simple(item)


def _their_counts(text: str) -> dict[int, int] | None:
    """Number of words by the character offset of the command's name."""
    from tree_sitter import Language, Parser
    from tree_sitter_bash import language

    data = text.encode("utf-8", "surrogateescape")
    root = Parser(Language(language())).parse(data).root_node
    if root.has_error:
        return None
    places = _characters(data)
    counts: dict[int, int] = {}
    waiting: list[Tree] = [root]
    while waiting:
        tree = waiting.pop()
        waiting += tree.children
        if tree.type == "command":
            words = [child for child in tree.named_children if child.type not in _SKIPPED]
            if words:
                counts[places[words[0].start_byte]] = len(words)
    return counts


def _characters(data: bytes) -> list[int]:
    """Character offset of every byte."""
    places = []
    count = -1
    for byte in data:
        count += byte & 0xC0 != 0x80
        places.append(count)
    return [*places, count + 1]
