"""How each value of a launch came about, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from verifier.model.command import Command
from verifier.model.launch import Launch
from verifier.model.text import Origin, Text, Word
from verifier.reports.conditions import as_words
from verifier.reports.escape import terminal
from verifier.reports.style import PLAIN, Style
from verifier.reports.text import place, wrapped

MAX_STEPS = 12


def explain(
    launches: Sequence[Launch | Command],
    source: Callable[[str], str | None],
    line: int | None = None,
    style: Style = PLAIN,
    width: int = 80,
) -> str:
    """Every launch with the chain of lines behind each argument and variable.

    With `line`: launches that start there, else the arguments that this line has a part in.
    """
    blocks = [
        block
        for launch in launches
        if (block := _launch(launch, _Lines(source), line, style, width)) is not None
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


class _Lines:
    """Source lines by place, split once."""

    def __init__(self, source: Callable[[str], str | None]) -> None:
        self._source = source
        self._files: dict[str, list[str]] = {}

    def at(self, path: str, line: int) -> str:
        if path not in self._files:
            self._files[path] = (self._source(path) or "").split("\n")
        lines = self._files[path]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _launch(
    launch: Launch | Command, lines: _Lines, line: int | None, style: Style, width: int
) -> str | None:
    command = launch.command if isinstance(launch, Launch) else launch
    whole = line is None or command.span.line <= line <= max(
        command.span.end_line, command.span.line
    )
    values: list[tuple[str, Text]] = [(_word(word), word.text) for word in launch.argv] + [
        (f"{name}={value.display()}", value) for name, value in command.env.items()
    ]
    blocks: list[str] = []
    for label, text in values:
        steps = list(_steps(text))
        if not whole and not any(step.span.line == line for step in steps):
            continue
        blocks.append(_value(label, text, steps, lines, style, width))
    if not blocks:
        return None
    head = [style.bold(place(command.span)), *_circumstances(command, lines, style, width)]
    return "\n".join((*head, *blocks))


def _circumstances(command: Command, lines: _Lines, style: Style, width: int) -> Iterator[str]:
    """Where it was called from, and under which condition."""
    for call in command.calls:
        yield f"  {style.dim('called at')} {place(call)}: {_cut(lines.at(call.path, call.line))}"
    when = as_words(command.when)
    if when is not None:
        yield from wrapped(f"when {when}", width, "  ")
        seen: set[tuple[str, int]] = set()
        for conjunction in command.when.alternatives:
            for atom in conjunction:
                span = getattr(atom, "span", None)
                if span is not None and span.path and (span.path, span.line) not in seen:
                    seen.add((span.path, span.line))
                    yield f"    {place(span)}: {_cut(lines.at(span.path, span.line))}"


def _value(
    label: str, text: Text, steps: Sequence[Origin], lines: _Lines, style: Style, width: int
) -> str:
    shown = [f"  {style.bold(terminal(label, 400))}"]
    for hole in text.holes:
        shown.extend(wrapped(f"unknown: {hole.reason}", width, "    "))
    for step in steps[:MAX_STEPS]:
        quoted = _cut(lines.at(step.span.path, step.span.line))
        shown.append(f"    {place(step.span)}: {terminal(step.how)}")
        if quoted:
            shown.append(f"      {style.dim('| ' + quoted)}")
    if len(steps) > MAX_STEPS:
        shown.append(f"    … {len(steps) - MAX_STEPS} earlier steps")
    return "\n".join(shown)


def _steps(text: Text) -> Iterator[Origin]:
    """Each step behind any piece of the text once, the newest first."""
    seen: set[tuple[str, int, str]] = set()
    for piece in text.pieces:
        if piece.origin is None:
            continue
        for step in piece.origin.chain():
            key = (step.span.path, step.span.line, step.how)
            if key not in seen:
                seen.add(key)
                yield step


def _word(word: Word) -> str:
    return f"{word.text.display()} …" if word.splits else word.text.display() or "''"


def _cut(text: str) -> str:
    return terminal(text, 120)
