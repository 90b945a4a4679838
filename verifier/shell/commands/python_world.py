"""What Python programs read of the world around them: files of the tree, YAML, the environment.

A value that only part of is known refuses every use that would need the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from verifier.model.text import Hole, Lit, Text
from verifier.shell.commands import NotModelled
from verifier.shell.files import PLACES

_YAML_BYTES = 300_000
_ALIASES = 1_000
_MERGES = 12
"""Aliases beside merge keys: each level of these can double what there is."""
_MARK = 0xE000
"""The first of the private characters that stand for folders in a program."""


class Place:
    """A string of a program that begins in a folder which is only known by what lies in it."""

    __slots__ = ("text",)

    def __init__(self, text: Text) -> None:
        self.text = text

    def _refuse(self, *_: object) -> NoReturn:
        raise NotModelled("python uses the name of a folder that is not known")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __mod__ = _refuse
    __contains__ = __iter__ = __len__ = __bool__ = __str__ = __repr__ = __format__ = _refuse
    __hash__ = _refuse


class Partly(dict[Any, Any]):
    """A dictionary of which only some entries are known."""

    def _refuse(self, *_: object) -> NoReturn:
        raise NotModelled("python looks at more of the environment than is known")

    __eq__ = __iter__ = __len__ = __bool__ = __repr__ = __str__ = __missing__ = _refuse
    __or__ = __ror__ = __ior__ = __reversed__ = _refuse
    __hash__ = None

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or self._refuse()

    def known(self) -> Iterator[tuple[Any, Any]]:
        """The entries that are known."""
        yield from dict.items(self)


def environment(variables: Mapping[str, Text]) -> Partly:
    """`os.environ`: a real one also holds what nobody here has set."""
    return Partly({name: text.known for name, text in variables.items() if text.known is not None})


def marked(program: Text) -> tuple[str, dict[str, Hole]]:
    """The program with a private character for each folder of unknown name.

    Such a name is taken to hold no quote that would end the string it stands in.
    """
    places: dict[str, Hole] = {}
    parts: list[str] = []
    for piece in program.pieces:
        if isinstance(piece, Lit):
            if not piece.value.isascii():
                raise NotModelled("what are characters depends on the locale")
            parts.append(piece.value)
            continue
        if not piece.symbol.startswith(PLACES):
            raise NotModelled(f"{piece.reason}")
        mark = chr(_MARK + len(places))
        places[mark] = piece
        parts.append(mark)
    return "".join(parts), places


def placed(value: str, places: Mapping[str, Hole]) -> Place | str:
    """A string constant of a program from `marked`."""
    if value.isascii():
        return value
    if value[0] not in places or not value[1:].isascii():
        raise NotModelled("python uses the name of a folder that is not known")
    return Place(Text((places[value[0]], Lit(value[1:]))))


def yaml_value(text: str) -> Any:
    """What `yaml.safe_load` gives, whichever loader is there."""
    aliases = _MERGES if "<<" in text else _ALIASES
    if len(text) > _YAML_BYTES or text.count("*") > aliases:
        raise NotModelled("a YAML file that is too large")
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(text, Loader=loader)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise NotModelled("a YAML file with an error") from error
