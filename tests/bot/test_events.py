"""What sets a verification off, and what does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bot.world import HEAD, NUMBER, REPO, SIGNOFF, World, remark
from verifier.cli_output import InputError
from verifier.signoff.event import EventError, Nothing, Trigger, read_event, trigger_of_url
from verifier.signoff.run import run_signoff

PULL = {"number": NUMBER, "state": "open", "draft": False, "head": {"sha": HEAD}}
ISSUE = {"number": NUMBER, "state": "open", "pull_request": {"url": "x"}}
COMMENT = remark(5, SIGNOFF)
REPOSITORY = {"full_name": REPO}


def event(**parts: Any) -> bytes:
    return json.dumps({"repository": REPOSITORY, **parts}).encode()


GOOD = {
    "issue_comment": event(action="created", issue=ISSUE, comment=COMMENT),
    "review": event(action="submitted", pull_request=PULL, review=COMMENT),
    "review_comment": event(action="created", pull_request=PULL, comment=COMMENT),
}


@pytest.mark.parametrize("kind", GOOD)
def test_new_signoffs_start_a_verification(kind: str) -> None:
    trigger = read_event(GOOD[kind])
    assert isinstance(trigger, Trigger)
    assert (trigger.repo, trigger.number, trigger.kind, trigger.id) == (REPO, NUMBER, kind, 5)
    assert trigger.head_sha == (None if kind == "issue_comment" else HEAD)
    assert not trigger.manual


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(event(action="edited", issue=ISSUE, comment=COMMENT), id="edited"),
        pytest.param(event(action="deleted", issue=ISSUE, comment=COMMENT), id="deleted"),
        pytest.param(event(action="edited", pull_request=PULL, review=COMMENT), id="review edited"),
        pytest.param(
            event(action="dismissed", pull_request=PULL, review=COMMENT), id="review dismissed"
        ),
        pytest.param(
            event(action="edited", pull_request=PULL, comment=COMMENT), id="inline edited"
        ),
        pytest.param(
            event(action="created", issue={"number": 7}, comment=COMMENT), id="on an issue"
        ),
        pytest.param(
            event(action="created", issue={**ISSUE, "state": "closed"}, comment=COMMENT),
            id="closed",
        ),
        pytest.param(
            event(action="submitted", pull_request={**PULL, "draft": True}, review=COMMENT),
            id="draft",
        ),
        pytest.param(
            event(action="created", issue=ISSUE, comment=remark(5, SIGNOFF, "x[bot]", "Bot")),
            id="bot",
        ),
        pytest.param(
            event(action="created", issue=ISSUE, comment=remark(5, "Looks good.")), id="no phrase"
        ),
        pytest.param(
            event(action="created", issue=ISSUE, comment=remark(5, "> " + SIGNOFF.split("\n")[0])),
            id="quoted",
        ),
        pytest.param(
            event(action="submitted", pull_request=PULL, review={**COMMENT, "body": None}),
            id="review without text",
        ),
        pytest.param(event(action="opened", pull_request=PULL), id="another event"),
        pytest.param(event(ref="refs/heads/main"), id="a push"),
    ],
)
def test_everything_else_does_nothing_and_says_why(
    data: bytes, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    found = read_event(data)
    assert isinstance(found, Nothing)
    path = world.folder / "event.json"
    path.write_bytes(data)
    assert run_signoff(world.options(event=str(path)), world.outside()) == 0
    said = capsys.readouterr().err
    assert said.startswith("verify: nothing to verify: ")
    assert found.reason in said
    assert world.fake.calls == []


def test_a_payload_without_repository_and_head_leaves_both_to_the_run() -> None:
    pull = {"number": NUMBER}
    data = json.dumps({"action": "submitted", "pull_request": pull, "review": COMMENT}).encode()
    trigger = read_event(data, repo=REPO)
    assert isinstance(trigger, Trigger)
    assert (trigger.repo, trigger.head_sha) == (REPO, None)
    with pytest.raises(EventError, match="repository"):
        read_event(data)


@pytest.mark.parametrize(
    ("anchor", "kind"),
    [
        ("issuecomment-12", "issue_comment"),
        ("pullrequestreview-12", "review"),
        ("discussion_r12", "review_comment"),
    ],
)
@pytest.mark.parametrize("tail", ["", "/files"])
def test_a_manual_start_names_an_address(anchor: str, kind: str, tail: str) -> None:
    url = f"https://github.com/{REPO}/pull/{NUMBER}{tail}#{anchor}"
    trigger = read_event(event(inputs={"comment_url": url}))
    assert isinstance(trigger, Trigger)
    assert (trigger.number, trigger.kind, trigger.id) == (NUMBER, kind, 12)
    assert trigger.manual


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/bench/recipes/pull/7",
        "https://github.com/bench/recipes/issues/7#issuecomment-1",
        "https://github.com/bench/recipes/pull/7#issuecomment-",
        "https://github.com/bench/recipes/pull/7#issuecomment-1x",
        "https://github.com/bench/recipes/pull/x#issuecomment-1",
        "https://github.com/other/recipes/pull/7#issuecomment-1",
        "https://github.com/pull/7#issuecomment-1",
        "https://[#issuecomment-1",
    ],
)
def test_an_address_that_leads_nowhere_is_an_error(url: str) -> None:
    with pytest.raises(EventError):
        trigger_of_url(url, REPO)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b"[" * 5000,
        event(inputs={}),
        event(inputs={"comment_url": 5}),
        json.dumps({"action": "created", "issue": ISSUE, "comment": COMMENT}).encode(),
        event(action="created", issue=ISSUE, comment={**COMMENT, "id": "5"}),
        event(action="submitted", pull_request={"number": 7, "head": {}}, review=COMMENT),
    ],
)
def test_a_payload_that_cannot_be_read_is_an_error(data: bytes, world: World) -> None:
    with pytest.raises(EventError):
        read_event(data)
    path = world.folder / "event.json"
    path.write_bytes(data)
    with pytest.raises(InputError):
        run_signoff(world.options(event=str(path)), world.outside())


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["action", "comment", "review", "issue", "pull_request", "inputs", "user",
                         "id", "body", "number", "repository", "full_name", "head", "sha"]),
        inner, max_size=5,
    ),
    max_leaves=20,
))  # fmt: skip
def test_any_payload_is_read_or_refused(data: Any) -> None:
    try:
        read_event(json.dumps(data).encode())
    except EventError:
        pass


def test_a_closed_pull_request_is_left_alone(world: World) -> None:
    world.repo.pulls[NUMBER]["state"] = "closed"
    assert run_signoff(world.options(event=str(world.event())), world.outside()) == 0
    assert world.fake.posted() == []


@pytest.mark.parametrize("kind", ["issuecomment-101", "pullrequestreview-201", "discussion_r301"])
def test_a_manual_start_verifies_even_a_draft(kind: str, world: World) -> None:
    world.repo.pulls[NUMBER]["draft"] = True
    world.repo.reviews[NUMBER] = [remark(201, SIGNOFF)]
    world.repo.review_comments[NUMBER] = [remark(301, SIGNOFF)]
    url = f"https://github.com/{REPO}/pull/{NUMBER}#{kind}"
    path = world.folder / "event.json"
    path.write_bytes(event(inputs={"comment_url": url}))
    assert run_signoff(world.options(event=str(path)), world.outside()) == 0
    assert world.states == ["pending", "success"]


def test_a_signoff_of_another_pull_request_does_not_count(world: World) -> None:
    world.signoff["issue_url"] = f"https://api.github.com/repos/{REPO}/issues/70{NUMBER}x"
    url = f"https://github.com/{REPO}/pull/{NUMBER}#issuecomment-101"
    path = world.folder / "event.json"
    path.write_bytes(event(inputs={"comment_url": url}))
    assert run_signoff(world.options(event=str(path)), world.outside()) == 3
    assert world.states == ["pending", "error"]


@pytest.mark.parametrize("kind", ["review", "review_comment"])
def test_the_head_of_the_event_is_judged(kind: str, world: World) -> None:
    path = world.folder / "event.json"
    path.write_bytes(GOOD[kind])
    assert run_signoff(world.options(event=str(path)), world.outside()) == 0
    assert world.states == ["pending", "success"]


def test_a_head_that_moved_before_the_run_is_not_covered(world: World) -> None:
    from tests.bot.fake_github import sha_of

    new = sha_of("new")
    world.repo.pulls[NUMBER]["head"] = {"sha": new}
    world.repo.commits[new] = world.repo.commits[HEAD]
    world.repo.pull_commits[NUMBER] = [HEAD, new]
    path = world.folder / "event.json"
    path.write_bytes(GOOD["review"])
    assert run_signoff(world.options(event=str(path)), world.outside()) == 3
    assert world.states == ["pending", "failure"]
    assert new not in world.repo.statuses
    assert "fresh sign-off" in world.verdicts[0]["body"]
