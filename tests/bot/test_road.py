"""The whole road: an event comes in, one comment and one status go out."""

from __future__ import annotations

from tests.bot.fake_github import TOKEN
from tests.bot.world import HEAD, MARKER, NUMBER, World
from verifier.signoff.run import run_pr, run_signoff


def test_a_good_signoff_turns_green(world: World) -> None:
    code = run_signoff(world.options(event=str(world.event())), world.outside())
    assert code == 0
    assert world.states == ["pending", "success"]
    [comment] = world.verdicts
    lines = comment["body"].split("\n")
    assert lines[0] == MARKER
    assert lines[1] == "## ✅✅✅ **Verdict: PASS** ✅✅✅"
    assert world.verdict["verdict"] == "pass"
    assert world.verdict["head"] == HEAD
    assert "Verdict: PASS" in world.summary


def test_running_twice_changes_nothing(world: World) -> None:
    for _ in range(2):
        run_signoff(world.options(event=str(world.event())), world.outside())
    first, second = world.states[:2], world.states[2:]
    assert first == second
    assert len(world.verdicts) == 1
    assert [c for c in world.fake.posted() if c[0] == "PATCH"] == []


def test_a_stranger_is_rejected_and_mentioned(world: World) -> None:
    world.signoff["user"]["login"] = "stranger"
    world.signoff["author_association"] = "NONE"
    code = run_signoff(world.options(event=str(world.event())), world.outside())
    assert code == 1
    assert world.states == ["pending", "failure"]
    [comment] = world.verdicts
    assert comment["body"].split("\n")[1] == "## ❌❌❌ **REJECTED** ❌❌❌"
    assert comment["body"].split("\n")[2].startswith("@stranger Check 0 (CODEOWNER) fails")
    assert world.row("codeowner")["status"] == "fail"


def test_without_publish_nothing_is_written(world: World) -> None:
    assert run_pr(world.options(command="pr"), world.outside()) == 0
    assert world.fake.posted() == []


def test_a_snapshot_gives_the_same_verdict_offline(world: World) -> None:
    path = str(world.folder / "snapshot.json")
    run_pr(world.options(command="pr", snapshot=path), world.outside())
    online = world.verdict
    calls = len(world.fake.calls)
    assert run_pr(world.options(command="pr", from_snapshot=path)) == 0
    assert world.verdict == online
    assert len(world.fake.calls) == calls
    assert TOKEN not in (world.folder / "snapshot.json").read_text()


def test_the_token_goes_to_the_api_only(world: World) -> None:
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert world.fake.seen_tokens == {TOKEN}
    assert world.fake.blob_tokens <= {None}
    assert NUMBER == 7
