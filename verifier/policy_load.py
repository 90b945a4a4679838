"""From YAML to a `Policy`, guided by the types of its fields."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from verifier.model import record
from verifier.policy_sections import Client
from verifier.strict_yaml import Value

if TYPE_CHECKING:
    from verifier.policy import Policy


def build(document: Value, default: Policy) -> Policy:
    """`default` with the keys of `document`. Raises `YamlError`."""
    sources: dict[str, str] = {}
    policy: Policy = _dataclass(document, default, sources)
    _check_slugs(document)
    return record.replace(policy, sources=sources)


def flatten(policy: Policy) -> Iterator[tuple[str, object]]:
    """Every key path and its value, sections and mappings opened."""
    yield from _flatten("", policy)


def _flatten(path: str, value: object) -> Iterator[tuple[str, object]]:
    if record.is_dataclass(value) and not isinstance(value, type):
        for item in record.fields(value):
            yield from _flatten(_join(path, item.name), getattr(value, item.name))
    elif isinstance(value, Mapping) and value and path != "sources":
        for key, item_value in value.items():
            yield from _flatten(_join(path, key), item_value)
    else:
        yield path, value


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _dataclass(value: Value, default: Any, sources: dict[str, str]) -> Any:
    kind = type(default)
    hints = get_type_hints(kind)
    names = [f.name for f in record.fields(kind) if f.name != "sources"]
    changes: dict[str, Any] = {}
    for key, item in value.mapping().items():
        if key not in names:
            raise item.error(f"unknown key; {suggestion(key, names)}")
        if item.null:
            raise item.error("has no value; leave the key out to keep the default")
        special = _SPECIAL.get(item.path)
        current = getattr(default, key)
        if special is not None:
            changes[key] = special(item, current, sources)
        else:
            changes[key] = _typed(item, hints[key], current, sources)
        sources[item.path] = f"{item.span.path}:{item.span.line}"
    return record.replace(default, **changes)


def suggestion(name: str, allowed: Iterable[str]) -> str:
    """ "did you mean …" when one is close, and the allowed names."""
    from difflib import get_close_matches

    allowed = sorted(allowed)
    close = get_close_matches(name, allowed, 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}allowed: {', '.join(allowed)}"


def _typed(value: Value, kind: Any, current: Any, sources: dict[str, str]) -> Any:
    origin = get_origin(kind)
    if isinstance(kind, type) and record.is_dataclass(kind):
        return _dataclass(value, kind() if current is None else current, sources)
    if origin is Literal:
        return _choice(value, get_args(kind))
    if origin in (Union, types.UnionType):
        return _typed(value, next(a for a in get_args(kind) if a is not type(None)), None, sources)
    if origin is tuple:
        return _tuple(value, get_args(kind), sources)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(value, get_args(kind)[1], current, sources)
    readers: dict[Any, Callable[[Value], Any]] = {
        str: _text,
        int: Value.integer,
        bool: Value.boolean,
        Decimal: Value.decimal,
    }
    return readers[kind](value)


def _text(value: Value) -> str:
    """Text; a number without quotes (a version such as 0.33) counts as its characters."""
    if isinstance(value.content, str) and not value.tag.endswith(":bool"):
        return value.content
    return value.text()


def _choice(value: Value, allowed: tuple[str, ...]) -> str:
    text = value.content if isinstance(value.content, str) else None
    # `on` and `off` without quotes are booleans in YAML 1.1; here they are these two words.
    if text is not None and text in allowed:
        return text
    if text is not None and {"on", "off"} <= set(allowed) and value.tag.endswith(":bool"):
        return "on" if value.boolean() else "off"
    if text == "false" and "off" in allowed:
        return "off"
    raise value.error(f"{value.kind()} is none of {', '.join(allowed)}")


def _tuple(value: Value, kinds: tuple[Any, ...], sources: dict[str, str]) -> tuple[Any, ...]:
    items = value.sequence()
    if kinds[-1] is ...:
        return tuple(_typed(item, kinds[0], None, sources) for item in items)
    if len(items) != len(kinds):
        raise value.error(f"expected a list of {len(kinds)}, not of {len(items)}")
    return tuple(_typed(item, kind, None, sources) for item, kind in zip(items, kinds, strict=True))


def _mapping(
    value: Value, kind: Any, current: Mapping[str, Any] | None, sources: dict[str, str]
) -> dict[str, Any]:
    result = dict(current or {})
    for key, item in value.mapping().items():
        if item.null:
            result.pop(key, None)
        else:
            result[key] = _typed(item, kind, result.get(key), sources)
        sources[item.path] = f"{item.span.path}:{item.span.line}"
    return result


def _clients(value: Value, current: Any, sources: dict[str, str]) -> dict[str, Client]:
    """A mapping of names to details, or a list of names whose details are the defaults."""
    if isinstance(value.content, Mapping):
        return _mapping(value, Client, current, sources)
    return {item.text(): current.get(item.text()) or Client() for item in value.sequence()}


def _model_prefixes(value: Value, current: Any, sources: dict[str, str]) -> dict[str, str]:
    """`model glob: prefix` or `prefix: [model globs]`; the file's entries are tried first."""
    mine: dict[str, str] = {}
    dropped: set[str] = set()
    for key, item in value.mapping().items():
        if item.null:
            dropped.add(key)
        elif isinstance(item.content, str):
            mine[key] = _text(item)
        else:
            mine |= {_text(name): key for name in item.sequence()}
        sources[item.path] = f"{item.span.path}:{item.span.line}"
    rest = {k: v for k, v in current.items() if k not in dropped and k not in mine}
    return mine | rest


def _engines(value: Value, current: Any, sources: dict[str, str]) -> dict[str, Any]:
    from verifier.policy import ENGINES

    for key, item in value.mapping().items():
        if key not in ENGINES:
            raise item.error(f"unknown engine; {suggestion(key, ENGINES)}")
    kind = str if value.path == "engine_versions" else tuple[str, ...]
    return _mapping(value, kind, current, sources)


def _tolerance(value: Value, current: Any, sources: dict[str, str]) -> str:
    number = value.decimal()
    if not 0 <= number < Decimal("0.005"):
        raise value.error("must be 0 or more and below 0.005, half the step of a curve's values")
    return str(number)


def _root(value: Value, current: Any, sources: dict[str, str]) -> str:
    text = _text(value)
    if ".." in text.split("/"):
        raise value.error(f"{text!r} leads out of the tree; name a folder below its top")
    return text


_SPECIAL: dict[str, Callable[[Value, Any, dict[str, str]], Any]] = {
    "root": _root,
    "clients": _clients,
    "model_prefixes": _model_prefixes,
    "argument_variables": _engines,
    "engine_versions": _engines,
    "acceptance_tolerance": _tolerance,
}


def _check_slugs(document: Value) -> None:
    """A misspelt slug would silently leave a check as it is."""
    section = document.mapping().get("checks")
    if section is None:
        return
    from checks import catalogue

    known = {meta.slug for meta in catalogue()}
    for slug, item in section.mapping().items():
        if slug not in known:
            raise item.error(f"unknown check; {suggestion(slug, known)}")
