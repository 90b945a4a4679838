"""The checks, one module each: `META` says what it is, `check` yields what it finds.

A check reads typed facts and nothing else: no files, no network, no environment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from checks import (
    check_00_codeowner,
    check_01_sweep,
    check_02_evals,
    check_03_recipe,
    check_04_reuse_sweep,
    check_05_checklist,
    check_06_upstream_image,
    check_07_architecture,
    check_08_chat_template,
    check_09_engine_patch,
    check_10_golden_al,
    check_11_context_copy,
    check_12_deprecated_model,
    check_13_append_only,
)
from verifier.model.finding import CheckMeta, Finding

if TYPE_CHECKING:
    from verifier.model.context import Context


class Check(Protocol):
    """What a check module offers."""

    META: CheckMeta

    def check(self, context: Context) -> Iterable[Finding]:
        """Everything this check sees."""


ALL: tuple[Check, ...] = (
    check_00_codeowner,
    check_01_sweep,
    check_02_evals,
    check_03_recipe,
    check_04_reuse_sweep,
    check_05_checklist,
    check_06_upstream_image,
    check_07_architecture,
    check_08_chat_template,
    check_09_engine_patch,
    check_10_golden_al,
    check_11_context_copy,
    check_12_deprecated_model,
    check_13_append_only,
)
"""In the order of the verdict."""


def catalogue() -> tuple[CheckMeta, ...]:
    """What every check is, in order."""
    return tuple(check.META for check in ALL)
