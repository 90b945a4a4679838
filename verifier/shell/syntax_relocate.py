"""Moves nodes of a piece of text that was parsed apart back to where it stands in its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from verifier.shell.nodes import Function, Node

T = TypeVar("T")


class Ready(NamedTuple):
    """A function body that is parsed already."""

    node: Node

    def __call__(self) -> Node:
        return self.node


def relocate(node: T, places: Sequence[int]) -> T:
    """The same node with every offset `i` replaced by `places[i]`."""
    result: T = _moved(node, places)
    return result


def _moved(node: Any, places: Sequence[int]) -> Any:
    if not isinstance(node, tuple):
        return node
    if not hasattr(node, "_fields"):
        return tuple([_moved(item, places) for item in node])
    if isinstance(node, Function):
        body = node.body
        return Function(
            node.name, lambda: relocate(body(), places), places[node.start], places[node.end]
        )
    *fields, start, end = node
    moved = [_moved(field, places) for field in fields]
    return type(node)(*moved, places[start], places[end])  # type: ignore[call-arg]
