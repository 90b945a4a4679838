"""Typed reading of config fields: what is missing or wrong becomes a finding with its key path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.model.finding import Finding, Status
from verifier.model.text import Span
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlNode, YamlScalar


class FieldError(Exception):
    """The field cannot be used; the finding is already recorded."""


class Fields:
    """One mapping of a config, the findings about it, and its key path."""

    def __init__(self, node: YamlMap, path: str, findings: list[Finding]) -> None:
        self.node = node
        self.path = path
        self.findings = findings

    def bad(self, span: Span, key: str, problem: str, code: str = "config_field") -> FieldError:
        """Record what is wrong with the field `key`."""
        where = f"{self.path}.{key}" if key else self.path
        finding = Finding(status=Status.FAIL, code=code, message=f"{where}: {problem}", span=span)
        if finding not in self.findings:
            self.findings.append(finding)
        return FieldError()

    def need(self, key: str, wanted: str) -> YamlNode:
        """The field's node. Raises `FieldError` when there is none."""
        node = self.node.get(key)
        if node is None or (isinstance(node, YamlScalar) and node.value is None):
            raise self.bad(self.node.span, key, f"is missing; expected {wanted}")
        return node

    def text(self, key: str) -> str:
        node = self.need(key, "text")
        if isinstance(node, YamlScalar) and isinstance(node.value, str) and node.value:
            return node.value
        raise self.bad(node.span, key, f"expected text, not {node.kind}")

    def whole(self, key: str, default: int | None = None, least: int = 1) -> int:
        """A whole number of at least `least`."""
        node = self.node.get(key)
        if default is not None and (node is None or _null(node)):
            return default
        return self.whole_node(key, self.need(key, "a whole number"), least)

    def whole_node(self, key: str, node: YamlNode, least: int = 1) -> int:
        value = node.value if isinstance(node, YamlScalar) else None
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.bad(node.span, key, f"expected a whole number, not {node.kind}")
        if value < least:
            raise self.bad(node.span, key, f"must be {least} or more, not {value}")
        return value

    def boolean(self, key: str, default: bool | None = None) -> bool:
        node = self.node.get(key)
        if default is not None and (node is None or _null(node)):
            return default
        node = self.need(key, "true or false")
        if isinstance(node, YamlScalar) and isinstance(node.value, bool):
            return node.value
        raise self.bad(node.span, key, f"expected true or false, not {node.kind}")

    def choice(self, key: str, allowed: Sequence[str], default: str) -> str:
        node = self.node.get(key)
        if node is None or _null(node):
            return default
        text = node.text if isinstance(node, YamlScalar) else None
        if text is not None and text in allowed:
            return text
        raise self.bad(node.span, key, f"{node.kind} is none of {', '.join(allowed)}")

    def section(self, key: str) -> Fields:
        """The mapping under `key`. Raises `FieldError`."""
        node = self.need(key, "a mapping")
        if not isinstance(node, YamlMap):
            raise self.bad(node.span, key, f"expected a mapping, not {node.kind}")
        return Fields(node, f"{self.path}.{key}", self.findings)

    def optional(self, key: str) -> Fields:
        """The mapping under `key`, an empty one when there is none. Raises `FieldError`."""
        node = self.node.get(key)
        if node is None or _null(node):
            return Fields(YamlMap({}, self.node.span), f"{self.path}.{key}", self.findings)
        return self.section(key)

    def sections(self, key: str) -> Iterator[Fields]:
        """The mappings of the list under `key`; those of another kind become findings.

        One mapping that stands alone counts as a list of one.
        """
        node = self.need(key, "a list")
        if isinstance(node, YamlMap):
            yield Fields(node, f"{self.path}.{key}", self.findings)
            return
        if not isinstance(node, YamlList):
            raise self.bad(node.span, key, f"expected a list, not {node.kind}")
        for index, item in enumerate(node.items):
            if isinstance(item, YamlMap):
                yield Fields(item, f"{self.path}.{key}[{index}]", self.findings)
            else:
                self.bad(item.span, f"{key}[{index}]", f"expected a mapping, not {item.kind}")


def _null(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and node.value is None
