"""Paragraphs, headings and tables of a Markdown text, with their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.model.record import NamedTuple

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_CHARACTERS = 2_000_000


class Cell(NamedTuple):
    """Inline content: its text without markup, and what stands in code spans."""

    text: str
    code: tuple[str, ...] = ()


class Paragraph(NamedTuple):
    """A paragraph or heading."""

    cell: Cell
    line: int
    heading: bool


class Row(NamedTuple):
    """A table row."""

    cells: tuple[Cell, ...]
    line: int


class Table(NamedTuple):
    """A table."""

    header: tuple[Cell, ...]
    rows: tuple[Row, ...]


def blocks(text: str) -> Iterator[Paragraph | Table]:
    """In the order of the text; code blocks, quotes of code and HTML are left out."""
    from markdown_it import MarkdownIt

    # HTML is told apart from text in order to leave it out.
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text[:MAX_CHARACTERS])
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "table_open":
            end = next(i for i in range(index, len(tokens)) if tokens[i].type == "table_close")
            yield _table(tokens[index:end])
            index = end
        elif token.type == "inline":
            heading = index > 0 and tokens[index - 1].type == "heading_open"
            yield Paragraph(_cell(token), _line(token), heading)
        index += 1


def _table(tokens: Sequence[Token]) -> Table:
    rows: list[Row] = []
    cells: list[Cell] = []
    line = 0
    for token in tokens:
        if token.type == "tr_open":
            cells, line = [], _line(token)
        elif token.type == "inline":
            cells.append(_cell(token))
        elif token.type == "tr_close":
            rows.append(Row(tuple(cells), line))
    return Table(rows[0].cells if rows else (), tuple(rows[1:]))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


def _cell(token: Token) -> Cell:
    text: list[str] = []
    code: list[str] = []
    for child in token.children or ():
        if child.type == "code_inline":
            code.append(child.content)
        if child.type in ("text", "code_inline"):
            text.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            text.append(" ")
    return Cell("".join(text), tuple(code))
