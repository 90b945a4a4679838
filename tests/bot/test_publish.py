"""Posting: one comment, the right status, whatever happens around it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.bot.fake_github import sha_of
from tests.bot.world import BOT, HEAD, MARKER, NUMBER, World, remark
from verifier.publish import (
    MAX_COMMENT,
    Interrupted,
    Publisher,
    comment_body,
    marker,
    never_pending,
    step_summary,
)
from verifier.signoff.run import run_signoff
from verifier.sources.github import GitHubError


def publisher(world: World, **settings: Any) -> Publisher:
    from tests.bot.world import REPO

    return Publisher(world.api(), REPO, NUMBER, HEAD, **settings)


def bodies(world: World) -> list[str]:
    return [comment["body"] for comment in world.verdicts]


def test_a_comment_is_updated_in_place(world: World) -> None:
    publisher(world).comment("first\n")
    [before] = world.verdicts
    publisher(world).comment("second\n")
    [after] = world.verdicts
    assert after["id"] == before["id"]
    assert after["body"] == f"{MARKER}\nsecond\n"


def test_duplicates_of_an_earlier_crash_go_away(world: World) -> None:
    for identity in (300, 301, 302):
        world.repo.comments[NUMBER].append(remark(identity, f"{MARKER}\nold", BOT, "Bot"))
    publisher(world).comment("new\n")
    assert [comment["id"] for comment in world.verdicts] == [300]
    assert bodies(world) == [f"{MARKER}\nnew\n"]


def test_a_copied_marker_is_left_alone_and_counts_for_nothing(world: World) -> None:
    text = f"{MARKER}\n## ✅✅✅ **Verdict: PASS** ✅✅✅"
    world.repo.comments[NUMBER].append(remark(300, text, "stranger", association="NONE"))
    world.repo.comments[NUMBER].append(remark(301, f"see:\n{MARKER}\nx", BOT, "Bot"))
    world.signoff["user"]["login"] = "stranger"
    world.signoff["author_association"] = "NONE"
    assert run_signoff(world.options(event=str(world.event())), world.outside()) == 1
    assert world.states == ["pending", "failure"]
    assert [c["body"] for c in world.repo.comments[NUMBER] if c["id"] == 300] == [text]
    assert len(world.verdicts) == 1
    assert "REJECTED" in bodies(world)[0]


def test_a_verdict_of_another_commit_stays(world: World) -> None:
    other = marker(sha_of("earlier"))
    world.repo.comments[NUMBER].append(remark(300, f"{other}\nold verdict", BOT, "Bot"))
    publisher(world).comment("new\n")
    assert bodies(world) == [f"{other}\nold verdict", f"{MARKER}\nnew\n"]


def test_the_own_account_is_asked_for(world: World) -> None:
    world.fake.login = world.fake.actor = "verifier-app[bot]"
    world.repo.comments[NUMBER].append(remark(300, f"{MARKER}\nold", BOT, "Bot"))
    publisher(world).comment("new\n")
    mine = [c for c in world.repo.comments[NUMBER] if c["user"]["login"] == "verifier-app[bot]"]
    assert len(mine) == 1
    assert bodies(world) == [f"{MARKER}\nold"]


def test_the_own_account_is_learned_from_the_first_comment(world: World) -> None:
    world.fake.actor = "verifier-app[bot]"
    one = publisher(world)
    one.comment("new\n")
    one.comment("newer\n")
    mine = [c for c in world.repo.comments[NUMBER] if c["user"]["login"] == "verifier-app[bot]"]
    assert [c["body"] for c in mine] == [f"{MARKER}\nnewer\n"]


def test_the_comment_is_found_behind_many_others(world: World) -> None:
    publisher(world).comment("first\n")
    mine = world.verdicts[0]
    world.repo.comments[NUMBER].remove(mine)
    chatter = [remark(1000 + i, "chatter", "someone") for i in range(250)]
    world.repo.comments[NUMBER] += [*chatter, mine]
    publisher(world).comment("second\n")
    assert bodies(world) == [f"{MARKER}\nsecond\n"]


def test_two_runs_at_once_end_with_one_comment(world: World) -> None:
    gate = threading.Barrier(2, timeout=20)
    posts: list[int] = []

    class Slow(Publisher):
        def _create(self, text: str) -> None:
            # Both have looked and found nothing when the first of them posts.
            gate.wait()
            super()._create(text)
            posts.append(1)

    from tests.bot.world import REPO

    def work(name: str) -> Callable[[], None]:
        return lambda: Slow(world.api(), REPO, NUMBER, HEAD).comment(f"{name}\n")

    threads = [threading.Thread(target=work(name)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(posts) == 2
    assert len(world.verdicts) == 1


def test_two_whole_runs_at_once(world: World) -> None:
    path = str(world.event())
    codes: list[int] = []
    threads = [
        threading.Thread(
            target=lambda out=out: codes.append(  # type: ignore[misc]
                run_signoff(
                    world.options(event=path, output=str(world.folder / out)), world.outside()
                )
            )
        )
        for out in ("a.json", "b.json")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [0, 0]
    assert len(world.verdicts) == 1
    assert world.states[-1] == "success"


def test_a_failure_after_pending_ends_in_error(world: World) -> None:
    with pytest.raises(ValueError), never_pending(publisher(world)):  # noqa: PT011
        raise ValueError("the reason")
    assert world.states == ["pending", "error"]
    assert world.repo.statuses[HEAD][-1]["description"] == "Not judged: the reason"


def test_sigterm_ends_in_error(world: World) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Interrupted), never_pending(publisher(world)):
        signal.raise_signal(signal.SIGTERM)
    assert world.states == ["pending", "error"]
    assert "stopped" in world.repo.statuses[HEAD][-1]["description"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_second_signal_does_not_stop_the_clean_up(world: World) -> None:
    def again(index: int, verb: str, path: str) -> None:
        if verb == "POST" and world.states == ["pending"]:
            os.kill(os.getpid(), signal.SIGTERM)

    world.fake.before = again
    with pytest.raises(KeyboardInterrupt), never_pending(publisher(world)):
        raise KeyboardInterrupt
    assert world.states == ["pending", "error"]


def test_sigterm_in_the_middle_of_a_run(world: World) -> None:
    def kill(index: int, verb: str, path: str) -> None:
        if "check-runs" in path:
            os.kill(os.getpid(), signal.SIGTERM)

    world.fake.before = kill
    assert run_signoff(world.options(event=str(world.event())), world.outside()) == 3
    assert world.states == ["pending", "error"]


def test_a_status_says_at_most_140_characters(world: World) -> None:
    publisher(world).status("failure", "x" * 500)
    assert len(world.repo.statuses[HEAD][-1]["description"]) == 140


def test_a_long_comment_is_cut_and_says_so() -> None:
    body = "<details>\n\n```text\n" + "line of evidence\n" * 20_000
    text = comment_body(HEAD, body)
    assert len(text) <= MAX_COMMENT
    assert text.startswith(MARKER)
    tail = text[-200:]
    assert "too long for GitHub" in tail
    assert tail.index("```") < tail.index("</details>") < tail.index("too long")


def test_a_body_that_github_refuses_is_an_error(world: World) -> None:
    with pytest.raises(GitHubError):
        world.api().send(
            "POST",
            f"/repos/bench/recipes/issues/{NUMBER}/comments",
            {"body": "x" * 70_000},
            repeatable=False,
        )


def test_without_a_summary_file_nothing_is_written(world: World) -> None:
    step_summary("text", {})
    assert world.summary == ""
