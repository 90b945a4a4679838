"""Files of the tree that a script runs and that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.shell.evaluate import evaluate
from verifier.shell.options import Options
from verifier.sources.local import LocalTree


@pytest.mark.parametrize("line", ['source "$(dirname "$0")/lib.sh"', "bash lib.sh", "./lib.sh"])
def test_what_it_does_is_not_known(line: str, tmp_path: Path) -> None:
    (tmp_path / "lib.sh").symlink_to("/etc/hostname")
    (tmp_path / "s.sh").write_text(f"{line}\nvllm serve m &\n")
    found = evaluate("s.sh", LocalTree(tmp_path), Options())
    assert any("lib.sh" in note.text or note.span.path == "lib.sh" for note in found.unresolved)


def test_a_file_that_is_missing_is_an_assumption(tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text("source lib.sh\nvllm serve m &\n")
    found = evaluate("s.sh", LocalTree(tmp_path), Options())
    assert found.unresolved == ()
    assert any("lib.sh is not in" in note.text for note in found.assumptions)
