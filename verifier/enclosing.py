"""Which branches and loops of its script a line stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from verifier.model.record import NamedTuple
from verifier.model.text import Span


class Arm(NamedTuple):
    """One branch, or the body of a loop."""

    kind: str
    """"if", "else", "case" or "loop"."""
    head: Span
    """Where its condition stands, or for "else" the `if`."""
    start: tuple[int, int]
    end: tuple[int, int]
    """Line and column of what runs in it."""


class Enclosing:
    """The branches around any place of the files that `source` gives."""

    def __init__(self, source: Callable[[str], str | None]) -> None:
        self._source = source
        self._arms: dict[str, tuple[Arm, ...]] = {}

    def around(self, span: Span) -> list[Arm]:
        """Outer first."""
        found = self._arms.get(span.path)
        if found is None:
            found = self._arms[span.path] = tuple(_arms(span.path, self._source(span.path)))
        place = (span.line, span.column)
        return [arm for arm in found if arm.start <= place < arm.end]


def _arms(path: str, text: str | None) -> Iterator[Arm]:
    if text is None or path.endswith((".yaml", ".yml", ".json", ".py")):
        return
    from verifier.shell import nodes
    from verifier.shell.syntax import parse

    source = nodes.Source(path, text)

    def arm(kind: str, head: int, start: int, end: int) -> Arm:
        inside = source.span(start, end)
        return Arm(
            kind,
            source.span(head),
            (inside.line, inside.column),
            (inside.end_line, inside.end_column),
        )

    waiting: list[object] = [parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Function):
            waiting.append(node.body())
            continue
        if isinstance(node, nodes.If):
            for condition, body in node.branches:
                yield arm("if", condition.start, body.start, body.end)
            if node.otherwise is not None:
                yield arm("else", node.start, node.otherwise.start, node.otherwise.end)
        elif isinstance(node, nodes.Case):
            for clause in node.clauses:
                yield arm("case", clause.start, clause.body.start, clause.body.end)
        elif isinstance(node, (nodes.For, nodes.ForArithmetic, nodes.While)):
            yield arm("loop", node.start, node.body.start, node.body.end)
        waiting.extend(reversed(nodes.values(node)))
