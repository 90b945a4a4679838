"""Where a script gives up, when all its inputs are known."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.shell import evaluate
from verifier.shell.options import Options


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ('case "$B" in\n"") ;;\n*) echo no >&2; exit 1 ;;\nesac\nsrv\n', (3, 1)),
        ('[ -f x ] || exit 3\nhf download x\n[ "$B" = a ] || exit 4\nsrv\n', (3, 4)),
        ('set -e\n[ "$B" = a ]\nsrv\n', (2, 1)),
        ("set -u\nsrv $NONE\n", (2, 1)),
        ("srv\nexit 0\n", None),
        ("( exit 3 )\nsrv\n", None),
        ('[ "$B" = a ] && exit 1\nsrv\n', None),
        ("curl x || exit 2\nsrv\n", None),
        ("curl x || exit 2\nsrv\nexit 0\n", None),
    ],
)
def test_the_last_place_that_is_sure(script: str, place: tuple[int, int] | None) -> None:
    found = evaluate(
        "a.sh", MemoryTree({"a.sh": script}), Options(closed=True, env={"B": "lm"})
    ).ended
    assert (found and (found.span.line, int(found.text.split()[-1]))) == place
