"""Which lines of a comment its author says: not quotes, code or hidden text."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

MAX_CHARACTERS = 1_000_000
"""GitHub allows 65,536; a longer text is no comment of its."""

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})(.*)$")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]]+\]:\s*\S")
_LINES = re.compile(r"\r\n|\r|\n")


class Line(NamedTuple):
    """A line that counts. `number` is 1-based in the whole text."""

    number: int
    text: str


def lines_of(text: str) -> list[str]:
    """Lines of a text whatever its line ends."""
    return _LINES.split(text[:MAX_CHARACTERS])


def visible_lines(text: str) -> list[Line]:
    """Lines outside fenced and indented code, block quotes, HTML comments and link definitions.

    Follows CommonMark where it matters here: a fence is closed by one of the same character
    at least as long; an unclosed fence reaches to the end; a fence may be inside a list item; a
    line under a quote that continues its paragraph belongs to the quote.
    """
    kept: list[Line] = []
    source = lines_of(text)
    fence: str | None = None
    quoted = False
    in_list = False
    hidden = False
    blank_before = True
    for number, raw in enumerate(source, start=1):
        line = raw
        if fence is not None:
            closing = _FENCE.match(line.strip())
            if (
                closing
                and closing[1][0] == fence[0]
                and len(closing[1]) >= len(fence)
                and not closing[2].strip()
            ):
                fence = None
            continue
        line, hidden = _without_comments(line, hidden)
        stripped = line.strip()
        if not stripped:
            quoted = False
            blank_before = True
            continue
        opening = _FENCE.match(re.sub(_LIST, "", line).lstrip() if in_list else line)
        opening = opening or _FENCE.match(_LIST.sub("", line, count=1))
        if opening and not (opening[1][0] == "`" and "`" in opening[2]):
            fence = opening[1]
            quoted = False
            continue
        if stripped.startswith(">") or re.match(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+>", line):
            quoted = True
            blank_before = False
            continue
        if _DEFINITION.match(line):
            continue
        starts_block = bool(_LIST.match(line)) or stripped.startswith("#")
        if quoted and not starts_block:
            continue
        quoted = False
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if indent >= 4 and blank_before and not in_list:
            continue
        if _LIST.match(line):
            in_list = True
        elif indent == 0:
            in_list = False
        blank_before = False
        kept.append(Line(number, line))
    return kept


def _without_comments(line: str, hidden: bool) -> tuple[str, bool]:
    """The line without its HTML comments, and whether one goes on in the next line."""
    out: list[str] = []
    rest = line
    while True:
        if hidden:
            _, closed, rest = rest.partition("-->")
            if not closed:
                return "".join(out), True
            hidden = False
        before, opened, rest = rest.partition("<!--")
        out.append(before)
        if not opened:
            return "".join(out), False
        hidden = True


def without_code_spans(text: str) -> str:
    """The line without its inline code; an unmatched backtick stays."""
    return re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", " ", text)


def readable(text: str) -> str:
    """Compatibility characters unified and invisible ones dropped, for comparing words."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Cc") or c in "\n\t")
