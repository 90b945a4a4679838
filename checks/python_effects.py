"""Which files a Python program changes, read from its syntax tree; nothing is executed.

Path expressions are followed through names, `os.path`, `pathlib`, f-strings, local functions,
`sys.argv` and `os.environ` as far as they are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from checks.engine_paths import EnginePaths, guarded_name
from verifier.model.command import Command
from verifier.model.record import dataclass
from verifier.model.text import UNKNOWN

if TYPE_CHECKING:
    import ast

    from checks.python_values import Value
    from verifier.policy_sections import EngineSources

MAX_SOURCE = 400_000
_MAY_ACT = (
    r"open|write|copy|move|rename|replace|remove|unlink|link|rmtree|truncate|touch|fileinput"
    r"|subprocess|system|popen|exec|eval"
)
"""Words without which a program changes no file and runs nothing."""


@dataclass(frozen=True, slots=True)
class PythonWrite:
    """One file that a program changes."""

    target: str | None
    """Its path with `UNKNOWN` for unknown parts; None when nothing about it is known."""
    guarded: bool
    """Whether the path was found through an installed package or lies in the image's sources."""
    how: str
    line: int
    """Line inside the program."""

    @property
    def shown(self) -> str:
        """The path for messages."""
        return "a file" if not self.target else self.target.replace(UNKNOWN, "…")


@dataclass(frozen=True, slots=True)
class Program:
    """A program that a command runs."""

    source: str
    """With marks where the shell filled in something unknown."""
    arguments: tuple[Value, ...]
    """`sys.argv`."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What a program does, as far as it can be told."""

    writes: tuple[PythonWrite, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    """Words of the commands that it runs through `subprocess` or `os.system`."""
    problem: str | None = None
    """Why its effects are not known."""
    source: str = ""


def of(command: Command, texts: Mapping[str, str], paths: EnginePaths) -> Effects:
    """What the program of a `python` command does; nothing for any other command."""
    program = program_of(command, texts, paths)
    if program is None:
        return Effects()
    if not re.search(_MAY_ACT, program.source):
        return Effects(source=program.source)
    environment = _environment(command, paths, program.source)
    return _effects(program, tuple(sorted(environment.items(), key=_name)), paths.sources)


def _name(item: tuple[str, Value]) -> str:
    return item[0]


@lru_cache(maxsize=512)  # a library's programs run for every recipe
def _effects(
    program: Program, environment: tuple[tuple[str, Value], ...], sources: EngineSources
) -> Effects:
    from checks.python_values import Evaluator

    tree = parsed(program)
    if tree is None:
        return Effects(problem="its text is not valid Python", source=program.source)
    evaluator = Evaluator(program.arguments, dict(environment), partial(guarded_name, sources))
    evaluator.run(tree)
    writes = {
        (value.text, line): _write(how, value, line, sources)
        for how, value, line in evaluator.writes
    }
    problem = "it runs text as a program (`exec`)" if evaluator.opaque else None
    return Effects(tuple(writes.values()), tuple(evaluator.commands), problem, program.source)


def program_of(command: Command, texts: Mapping[str, str], paths: EnginePaths) -> Program | None:
    """The program of `python -c`, `python -`, `python FILE` or `python < text`."""
    name = command.name or ""
    if not name.startswith(("python", "pypy")):
        return None
    from checks.python_values import Value, of_marked

    words = [EnginePaths.shown(word.text) for word in command.argv]
    values = tuple(of_marked(paths.marked(word.text)) for word in command.argv)
    index = 1
    while index < len(words) and words[index].startswith("-") and len(words[index]) > 1:
        if words[index] == "-c" and index + 1 < len(words):
            source = paths.marked(command.argv[index + 1].text)
            return Program(source, (Value("-c"), *values[index + 2 :]))
        if words[index] == "-m":
            return None
        index += 2 if words[index] in ("-W", "-X") else 1
    if index < len(words) and words[index] != "-":
        written = command.files.get(words[index])
        source = texts.get(words[index], "") if written is None else paths.marked(written)
        return Program(source, values[index:]) if source else None
    if command.stdin is None:
        return None
    return Program(paths.marked(command.stdin), (Value("-"), *values[index + 1 :]))


def parsed(program: Program) -> ast.Module | None:
    """The syntax tree, or None when the text is no Python."""
    import ast
    import warnings

    if len(program.source) > MAX_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(program.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _environment(command: Command, paths: EnginePaths, source: str) -> dict[str, Value]:
    """Variables that the program can ask for by name."""
    from checks.python_values import of_marked

    return {
        name: of_marked(paths.marked(text)) for name, text in command.env.items() if name in source
    }


def _write(how: str, value: Value, line: int, sources: EngineSources) -> PythonWrite:
    known = value.text.strip(UNKNOWN) != ""
    guarded = value.installed or (known and guarded_name(sources, value.text))
    return PythonWrite(value.text if known else None, guarded, how, line)
