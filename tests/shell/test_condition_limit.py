"""A full table of conditions ends an evaluation and nothing else."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.shell import evaluate
from verifier.shell.options import Limits, Options

SCRIPT = """\
f() { if [ "$A$1" = 1 ]; then srv --x; elif [ "$B$1" -gt 2 ]; then srv --x; else srv --y; fi; }
if [ "$C" = 1 ]; then f 1; f 2; f 3; X=${D:-$(f 4)}; Y=${X:-${E:-$(f 5)}}; fi
srv "${X:-$(f 6)}" "$Y"
[ "$F" = "$G" ] && f 7
f 8
"""


@pytest.mark.parametrize("most", range(1, 200, 3))
def test_it_is_said_and_never_raised(most: int) -> None:
    options = Options(limits=Limits(conditions=most))
    result = evaluate("a.sh", MemoryTree({"a.sh": SCRIPT}), options)
    full = Limits().conditions
    complete = evaluate(
        "a.sh", MemoryTree({"a.sh": SCRIPT}), Options(limits=Limits(conditions=full))
    )
    if len(result.commands) < len(complete.commands):
        assert any("limit: conditions" in note.text for note in result.unresolved)
