"""Every call failing in every way: never green, always a reason, nothing posted twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bot.fake_github import TOKEN, FakeGitHub, Fault, blob_of, sha_of
from tests.bot.test_load import green
from tests.bot.world import BASE, HEAD, NUMBER, World
from verifier.signoff.run import run_pr, run_signoff
from verifier.sources.github import Api, GitHubError, Place

KINDS = [
    "401", "403", "404", "409", "422", "429", "500", "502", "cut", "badjson", "garbage", "timeout",
    "drop", "after",
]  # fmt: skip


def run(world: World, **settings: Any) -> int:
    outside = world.outside()
    if settings:
        outside.api = world.api(**settings)
    return run_signoff(world.options(event=str(world.event())), outside)


def clean_calls(tmp_path: Path) -> list[tuple[str, str]]:
    """The calls of a run in which nothing goes wrong."""
    with FakeGitHub().running() as fake:
        world = World(fake, tmp_path)
        assert run(world) == 0
        return list(fake.calls)


def check_is_safe(world: World, capsys: pytest.CaptureFixture[str], code: int) -> None:
    """What must hold after any fault."""
    said = capsys.readouterr()
    everything = said.out + said.err + world.summary
    out = world.folder / "verdict.out"
    everything += out.read_text() if out.exists() else ""
    statuses = world.repo.statuses.get(HEAD, [])
    everything += "".join(status["description"] for status in statuses)
    everything += "".join(comment["body"] for comment in world.verdicts)
    assert TOKEN not in everything
    assert len(world.verdicts) <= 1
    if code == 0:
        # Harmless after all: the fault hit a call that was tried again.
        assert world.states[-1] == "success"
        return
    assert world.states[-1:] != ["success"]
    assert "not judged" in said.err or world.states[-1] in ("failure", "error")
    if world.states[-1:] == ["error"]:
        assert statuses[-1]["description"].startswith("Not judged: ")
        assert len(statuses[-1]["description"]) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_each_call_failing_for_good(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = clean_calls(tmp_path)
    capsys.readouterr()
    for position, (verb, path) in enumerate(calls):
        with FakeGitHub().running() as fake:
            folder = tmp_path / f"{position}"
            folder.mkdir()
            world = World(fake, folder)
            if kind == "timeout":
                world.patience = 0.1
            # The call at this position, and what is made of it again.
            fake.faults.append(
                Fault(
                    lambda i, v, p, at=position, verb=verb, path=path: (  # type: ignore[misc]
                        i >= at and (v, p) == (verb, path)
                    ),
                    kind,
                    headers={"Retry-After": "3"} if kind == "429" else {},
                )
            )
            code = run(world, attempts=2)
            check_is_safe(world, capsys, code)
            expected_harmless = path == "/user" and kind in ("401", "403", "404")
            if not expected_harmless and not (verb == "POST" and kind == "after"):
                assert code != 0, (position, verb, path)


def test_no_part_of_a_whole_submission_can_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files included that a check could take for absent, or for the same on both sides."""

    def submission(folder: Path, gone: str | None) -> World:
        folder.mkdir()
        world = World(fake, folder)
        green(world)
        for commit in (BASE, HEAD):
            files = world.repo.commits[commit]
            files["configs/nvidia-master.yaml"] = b"{}\n"
            files["perf-changelog.yaml"] = b"[]\n"
            files["benchmarks/benchmark_lib.sh"] = b"wait_for_server_ready() { :; }\n"
        path = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
        head = world.repo.commits[HEAD]
        head[path] = b'source "$(dirname "$0")/../../benchmark_lib.sh"\n' + head[path]
        fake.faults.append(Fault(lambda i, v, p: p == gone, "404"))
        return world

    with FakeGitHub().running() as fake:
        world = submission(tmp_path / "whole", None)
        assert run(world) == 0
        calls = dict.fromkeys(path for _, path in fake.calls)
    assert sum("/git/blobs/" in path for path in calls) >= 8
    for position, gone in enumerate(calls):
        with FakeGitHub().running() as fake:
            world = submission(tmp_path / str(position), gone)
            code = run(world)
            check_is_safe(world, capsys, code)
            assert code != 0 or gone == "/user", gone


def test_a_snapshot_keeps_what_did_not_arrive(world: World) -> None:
    data = b"[]\n"
    for commit in (BASE, HEAD):
        world.repo.commits[commit]["perf-changelog.yaml"] = data
    world.fake.faults.append(Fault(lambda i, v, p: p.endswith(blob_of(data)), "404"))
    path = str(world.folder / "snapshot.json")
    assert run_pr(world.options(command="pr", snapshot=path), world.outside()) == 3
    online = world.verdict
    assert any("perf-changelog.yaml" in str(note) for note in online["unread"])
    assert run_pr(world.options(command="pr", from_snapshot=path)) == 3
    assert world.verdict == online


@pytest.mark.parametrize("kind", ["500", "502", "429", "cut", "badjson", "drop", "after"])
def test_each_call_failing_once_recovers(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = clean_calls(tmp_path)
    for position in range(len(calls)):
        with FakeGitHub().running() as fake:
            folder = tmp_path / f"{position}"
            folder.mkdir()
            world = World(fake, folder)
            fake.faults.append(
                Fault(
                    lambda i, v, p, at=position: i == at,  # type: ignore[misc]
                    kind,
                    times=1,
                    headers={"Retry-After": "3"} if kind == "429" else {},
                )
            )
            code = run(world)
            assert code == 0, calls[position]
            assert world.states[-1] == "success"
            assert len(world.verdicts) == 1
    capsys.readouterr()


def test_a_rate_limit_waits_as_long_as_it_says(world: World) -> None:
    world.fake.faults.append(
        Fault(lambda i, v, p: i == 0, "403", times=1, headers={"Retry-After": "17"})
    )
    assert run(world) == 0
    assert world.slept == [17.0]


def test_a_rate_limit_that_lasts_too_long_is_reported(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.fake.faults.append(
        Fault(lambda i, v, p: i == 0, "429", times=1, headers={"Retry-After": "4000"})
    )
    assert run(world) == 3
    assert "rate limit" in capsys.readouterr().err
    assert world.slept == []


def test_a_plain_403_is_not_tried_again(world: World) -> None:
    world.fake.faults.append(Fault(lambda i, v, p: i == 0, "403", times=1))
    assert run(world) == 3
    assert len(world.fake.calls) == 1


def test_the_number_of_calls_is_bounded(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(world, max_calls=5) == 3
    assert "limit of 5 calls" in capsys.readouterr().err
    assert len(world.fake.calls) == 5


@pytest.mark.parametrize("step", range(24))
def test_the_head_moves_at_each_step(
    step: int, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    new = sha_of("new head")

    def move(index: int, verb: str, path: str) -> None:
        if index == step:
            pull = world.repo.pulls[NUMBER]
            world.repo.pulls[NUMBER] = {**pull, "head": {"sha": new}}
            world.repo.commits[new] = dict(world.repo.commits[HEAD])
            world.repo.pull_commits[NUMBER] = [HEAD, new]

    world.fake.before = move
    code = run(world)
    assert new not in world.repo.statuses or step == 0
    capsys.readouterr()
    if step == 0:
        # Moved before the head was pinned: the new one is judged.
        return
    if "success" in world.states:
        # It moved after the last look; the old commit is green and the new one is not.
        assert code == 0
        assert step >= len(world.fake.calls) - 1
        return
    assert code == 3
    assert world.states[-1] == "failure"
    assert "fresh sign-off" in world.repo.statuses[HEAD][-1]["description"]
    [comment] = world.verdicts
    assert "Verdict: PASS" not in comment["body"]
    assert "fresh sign-off is needed" in comment["body"].replace("\n", " ")


def test_http_is_refused_beyond_this_machine() -> None:
    with pytest.raises(GitHubError, match="not https"):
        Api(Place("http://github.example.org/api/v3", TOKEN))


def test_the_token_is_in_no_representation(world: World) -> None:
    api = world.api()
    assert TOKEN not in repr(api)
    assert TOKEN not in repr(api.place)
    assert TOKEN not in api.scrubbed(f"x {TOKEN} y")
