"""`dataclass` and `NamedTuple` as the standard library has them, at a tenth of the start-up cost.

Type checkers see the standard ones. At run time `dataclasses` brings `inspect`, `ast` and `dis` and
takes half a millisecond for each class, `NamedTuple` an eighth; 160 classes are more than judging a
script. Here a class gets shared methods, and what makes its instances when the first one is made.

Left out: inheritance of fields, `order`, `InitVar`, `__post_init__`, `_asdict`. `frozen` makes a
class hashable, and whether anybody assigns to its fields is for the type checker to see.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["MISSING", "NamedTuple", "dataclass", "field", "fields", "is_dataclass", "replace"]

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
    names = tuple(member.name for member in cls.__fields__)
    factories = {
        m.name: m.default_factory for m in cls.__fields__ if m.default_factory is not _MISSING
    }
    optional = {
        m.name: m.default
        for m in cls.__fields__
        if m.default is not _MISSING or m.name in factories
    }
    # The compiler takes longer than all the rest, so classes of a size share what it makes.
    code = _assignments(len(names)).replace(co_names=names, co_varnames=("self", *names))
    if cls.__kw_only__:
        code = code.replace(co_argcount=1, co_kwonlyargcount=len(names))
        init = FunctionType(code, {}, "__init__")
        init.__kwdefaults__ = optional
    else:
        init = FunctionType(code, {}, "__init__", tuple(optional.values()))
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return _filling(init, factories) if factories else init


@cache
def _assignments(number: int) -> CodeType:
    """An `__init__` of so many fields, whose names are still to be put in."""
    names = [f"field{i}" for i in range(number)]
    lines = "".join(f" self.{name} = {name}\n" for name in names) or " pass"
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(('self', *names))}):\n{lines}", scope)  # noqa: S102
    code: CodeType = scope["__init__"].__code__
    return code


def _filling(
    init: Callable[..., None], factories: dict[str, Callable[[], Any]]
) -> Callable[..., None]:
    def filled(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        for name, factory in factories.items():
            if getattr(self, name) is _MISSING:
                setattr(self, name, factory())

    return filled


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


def _first_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    cls.__new__ = staticmethod(_new(cls))
    return cls(*args, **kwargs)


def _new(cls: Any) -> Callable[..., Any]:
    code = _packing(len(cls._fields)).replace(co_varnames=("cls", *cls._fields))
    defaults = tuple(cls._field_defaults.values())
    new = FunctionType(code, {"new": tuple.__new__}, "__new__", defaults)
    new.__qualname__ = f"{cls.__qualname__}.__new__"
    return new


@cache
def _packing(number: int) -> CodeType:
    """A `__new__` of so many fields, as `collections.namedtuple` makes it."""
    names = "".join(f"field{i}, " for i in range(number))
    scope: dict[str, Any] = {}
    exec(f"def __new__(cls, {names}):\n return new(cls, ({names}))", scope)  # noqa: S102
    code: CodeType = scope["__new__"].__code__
    return code


class _Tuple(tuple[Any, ...]):
    __slots__ = ()
    __new__ = _first_new
    _fields: tuple[str, ...]

    @classmethod
    def _make(cls, items: Iterable[Any]) -> Any:
        return cls(*items)

    def _replace(self, /, **changes: Any) -> Any:
        made: Any = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise TypeError(f"{type(self).__name__} has no {', '.join(changes)}")
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        items = (f"{name}={item!r}" for name, item in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({', '.join(items)})"


class _TupleMaker(type):
    """Turns `class Name(NamedTuple)` into a class of tuples."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        del bases
        names = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace[field] for field in names if field in namespace}
        namespace |= {field: _tuplegetter(i, None) for i, field in enumerate(names)}
        namespace |= {"_fields": names, "__match_args__": names, "_field_defaults": defaults}
        return type(name, (_Tuple,), namespace | {"__slots__": ()})


if TYPE_CHECKING:
    from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
    from typing import NamedTuple
else:
    MISSING = _MISSING
    NamedTuple = type.__new__(_TupleMaker, "NamedTuple", (), {})
    dataclass = _dataclass
    field = _Field
    fields = _fields
    is_dataclass = _is_dataclass
    replace = _replace
