"""How the time of parsing grows with the length of a text, as a ratio in one run."""

from __future__ import annotations

import gc
import time

import pytest

from verifier.shell.nodes import Source
from verifier.shell.syntax import parse


@pytest.mark.parametrize(
    ("head", "piece", "tail"),
    [
        ("echo ", 'a b "$c" ', ""),
        ("echo ", "\\a", ""),
        ("echo ${a:-", "<", "}"),
        ("a[", "[", ""),
        ("", "a;", ""),
        ("declare ", "a[ ", ""),
        ("declare ", "a[]= ", ""),
        ("cat <<E\n", "line $x\n", "E"),
        ("", "cat <<E\n$(\nE\n", ""),
        ("", 'cat <<E "\n"\nE\n', ""),
        ("", "f() { (\n}\n", ""),
        ("echo ", "$((", ""),
        ("", "a && ", "b"),
        ("if a; then b; ", "elif a; then b; ", "fi"),
    ],
)
def test_time_grows_with_length_only(head: str, piece: str, tail: str) -> None:
    def spent(count: int) -> float:
        text = head + piece * count + tail
        gc.collect()
        gc.disable()  # a collection looks at the whole test run's objects
        try:
            start = time.process_time()
            parse(Source("s", text))
            return time.process_time() - start
        finally:
            gc.enable()

    count = 30_000 // len(piece)
    assert spent(4 * count) < 12 * max(spent(count), 0.02)
