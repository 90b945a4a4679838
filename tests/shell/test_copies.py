"""What `cp` leaves in files that a script has written."""

from __future__ import annotations

import pytest

from tests.differential.compare import Files, is_recorder
from verifier.shell import evaluate
from verifier.shell.options import Options


@pytest.mark.parametrize(
    ("copy", "content"),
    [("cp g f", "b"), ("cp -f g f", "b"), ("cp -n g f", None), ("cp h f", None), ("cp f h", "a")],
)
def test_copied_over_a_written_file(copy: str, content: str | None) -> None:
    script = f'echo a > f; echo b > g; {copy}; rec "$(cat f)"'
    tree = Files({"run.sh": script.encode()})
    (command,) = evaluate("run.sh", tree, Options(closed=True, watch=is_recorder)).commands
    assert command.argv[1].text.known == content
