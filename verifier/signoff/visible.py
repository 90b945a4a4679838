"""Which lines of a comment its author says: not quotes, code or hidden text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.model.record import NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_CHARACTERS = 140_000
"""GitHub allows 65,536; what is beyond twice that is not looked at."""

_LINES = re.compile(r"\r\n|\r|\n")
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]]+\]:\s*\S")
_SILENT = frozenset({"fence", "code_block", "blockquote_open"})


class Line(NamedTuple):
    """A line that counts. `number` is 1-based in the whole text."""

    number: int
    text: str


def lines_of(text: str) -> list[str]:
    """Lines of a text whatever its line ends."""
    return _LINES.split(text[:MAX_CHARACTERS])


@lru_cache(maxsize=1)
def _blocks() -> MarkdownIt:
    """CommonMark's blocks; what is inside a paragraph does not matter here."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def visible_lines(text: str) -> list[Line]:
    """Lines outside code blocks, block quotes, HTML comments and link definitions.

    Blocks are CommonMark's: a fence that is not closed reaches to the end, a line that continues
    a quoted paragraph belongs to the quote.
    """
    source = lines_of(text)
    silent: set[int] = set()
    for token in _blocks().parse("\n".join(source)):
        if token.type in _SILENT and token.map is not None:
            silent.update(range(*token.map))
    kept: list[Line] = []
    hidden = False
    for index, raw in enumerate(source):
        if index in silent:
            continue
        line, hidden = _without_comments(raw, hidden)
        if line.strip() and not _DEFINITION.match(line):
            kept.append(Line(index + 1, line))
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
