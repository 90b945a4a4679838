"""YAML with places: the values PyYAML's safe loader would give, each knowing its line and column.

Anchors, aliases and merge keys work; duplicate keys are problems; nothing is constructed from
tags. The text is read event by event with an explicit stack, so depth and expansion (a "billion
laughs" of aliases) are bounded before anything is built.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from verifier.model.record import NamedTuple, dataclass, field
from verifier.model.text import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from yaml.events import Event, ScalarEvent

MAX_BYTES = 4_000_000
MAX_DEPTH = 60
MAX_NODES = 500_000
"""Nodes counted as if every alias were written out."""

Scalar = None | bool | int | float | str | date
_PREFIX = "tag:yaml.org,2002:"
_MERGE = f"{_PREFIX}merge"


class Problem(NamedTuple):
    """What is wrong with the text, and where."""

    span: Span
    text: str


class _StopError(Exception):
    """Reading cannot go on."""

    def __init__(self, span: Span, text: str) -> None:
        super().__init__(text)
        self.problem = Problem(span, text)


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """A scalar: the typed value and the characters between its quotes."""

    value: Scalar
    text: str
    span: Span
    plain: bool = True
    """Written without quotes, so that its type was guessed."""
    weight: int = 1

    @property
    def kind(self) -> str:
        if self.value is None:
            return "nothing"
        if isinstance(self.value, bool):
            return f"the boolean {self.text}"
        if isinstance(self.value, int | float):
            return f"the number {self.text}"
        return f"the text {self.text!r}"


@dataclass(frozen=True, slots=True)
class YamlList:
    """A sequence."""

    items: tuple[YamlNode, ...]
    span: Span
    weight: int = 1

    @property
    def kind(self) -> str:
        return "a list"


class Entry(NamedTuple):
    """One key of a mapping; merged entries keep the place where they were written."""

    key: Span
    node: YamlNode


@dataclass(frozen=True, slots=True)
class YamlMap:
    """A mapping in the order written; merged keys come after the mapping's own."""

    entries: Mapping[Hashable, Entry]
    span: Span
    weight: int = 1

    @property
    def kind(self) -> str:
        return "a mapping"

    def get(self, key: Hashable) -> YamlNode | None:
        entry = self.entries.get(key)
        return None if entry is None else entry.node

    def mapping(self, key: Hashable) -> YamlMap:
        """The mapping under `key`, empty when there is none."""
        node = self.get(key)
        return node if isinstance(node, YamlMap) else YamlMap({}, self.span)

    def string(self, key: Hashable) -> str | None:
        """The text of a scalar under `key`; None for anything else, null included."""
        node = self.get(key)
        return node.text if isinstance(node, YamlScalar) and node.value is not None else None


YamlNode = YamlScalar | YamlList | YamlMap


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file. `root` is None when it is empty or could not be read; then see `problems`."""

    path: str
    root: YamlNode | None
    problems: tuple[Problem, ...] = ()


def plain(node: YamlNode | None) -> Any:
    """Ordinary Python data, as the safe loader gives it."""
    if node is None:
        return None
    if isinstance(node, YamlScalar):
        return node.value
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    return {key: plain(entry.node) for key, entry in node.entries.items()}


def read(data: bytes | str, path: str) -> Document:
    """Read one document. Never raises: what is wrong is in `Document.problems`."""
    if len(data) > MAX_BYTES:
        return _failed(path, Span(path, 1), f"the file is larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        return _failed(path, Span(path, 1), f"not UTF-8 text (byte {error.start})")
    builder = _Builder(path)
    try:
        for event in _events(text, path):
            builder.take(event)
    except _StopError as stop:
        return Document(path, None, (*builder.problems, stop.problem))
    return Document(path, builder.root, tuple(builder.problems))


def _failed(path: str, span: Span, text: str) -> Document:
    return Document(path, None, (Problem(span, text),))


def _events(text: str, path: str) -> Iterator[Event]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(path, mark.line + 1, mark.column + 1) if mark else Span(path, 1)
        raise _StopError(span, f"not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, UnicodeError) as error:
        message = str(error).splitlines()[0]
        raise _StopError(Span(path, 1), f"not valid YAML: {message}") from None
    except RecursionError:
        raise _StopError(Span(path, 1), "the YAML is nested too deeply") from None


@dataclass(slots=True)
class _Frame:
    """A collection whose end has not come yet."""

    start: Any
    anchor: str | None
    is_map: bool
    nodes: list[YamlNode] = field(default_factory=list)
    weight: int = 1


class _Builder:
    """Turns the event stream into nodes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root: YamlNode | None = None
        self.problems: list[Problem] = []
        self._anchors: dict[str, YamlNode | None] = {}
        self._stack: list[_Frame] = []
        self._documents = 0
        self._scalars = _ScalarReader()

    def take(self, event: Event) -> None:
        from yaml import events

        if isinstance(event, events.ScalarEvent):
            self._add(self._scalar(event), event.anchor)
        elif isinstance(event, events.MappingStartEvent | events.SequenceStartEvent):
            self._open(event, isinstance(event, events.MappingStartEvent))
        elif isinstance(event, events.MappingEndEvent | events.SequenceEndEvent):
            self._close(event)
        elif isinstance(event, events.AliasEvent):
            self._alias(event)
        elif isinstance(event, events.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _StopError(self._span(event), "the file holds more than one YAML document")

    def _span(self, event: Any, end: Any = None) -> Span:
        start, stop = event.start_mark, (end or event).end_mark
        return Span(self.path, start.line + 1, start.column + 1, stop.line + 1, stop.column + 1)

    def _open(self, event: Any, is_map: bool) -> None:
        kind = "map" if is_map else "seq"
        if event.tag not in (None, "!", f"{_PREFIX}{kind}"):
            raise _StopError(self._span(event), f"the tag {event.tag} is not allowed")
        if len(self._stack) >= MAX_DEPTH:
            raise _StopError(self._span(event), f"nested more than {MAX_DEPTH} levels deep")
        if event.anchor is not None:
            self._anchors[event.anchor] = None  # an alias to it from inside would never end
        self._stack.append(_Frame(event, event.anchor, is_map))

    def _close(self, event: Event) -> None:
        frame = self._stack.pop()
        span = self._span(frame.start, event)
        node: YamlNode
        if frame.is_map:
            node = YamlMap(self._entries(frame.nodes), span, frame.weight)
        else:
            node = YamlList(tuple(frame.nodes), span, frame.weight)
        self._add(node, frame.anchor)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise _StopError(
                self._span(event), f"the alias *{event.anchor} has no anchor before it"
            )
        node = self._anchors[event.anchor]
        if node is None:
            raise _StopError(
                self._span(event), f"the alias *{event.anchor} stands inside its own anchor"
            )
        self._add(node, None)

    def _add(self, node: YamlNode, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        frame.nodes.append(node)
        frame.weight += node.weight
        if frame.weight > MAX_NODES:
            raise _StopError(node.span, f"aliases expand it to more than {MAX_NODES} values")

    def _scalar(self, event: ScalarEvent) -> YamlScalar:
        span = self._span(event)
        try:
            value = self._scalars.value(event)
        except ValueError as error:
            raise _StopError(span, str(error)) from None
        return YamlScalar(value, event.value, span, not event.style)

    def _entries(self, nodes: list[YamlNode]) -> dict[Hashable, Entry]:
        own: dict[Hashable, Entry] = {}
        merged: dict[Hashable, Entry] = {}
        for key, node in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, YamlScalar):
                raise _StopError(key.span, "a list or mapping cannot be a key here")
            if key.plain and key.text == "<<":
                for name, entry in self._merged(node).items():
                    merged.setdefault(name, entry)
                continue
            if key.value in own:
                first = own[key.value].key.line
                message = f"duplicate key {key.text!r}: it is already in line {first}"
                self.problems.append(Problem(key.span, message))
            own[key.value] = Entry(key.span, node)
        return {**own, **{k: e for k, e in merged.items() if k not in own}}

    def _merged(self, node: YamlNode) -> dict[Hashable, Entry]:
        sources = node.items if isinstance(node, YamlList) else (node,)
        result: dict[Hashable, Entry] = {}
        for source in sources:
            if not isinstance(source, YamlMap):
                raise _StopError(node.span, f"<< needs a mapping to merge, not {source.kind}")
            for name, entry in source.entries.items():
                result.setdefault(name, entry)
        return result


class _ScalarReader:
    """Types of scalars by YAML 1.1's rules, from PyYAML's own tables."""

    def __init__(self) -> None:
        from yaml.constructor import SafeConstructor
        from yaml.nodes import ScalarNode
        from yaml.resolver import Resolver

        # PyYAML has no annotations for these methods.
        constructor: Any = SafeConstructor()
        self._node = ScalarNode
        self._resolver: Any = Resolver()
        self._known: dict[str, Scalar] = {}
        self._make: dict[str, Callable[[Any], Scalar]] = {
            f"{_PREFIX}str": lambda node: str(node.value),
            f"{_PREFIX}null": lambda node: None,
            f"{_PREFIX}bool": constructor.construct_yaml_bool,
            f"{_PREFIX}int": constructor.construct_yaml_int,
            f"{_PREFIX}float": constructor.construct_yaml_float,
            f"{_PREFIX}timestamp": constructor.construct_yaml_timestamp,
            _MERGE: lambda node: "<<",
            f"{_PREFIX}value": lambda node: "=",
        }

    def value(self, event: ScalarEvent) -> Scalar:
        """The typed value. Raises `ValueError` with a sentence."""
        if event.tag is None and event.style:
            return event.value
        if event.tag in ("!", f"{_PREFIX}str"):
            return event.value
        if event.tag is not None:
            return self._construct(event.tag, event.value)
        if event.value not in self._known:
            tag = self._resolver.resolve(self._node, event.value, (True, False))
            self._known[event.value] = self._construct(tag, event.value)
        return self._known[event.value]

    def _construct(self, tag: str, text: str) -> Scalar:
        make = self._make.get(tag)
        if make is None:
            raise ValueError(f"the tag {tag} is not allowed")
        try:
            return make(self._node(tag, text))
        except (ValueError, KeyError, OverflowError):
            kind = tag.removeprefix(_PREFIX)
            raise ValueError(f"{text[:60]!r} is not a valid {kind}") from None
