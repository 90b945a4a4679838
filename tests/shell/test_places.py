"""Files next to a script at the top of the tree or below, by every usual way to name them."""

from __future__ import annotations

import pytest

from tests.differential.compare import Files, is_recorder
from verifier.shell import evaluate
from verifier.shell.options import Options


@pytest.mark.parametrize("folder", ["", "a/", "a/b/"])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "script",
    [
        'source "$(dirname "$0")/lib.sh"',
        ". $(dirname $0)/lib.sh",
        '. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"',
        'D="$(cd "$(dirname "$0")" && pwd)"; . "$D/lib.sh"',
        "D=$(cd $(dirname ${BASH_SOURCE[0]}); pwd); . $D/lib.sh",
        'cd "$(dirname "$0")"; . ./lib.sh',
        '. "$(realpath "$(dirname "$0")")/lib.sh"',
        '. "$(dirname "$(readlink -f "$0")")/lib.sh"',
    ],
)
def test_sourced_next_to_the_script(script: str, folder: str, closed: bool) -> None:
    tree = Files({
        f"{folder}run.sh": f'{script}\nrec "$K"'.encode(),
        f"{folder}lib.sh": b"K=3",
    })  # fmt: skip
    result = evaluate(f"{folder}run.sh", tree, Options(closed=closed, watch=is_recorder))
    assert [[w.text.known for w in c.argv] for c in result.commands] == [["rec", "3"]]
    assert not result.unresolved


@pytest.mark.parametrize(
    "script",
    [
        'source "$(dirname "$0")/../../lib.sh"',
        'D="$(cd "$(dirname "$0")" && pwd)"; . "$D/../lib.sh"',
        '. "$(dirname "${BASH_SOURCE[0]}")/missing.sh"',
    ],
)
def test_a_missing_library_is_an_assumption(script: str) -> None:
    tree = Files({"run.sh": f'{script}\nrec "${{K:-3}}"'.encode()})
    result = evaluate("run.sh", tree, Options(watch=is_recorder))
    assert len(result.commands) == 1
    assert not result.unresolved
    assert ["it is taken to define functions only" in n.text for n in result.assumptions] == [True]
