"""How the work of an evaluation grows. Steps are counted, not timed, so machines do not matter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.differential.compare import Files
from verifier.shell.machine import Machine
from verifier.shell.options import Options

LIBRARY = "".join(
    f'f{n}() {{ local x="$1"; if curl "$x"; then echo a; else exit 1; fi; [[ -f $y ]] || return 1; }}\n'
    for n in range(20)
)


def steps(script: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many commands are run for a script beside a library."""
    from verifier.shell import evaluate as evaluator

    counts: list[int] = []
    original = evaluator.__globals__["_run"]

    def run(m: Machine, *rest: object) -> None:
        original(m, *rest)
        counts.append(m.steps)

    monkeypatch.setitem(evaluator.__globals__, "_run", run)
    files = {"lib.sh": LIBRARY.encode(), "run.sh": script.encode()}
    assert not evaluator("run.sh", Files(files), Options()).unresolved
    monkeypatch.undo()
    [count] = counts
    return count


def independent(number: int) -> str:
    tests = (f'if [ "$A{n}" = x ]; then B{n}=1; else B{n}=2; fi\n' for n in range(number))
    return "".join(tests) + "vllm serve m $B1 $B2\n"


def library_calls(number: int) -> str:
    calls = "".join(f'f{n % 20} "$P" || exit 1\n' for n in range(number))
    return (
        'source "$(dirname "$0")/lib.sh"\n'
        "for k in a b c; do export O_$k=1; done\n"
        'if [ "$D" = 1 ]; then P=1; else P=2; fi; if [ "$E" = 1 ]; then Q=1; else Q=2; fi\n'
        + calls
        + "vllm serve $P $Q\n"
    )


@pytest.mark.parametrize("script", [independent, library_calls])
def test_steps_grow_linearly(script: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (steps(script(number), monkeypatch) for number in (20, 60))
    assert large < 3.5 * small
