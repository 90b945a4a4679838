"""Real bash, to compare with."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, settings

from verifier.model.text import Hole, Text, hole, lit

BASH = shutil.which("bash") or "bash"
needs_bash = pytest.mark.skipif(
    b"version 5.2"
    not in subprocess.run([BASH, "--version"], capture_output=True, check=True).stdout,
    reason="compares with bash 5.2",
)

quick = settings(
    derandomize=True,
    deadline=None,
    max_examples=150,
    suppress_health_check=list(HealthCheck),
    database=None,
)


def bash(script: str, *arguments: str, stdin: str = "") -> tuple[str, int]:
    """Standard output and status of a script in a UTF-8 locale; surrogates carry odd bytes."""
    done = subprocess.run(
        [BASH, "-c", script, "bash", *arguments],
        input=stdin.encode("utf-8", "surrogateescape"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        check=False,
    )
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def text(template: str, **holes: str) -> Text:
    """A text in which `<NAME>` is the hole `input:NAME`."""
    result = lit("")
    for index, part in enumerate(re.split(r"<([A-Z]|arith:[^>]*)>", template)):
        result += lit(part) if index % 2 == 0 else hole(part, f"input:{part}")
    return result


def filled(value: Text, holes: dict[str, str]) -> str:
    """The text with its holes filled by symbol."""
    return "".join(
        holes[piece.symbol] if isinstance(piece, Hole) else piece.value for piece in value.pieces
    )
