"""A pull request's facts and files as one JSON file, to be judged again without network."""

from __future__ import annotations

import base64
import binascii
import json
import types
import typing
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from verifier.model import record
from verifier.model.pull import PullFacts
from verifier.model.record import dataclass, field
from verifier.model.tree import Tree, Unreadable

SCHEMA = 1
MAX_BYTES = 512 * 1024 * 1024


class SnapshotError(ValueError):
    """A snapshot that cannot be used; the message says what is wrong where."""


@dataclass(slots=True)
class Recorded:
    """What was asked of a tree, and what it answered."""

    name: str
    paths: tuple[str, ...] = ()
    """Every file."""
    texts: dict[str, bytes] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """What is there and did not arrive, with the reason: such a verdict is no pass."""


def failed(tree: Tree) -> Mapping[str, str]:
    """Files of a tree that are there and could not be fetched; none where nothing is fetched."""
    found: Mapping[str, str] = getattr(tree, "failed", {})
    return found


class RecordingTree:
    """A tree that remembers every answer."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.name = tree.name
        self.recorded = Recorded(tree.name)

    @property
    def failed(self) -> Mapping[str, str]:
        """As the tree below."""
        return failed(self._tree)

    def read(self, path: str) -> bytes | None:
        """As the tree below."""
        try:
            data = self._tree.read(path)
        except Unreadable as error:
            self.recorded.unreadable[path] = str(error)
            raise
        if data is not None:
            self.recorded.texts[path] = data
        return data

    def is_dir(self, path: str) -> bool:
        """As the tree below."""
        return self._tree.is_dir(path)

    def files(self, folder: str = "") -> tuple[str, ...]:
        """As the tree below."""
        return self._tree.files(folder)

    def finish(self) -> Recorded:
        """All that was recorded, with the list of files."""
        self.recorded.paths = self._tree.files()
        self.recorded.failed = dict(self.failed)
        return self.recorded


class ReplayedTree:
    """A tree made of recorded answers. A file that was not asked for then is unreadable now."""

    def __init__(self, recorded: Recorded) -> None:
        self.name = recorded.name
        self.failed = recorded.failed
        self._recorded = recorded
        self._paths = frozenset(recorded.paths)
        self._folders = frozenset(
            "/".join(parts[:count])
            for parts in (path.split("/") for path in recorded.paths)
            for count in range(1, len(parts))
        )

    def read(self, path: str) -> bytes | None:
        """The recorded bytes, or None for a file that did not exist."""
        if path in self._recorded.texts:
            return self._recorded.texts[path]
        if path in self._recorded.unreadable:
            raise Unreadable(self._recorded.unreadable[path])
        normal = "/".join(part for part in path.split("/") if part not in ("", "."))
        if normal in self._paths:
            raise Unreadable(f"{path} is not in the snapshot")
        return None

    def is_dir(self, path: str) -> bool:
        """Whether a recorded file is below."""
        normal = "/".join(part for part in path.split("/") if part not in ("", "."))
        return normal == "" or normal in self._folders

    def files(self, folder: str = "") -> tuple[str, ...]:
        """The recorded list."""
        prefix = folder.strip("/") + "/" if folder.strip("/") else ""
        return tuple(path for path in self._recorded.paths if path.startswith(prefix))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Facts and the three trees: trusted base, merge base, head."""

    facts: PullFacts
    today: str
    """The review date, ISO 8601."""
    trees: Mapping[str, Recorded] = field(default_factory=dict)
    """By `trusted`, `base`, `head`."""


def dump(snapshot: Snapshot) -> str:
    """A snapshot as JSON text."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "today": snapshot.today,
            "facts": encode(snapshot.facts),
            "trees": {name: _tree(tree) for name, tree in snapshot.trees.items()},
        },
        indent=1,
        ensure_ascii=True,
    )


def load(text: str | bytes) -> Snapshot:
    """A snapshot from JSON text. Raises `SnapshotError`."""
    if len(text) > MAX_BYTES:
        raise SnapshotError(f"the snapshot has more than {MAX_BYTES:,} bytes")
    try:
        data = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise SnapshotError("the snapshot is not JSON") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise SnapshotError(f"the snapshot is not of schema {SCHEMA}")
    trees = data.get("trees", {})
    if not isinstance(trees, dict) or not isinstance(data.get("today"), str):
        raise SnapshotError("the snapshot has no trees or no date")
    return Snapshot(
        facts=decode(PullFacts, data.get("facts"), "facts"),
        today=data["today"],
        trees={name: _recorded(tree, f"trees.{name}") for name, tree in trees.items()},
    )


def _tree(tree: Recorded) -> dict[str, Any]:
    texts: dict[str, Any] = {}
    for path, data in sorted(tree.texts.items()):
        try:
            texts[path] = data.decode("utf-8")
        except UnicodeDecodeError:
            texts[path] = {"base64": base64.b64encode(data).decode("ascii")}
    return {
        "name": tree.name,
        "paths": list(tree.paths),
        "texts": texts,
        "unreadable": dict(sorted(tree.unreadable.items())),
        "failed": dict(sorted(tree.failed.items())),
    }


def _recorded(data: Any, where: str) -> Recorded:
    if not isinstance(data, dict):
        raise SnapshotError(f"{where} is no object")
    texts: dict[str, bytes] = {}
    for path, value in _mapping(data.get("texts"), f"{where}.texts").items():
        if isinstance(value, str):
            texts[path] = value.encode("utf-8", "surrogatepass")
            continue
        try:
            texts[path] = base64.b64decode(value["base64"], validate=True)
        except (KeyError, TypeError, ValueError, binascii.Error):
            raise SnapshotError(f"{where}.texts[{path!r}] is no text") from None
    return Recorded(
        name=decode(str, data.get("name"), f"{where}.name"),
        paths=decode(tuple[str, ...], data.get("paths"), f"{where}.paths"),
        texts=texts,
        unreadable=decode(dict[str, str], data.get("unreadable", {}), f"{where}.unreadable"),
        failed=decode(dict[str, str], data.get("failed", {}), f"{where}.failed"),
    )


def _mapping(data: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise SnapshotError(f"{where} is no object")
    return data


def encode(value: Any) -> Any:
    """A fact as JSON data; fields with their default are left out."""
    if record.is_dataclass(value) and not isinstance(value, type):
        out = {}
        for item in record.fields(value):
            current = getattr(value, item.name)
            if item.default is not record.MISSING and current == item.default:
                continue
            if item.default_factory is not record.MISSING and not current:
                continue
            out[item.name] = encode(current)
        return out
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    return value


T = typing.TypeVar("T")


def decode(kind: type[T], data: Any, where: str) -> T:
    """JSON data as the given type. Raises `SnapshotError` naming the place."""
    return typing.cast(T, _decode(kind, data, where))


def _decode(kind: Any, data: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if data is None and type(None) in arguments:
            return None
        return _decode(next(a for a in arguments if a is not type(None)), data, where)
    if origin is Literal:
        if data not in arguments:
            raise SnapshotError(f"{where}: {str(data)[:60]!r} is none of {arguments}")
        return data
    if origin is tuple:
        if not isinstance(data, list):
            raise SnapshotError(f"{where} is no list")
        return tuple(_decode(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(data))
    if origin is not None and issubclass(origin, Mapping):
        return {
            key: _decode(arguments[1], item, f"{where}.{key}")
            for key, item in _mapping(data, where).items()
        }
    if record.is_dataclass(kind):
        return _dataclass(kind, _mapping(data, where), where)
    if kind is Decimal:
        try:
            return Decimal(str(data))
        except InvalidOperation:
            raise SnapshotError(f"{where} is no number") from None
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise SnapshotError(f"{where} is not of type {kind.__name__}")
    return data


def _dataclass(kind: Any, data: Mapping[str, Any], where: str) -> Any:
    hints = typing.get_type_hints(kind)
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise SnapshotError(f"{where} has an unknown field {unknown[0]}")
    values = {name: _decode(hints[name], item, f"{where}.{name}") for name, item in data.items()}
    try:
        return kind(**values)
    except TypeError:
        missing = [
            f.name
            for f in record.fields(kind)
            if f.name not in values
            and f.default is record.MISSING
            and f.default_factory is record.MISSING
        ]
        raise SnapshotError(f"{where} has no {', '.join(missing)}") from None
