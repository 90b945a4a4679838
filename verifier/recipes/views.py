"""A launch as comparable text: arguments, variables, files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from verifier.model.command import Command
from verifier.model.context import RecipeFacts
from verifier.model.launch import Launch
from verifier.model.record import dataclass
from verifier.model.text import Text, Word
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlNode, YamlScalar, read

_NUMBER = re.compile(r"-\.?\d")


@dataclass(frozen=True, slots=True)
class LaunchView:
    """One server start-up. Values are text, with holes shown as `<reason>`."""

    name: str
    """`vllm serve`, with the role when there is one."""
    arguments: tuple[tuple[str, tuple[str, ...]], ...]
    """(flag, its values) in order; the flag of leading positional words is empty."""
    variables: tuple[tuple[str, str], ...]
    """Sorted by name."""
    files: tuple[tuple[str, str], ...]
    """(file and key path, value), sorted."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a point runs, as far as it matters for what is measured."""

    launches: tuple[LaunchView, ...]
    clients: tuple[LaunchView, ...]
    """Clients and evaluations, which decide the workload; equal ones in a row once."""
    unknown: tuple[str, ...] = ()
    """Why parts of the launches are not known, each reason once."""


def view_of(facts: RecipeFacts) -> View:
    """Comparable text of a point's launches and clients."""
    return View(
        tuple(launch_view(launch) for launch in facts.launches),
        tuple(dict.fromkeys(_client(c) for c in (*facts.clients, *facts.evaluations))),
        tuple(dict.fromkeys(_unknown(facts))),
    )


def _unknown(facts: RecipeFacts) -> Iterator[str]:
    for command in (*(x.command for x in facts.launches), *facts.clients, *facts.evaluations):
        for text in (*(word.text for word in command.argv), *command.env.values()):
            yield from (hole.reason for hole in text.holes)
    for launch in facts.launches:
        for _, text in named_files(launch):
            yield from (hole.reason for hole in text.holes)


def launch_view(launch: Launch) -> LaunchView:
    """Comparable text of one server start-up."""
    name = launch.entry if launch.role is None else f"{launch.entry} ({launch.role})"
    env = {key: text.display() for key, text in launch.command.env.items()}
    env = {**_pin(launch), **env}
    named = named_files(launch)
    return LaunchView(
        name,
        tuple(_arguments(launch.argv)),
        tuple(sorted(env.items())),
        tuple(sorted(pair for path, text in named for pair in _file(path, text))),
    )


def _pin(launch: Launch) -> dict[str, str]:
    """What a launcher makes of the recipe's acceptance, where the engine sees no such variable."""
    acceptance = launch.speculation.acceptance if launch.speculation else None
    if acceptance is None or acceptance.spelling is None or not acceptance.spelling.isupper():
        return {}
    return {acceptance.spelling: acceptance.written or "<chosen by the launcher>"}


def _client(command: Command) -> LaunchView:
    name = command.name or (_shown(command.argv[0]) if command.argv else "")
    return LaunchView(f"client {name}", tuple(_arguments(command.argv[1:])), (), ())


def _shown(word: Word) -> str:
    text = word.text.display()
    return f"{text}…" if word.splits else text


def _arguments(argv: Sequence[Word]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Flags with the words up to the next flag."""
    flag, values = "", list[str]()
    for word in argv:
        text = _shown(word)
        if text.startswith("-") and len(text) > 1 and not _NUMBER.match(text):
            yield flag, tuple(values)
            flag, equals, value = text.partition("=")
            values = [value] if equals else []
        else:
            values.append(text)
    yield flag, tuple(values)


def named_files(launch: Launch) -> Iterator[tuple[str, Text]]:
    """Files that the launch's words or variables mention; others do not reach it."""
    mentioned = [_shown(word) for word in launch.argv]
    mentioned += [text.display() for text in launch.command.env.values()]
    for path, text in launch.command.files.items():
        base = path.rsplit("/", 1)[-1]
        if base and any(base in words for words in mentioned):
            yield path, text


def _file(path: str, text: Text) -> Iterator[tuple[str, str]]:
    shown = text.display()
    if path.endswith((".yaml", ".yml", ".json")):
        root = read(shown, path).root
        if isinstance(root, YamlMap | YamlList):
            yield from _flat(f"{path}:", root)
            return
    yield path, shown


def _flat(at: str, node: YamlNode) -> Iterator[tuple[str, str]]:
    """Key paths of a document with their values; an empty collection is a value."""
    if isinstance(node, YamlScalar):
        yield at, "null" if node.value is None else node.text
    elif isinstance(node, YamlMap):
        if not node.entries:
            yield at, "{}"
        for key, entry in node.entries.items():
            yield from _flat(f"{at}{'' if at.endswith(':') else '.'}{_key(key)}", entry.node)
    else:
        if not node.items:
            yield at, "[]"
        for index, item in enumerate(node.items):
            yield from _flat(f"{at}[{index}]", item)


def _key(key: Any) -> str:
    return str(key)
