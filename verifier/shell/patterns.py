"""Shell patterns (globs and extended globs) over text that may have holes.

A pattern is a sequence of (text, quoted) pieces as expansion left them: quoted pieces match
themselves. Every operation answers for bash 5.2 in a UTF-8 locale; None means that the holes
leave the answer open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.model.text import Text

Pieces = Sequence[tuple[Text, bool]]


class TooComplex(Exception):
    """Deciding the match would take more steps than the limit."""


class Pattern(NamedTuple):
    """A compiled pattern."""


def compile_pattern(pieces: Pieces, *, extglob: bool = True, nocase: bool = False) -> Pattern:
    """Compile a pattern. Always succeeds: an unclosed `[` or `@(` is literal, as in bash.

    In `[[ x == p ]]` and `case` under `shopt -u extglob`: bash turns `extglob` on inside `[[`
    only. A piece that is a hole makes the rest of the pattern unknown.
    """
    raise NotImplementedError


def matches(pattern: Pattern, subject: Text) -> bool | None:
    """Whether the whole subject matches (`case`, `[[ == ]]`)."""
    raise NotImplementedError


def has_glob(pieces: Pieces, *, extglob: bool = False) -> bool | None:
    """Whether pathname expansion applies: an unquoted `*`, `?`, `[…]` or extended glob."""
    raise NotImplementedError


def match_paths(
    pieces: Pieces,
    paths: Sequence[str],
    *,
    extglob: bool = False,
    dotglob: bool = False,
    nocase: bool = False,
) -> list[str] | None:
    """The paths among `paths` (relative, "/"-separated) that the glob names, sorted by byte.

    `*` and `?` do not match "/" nor, without `dotglob`, a leading dot. None when the pattern
    has holes.
    """
    raise NotImplementedError


def remove_prefix(text: Text, pattern: Pattern, *, longest: bool) -> Text | None:
    """`${x#p}`, `${x##p}`."""
    raise NotImplementedError


def remove_suffix(text: Text, pattern: Pattern, *, longest: bool) -> Text | None:
    """`${x%p}`, `${x%%p}`."""
    raise NotImplementedError


def substitute(text: Text, pattern: Pattern, replacement: Pieces, *, mode: str) -> Text | None:
    """`${x/p/r}`; `mode` is the operator: `/` first, `//` all, `/#` at the start, `/%` at the end.

    An unquoted `&` in the replacement is the matched text and `\\&` a plain `&`
    (`patsub_replacement`, on by default in 5.2).
    """
    raise NotImplementedError


def change_case(text: Text, operator: str, pattern: Pattern | None) -> Text | None:
    """`${x^p}`, `^^`, `,`, `,,`, and `@U`, `@u`, `@L` (as `^^`, `^`, `,,` without a pattern)."""
    raise NotImplementedError
