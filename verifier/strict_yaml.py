"""YAML read strictly: duplicate keys refused, numbers kept as written, every error has a place.

Policies and golden curves go through here. Nothing is constructed from tags, so no YAML text can
do more than be data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from verifier.model.record import dataclass, replace
from verifier.model.text import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
_STRING = "tag:yaml.org,2002:str"
_BOOLEAN = "tag:yaml.org,2002:bool"
_INTEGER = "tag:yaml.org,2002:int"
_FLOAT = "tag:yaml.org,2002:float"
_NULL = "tag:yaml.org,2002:null"


class YamlError(ValueError):
    """The text is not what it should be; the message begins with file and line."""

    def __init__(self, span: Span, problem: str) -> None:
        super().__init__(f"{span.path}:{span.line}: {problem}")
        self.span = span
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar, list or mapping with its place and its key path (`checks.golden-al.number`)."""

    content: str | Sequence[Value] | Mapping[str, Value] | None
    tag: str
    span: Span
    path: str

    def error(self, problem: str) -> YamlError:
        return YamlError(self.span, f"{self.path}: {problem}" if self.path else problem)

    def mapping(self) -> Mapping[str, Value]:
        if not isinstance(self.content, Mapping):
            raise self.error(f"expected a mapping, not {self.kind()}")
        return self.content

    def sequence(self) -> Sequence[Value]:
        if isinstance(self.content, (str, Mapping)) or self.content is None:
            raise self.error(f"expected a list, not {self.kind()}")
        return self.content

    def text(self) -> str:
        """A string; numbers and booleans written without quotes are not strings."""
        if not isinstance(self.content, str) or self.tag != _STRING:
            raise self.error(f"expected text, not {self.kind()}")
        return self.content

    def boolean(self) -> bool:
        if not isinstance(self.content, str) or self.tag != _BOOLEAN:
            raise self.error(f"expected true or false, not {self.kind()}")
        return self.content.lower() in ("yes", "true", "on")

    def integer(self) -> int:
        if isinstance(self.content, str) and self.tag == _INTEGER and self.content.isdecimal():
            return int(self.content)
        raise self.error(f"expected a whole number, not {self.kind()}")

    def decimal(self) -> Decimal:
        """A finite number exactly as written: 3.30 stays 3.30."""
        if isinstance(self.content, str) and self.tag in (_INTEGER, _FLOAT):
            try:
                number = Decimal(self.content)
            except InvalidOperation:
                number = Decimal("NaN")
            if number.is_finite():
                return number
        raise self.error(f"expected a number, not {self.kind()}")

    @property
    def null(self) -> bool:
        return self.content is None

    def kind(self) -> str:
        """What it is, for messages."""
        if self.content is None:
            return "nothing"
        if isinstance(self.content, str):
            names = {_BOOLEAN: "the boolean ", _INTEGER: "the number ", _FLOAT: "the number "}
            return names.get(self.tag, "the text ") + repr(self.content)
        return "a mapping" if isinstance(self.content, Mapping) else "a list"


def read(data: bytes | str, name: str) -> Value | None:
    """The one document of a YAML file, or None when it is empty. Raises `YamlError`."""
    import yaml

    if len(data) > MAX_BYTES:
        raise YamlError(Span(name, 1), f"the file is larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise YamlError(Span(name, 1), f"not UTF-8 text (byte {error.start})") from None
    loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise YamlError(Span(name, line), f"not valid YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise YamlError(Span(name, 1), f"not valid YAML: {error}") from None
    except RecursionError:
        raise YamlError(Span(name, 1), "the YAML is nested too deeply") from None
    if node is None or (node.tag == _NULL and not node.value):
        return None
    return _convert(node, name, "", 0, set())


def _convert(node: Node, name: str, path: str, depth: int, seen: set[int]) -> Value:
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode

    mark, end = node.start_mark, node.end_mark
    span = Span(name, mark.line + 1, mark.column + 1, end.line + 1, end.column + 1)
    if depth > MAX_DEPTH:
        raise YamlError(span, f"nested more than {MAX_DEPTH} levels deep")
    if id(node) in seen:
        raise YamlError(span, "anchors and aliases are not allowed here")
    seen.add(id(node))
    content: str | Sequence[Value] | Mapping[str, Value] | None
    if isinstance(node, MappingNode):
        content = dict(_items(node, name, path, depth, seen))
    elif isinstance(node, SequenceNode):
        content = tuple(
            _convert(item, name, f"{path}[{index}]", depth + 1, seen)
            for index, item in enumerate(node.value)
        )
    else:
        assert isinstance(node, ScalarNode)
        content = None if node.tag == _NULL else node.value
    return Value(content, node.tag, span, path)


def _items(
    node: Node, name: str, path: str, depth: int, seen: set[int]
) -> Iterator[tuple[str, Value]]:
    from yaml.nodes import ScalarNode

    lines: dict[str, int] = {}
    for key, item in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            raise YamlError(Span(name, line), "only plain keys are allowed here")
        if key.value in lines:
            where = f"{path}.{key.value}" if path else key.value
            raise YamlError(
                Span(name, line, key.start_mark.column + 1),
                f"{where}: duplicate key; the first one is in line {lines[key.value]}",
            )
        lines[key.value] = line
        value = _convert(item, name, f"{path}.{key.value}" if path else key.value, depth + 1, seen)
        if not isinstance(value.content, str):
            # A block begins a line below its key; people look for the key.
            start = Span(name, line, key.start_mark.column + 1)
            value = replace(value, span=start._replace(end_line=line, end_column=start.column))
        yield key.value, value
