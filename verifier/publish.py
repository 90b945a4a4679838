"""Posting a verdict: one commit status and one comment, never green by accident.

The order matters. `pending` comes first, the comment next, and `success` last, after the head was
looked at once more. Whatever goes wrong in between ends in `error` with a reason.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Literal, Protocol

from verifier.model.record import dataclass, field
from verifier.reports.escape import terminal
from verifier.signoff.text import MARKER
from verifier.sources.github import Api, GitHubError, number_of, objects, text_of
from verifier.sources.pull import head_of

CONTEXT = "codeowner-signoff-verify"
"""Context of the commit status."""
ACTIONS_LOGIN = "github-actions[bot]"
MAX_COMMENT = 65_000
"""GitHub refuses a body of 65,536 characters or more."""
MAX_SUMMARY = 1_000_000
"""GitHub drops a step summary above 1 MiB."""

_MARKER = re.compile(r"<!-- codeowner-signoff-verify sha=([0-9a-f]{40}) -->")
State = Literal["pending", "success", "failure", "error"]


class Interrupted(BaseException):
    """The process was told to end."""


class PublishError(Exception):
    """The verdict could not be published; the status says so where that was possible."""


class Body(Protocol):
    """Renders the comment below the marker line; `moved` is the new head when there is one."""

    def __call__(self, moved: str | None) -> str: ...


def marker(sha: str) -> str:
    """The hidden first line of the verdict comment for a commit."""
    return f"{MARKER} sha={sha} -->"


def comment_body(sha: str, body: str) -> str:
    """The comment as it is posted: marker line, then the body, short enough for GitHub."""
    text = f"{marker(sha)}\n{body}"
    if len(text) <= MAX_COMMENT:
        return text
    note = "\n\nThis comment was too long for GitHub and ends here.\n"
    kept = text[: MAX_COMMENT - len(note) - 40]
    # A cut inside a folded block or a code fence would swallow the note.
    lines = kept.split("\n")[:-1]
    fences = sum(1 for line in lines if line.startswith("```"))
    closing = ("\n```" if fences % 2 else "") + "\n</details>" * max(
        0, kept.count("<details>") - kept.count("</details>")
    )
    return "\n".join(lines) + closing + note


@dataclass
class Publisher:
    """Comment and status of one pull request at one commit."""

    api: Api
    repo: str
    number: int
    sha: str
    login: str | None = None
    """Own account; None: asked for, else the one of GitHub Actions."""
    run_url: str | None = None
    _comment_url: str | None = field(default=None)

    def status(self, state: State, description: str) -> None:
        """Set the commit status. Posting the same one again changes nothing, so it may repeat."""
        body: dict[str, Any] = {
            "state": state,
            "context": CONTEXT,
            "description": _short(self.api.scrubbed(description)),
        }
        target = self._comment_url or self.run_url
        if target:
            body["target_url"] = target
        path = f"/repos/{self.repo}/statuses/{self.sha}"
        data = self.api.send("POST", path, body, repeatable=True)
        if text_of(data, "state", what="the answer to the status") != state:
            raise GitHubError("GitHub did not take the status as it was sent")

    def comment(self, body: str) -> None:
        """Have exactly one comment of ours for this commit, with this body."""
        text = comment_body(self.sha, body)
        ours = self._ours()
        if not ours:
            self._create(text)
            # Another run may have posted at the same moment: the oldest comment stays.
            ours = self._ours()
        if not ours:
            raise GitHubError("the comment was posted and cannot be found again")
        first, *others = ours
        if first["body"] != text:
            path = f"/repos/{self.repo}/issues/comments/{first['id']}"
            self.api.send("PATCH", path, {"body": text}, repeatable=True)
        for other in others:
            self._delete(number_of(other, "id", what="a comment"))
        url = first.get("html_url")
        self._comment_url = url if isinstance(url, str) else None

    def _create(self, text: str) -> None:
        path = f"/repos/{self.repo}/issues/{self.number}/comments"
        try:
            data = self.api.send("POST", path, {"body": text}, repeatable=False)
        except GitHubError as error:
            # It may have been posted although the answer was lost: look before posting again.
            if not error.uncertain:
                raise
            if self._ours():
                return
            data = self.api.send("POST", path, {"body": text}, repeatable=False)
        author = text_of(data, "user", "login", what="the answer to the comment")
        if author.lower() != self._login().lower():
            self.login = author

    def _ours(self) -> list[dict[str, Any]]:
        """Own comments that begin with this commit's marker, oldest first.

        Anybody can copy the marker, so the author must be this account too.
        """
        what = "the list of comments"
        login = self._login().lower()
        found = []
        path = f"/repos/{self.repo}/issues/{self.number}/comments"
        for item in objects(self.api.pages(path), what):
            user, body = item.get("user"), item.get("body")
            if not isinstance(user, dict) or not isinstance(body, str):
                continue
            match = _MARKER.match(body)
            if match and match[1] == self.sha and str(user.get("login", "")).lower() == login:
                number_of(item, "id", what=what)
                found.append(item)
        return sorted(found, key=lambda item: int(item["id"]))

    def _delete(self, number: int) -> None:
        try:
            self.api.send(
                "DELETE", f"/repos/{self.repo}/issues/comments/{number}", None, repeatable=True
            )
        except GitHubError as error:
            # Gone already: the other run was quicker.
            if error.status not in (404, 410):
                raise

    def _login(self) -> str:
        if self.login is None:
            try:
                self.login = text_of(self.api.get("/user"), "login", what="the own account")
            except GitHubError as error:
                # The token of a workflow may not ask who it is.
                if error.status not in (401, 403, 404):
                    raise
                self.login = ACTIONS_LOGIN
        return self.login

    def finish(self, render: Body, passed: bool, description: str) -> str | None:
        """Comment and final status of a verdict; the new head when it has moved meanwhile.

        Raises `GitHubError`; the status is then for the caller to set.
        """
        moved = self._moved()
        self.comment(render(moved))
        if moved is None:
            moved = self._moved()
            if moved is not None:
                self.comment(render(moved))
        if moved is not None:
            self.status(
                "failure",
                f"The head moved to {moved[:12]}; a fresh sign-off is needed for the new commit",
            )
            return moved
        self.status("success" if passed else "failure", description)
        return None

    def _moved(self) -> str | None:
        head = head_of(self.api, self.repo, self.number)
        return None if head == self.sha else head


def _short(text: str) -> str:
    """GitHub takes 140 characters."""
    return text if len(text) <= 140 else text[:139] + "…"


@contextmanager
def never_pending(publisher: Publisher) -> Iterator[None]:
    """Whatever ends the block early sets the status to `error` with the reason.

    SIGTERM counts, too: a cancelled workflow must not leave `pending` behind.
    """
    with _signals():
        try:
            publisher.status("pending", "Verifying the sign-off")
            yield
        except BaseException as error:
            with _undisturbed():
                _set_error(publisher, error)
            raise


def _set_error(publisher: Publisher, error: BaseException) -> None:
    reason = (
        "the verifier was stopped"
        if isinstance(error, (Interrupted, KeyboardInterrupt))
        else str(error) or type(error).__name__
    )
    try:
        publisher.status("error", f"Not judged: {reason}")
    except (GitHubError, Interrupted) as second:
        raise PublishError(
            f"{publisher.api.scrubbed(reason)}; and the status could not be set to error: "
            f"{publisher.api.scrubbed(str(second))}"
        ) from None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A cancelled workflow sends SIGINT and, soon after, SIGTERM: the clean-up goes on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _signals() -> Iterator[None]:
    """SIGTERM as an exception, where this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Interrupted

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def step_summary(text: str, environment: Mapping[str, str] | None = None) -> None:
    """Append to the summary of the workflow step, when there is one."""
    path = (os.environ if environment is None else environment).get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(text[:MAX_SUMMARY] + "\n")


def run_address(environment: Mapping[str, str] | None = None) -> str | None:
    """Address of the workflow run this process belongs to."""
    env = os.environ if environment is None else environment
    server, repo, run = (
        env.get(name) for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    )
    if not (server and repo and run) or not server.startswith("https://"):
        return None
    return terminal(f"{server}/{repo}/actions/runs/{run}", 300)
