"""Where the parts of a launch are written, for messages.

A piece of text knows every step of its way. A reader wants the literal in the script and not
`"${CMD[@]}"`, so the oldest step inside the script counts; for what a library wrote, the oldest
of all does when no step lies in the script.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.model.command import Command
from verifier.model.record import replace
from verifier.model.text import UNKNOWN, Lit, Origin, Piece, Span, Text, Word


def at_literals(command: Command) -> Command:
    """The command with every origin moved to the place where its text is written."""
    script = command.calls[0].path if command.calls else command.span.path
    moved: dict[int, Origin] = {}

    def text(given: Text) -> Text:
        pieces = [piece(each) for each in given.pieces]
        return (
            given
            if all(a is b for a, b in zip(pieces, given.pieces, strict=True))
            else Text(pieces)
        )

    def piece(given: Piece) -> Piece:
        if given.origin is None or given.origin.before is None:
            return given
        found = moved.get(id(given.origin))
        if found is None:
            found = moved[id(given.origin)] = _written(given.origin, script)
        return given._replace(origin=found)

    return replace(
        command,
        argv=tuple(_word(word, text) for word in command.argv),
        env={name: text(value) for name, value in command.env.items()},
        files={name: text(value) for name, value in command.files.items()},
    )


def _word(word: Word, text: Callable[[Text], Text]) -> Word:
    listed = word.alternatives
    if listed is not None:
        listed = tuple(tuple(_word(each, text) for each in words) for words in listed)
    return Word(text(word.text), word.splits, listed)


def _written(origin: Origin, script: str) -> Origin:
    oldest = inside = None
    for step in origin.chain():
        oldest = step
        if step.span.path == script:
            inside = step
    found = inside or oldest
    assert found is not None
    return found


def of_key(text: Text, key: str) -> Span | None:
    """Where the value of a key of a JSON or YAML text is written; None when it is not there."""
    shown = "".join(p.value if isinstance(p, Lit) else UNKNOWN for p in text.pieces)
    loose = re.escape(key).replace("_", "[_-]")
    matches = list(re.finditer(rf"""(?<![\w-])["']?{loose}["']?[ \t]*:[ \t]*""", shown))
    if not matches:
        return None
    found = matches[-1]  # of duplicate keys, the last wins
    # The key of a mapping is followed by other keys' lines; a scalar by its own place.
    at = found.start() if shown[found.end() : found.end() + 1] in ("", "\n", "{") else found.end()
    for piece in text.pieces:
        size = len(piece.value) if isinstance(piece, Lit) else 1
        if at < size:
            return _inside(piece, at)
        at -= size
    return None


def _inside(piece: Piece, at: int) -> Span | None:
    """The place of one character, as far as the way in which the piece is written tells it."""
    if piece.origin is None:
        return None
    span = piece.origin.span
    if not isinstance(piece, Lit):
        return span
    if piece.value.count("\n") == span.end_line - span.line:
        line = piece.value.count("\n", 0, at)
        if line:
            return Span(span.path, span.line + line)
        if span.end_line == span.line:
            return _in_line(piece.value, at, span)
    return span


_ESCAPED = re.compile(r'["\\$`]')
_WORD = re.compile(r"[^,}\]\s\"']*")


def _in_line(value: str, at: int, span: Span) -> Span:
    """Characters in double quotes have a backslash or none; those in others have none."""
    more = span.end_column - span.column - len(value)
    escaped = len(_ESCAPED.findall(value))
    if more == 0:
        column = span.column + at
    elif more == escaped:
        column = span.column + at + len(_ESCAPED.findall(value, 0, at))
    elif more == escaped + 2 or more == 2:
        before = len(_ESCAPED.findall(value, 0, at)) if more != 2 else 0
        column = span.column + 1 + at + before
    else:
        return span
    found = _WORD.match(value, at)
    length = max(len(found.group()) if found else 0, 1)
    return Span(span.path, span.line, column, span.line, column + length)
