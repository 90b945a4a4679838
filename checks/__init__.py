"""The checks, one module each: `META` says what it is, `check` yields what it finds.

A check reads typed facts and nothing else: no files, no network, no environment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from verifier.model.finding import CheckMeta, Finding

if TYPE_CHECKING:
    from verifier.model.context import Context


class Check(Protocol):
    """What a check module offers."""

    META: CheckMeta

    def check(self, context: Context) -> Iterable[Finding]:
        """Everything this check sees."""


ALL: tuple[Check, ...] = ()
"""In the order of the verdict."""


def catalogue() -> tuple[CheckMeta, ...]:
    """What every check is, in order."""
    return tuple(check.META for check in ALL)
