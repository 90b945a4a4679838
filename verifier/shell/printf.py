"""Bash's builtin printf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.model.text import Text


class Printed(NamedTuple):
    """What printf wrote and its exit status (None when holes leave it open)."""

    output: Text
    status: int | None


def printf(template: Text, arguments: Sequence[Text]) -> Printed:
    """`printf template arguments…` (without options; `-v` is the caller's).

    Holes flow through `%s`; a numeric conversion of a hole is a hole. A template with holes
    gives one hole.
    """
    raise NotImplementedError
