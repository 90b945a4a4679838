"""Bash, read without running it."""

from __future__ import annotations

from verifier.shell.evaluate import evaluate
from verifier.shell.files import file_key
from verifier.shell.options import Limits, Options

__all__ = ["Limits", "Options", "evaluate", "file_key"]
