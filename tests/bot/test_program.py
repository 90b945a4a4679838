"""The program itself, as the workflow starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.bot.fake_github import TOKEN
from tests.bot.world import HEAD, NUMBER, REPO, World
from verifier.cli_output import InputError
from verifier.signoff.run import run_pr

ROOT = Path(__file__).parents[2]


def start(world: World, *arguments: str) -> subprocess.Popen[str]:
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "GH_"))},
        "GITHUB_API_URL": world.fake.url,
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_STEP_SUMMARY": str(world.folder / "summary.md"),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "verifier", *arguments],
        cwd=world.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_signoff(world: World) -> None:
    process = start(world, "signoff", "--event", str(world.event()), "--format", "github", "-v")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert world.states == ["pending", "success"]
    assert "✅ Check 0 (CODEOWNER): PASS" in out
    assert f"calls to {world.fake.url}" in err
    assert "urllib3" not in err
    assert TOKEN not in out + err
    assert "Verdict: PASS" in world.summary


def test_a_rejection_is_annotated(world: World) -> None:
    world.signoff["user"]["login"] = "stranger"
    world.signoff["author_association"] = "NONE"
    process = start(world, "signoff", "--event", str(world.event()), "--format", "github")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, err
    assert "::error title=Check 0 (codeowner)" in out


def test_pr(world: World) -> None:
    process = start(world, "pr", str(NUMBER), "--repo", REPO)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "Check 5 (checklist)" in out
    assert world.fake.posted() == []


@pytest.mark.parametrize("repo", ["recipes", "bench/", "bench/../x", "../recipes", "bench/.."])
def test_a_repository_has_owner_and_name(repo: str, world: World) -> None:
    with pytest.raises(InputError, match="OWNER/NAME"):
        run_pr(world.options(command="pr", repo=repo), world.outside())
    assert world.fake.calls == []


def test_a_part_is_not_published(world: World) -> None:
    process = start(world, "pr", str(NUMBER), "--repo", REPO, "--publish", "--check", "10")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "never published" in err
    assert world.fake.posted() == []


def test_sigterm_sets_the_status_to_error(world: World) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait(index: int, verb: str, path: str) -> None:
        if "check-runs" in path:
            reached.set()
            go_on.wait(20)

    world.fake.before = wait
    process = start(world, "signoff", "--event", str(world.event()))
    assert reached.wait(30)
    process.send_signal(signal.SIGTERM)
    go_on.set()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert world.states == ["pending", "error"]
    assert world.repo.statuses[HEAD][-1]["description"] == "Not judged: the verifier was stopped"
    assert TOKEN not in out + err


def test_a_pull_request_that_does_not_exist(world: World) -> None:
    process = start(world, "pr", "99", "--repo", REPO)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "HTTP 404" in err
