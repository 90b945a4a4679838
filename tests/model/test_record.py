"""`dataclass` and `NamedTuple` of this project against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import typing
from typing import Any

import pytest

from verifier.model import record


@record.dataclass(frozen=True, slots=True)
class Mine:
    """Fields of each kind."""

    first: int
    second: str = "s"
    third: list[int] = record.field(default_factory=list, compare=False)
    fourth: dict[str, int] = record.field(default_factory=lambda: {"a": 1}, repr=False)

    def double(self) -> int:
        return 2 * self.first


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    first: int
    second: str = "s"
    third: list[int] = dataclasses.field(default_factory=list, compare=False)
    fourth: dict[str, int] = dataclasses.field(default_factory=lambda: {"a": 1}, repr=False)


@record.dataclass(frozen=True, slots=True, kw_only=True)
class MineNamed:
    second: str = "s"
    first: int


@record.dataclass(slots=True)
class MineOpen:
    first: int
    second: int = 2


@record.dataclass(frozen=True)
class Empty:
    pass


class MineTuple(record.NamedTuple):
    """A tuple."""

    first: int
    second: str = "s"

    @property
    def double(self) -> int:
        return 2 * self.first


class TheirTuple(typing.NamedTuple):
    first: int
    second: str = "s"


class EmptyTuple(record.NamedTuple):
    pass


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "t"), {}),
    ((), {"first": 1}),
    ((1,), {"second": "t"}),
    ((), {"second": "t", "first": 3}),
    ((), {}),
    ((1, "t", [], {}, 5), {}),
    ((1,), {"first": 2}),
    ((1,), {"other": 2}),
]


def shown(kind: Any, args: tuple[Any, ...], named: dict[str, Any]) -> str:
    try:
        text = repr(kind(*args, **named))
    except TypeError as error:
        text = str(error)
    return text.replace(kind.__name__, "Kind")


@pytest.mark.parametrize(("args", "named"), CALLS)
def test_instances_are_made_and_refused_alike(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    # The second time the class has its own constructor already.
    for _ in range(2):
        assert shown(Mine, args, named) == shown(Theirs, args, named)
        assert shown(MineTuple, args, named) == shown(TheirTuple, args, named)


def test_each_instance_has_its_own_default() -> None:
    one, two = Mine(1), Mine(1)
    assert one.third == [] and one.third is not two.third
    assert one.fourth == {"a": 1}
    assert Mine(1, "s", [3]).third == [3]


def test_equality_and_hash_see_what_counts() -> None:
    assert Mine(1, third=[1]) == Mine(1, third=[2])
    assert Mine(1) != Mine(2)
    assert Mine(1) != Theirs(1)
    assert MineNamed(first=1) == MineNamed(first=1)
    assert hash(MineNamed(first=1)) == hash(MineNamed(first=1, second="s"))
    assert Empty() == Empty() and hash(Empty()) == hash(Empty())
    assert MineTuple(1) == (1, "s")


def test_what_may_change_has_no_hash() -> None:
    value = MineOpen(1)
    value.first = 3
    assert value == MineOpen(3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_slots_take_no_other_attribute() -> None:
    with pytest.raises(AttributeError):
        MineOpen(1).other = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        MineTuple(1).other = 1  # type: ignore[attr-defined]


def test_keywords_only() -> None:
    with pytest.raises(TypeError, match="positional"):
        MineNamed(1)  # type: ignore[call-arg,misc]
    assert repr(MineNamed(first=1)) == "MineNamed(second='s', first=1)"


def test_values_can_be_replaced() -> None:
    assert record.replace(Mine(1, "t"), first=2) == Mine(2, "t")
    assert MineTuple(1, "t")._replace(first=2) == MineTuple(2, "t")
    with pytest.raises(TypeError):
        record.replace(Mine(1), other=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        MineTuple(1)._replace(other=2)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "value", [Mine(1, "t", [1]), MineNamed(first=1), MineOpen(1), MineTuple(2), EmptyTuple()]
)
def test_values_travel_between_processes(value: object) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert type(again) is type(value)


def test_patterns_take_fields_by_position() -> None:
    match Mine(1, "t"):
        case Mine(first, second):
            assert (first, second) == (1, "t")
    match MineTuple(1, "t"):
        case MineTuple(first, second):
            assert (first, second) == (1, "t")


def test_fields_are_listed() -> None:
    names = ["first", "second", "third", "fourth"]
    assert [field.name for field in record.fields(Mine)] == names
    assert [field.default for field in record.fields(Mine)][1:3] == ["s", record.MISSING]
    assert record.is_dataclass(Mine) and record.is_dataclass(Mine(1))
    assert not record.is_dataclass(MineTuple(1))
    assert MineTuple._fields == ("first", "second")


def test_methods_and_names_stay() -> None:
    assert Mine(4).double() == 8
    assert MineTuple(4).double == 8
    assert Mine.__doc__ == "Fields of each kind."
    assert (Mine.__module__, Mine.__qualname__) == (__name__, "Mine")
    assert (MineTuple.__module__, MineTuple.__qualname__) == (__name__, "MineTuple")
