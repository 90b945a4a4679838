"""GitHub's REST API: bounded, retried, and read with the shape that is expected.

The only module that uses PyGithub. The token is sent to the API host and nowhere else, and no
message or exception holds it.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from urllib.parse import quote, urljoin, urlsplit

from verifier.model.record import NamedTuple
from verifier.reports.escape import terminal

DEFAULT_URL = "https://api.github.com"
MAX_CALLS = 600
MAX_PAGES = 300
ATTEMPTS = 4
_LONGEST_WAIT = 120.0
"""Seconds. A server that asks for more is reported instead of waited for."""
_NEXT = re.compile(r'<([^<>]+)>\s*;[^,]*\brel="?next"?')


class GitHubError(Exception):
    """GitHub did not give what was asked for.

    `status` is None when there was no answer. `uncertain` means that a writing call may have
    been carried out nevertheless.
    """

    def __init__(self, message: str, status: int | None = None, uncertain: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.uncertain = uncertain


class Place(NamedTuple):
    """Where the API is and how to be let in."""

    url: str = DEFAULT_URL
    token: str | None = None

    def __repr__(self) -> str:
        """Without the token."""
        return f"Place(url={self.url!r})"


def place_from(environment: Mapping[str, str] | None = None, url: str | None = None) -> Place:
    """The API named by GITHUB_API_URL and the token of GITHUB_TOKEN (or GH_TOKEN)."""
    env = os.environ if environment is None else environment
    token = env.get("GITHUB_TOKEN") or env.get("GH_TOKEN") or None
    return Place(url or env.get("GITHUB_API_URL") or DEFAULT_URL, token.strip() if token else None)


@dataclass
class Api:
    """Calls to one GitHub, counted and limited.

    Failures of the server and of the line are tried again with growing pauses; a rate limit
    waits as long as it says. `sleep` and `jitter` are parameters so that tests need not wait.
    """

    place: Place
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    max_calls: int = MAX_CALLS
    attempts: int = ATTEMPTS
    timeout: int = 12
    """Seconds without a byte. GitHub itself gives a call up after 10."""
    calls: int = 0
    log: Callable[[str], None] | None = None
    _requester: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.place.url)
        local = (parts.hostname or "") in ("localhost", "127.0.0.1", "::1")
        if parts.scheme != "https" and not (parts.scheme == "http" and local):
            raise GitHubError(
                f"the API address {terminal(self.place.url, 100)} is not https, and a token would "
                "travel in the open"
            )

    def get(self, path: str, /, **parameters: str | int) -> Any:
        """The JSON that a GET yields. Raises `GitHubError`."""
        return self._call("GET", path, parameters, None, repeatable=True)[1]

    def pages(self, path: str, /, key: str | None = None, **parameters: str | int) -> list[Any]:
        """All elements of a list, page after page; `key` names the list inside an object."""
        items: list[Any] = []
        at: str = path
        page = 1
        sent: Mapping[str, str | int] = {"per_page": 100, **parameters}
        while True:
            headers, data = self._call("GET", at, sent, None, repeatable=True)
            batch = data.get(key) if key and isinstance(data, dict) else data
            if not isinstance(batch, list):
                raise GitHubError(f"GET {path} answered without a list")
            items.extend(batch)
            following = _NEXT.search(str(headers.get("link", "")))
            if following is not None:
                parts = urlsplit(following[1])
                at, sent = self._relative(parts.path), {}
                if parts.query:
                    at += f"?{parts.query}"
            elif len(batch) >= 100:
                at, sent = path, {"per_page": 100, **parameters, "page": page + 1}
            else:
                return items
            page += 1
            if page > MAX_PAGES:
                raise GitHubError(f"GET {path} has more than {MAX_PAGES} pages")

    def send(
        self, verb: str, path: str, body: Mapping[str, Any] | None, *, repeatable: bool
    ) -> Any:
        """A writing call. One that is not `repeatable` is tried again only when the server says
        that it did nothing; otherwise the error is `uncertain`."""
        return self._call(verb, path, {}, body, repeatable=repeatable)[1]

    def download(self, path: str, limit: int) -> bytes:
        """The file that a GET answers with or redirects to, at most `limit` bytes.

        The token stays at the API host. Raises `GitHubError`.
        """
        once = partial(_fetch, self.place, path, limit, self.timeout)
        return cast(bytes, self._retried("GET", path, once, repeatable=True))

    def scrubbed(self, text: str) -> str:
        """The text without the token, safe to print."""
        if self.place.token:
            text = text.replace(self.place.token, "***")
        return terminal(text, 400)

    def _relative(self, path: str) -> str:
        """A path of the API host without the prefix that the base address already has."""
        prefix = urlsplit(self.place.url).path.rstrip("/")
        return path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path

    def _call(
        self,
        verb: str,
        path: str,
        parameters: Mapping[str, str | int],
        body: Mapping[str, Any] | None,
        *,
        repeatable: bool,
    ) -> tuple[Mapping[str, Any], Any]:
        def once() -> tuple[Mapping[str, Any], Any]:
            return cast(
                "tuple[Mapping[str, Any], Any]",
                self._client().requestJsonAndCheck(
                    verb, path, parameters=dict(parameters) or None, input=body
                ),
            )

        headers, data = self._retried(verb, path, once, repeatable=repeatable)
        if isinstance(data, dict) and set(data) <= {"data", "url"} and "data" in data:
            # PyGithub wraps a body that is no JSON at all in an object of its own.
            raise GitHubError(
                f"{verb} {path.partition('?')[0]} answered with something that is not JSON",
                uncertain=verb != "GET",
            )
        return headers, data

    def _retried(self, verb: str, path: str, once: Callable[[], Any], *, repeatable: bool) -> Any:
        name = f"{verb} {path.partition('?')[0]}"
        for attempt in range(1, self.attempts + 1):
            if self.calls >= self.max_calls:
                raise GitHubError(
                    f"{name} not made: the limit of {self.max_calls} calls is reached"
                )
            self.calls += 1
            failure = self._failure(name, once)
            if not isinstance(failure, _Failure):
                return failure
            if self.log is not None:
                self.log(f"{name}: {failure.reason}")
            again = failure.again and (repeatable or failure.nothing_done)
            pause = failure.wait or (2.0 ** (attempt - 1)) * (0.75 + 0.5 * self.jitter())
            if not again or attempt == self.attempts or pause > _LONGEST_WAIT:
                tried = f" ({attempt} attempts)" if attempt > 1 else ""
                raise GitHubError(
                    f"{name}: {failure.reason}{tried}",
                    failure.status,
                    uncertain=verb != "GET" and not failure.nothing_done,
                )
            self.sleep(pause)
        raise AssertionError("the loop returns or raises")

    def _failure(self, name: str, once: Callable[[], Any]) -> Any:
        """What `once` yields, or a `_Failure`; no exception of a library leaves this module."""
        from github import GithubException
        from requests.exceptions import RequestException, Timeout

        try:
            return once()
        except GithubException as error:
            return self._refusal(error.status, error.data, error.headers or {})
        except Timeout:
            return _Failure("no answer in time", again=True)
        except RequestException as error:
            return _Failure(f"the connection failed ({type(error).__name__})", again=True)
        except (ValueError, UnicodeError):
            return _Failure("the answer is not JSON, or it was cut", again=True)
        except GitHubError as error:
            return _Failure(self.scrubbed(str(error)), status=error.status)
        except (
            RuntimeError,
            AssertionError,
            OSError,
            TypeError,
            AttributeError,
            KeyError,
        ) as error:
            return _Failure(f"the answer could not be followed ({type(error).__name__})")

    def _refusal(self, status: int, data: Any, headers: Mapping[str, Any]) -> _Failure:
        message = data.get("message") if isinstance(data, dict) else None
        said = f": {self.scrubbed(message)}" if isinstance(message, str) and message else ""
        limited = status == 429 or (
            status == 403
            and (
                "retry-after" in headers
                or str(headers.get("x-ratelimit-remaining", "")) == "0"
                or "rate limit" in said.lower()
            )
        )
        if limited:
            return _Failure(
                f"rate limit, HTTP {status}{said}",
                status=status,
                again=True,
                nothing_done=True,
                wait=_wait(headers),
            )
        return _Failure(
            f"HTTP {status}{said}",
            status=status,
            again=status >= 500,
            nothing_done=400 <= status < 500,
        )

    def _client(self) -> Any:
        if self._requester is None:
            from github import Auth, Github

            token = self.place.token
            self._requester = Github(
                base_url=self.place.url.rstrip("/"),
                auth=Auth.Token(token) if token else None,
                retry=None,
                timeout=self.timeout,
                seconds_between_requests=None,
                seconds_between_writes=None,
                user_agent="recipe-verifier",
                lazy=True,
            ).requester
        return self._requester


@dataclass(frozen=True, slots=True)
class _Failure:
    reason: str
    status: int | None = None
    again: bool = False
    nothing_done: bool = False
    wait: float | None = None


def _wait(headers: Mapping[str, Any]) -> float:
    """Seconds that a rate limit asks for; a minute when it does not say."""
    try:
        return max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError, TypeError):
        pass
    try:
        return max(1.0, float(headers["x-ratelimit-reset"]) - time.time())
    except (KeyError, ValueError, TypeError):
        return 60.0


def _fetch(place: Place, path: str, limit: int, timeout: int) -> bytes:
    """The body of a GET; a redirect is followed without any credentials."""
    import requests

    url = place.url.rstrip("/") + path
    headers = {"Authorization": f"token {place.token}"} if place.token else {}
    with requests.Session() as session:
        session.auth = lambda request: request  # no .netrc
        answer = session.get(
            url, headers=headers, allow_redirects=False, stream=True, timeout=timeout
        )
        if answer.is_redirect:
            target = urljoin(url, answer.headers["location"])
            if not _may_follow(target, url):
                raise GitHubError("it leads to an address that is not https")
            answer = session.get(target, stream=True, timeout=timeout)
        if answer.status_code != 200:
            raise _refused(answer)
        data = bytearray()
        for chunk in answer.iter_content(65536):
            data += chunk
            if len(data) > limit:
                raise GitHubError(f"it has more than {limit:,} bytes")
        return bytes(data)


def _may_follow(target: str, own: str) -> bool:
    there, here = urlsplit(target), urlsplit(own)
    same = (there.scheme, there.hostname) == (here.scheme, here.hostname)
    return there.scheme == "https" or same


def _refused(answer: Any) -> Exception:
    """The exception that PyGithub would raise for this answer."""
    from github import GithubException

    length = answer.headers.get("content-length", "")
    short = length.isascii() and length.isdigit() and int(length) < 10_000
    try:
        data = answer.json() if short else None
    except ValueError:
        data = None
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return GithubException(answer.status_code, data, headers)


def field_of(data: Any, *names: str, what: str) -> Any:
    """A nested field of an answer. Raises `GitHubError` naming what is missing."""
    for name in names:
        if not isinstance(data, dict) or name not in data:
            raise GitHubError(f"{what} has no {'.'.join(names)}")
        data = data[name]
    return data


def text_of(data: Any, *names: str, what: str) -> str:
    """A nested text of an answer."""
    value = field_of(data, *names, what=what)
    if not isinstance(value, str):
        raise GitHubError(f"{what}: {'.'.join(names)} is no text")
    return value


def number_of(data: Any, *names: str, what: str) -> int:
    """A nested whole number of an answer."""
    value = field_of(data, *names, what=what)
    if not isinstance(value, int) or isinstance(value, bool):
        raise GitHubError(f"{what}: {'.'.join(names)} is no number")
    return value


def quoted(path: str) -> str:
    """A path or name as part of an address."""
    return quote(path, safe="/")


def objects(items: list[Any], what: str) -> Iterator[dict[str, Any]]:
    """The elements of a list, each an object."""
    for item in items:
        if not isinstance(item, dict):
            raise GitHubError(f"{what} holds something that is no object")
        yield item
