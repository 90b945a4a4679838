"""Field splitting by IFS."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from verifier.model.text import Text, lit

DEFAULT_IFS = lit(" \t\n")


class Fragment(NamedTuple):
    """A stretch of an expanded word.

    `quoted` fragments keep their characters and make a field even when empty. `splits` marks
    the result of an unquoted expansion, the only thing that IFS splits; unquoted literal
    characters have neither. `breaks`: a field ends before this fragment whatever IFS is
    (between the elements of `$@`).
    """

    text: Text
    quoted: bool = False
    splits: bool = False
    breaks: bool = False


class Field(NamedTuple):
    """One word, with its quoting kept for pathname expansion.

    `many`: the field holds an unquoted hole that may split, so it stands for any number of
    words, none included.
    """

    fragments: tuple[Fragment, ...]
    many: bool = False

    @property
    def text(self) -> Text:
        """The characters, quotes gone."""
        return Text(piece for fragment in self.fragments for piece in fragment.text.pieces)


def split_fields(fragments: Iterable[Fragment], ifs: Text | None) -> list[Field]:
    """The fields of one word. `ifs` is the value of IFS, None when unset (the default one).

    An unquoted expansion to nothing makes no field; `""` makes one.
    """
    raise NotImplementedError


def split_read(line: Text, ifs: Text | None, count: int | None, *, raw: bool) -> list[Text] | None:
    """The fields that `read` assigns to `count` names (None: `read -a`, all of them).

    With fewer names than fields the last one gets the rest of the line, its separators kept.
    `raw` is `read -r`. The list may be shorter than `count`. None when holes leave it open.
    """
    raise NotImplementedError
