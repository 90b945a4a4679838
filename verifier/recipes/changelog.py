"""The changelog on both sides: its bytes, and what the head appends."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.model.finding import Finding, Status
from verifier.model.points import Changelog, ChangelogEntry
from verifier.model.text import Span
from verifier.model.tree import Tree, Unreadable
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlNode, YamlScalar, read


def read_changelog(base: Tree, head: Tree, path: str) -> Changelog:
    """Never raises; what cannot be read is a finding."""
    problems: list[Finding] = []
    old, new = _bytes(base, path, problems), _bytes(head, path, problems)
    added: tuple[ChangelogEntry, ...] = ()
    if new is not None and new != old:
        document = read(new, path)
        problems += [_finding(p.span, p.text) for p in document.problems]
        start = 0 if old is None else _count(old, path)
        if isinstance(document.root, YamlList):
            added = tuple(_entries(document.root.items[start:], problems))
        elif document.root is not None:
            text = f"expected a list of entries, not {document.root.kind}"
            problems.append(_finding(document.root.span, text))
    return Changelog(path=path, base=old, head=new, added=added, problems=tuple(problems))


def _bytes(tree: Tree, path: str, problems: list[Finding]) -> bytes | None:
    try:
        return tree.read(path)
    except Unreadable as error:
        problems.append(_finding(Span(path, 1), f"cannot be read in {tree.name}: {error}"))
        return None


def _finding(span: Span, text: str) -> Finding:
    return Finding(status=Status.UNRESOLVED, code="changelog_unreadable", message=text, span=span)


def _count(data: bytes, path: str) -> int:
    root = read(data, path).root
    return len(root.items) if isinstance(root, YamlList) else 0


def _entries(nodes: tuple[YamlNode, ...], problems: list[Finding]) -> Iterator[ChangelogEntry]:
    for node in nodes:
        if not isinstance(node, YamlMap):
            text = f"expected an entry with config-keys, not {node.kind}"
            problems.append(_finding(node.span, text))
            continue
        flag = node.get("append-only")
        value = flag.value if isinstance(flag, YamlScalar) else None
        if flag is not None and not isinstance(value, bool):
            text = f"append-only: expected true or false, not {flag.kind}"
            problems.append(_finding(flag.span, text))
        yield ChangelogEntry(
            node.span,
            tuple(_texts(node.get("config-keys"))),
            value is True,
            tuple(_texts(node.get("scenario-type"))),
        )


def _texts(node: YamlNode | None) -> Iterator[str]:
    if isinstance(node, YamlScalar) and node.value is not None:
        yield node.text
    for item in node.items if isinstance(node, YamlList) else ():
        if isinstance(item, YamlScalar):
            yield item.text
