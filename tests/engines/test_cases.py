"""Every line of `cases/*.txt`: one command and what the engine makes of it.

A line reads `[NAME=VALUE …] words => expectations`, words quoted as in a shell and `<X>` standing
for the value of an unknown input X. `source:` names where the rules of the lines below it were
read, `file NAME` starts a file (indented) that the commands below may name, and `before:` puts
words in front of every command.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.engines.build import launch
from verifier.engines import json_text
from verifier.engines.compare import canonical
from verifier.model.launch import Launch
from verifier.model.text import Text, lit

FOLDER = Path(__file__).parent / "cases"


class Case(NamedTuple):
    name: str
    line: str
    words: list[str]
    env: dict[str, str]
    files: dict[str, str]
    expected: list[str]
    source: str


def cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)


def read(path: Path) -> Iterator[Case]:
    source = ""
    before: list[str] = []
    files: dict[str, str] = {}
    name = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith("  ") and name:
            files[name] += line[2:] + "\n"
        elif line.startswith("source:"):
            source, files, name = line[7:].strip(), {}, ""
        elif line.startswith("before:"):
            before = shlex.split(line[7:])
        elif line.startswith("file "):
            name = line[5:].strip()
            files = {**files, name: ""}
        elif line.strip() and not line.startswith("#"):
            assert source, f"{path.name}:{number} has no source"
            left, _, right = line.rpartition(" => ")
            words = shlex.split(left)
            env: dict[str, str] = {}
            while words and words[0].split("=")[0].isupper() and "=" in words[0]:
                key, _, value = words.pop(0).partition("=")
                env[key] = value
            yield Case(
                f"{path.stem}:{number}",
                line,
                [*before, *words],
                env,
                dict(files),
                shlex.split(right),
                source,
            )


def shown(value: object) -> str:
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Text):
        return value.display()
    return str(value)


def accept(found: Launch) -> str:
    speculation = found.speculation
    assert speculation is not None
    acceptance = speculation.acceptance
    if acceptance.kind != "synthetic":
        return acceptance.kind
    return "?" if acceptance.length is None else str(acceptance.length.normalize())


def group(found: Launch, name: str) -> str | None:
    for each in (found.parallelism, found.precision, found.kernels, found.settings):
        if name in each:
            return shown(each[name].value)
    return None


FACTS: dict[str, Callable[[Launch], object]] = {
    "method": lambda f: f.speculation and f.speculation.method,
    "written": lambda f: f.speculation and f.speculation.method_written,
    "k": lambda f: f.speculation and f.speculation.draft_length,
    "draft": lambda f: f.speculation and f.speculation.draft_model,
    "sampler": lambda f: f.speculation and f.speculation.draft_sample_method,
    "block": lambda f: f.speculation and f.speculation.block_verification,
    "copies": lambda f: f.speculation and f.speculation.copies_context,
    "exact": lambda f: f.speculation and f.speculation.acceptance.exact,
    "knob": lambda f: f.speculation and f.speculation.acceptance.spelling,
    "accept": accept,
    "model": lambda f: f.model,
    "served": lambda f: f.served_model_name,
    "role": lambda f: f.role,
    "engine": lambda f: f.engine,
    "entry": lambda f: f.entry,
}


def problem(found: Launch, expectation: str) -> str | None:
    """What does not hold, or None."""
    if expectation == "none":
        return None if found.speculation is None else f"speculates: {found.speculation}"
    if expectation == "ok":
        return None if found.refused is None else f"refused: {found.refused}"
    if expectation == "loose":
        return None if found.speculation and found.speculation.loose else "not loose"
    if expectation == "open":
        return None if found.unresolved else "nothing unresolved"
    if expectation == "closed":
        return str(found.unresolved) if found.unresolved else None
    if expectation.startswith("refused"):
        wanted = expectation[8:]
        if found.refused is None or wanted not in found.refused:
            return f"refused: {found.refused}"
        return None
    if expectation.startswith("assumes~"):
        texts = [note.text for note in found.assumptions]
        return None if any(expectation[8:] in text for text in texts) else f"assumes {texts}"
    if expectation.startswith("architecture~"):
        names = [setting.spelling for setting in found.architecture]
        return None if expectation[13:] in names else f"architecture {names}"
    name, _, wanted = expectation.partition("=")
    if name == "settings":
        value = json_text.read(lit(wanted))
        if canonical(found.speculative_settings) == canonical(value):
            return None
        return f"settings {found.speculative_settings}"
    got = FACTS[name](found) if name in FACTS else group(found, name)
    return None if shown(got) == wanted else f"{name} is {shown(got)}"


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    found = launch(*case.words, env=case.env, files=case.files)
    refusal = [] if any(e.startswith("refused") for e in case.expected) else ["ok"]
    problems = [p for e in [*case.expected, *refusal] if (p := problem(found, e))]
    assert not problems, f"{case.line}\n{problems}\nrefused: {found.refused}"


def test_lengths_are_compared_as_decimals() -> None:
    assert Decimal("2.490") == Decimal("2.49") != Decimal("2.4999")
