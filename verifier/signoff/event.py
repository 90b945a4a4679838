"""What set a run off: the payload that GitHub writes for a workflow."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from verifier.model.pull import Remark, SignOffKind
from verifier.model.record import dataclass
from verifier.signoff.text import why_no_signoff

MAX_BYTES = 30 * 1024 * 1024

REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*/(?!\.{1,2}$)[A-Za-z0-9._-]+")
"""OWNER/NAME."""
_ANCHOR = re.compile(r"(issuecomment-|pullrequestreview-|discussion_r)(\d{1,18})")
_KINDS: dict[str, SignOffKind] = {
    "issuecomment-": "issue_comment",
    "pullrequestreview-": "review",
    "discussion_r": "review_comment",
}
_SHA = re.compile(r"[0-9a-f]{40}")


class EventError(ValueError):
    """A payload that cannot be read; the message says what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A sign-off to verify."""

    repo: str
    number: int
    kind: SignOffKind
    id: int
    remark: Remark | None = None
    """The sign-off as the event has it; None: ask GitHub for it."""
    head_sha: str | None = None
    """The head at the event, when the payload tells."""
    manual: bool = False
    """Asked for by a person: drafts and closed pull requests are judged as well."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing is to be done, and why."""

    reason: str


def read_event(data: bytes, name: str | None = None, repo: str | None = None) -> Trigger | Nothing:
    """The trigger in a payload; `name` is the event's name where it is known, `repo` the
    repository of the run, for a payload that does not say.

    The payload's own shape decides, because every event that counts has one of its own.
    Raises `EventError`.
    """
    if len(data) > MAX_BYTES:
        raise EventError(f"the event payload has more than {MAX_BYTES:,} bytes")
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        raise EventError("the event payload is not JSON") from None
    if not isinstance(event, dict):
        raise EventError("the event payload is no object")
    if repo:
        event.setdefault("repository", {"full_name": repo})
    if isinstance(event.get("inputs"), dict):
        return _manual(event)
    if isinstance(event.get("review"), dict) and "pull_request" in event:
        return _review(event)
    if isinstance(event.get("comment"), dict):
        return _inline(event) if "pull_request" in event else _comment(event)
    return Nothing(f"the event {name or 'of this payload'} is no comment, review or manual start")


def _comment(event: Mapping[str, Any]) -> Trigger | Nothing:
    if event.get("action") != "created":
        return Nothing(f"only a new comment counts, and this one was {event.get('action')}")
    issue = _object(event, "issue")
    if not isinstance(issue.get("pull_request"), dict):
        return Nothing("the comment is on an issue, not on a pull request")
    if issue.get("state") == "closed":
        return Nothing("the pull request is closed")
    if issue.get("draft") is True:
        return Nothing("the pull request is a draft")
    return _trigger(event, _object(event, "comment"), "issue_comment", _number(issue, "number"))


def _review(event: Mapping[str, Any]) -> Trigger | Nothing:
    if event.get("action") != "submitted":
        return Nothing(f"only a submitted review counts, and this one was {event.get('action')}")
    return _on_pull(event, _object(event, "review"), "review")


def _inline(event: Mapping[str, Any]) -> Trigger | Nothing:
    if event.get("action") != "created":
        return Nothing(f"only a new comment counts, and this one was {event.get('action')}")
    return _on_pull(event, _object(event, "comment"), "review_comment")


def _on_pull(
    event: Mapping[str, Any], written: Mapping[str, Any], kind: SignOffKind
) -> Trigger | Nothing:
    pull = _object(event, "pull_request")
    if pull.get("state") == "closed":
        return Nothing("the pull request is closed")
    if pull.get("draft") is True:
        return Nothing("the pull request is a draft")
    head = pull.get("head")
    sha = head.get("sha") if isinstance(head, dict) else None
    if "head" in pull and not (isinstance(sha, str) and _SHA.fullmatch(sha)):
        raise EventError("the event payload names no head commit of its pull request")
    return _trigger(event, written, kind, _number(pull, "number"), sha)


def _trigger(
    event: Mapping[str, Any],
    written: Mapping[str, Any],
    kind: SignOffKind,
    number: int,
    head: str | None = None,
) -> Trigger | Nothing:
    remark = remark_of(written, kind)
    reason = why_no_signoff(remark)
    if reason is not None:
        return Nothing(reason)
    return Trigger(
        repo=_repo(event), number=number, kind=kind, id=remark.id, remark=remark, head_sha=head
    )


def _manual(event: Mapping[str, Any]) -> Trigger | Nothing:
    inputs = event["inputs"]
    values = [value for value in inputs.values() if isinstance(value, str) and value.strip()]
    urls = [value.strip() for value in values if "://" in value]
    if not urls:
        raise EventError("the manual start has no input with the address of a sign-off")
    return trigger_of_url(urls[0], _repo(event))


def trigger_of_url(url: str, repo: str) -> Trigger:
    """The sign-off that an address of a pull request leads to. Raises `EventError`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise EventError("the address of the sign-off cannot be read") from None
    names = parts.path.strip("/").split("/")
    match = _ANCHOR.fullmatch(parts.fragment)
    index = names.index("pull") if "pull" in names else -1
    number = names[index + 1] if 2 <= index < len(names) - 1 else ""
    if not number.isascii() or not number.isdigit():
        raise EventError("the address of the sign-off must contain OWNER/NAME/pull/NUMBER")
    if match is None:
        raise EventError(
            "the address of the sign-off must end with #issuecomment-N, #pullrequestreview-N or "
            "#discussion_rN"
        )
    own = "/".join(names[index - 2 : index])
    if own.lower() != repo.lower():
        raise EventError(f"the sign-off belongs to another repository than {repo}")
    return Trigger(
        repo=repo,
        number=int(number[:12]),
        kind=_KINDS[match[1]],
        id=int(match[2]),
        manual=True,
    )


def remark_of(data: Mapping[str, Any], kind: SignOffKind) -> Remark:
    """A comment or review as GitHub describes it. Raises `EventError`."""
    user = data.get("user")
    # A deleted account's remarks have no user; nobody can be asked about them.
    login = user.get("login") if isinstance(user, dict) else "ghost"
    if not isinstance(login, str) or not login:
        raise EventError("a comment has no author")
    body = data.get("body")
    created = data.get("created_at") or data.get("submitted_at") or ""
    association = data.get("author_association")
    url = data.get("html_url")
    return Remark(
        id=_number(data, "id"),
        kind=kind,
        author=login,
        bot=(isinstance(user, dict) and user.get("type") not in ("User", None))
        or login.endswith("[bot]")
        or not isinstance(user, dict),
        association=association if isinstance(association, str) else "NONE",
        body=body if isinstance(body, str) else "",
        created=created if isinstance(created, str) else "",
        url=url if isinstance(url, str) else "",
    )


def _object(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = event.get(name)
    if not isinstance(value, dict):
        raise EventError(f"the event payload has no {name}")
    return value


def _number(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise EventError(f"the event payload has no whole number {name}")
    return value


def _repo(event: Mapping[str, Any]) -> str:
    repository = event.get("repository")
    name = repository.get("full_name") if isinstance(repository, dict) else None
    if not isinstance(name, str) or not REPOSITORY.fullmatch(name):
        raise EventError("the event payload names no repository")
    return name
