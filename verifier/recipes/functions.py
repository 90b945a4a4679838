"""Which functions two versions of a script define differently, when nothing else differs."""

from __future__ import annotations

import re
from collections.abc import Collection

from verifier.model.record import NamedTuple
from verifier.shell import nodes
from verifier.shell.syntax import parse

_COMMENT = re.compile(r"(?m)^[ \t]*(?:#.*)?\n")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST = 3
"""Letters that a part of a name must have to count when a script puts a name together."""


class _Parts(NamedTuple):
    rest: str
    """The text without its functions."""
    functions: dict[str, str]
    order: tuple[str, ...]


def changed_functions(path: str, old: bytes, new: bytes) -> frozenset[str] | None:
    """Functions whose definitions differ, and those of the text that mention one of them.

    None when anything else differs, too, or when the text itself calls one of them.
    """
    before, after = _parts(path, old), _parts(path, new)
    if before is None or after is None or before.rest != after.rest:
        return None
    names = {*before.functions, *after.functions}
    if before.order != after.order and Mention(names).of(before.rest):
        return None  # what is called between two definitions may find another one
    ours, theirs = before.functions, after.functions
    found = {name for name in names if ours.get(name) != theirs.get(name)}
    more = set(found)
    while more:
        mention = Mention(found)
        texts = {name: ours.get(name, "") + theirs.get(name, "") for name in names - found}
        more = {name for name, text in texts.items() if mention.of(text)}
        found |= more
    return None if found and Mention(found).of(before.rest) else frozenset(found)


class Mention:
    """Finds texts that name a function, or put a name together that it may have."""

    def __init__(self, names: Collection[str]) -> None:
        starts = {n[:end] for n in names for end in range(_SHORTEST, len(n))}
        ends = {n[start:] for n in names for start in range(1, len(n) - _SHORTEST + 1)}
        ways = [rf"(?:{_any(names)})"]
        if starts:
            ways += [rf"(?:{_any(starts)})[\"']?\$", rf"\}}[\"']?(?:{_any(ends)})"]
        self._pattern = re.compile("|".join(ways)) if names else None

    def of(self, text: str) -> bool:
        """Whether the text does."""
        return self._pattern is not None and self._pattern.search(text) is not None


def _any(parts: Collection[str]) -> str:
    return "|".join(map(re.escape, sorted(parts)))


def _parts(path: str, data: bytes) -> _Parts | None:
    """None for what cannot be split."""
    text = data.decode("utf-8", "surrogateescape")
    if "LINENO" in text:  # where a line stands matters
        return None
    script = parse(nodes.Source(path, text))
    rest: list[str] = []
    functions: dict[str, str] = {}
    order: list[str] = []
    at = 0
    for node in script.commands:
        if isinstance(node, nodes.Bad):
            return None
        if isinstance(node, nodes.Function) and _NAME.fullmatch(node.name):
            rest.append(text[at : node.start])
            # Both definitions of a name that has two belong to it.
            functions[node.name] = functions.get(node.name, "") + text[node.start : node.end]
            order.append(node.name)
            at = node.end
    rest.append(text[at:] + "\n")
    bare = {name: _COMMENT.sub("", found) for name, found in functions.items()}
    return _Parts(_COMMENT.sub("", "".join(rest)), bare, tuple(order))
