"""`dataclass` and its kin as the standard library has them, at a twentieth of the start-up cost.

Type checkers see the standard ones. At run time `dataclasses` brings `inspect`, `ast` and `dis`,
and takes half a millisecond for each class; a hundred classes are more than judging a script. Here
a class gets one set of shared methods, and its `__init__` when its first instance is made.

Left out: inheritance of fields, `order`, `InitVar`, `__post_init__`. `frozen` makes a class
hashable, and whether anybody assigns to its fields is for the type checker to see.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["MISSING", "dataclass", "field", "fields", "is_dataclass", "replace"]

_MISSING: Any = object()


class _Field:
    __slots__ = ("compare", "default", "default_factory", "name", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        compare: bool = True,
        repr: bool = True,  # noqa: A002
    ) -> None:
        self.name = ""
        self.default = default
        self.default_factory = default_factory
        self.compare = compare
        self.repr = repr


def _dataclass(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False
) -> Any:
    def make(cls: type) -> type:
        return _made(cls, frozen, slots, kw_only)

    return make if cls is None else make(cls)


def _made(cls: type, frozen: bool, slots: bool, kw_only: bool) -> type:
    """The class again, with methods and slots; slots cannot be added to one that exists."""
    namespace = dict(cls.__dict__)
    members = [
        _named(name, namespace.pop(name, _MISSING))
        for name, kind in namespace.get("__annotations__", {}).items()
        if not kind.startswith("ClassVar[")
    ]
    names = tuple(member.name for member in members)
    key = _key(tuple(member.name for member in members if member.compare))
    made: dict[str, Any] = {
        "__fields__": tuple(members),
        "__init__": _first_init,
        "__repr__": _repr,
        "__eq__": _equality(key),
        "__match_args__": () if kw_only else names,
        "__kw_only__": kw_only,
    }
    if frozen:
        made["__hash__"] = _hash(key)
    if slots:
        made["__slots__"] = names
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    again = type(cls)(cls.__name__, cls.__bases__, made | namespace)
    again.__qualname__ = cls.__qualname__
    return again


def _named(name: str, default: Any) -> _Field:
    member = default if isinstance(default, _Field) else _Field(default=default)
    member.name = name
    return member


def _first_init(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    cls.__init__ = _init(cls)
    cls.__init__(self, *args, **kwargs)


def _init(cls: Any) -> Callable[..., None]:
    """As written by hand: a generic one would cost each instance more than this costs once."""
    parameters = ["self", "*"] if cls.__kw_only__ else ["self"]
    lines = []
    values: dict[str, Any] = {"MISSING": _MISSING}
    for member in cls.__fields__:
        name = member.name
        values[f"default_{name}"] = member.default
        if member.default_factory is not _MISSING:
            values[f"factory_{name}"] = member.default_factory
            parameters.append(f"{name}=MISSING")
            lines.append(f" self.{name} = factory_{name}() if {name} is MISSING else {name}\n")
            continue
        optional = member.default is not _MISSING
        parameters.append(f"{name}=default_{name}" if optional else name)
        lines.append(f" self.{name} = {name}\n")
    source = f"def __init__({', '.join(parameters)}):\n{''.join(lines) or ' pass'}"
    exec(source, values)  # noqa: S102
    init: Callable[..., None] = values["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _key(names: tuple[str, ...]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda _: ()


def _equality(key: Callable[[Any], Any]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = key(self), key(other)
        # Long trees share their branches.
        return mine is theirs or bool(mine == theirs)

    return __eq__


def _hash(key: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(key(self))

    return __hash__


def _repr(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in self.__fields__ if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _fields(value: Any) -> tuple[_Field, ...]:
    found: tuple[_Field, ...] = value.__fields__
    return found


def _is_dataclass(value: Any) -> bool:
    return hasattr(value, "__fields__")


def _replace(value: Any, /, **changes: Any) -> Any:
    for member in value.__fields__:
        changes.setdefault(member.name, getattr(value, member.name))
    return type(value)(**changes)


if TYPE_CHECKING:
    from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
else:
    MISSING = _MISSING
    dataclass = _dataclass
    field = _Field
    fields = _fields
    is_dataclass = _is_dataclass
    replace = _replace
