"""Brace expansion: `{a,b}`, `{1..9..2}`, `{a..e}`, nested; invalid forms stay as they are."""

from __future__ import annotations

from verifier.shell.nodes import Word


class TooMany(Exception):
    """The expansion would make more words than the limit."""


def expand_braces(word: Word, limit: int = 10_000) -> tuple[Word, ...]:
    """The words that brace expansion makes of `word`; `(word,)` when there is nothing to do.

    Only unquoted literal characters count; every other part moves along as it is. Raises TooMany.
    """
    raise NotImplementedError
