"""Unknown parts with few possible values: read the launch once for each.

A hole lists its choices when branches met again with different values. Only holes that decide
which settings there are get this treatment: in the content of a config file that the command
names, in variables that set speculation or inject arguments, and in words that may be options or
JSON. Equal symbols take equal values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from verifier.engines.pieces import partition
from verifier.model.command import Command
from verifier.model.files import file_key
from verifier.model.record import replace
from verifier.model.text import Hole, Lit, Piece, Text, Word

MAX_VARIANTS = 16
_KNOBS = ("SGLANG_", "TLLM_", "TILERT_", "VLLM_", "ATOM_", "DYN_", "USE_ATOMESH_")


def variants(command: Command, injecting: tuple[str, ...]) -> list[Command]:
    """The command for every combination of choices; only itself when there are none, or many."""
    found: dict[str, tuple[str, ...]] = {}
    for text in _deciding(command, injecting):
        for hole in text.holes:
            if hole.choices:
                found[hole.symbol] = hole.choices
    count = 1
    for values in found.values():
        count *= len(values)
    if count == 1 or count > MAX_VARIANTS:
        return [command]
    return [
        _with(command, dict(zip(found, values, strict=True))) for values in product(*found.values())
    ]


def _deciding(command: Command, injecting: tuple[str, ...]) -> Iterator[Text]:
    if not _any_choices(command):
        return
    names: set[str] = set()
    for word in command.argv:
        parts = partition(word.text, "=")
        for text in (word.text, *(parts or ())[1:]):
            names.add(file_key(text, command.cwd))
    for path, content in command.files.items():
        if path in names:
            yield content
    for name, text in command.env.items():
        if name.startswith(_KNOBS) or name in injecting:
            yield text
    for word in command.argv:
        values = [choice for hole in word.text.holes for choice in hole.choices or ()]
        if any(value.lstrip().startswith(("-", "{")) or "{" in value for value in values):
            yield word.text


def _any_choices(command: Command) -> bool:
    texts = [word.text for word in command.argv]
    texts.extend(command.env.values())
    texts.extend(command.files.values())
    return any(hole.choices for text in texts if text.known is None for hole in text.holes)


def _with(command: Command, values: Mapping[str, str]) -> Command:
    return replace(
        command,
        argv=tuple(_word(word, values) for word in command.argv),
        env={name: _text(text, values) for name, text in command.env.items()},
        files={name: _text(text, values) for name, text in command.files.items()},
    )


def _word(word: Word, values: Mapping[str, str]) -> Word:
    text = _text(word.text, values)
    if text is word.text:
        return word
    if not word.splits or text.known is None:
        return word._replace(text=text)
    return Word(text, splits=True, alternatives=(tuple(map(Word, _split(word.text, values))),))


def _split(text: Text, values: Mapping[str, str]) -> Iterator[Text]:
    """The words of an unquoted expansion with these values; blanks in what is literal stay."""
    pieces: list[Piece] = []
    started = False
    for piece in text.pieces:
        if isinstance(piece, Lit):
            pieces.append(piece)
            started = True
            continue
        value = values[piece.symbol]
        parts = value.split()
        if value[:1].isspace():
            if started:
                yield Text(pieces)
            pieces, started = [], False
        for index, part in enumerate(parts):
            pieces.append(Lit(part, piece.origin))
            started = True
            if index + 1 < len(parts) or value[-1].isspace():
                yield Text(pieces)
                pieces, started = [], False
    if started:
        yield Text(pieces)


def _text(text: Text, values: Mapping[str, str]) -> Text:
    if text.known is not None or not any(hole.symbol in values for hole in text.holes):
        return text
    return Text(
        Lit(values[piece.symbol], piece.origin)
        if isinstance(piece, Hole) and piece.symbol in values
        else piece
        for piece in text.pieces
    )
