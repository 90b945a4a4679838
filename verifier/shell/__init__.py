"""Bash, read without running it."""

from __future__ import annotations

from verifier.shell.evaluate import evaluate
from verifier.shell.options import Limits, Options

__all__ = ["Limits", "Options", "evaluate"]
