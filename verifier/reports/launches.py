"""What a file launches, as JSON (schema 1) and for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from verifier.model.command import Command, Note
from verifier.model.launch import Acceptance, Launch, Speculation, Value
from verifier.model.record import dataclass
from verifier.model.text import Hole, Lit, Text, Word
from verifier.reports.conditions import Json, as_json, as_words
from verifier.reports.escape import terminal
from verifier.reports.report import unique
from verifier.reports.style import PLAIN, Style
from verifier.reports.text import place, wrapped

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Launches of one file, or any commands of it when `launches` are plain commands."""

    path: str
    launches: Sequence[Launch | Command]
    assumptions: Sequence[Note] = ()
    unresolved: Sequence[Note] = ()
    args_only: bool = False
    """Leave out the command's name."""


def render_json(listing: Listing) -> str:
    """One JSON document."""
    return json.dumps(listing_json(listing), indent=2) + "\n"


def listing_json(listing: Listing) -> Mapping[str, Json]:
    """The document before it is written."""
    return {
        "schema": SCHEMA,
        "path": listing.path,
        "launches": [_launch_json(launch, listing.args_only) for launch in listing.launches],
        "assumptions": [_note_json(n, "text") for n in unique(listing.assumptions)],
        "unresolved": [_note_json(n, "reason") for n in unique(listing.unresolved)],
    }


def _note_json(note: Note, key: str) -> Mapping[str, Json]:
    return {"path": note.span.path, "line": note.span.line, key: note.text}


def _launch_json(launch: Launch | Command, args_only: bool) -> Mapping[str, Json]:
    command = launch.command if isinstance(launch, Launch) else launch
    words = launch.argv[1:] if args_only else launch.argv
    line = command.span.line
    shown: dict[str, Json] = {
        "path": command.span.path,
        "line": line,
        "column": command.span.column,
        "argv": [_word_json(word, line) for word in words],
        "env": {name: text_json(value, line) for name, value in command.env.items()},
        "files": {name: text_json(value, line) for name, value in command.files.items()},
        "when": as_json(command.when),
    }
    engine = launch if isinstance(launch, Launch) else None
    shown["engine"] = engine.engine if engine else None
    shown["role"] = engine.role if engine else None
    shown["model"] = text_json(engine.model, line) if engine and engine.model else None
    shown["refused"] = engine.refused if engine else None
    shown["speculation"] = (
        _speculation_json(engine.speculation, line) if engine and engine.speculation else None
    )
    shown["speculative_settings"] = (
        {k: _value_json(v, line) for k, v in engine.speculative_settings.items()} if engine else {}
    )
    return shown


def _word_json(word: Word, line: int) -> Json:
    shown = text_json(word.text, line)
    if not word.splits:
        return shown
    parts: Json = [shown] if isinstance(shown, str) else _parts(word.text, line)
    split: dict[str, Json] = {"parts": parts, "splits": True}
    if word.alternatives is not None:
        split["alternatives"] = [
            [_word_json(inner, line) for inner in words] for words in word.alternatives
        ]
    return split


def text_json(text: Text, line: int) -> Json:
    """A string when wholly known, else its parts."""
    return text.known if text.known is not None else {"parts": _parts(text, line)}


def _parts(text: Text, line: int) -> list[Json]:
    parts: list[Json] = []
    for piece in text.pieces:
        if isinstance(piece, Hole):
            where = piece.origin.span.line if piece.origin is not None else line
            parts.append({"unknown": piece.reason, "line": where})
        elif parts and isinstance(parts[-1], str):
            parts[-1] += piece.value
        else:
            parts.append(piece.value)
    return parts


def _value_json(value: Value, line: int) -> Json:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, Text):
        return text_json(value, line)
    if isinstance(value, Mapping):
        return {key: _value_json(item, line) for key, item in value.items()}
    return [_value_json(item, line) for item in value]


def _number(value: Decimal) -> Json:
    """A JSON number; what JSON cannot say (NaN, or digits a double would lose) as text."""
    if value.is_finite():
        number = float(value)
        if Decimal(repr(number)) == value:
            return number
    return str(value)


def _speculation_json(speculation: Speculation, line: int) -> Mapping[str, Json]:
    draft = speculation.draft_model
    return {
        "method": speculation.method,
        "draft_length": speculation.draft_length,
        "draft_model": None if draft is None else text_json(draft, line),
        "acceptance": _acceptance_json(speculation.acceptance),
        "copies_context": speculation.copies_context,
        "unknown": [note.text for note in speculation.unknown],
    }


def _acceptance_json(acceptance: Acceptance) -> Mapping[str, Json]:
    shown: dict[str, Json] = {
        "kind": acceptance.kind,
        "length": None if acceptance.length is None else f"{acceptance.length:f}",
        "spelling": acceptance.spelling,
    }
    if acceptance.unknown is not None:
        shown["unknown"] = acceptance.unknown
    return shown


def render_text(listing: Listing, style: Style = PLAIN, width: int = 80) -> str:
    """For a terminal: one block for each launch."""
    blocks = [_block(launch, listing.args_only, style, width) for launch in listing.launches]
    if not blocks:
        blocks.append(f"{terminal(listing.path)}: nothing is launched")
    for title, notes in (
        ("Assumptions", listing.assumptions),
        ("Not read to the end", listing.unresolved),
    ):
        if notes:
            blocks.append(_notes(title, notes, style, width))
    return "\n\n".join(blocks) + "\n"


def _block(launch: Launch | Command, args_only: bool, style: Style, width: int) -> str:
    command = launch.command if isinstance(launch, Launch) else launch
    head = style.bold(place(command.span))
    if isinstance(launch, Launch):
        head += f": {launch.engine}" + (f" ({launch.role})" if launch.role else "")
    lines = [head]
    when = as_words(command.when)
    if when is not None:
        lines.extend(wrapped(f"when {when}", width, "  "))
    words = [_shell_word(w) for w in (launch.argv[1:] if args_only else launch.argv)]
    lines.extend(_command_lines(words, width))
    for name, value in command.env.items():
        lines.append(f"  {style.dim('env')} {terminal(name)}={terminal(value.display())}")
    for name in command.files:
        lines.append(f"  {style.dim('file')} {terminal(name)}")
    if isinstance(launch, Launch):
        if launch.speculation is not None:
            lines.extend(wrapped(_speculation_words(launch.speculation), width, "  ", "    "))
        if launch.refused:
            lines.extend(wrapped(f"the engine refuses this: {launch.refused}", width, "  "))
    return "\n".join(lines)


def _command_lines(words: Sequence[str], width: int) -> list[str]:
    """Words in lines that begin with a flag, as a person would lay them out."""
    groups: list[str] = []
    for word in words:
        value = groups and not word.startswith("-") and len(groups[-1]) + len(word) + 7 <= width
        if value:
            groups[-1] += f" {word}"
        else:
            groups.append(word)
    return ["  " + line for line in " \\\n    ".join(groups).split("\n")]


def _shell_word(word: Word) -> str:
    """Quoted where a shell would need it; unknown parts as `<reason>`."""
    known = word.text.known
    if known is not None and not word.splits:
        from shlex import quote

        return terminal(quote(known))
    text = "".join(p.value if isinstance(p, Lit) else f"<{p.reason}>" for p in word.text.pieces)
    return terminal(f"[{text} …]" if word.splits else f'"{text}"')


def _speculation_words(speculation: Speculation) -> str:
    length = speculation.draft_length
    tokens = "an unknown number of" if length is None else str(length)
    plural = "" if length == 1 else "s"
    acceptance = speculation.acceptance
    if acceptance.kind == "synthetic":
        value = "unknown" if acceptance.length is None else f"{acceptance.length:f}"
        accepts = f"synthetic acceptance {value} ({acceptance.spelling})"
    elif acceptance.kind == "real":
        accepts = "real acceptance"
    else:
        accepts = f"acceptance unknown: {acceptance.unknown}"
    parts = [
        f"speculation: {speculation.method or 'unknown method'}, {tokens} draft token{plural}",
        accepts,
    ]
    if speculation.draft_model is not None:
        parts.append(f"draft model {speculation.draft_model.display()}")
    parts.extend(note.text for note in speculation.unknown)
    return "; ".join(parts)


def _notes(title: str, notes: Iterable[Note], style: Style, width: int) -> str:
    lines = [style.bold(title)]
    for note in unique(notes):
        lines.extend(wrapped(f"{place(note.span)}: {note.text}", width, "  ", "    "))
    return "\n".join(lines)
