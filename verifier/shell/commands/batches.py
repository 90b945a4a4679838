"""How `xargs` makes command lines of its input (GNU findutils 4.9, xargs.c)."""

from __future__ import annotations

from verifier.model.record import NamedTuple

_BLANKS = " \t"


class Batching(NamedTuple):
    """The options of xargs that decide which words go to which command."""

    delimiter: str | None = None
    """One character (`-0`, `-d`); None: blanks and newlines, with quotes."""
    replace: str | None = None
    """`-I`: every input line takes the place of this text."""
    words: int | None = None
    """`-n`."""
    lines: int | None = None
    """`-L`."""
    empty: bool = True
    """Whether it runs once without any input (not with `-r`)."""


def batches(text: str, how: Batching) -> list[list[str]] | None:
    """The input words of each command line; None when xargs would complain or it is not known."""
    if "\0" in text and how.delimiter != "\0":
        return None
    if how.delimiter is not None:
        items = text.split(how.delimiter)
        if not items[-1]:
            items.pop()
        lines = [[item] for item in items]
    else:
        read = _lines(text, whole=how.replace is not None)
        if read is None:
            return None
        lines = read
    if how.replace is not None:
        return lines
    if how.lines is not None:
        if how.delimiter is None and any(line[-1:] in (" ", "\t") for line in text.split("\n")):
            return None
        groups = [lines[i : i + how.lines] for i in range(0, len(lines), how.lines)]
        result = [[word for line in group for word in line] for group in groups]
    else:
        words = [word for line in lines for word in line]
        size = how.words or max(len(words), 1)
        result = [words[i : i + size] for i in range(0, len(words), size)]
    return result or ([[]] if how.empty else [])


def _lines(text: str, *, whole: bool) -> list[list[str]] | None:
    """The words of every line that has any; `whole`: a line is one word."""
    lines: list[list[str]] = []
    for line in text.split("\n"):
        words = _words(line.lstrip(_BLANKS), whole)
        if words is None:
            return None
        if words:
            lines.append(words)
    return lines


def _words(line: str, whole: bool) -> list[str] | None:
    words: list[str] = []
    current: str | None = None
    position = 0
    while position < len(line):
        char = line[position]
        position += 1
        if char in "'\"":
            end = line.find(char, position)
            if end < 0:
                return None
            current = (current or "") + line[position:end]
            position = end + 1
        elif char == "\\":
            if position == len(line):
                return None
            current = (current or "") + line[position]
            position += 1
        elif char in _BLANKS and not whole:
            if current is not None:
                words.append(current)
            current = None
        else:
            current = (current or "") + char
    if current is not None:
        words.append(current)
    return words
