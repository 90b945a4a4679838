"""Room for what is nested deep: scripts, and the diagrams of conditions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES = 60_000
"""Python functions inside each other; since 3.11 they take no room on the thread's stack."""


@contextmanager
def deep() -> Iterator[None]:
    """Around code that calls itself for each level of what it reads."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
