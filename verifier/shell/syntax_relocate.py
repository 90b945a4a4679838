"""Moves nodes of a piece of text that was parsed apart back to where it stands in its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from verifier.model.record import dataclass
from verifier.shell.nodes import Function, Node, values

T = TypeVar("T")


@dataclass(slots=True)
class Ready:
    """A function body that is parsed already."""

    node: Node

    def __call__(self) -> Node:
        return self.node


def relocate(node: T, places: Sequence[int]) -> T:
    """The same node with every offset `i` replaced by `places[i]`."""
    result: T = _moved(node, places)
    return result


def _moved(node: Any, places: Sequence[int]) -> Any:
    if isinstance(node, tuple):
        return tuple([_moved(item, places) for item in node])
    if isinstance(node, Function):
        body = node.body
        return Function(
            node.name, lambda: relocate(body(), places), places[node.start], places[node.end]
        )
    fields = values(node)
    if not fields:
        return node
    moved = [_moved(value, places) for value in fields[:-2]]
    return type(node)(*moved, places[node.start], places[node.end])
