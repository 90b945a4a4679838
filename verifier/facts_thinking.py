"""Thinking on or off: what launches and clients tell the model's chat template."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.model.command import Command
from verifier.model.context import ThinkingSetting
from verifier.model.launch import Launch
from verifier.model.text import Lit, Piece, Text, Word

if TYPE_CHECKING:
    from verifier.policy import Policy
    from verifier.policy_sections import Thinking


def settings_of(
    launches: Iterable[Launch], clients: Iterable[Command], policy: Policy
) -> Iterator[ThinkingSetting]:
    """Every place that sets the thinking mode; a client's word counts over the server's."""
    sources = [
        *((client, client.argv) for client in clients),
        *((launch.command, launch.argv) for launch in launches),
    ]
    for command, argv in sources:
        for option, text in _values(argv, policy.thinking):
            setting = _setting(option, text, command, policy.thinking)
            if setting is not None:
                yield setting
        for name in policy.thinking.variables:
            if name in command.env:
                setting = _setting(name, command.env[name], command, policy.thinking)
                if setting is not None:
                    yield setting


def _values(argv: Sequence[Word], thinking: Thinking) -> Iterator[tuple[str, Text]]:
    """(option, value) of each option that can carry the mode; `--a b` and `--a=b`."""
    for index, word in enumerate(argv):
        first = word.text.key[0] if word.text.key else ""
        if not isinstance(first, str):
            continue
        option, equals, _ = first.partition("=")
        option = option.replace("_", "-")
        if option not in thinking.options:
            continue
        if equals:
            yield option, _after(word.text, len(option) + 1)
        elif index + 1 < len(argv):
            yield option, argv[index + 1].text


def _after(text: Text, count: int) -> Text:
    pieces: list[Piece] = []
    for piece in text.pieces:
        if isinstance(piece, Lit) and count:
            cut = piece.value[count:]
            count = max(0, count - len(piece.value))
            pieces.append(Lit(cut, piece.origin))
        else:
            pieces.append(piece)
    return Text(pieces)


def _setting(
    option: str, text: Text, command: Command, thinking: Thinking
) -> ThinkingSetting | None:
    span = text.span or command.span
    if text.known is None:
        if not _may_tell(option, text, thinking):
            return None
        shown = f"{option} {text.display()}"
        return ThinkingSetting(mode=None, when=command.when, span=span, text=shown)
    said = dict(_modes(_parsed(text.known), thinking))
    if not said:
        return None
    mode = next(iter(said.values())) if len(set(said.values())) == 1 else None
    return ThinkingSetting(mode=mode, when=command.when, span=span, text=f"{option} {text.known}")


def _may_tell(option: str, text: Text, thinking: Thinking) -> bool:
    """Whether a text with unknown parts can set the mode.

    General request fields that only the job can fill are not the recipe saying anything.
    """
    known = "".join(part for part in text.key if isinstance(part, str))
    return "chat-template" in option or any(key in known for key in thinking.keys)


def _parsed(text: str) -> object:
    """JSON, or `key:JSON` and `key:word` as the agentic client takes them."""
    key, colon, rest = text.partition(":")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if not colon:
        return None
    try:
        return {key.strip(): json.loads(rest)}
    except (ValueError, RecursionError):
        return {key.strip(): rest.strip()}


def _modes(value: object, thinking: Thinking, depth: int = 0) -> Iterator[tuple[str, str | None]]:
    if not isinstance(value, dict) or depth > 5:
        return
    for key, item in value.items():
        if key in thinking.keys:
            word = str(item).lower()
            mode = "on" if word in thinking.on else "off" if word in thinking.off else None
            yield key, mode
        else:
            yield from _modes(item, thinking, depth + 1)
