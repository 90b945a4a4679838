"""POSIX extended regular expressions of `[[ x =~ re ]]` in terms of Python's."""

from __future__ import annotations

import re
from collections.abc import Sequence

CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": " \\t\\n\\r\\f\\v",
    "blank": " \\t",
    "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "xdigit": "0-9A-Fa-f",
}
"""POSIX classes of ASCII characters, as the inside of a bracket of Python's."""
_LONGEST = 4_000
"""Subjects beyond this are not searched: Python's engine backtracks."""


class _Unsupported(Exception):
    """Something that is not translated."""


def compile_ereg(
    pieces: Sequence[tuple[str, bool]], *, nocase: bool = False
) -> re.Pattern[str] | None:
    """The expression; quoted pieces match themselves. None when it cannot be translated.

    Expressions with a repetition inside a repetition are refused: they could take for ever.
    """
    text = _joined(pieces)
    if any(ord(c) > 126 for c in text):
        return None
    try:
        return re.compile(_translate(text), re.DOTALL | (re.IGNORECASE if nocase else 0))
    except (_Unsupported, re.error, OverflowError):
        return None


def _joined(pieces: Sequence[tuple[str, bool]]) -> str:
    """The text of the expression; inside brackets bash takes quoted characters as they are."""
    result: list[str] = []
    opened = -1
    """How many characters of a bracket have been read; -1 outside."""
    for value, quoted in pieces:
        if quoted:
            inside = opened >= 0
            result.append(value if inside else re.sub(r"([][\\.*^$+?(){}|])", r"\\\1", value))
            opened += len(value) if inside else 0
            continue
        result.append(value)
        position = 0
        while position < len(value):
            char = value[position]
            if opened < 0:
                position += char == "\\"
                opened = 0 if char == "[" else -1
            elif char == "^" and opened == 0 and result[-1][position - 1 : position] == "[":
                pass
            elif char == "]" and opened:
                opened = -1
            elif char == "[" and value[position + 1 : position + 2] in (":", ".", "="):
                end = value.find(value[position + 1] + "]", position + 2)
                position = end + 1 if end > 0 else position
                opened += 1
            else:
                opened += 1
            position += 1
    return "".join(result)


def search(pattern: re.Pattern[str], subject: str) -> re.Match[str] | None:
    """The first match. Its extent is bash's unless `captures_may_differ`."""
    return pattern.search(subject[:_LONGEST])


def captures_may_differ(pattern: re.Pattern[str]) -> bool:
    """Whether leftmost-longest matching may capture something else than Python does."""
    return "|" in pattern.pattern


def _translate(text: str) -> str:
    out: list[str] = []
    stack: list[bool] = []
    """For each open group: whether it holds a repetition."""
    repeats = last_repeats = False
    position = 0
    atom = False
    while position < len(text):
        char = text[position]
        if char == "[":
            piece, position = _bracket(text, position)
            out.append(piece)
            atom, last_repeats = True, False
            continue
        if char == "\\":
            if position + 1 >= len(text) or text[position + 1].isalnum():
                raise _Unsupported
            out.append(re.escape(text[position + 1]))
            atom, last_repeats = True, False
            position += 2
            continue
        if char == "(":
            stack.append(repeats)
            repeats, atom = False, False
            out.append("(")
        elif char == ")":
            if not stack:
                raise _Unsupported
            last_repeats = repeats
            repeats = stack.pop() or repeats
            atom = True
            out.append(")")
        elif char in "*+?" or char == "{":
            piece, position = _repetition(text, position)
            if not atom or (last_repeats and piece != "?"):
                raise _Unsupported
            out.append(piece)
            atom = False
            repeats = repeats or piece != "?"
            continue
        elif char in "^|":
            out.append(char)
            atom = False
        elif char == "$":
            out.append("\\Z")
            atom = False
        elif char == ".":
            out.append(".")
            atom, last_repeats = True, False
        else:
            out.append(re.escape(char))
            atom, last_repeats = True, False
        position += 1
    if stack:
        raise _Unsupported
    return "".join(out)


def _repetition(text: str, position: int) -> tuple[str, int]:
    if text[position] != "{":
        return text[position], position + 1
    match = re.compile(r"\{(\d{1,3})(,(\d{0,3}))?\}").match(text, position)
    if match is None:
        raise _Unsupported
    return match.group(), match.end()


def _bracket(text: str, position: int) -> tuple[str, int]:
    position += 1
    out = ["["]
    if text[position : position + 1] == "^":
        out.append("^")
        position += 1
    first = True
    while True:
        if position >= len(text):
            raise _Unsupported
        char = text[position]
        if char == "]" and not first:
            out.append("]")
            return "".join(out), position + 1
        first = False
        if text.startswith("[:", position):
            end = text.find(":]", position)
            name = text[position + 2 : end] if end > 0 else ""
            if name not in CLASSES:
                raise _Unsupported
            out.append(CLASSES[name])
            position = end + 2
            continue
        if text.startswith(("[.", "[="), position):
            # Of single characters; others have names, and may be ranges' ends.
            name, end = text[position + 2 : position + 3], position + 5
            if text[position + 3 : end] != text[position + 1] + "]" or text[end : end + 1] == "-":
                raise _Unsupported
            out.append(re.escape(name))
            position = end
            continue
        out.append("-" if _is_range(text, position) else re.escape(char))
        position += 1


def _is_range(text: str, position: int) -> bool:
    """Whether the `-` here stands between two characters."""
    return (
        text[position] == "-"
        and text[position - 1] not in "[^"
        and position + 1 < len(text)
        and text[position + 1] != "]"
    )
