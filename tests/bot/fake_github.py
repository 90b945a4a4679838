"""A GitHub that speaks HTTP on loopback: an in-memory model, real paging, faults on demand.

Answers have the shape of GitHub's REST API as far as the verifier reads it.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "ghs_loopbackTokenOfTheTests0123456789"


def sha_of(name: str) -> str:
    """A commit name that is the same on every run."""
    return hashlib.sha1(name.encode()).hexdigest()


def blob_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass
class Fault:
    """Spoils calls that `match` accepts, the first `times` of them."""

    match: Callable[[int, str, str], bool]
    kind: str
    """An HTTP status, or cut, garbage, timeout, drop, after (carried out, answer lost)."""
    times: int = 1_000
    headers: dict[str, str] = field(default_factory=dict)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of many tests."""
        del request, client_address


@dataclass
class Repo:
    """One repository."""

    name: str
    branches: dict[str, str] = field(default_factory=dict)
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    links: dict[str, set[str]] = field(default_factory=dict)
    """Per commit: paths that are symbolic links."""
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    pull_commits: dict[int, list[str]] = field(default_factory=dict)
    pull_files: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    merge_base: dict[tuple[str, str], str] = field(default_factory=dict)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    reviews: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    review_comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    check_runs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    runs: dict[int, dict[str, Any]] = field(default_factory=dict)
    artifacts: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    archives: dict[int, bytes] = field(default_factory=dict)
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


class FakeGitHub:
    """The server. `calls` lists what was asked; `faults` spoil answers."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.teams: dict[str, dict[str, str]] = {}
        """By `org/team`: login to membership state."""
        self.hidden_teams: set[str] = set()
        self.login: str | None = None
        """Answer of GET /user; None: 403, as for a workflow's token."""
        self.actor = "github-actions[bot]"
        self.calls: list[tuple[str, str]] = []
        self.answers: list[tuple[str, str, int, Any]] = []
        """(verb, path, status, data) of every answer that was not spoiled."""
        self.faults: list[Fault] = []
        self.before: Callable[[int, str, str], None] | None = None
        """Called before each answer, to move things meanwhile."""
        self.seen_tokens: set[str | None] = set()
        self.blob_tokens: set[str | None] = set()
        self.page_limit = 100
        self.direct_archives = False
        """Answer with the archive instead of a redirect to the storage."""
        self.storage: str | None = None
        """Where redirects to the storage lead; None: here."""
        self.next_id = 9_000
        self._lock = threading.RLock()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.daemon = True
        self.release = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[FakeGitHub]:
        self._thread.start()
        try:
            yield self
        finally:
            self.release.set()
            self._server.shutdown()
            self._server.server_close()

    def repo(self, name: str) -> Repo:
        return self.repos.setdefault(name, Repo(name))

    def new_id(self) -> int:
        self.next_id += 1
        return self.next_id

    def posted(self) -> list[tuple[str, str]]:
        """Writing calls that were received."""
        return [call for call in self.calls if call[0] != "GET"]


class _Handler(BaseHTTPRequestHandler):
    fake: FakeGitHub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536

    def log_message(self, *args: Any) -> None:
        del args

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_PATCH(self) -> None:
        self._serve("PATCH")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, verb: str) -> None:
        fake = self.fake
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        parts = urlsplit(self.path)
        token = (self.headers.get("Authorization") or "").removeprefix("token ") or None
        if parts.path.startswith("/storage/"):
            fake.blob_tokens.add(token)
        else:
            fake.seen_tokens.add(token)
        with fake._lock:
            index = len(fake.calls)
            fake.calls.append((verb, parts.path))
            fault = next(
                (f for f in fake.faults if f.times > 0 and f.match(index, verb, parts.path)), None
            )
            if fault is not None:
                fault.times -= 1
            if fake.before is not None:
                fake.before(index, verb, parts.path)
            if fault is not None and fault.kind != "after":
                answer: tuple[int, Any, dict[str, str]] = (200, {"unused": True}, {})
            else:
                try:
                    answer = self._answer(verb, parts.path, parse_qs(parts.query), body)
                except KeyError:
                    answer = (404, {"message": "Not Found"}, {})
        if fault is not None:
            self._spoil(fault)
        else:
            fake.answers.append((verb, parts.path, answer[0], answer[1]))
            self._send(*answer)

    def _spoil(self, fault: Fault) -> None:
        kind = fault.kind
        if kind.isdigit():
            message = {"403": "Resource not accessible by integration", "404": "Not Found"}
            self._send(int(kind), {"message": message.get(kind, "spoiled")}, fault.headers)
        elif kind == "garbage":
            self._send(200, b"<html>proxy says hello</html>", {})
        elif kind == "badjson":
            self._send(200, b'{"state": "open", ', {})
        elif kind == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "5000")
            self.end_headers()
            self.wfile.write(b'{"sta')
            self.close_connection = True
        elif kind == "timeout":
            self.fake.release.wait(5)
            self.close_connection = True
        else:
            # "drop" and "after": the line goes down without an answer.
            self.close_connection = True
            self.connection.close()

    def _send(self, status: int, data: Any, headers: dict[str, str]) -> None:
        if isinstance(data, bytes):
            payload = data
        else:
            payload = b"" if data is None else json.dumps(data).encode()
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            kind = "application/octet-stream" if isinstance(data, bytes) else "application/json"
            self.send_header("Content-Type", kind + "; charset=utf-8")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(
        self, verb: str, path: str, query: dict[str, list[str]], body: Any
    ) -> tuple[int, Any, dict[str, str]]:
        fake = self.fake
        for pattern, verbs, method in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match and verb in verbs:
                values = [unquote(v) for v in match.groups()]
                result = method(fake, verb, values, query, body)
                if isinstance(result, list):
                    return self._page(result, None, query)
                if isinstance(result, dict) and "__list__" in result:
                    answer = self._page(result["items"], result["__list__"], query)
                    if "__more__" in result:
                        answer[1].update(result["__more__"])
                        del answer[1]["total_count"]
                    return answer
                if isinstance(result, tuple):
                    return result
                return 200, result, {}
        return 404, {"message": "Not Found"}, {}

    def _page(
        self, items: list[Any], key: str | None, query: dict[str, list[str]]
    ) -> tuple[int, Any, dict[str, str]]:
        per = min(int(query.get("per_page", ["30"])[0]), self.fake.page_limit)
        page = int(query.get("page", ["1"])[0])
        chosen = items[(page - 1) * per : page * per]
        headers = {}
        if page * per < len(items):
            path = urlsplit(self.path).path
            headers["Link"] = (
                f'<{self.fake.url}{path}?per_page={per}&page={page + 1}>; rel="next", '
                f'<{self.fake.url}{path}?per_page={per}&page=99>; rel="last"'
            )
        return 200, ({"total_count": len(items), key: chosen} if key else chosen), headers


_ABSENT = {
    "comments": {"submitted_at", "pull_request_url"},
    "reviews": {"created_at", "issue_url"},
    "review_comments": {"submitted_at", "issue_url"},
}
"""Fields of a remark that its kind does not have."""


def _shaped(item: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in _ABSENT.get(kind, ())}


def _pull(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return fake.repos[v[0]].pulls[int(v[1])]


def _pull_list(name: str) -> Callable[..., Any]:
    def answer(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
        repo = fake.repos[v[0]]
        if int(v[1]) not in repo.pulls:
            raise KeyError
        return [_shaped(item, name) for item in getattr(repo, name).get(int(v[1]), [])]

    return answer


def _pull_commits(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return [{"sha": sha} for sha in fake.repos[v[0]].pull_commits[int(v[1])][:250]]


def _comments(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    repo, number = fake.repos[v[0]], int(v[1])
    if number not in repo.pulls:
        raise KeyError
    items = repo.comments.setdefault(number, [])
    if verb == "GET":
        return [_shaped(item, "comments") for item in items]
    if len(body["body"]) > 65_535:
        return 422, {"message": "body is too long"}, {}
    identity = fake.new_id()
    item = {
        "id": identity,
        "user": {"login": fake.actor, "type": "Bot" if fake.actor.endswith("]") else "User"},
        "author_association": "NONE",
        "body": body["body"],
        "created_at": "2026-07-10T12:00:00Z",
        "html_url": f"https://github.com/{v[0]}/pull/{number}#issuecomment-{identity}",
        "issue_url": f"{fake.url}/repos/{v[0]}/issues/{number}",
    }
    items.append(item)
    return 201, item, {}


def _comment(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    for items in fake.repos[v[0]].comments.values():
        for item in items:
            if item["id"] == int(v[1]):
                if verb == "PATCH":
                    item["body"] = body["body"]
                elif verb == "DELETE":
                    items.remove(item)
                    return 204, None, {}
                return _shaped(item, "comments")
    raise KeyError


def _find(name: str) -> Callable[..., Any]:
    def answer(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
        for items in getattr(fake.repos[v[0]], name).values():
            for item in items:
                if item["id"] == int(v[-1]):
                    return _shaped(item, name)
        raise KeyError

    return answer


def _branch(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return {"name": v[1], "commit": {"sha": fake.repos[v[0]].branches[v[1]]}}


def _compare(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    repo = fake.repos[v[0]]
    base = repo.merge_base.get((v[1], v[2]), v[1])
    commits = next((c for c in repo.pull_commits.values() if v[2] in c), [])
    return {
        "__list__": "commits",
        "items": [{"sha": sha} for sha in commits],
        "__more__": {"merge_base_commit": {"sha": base}, "status": "ahead"},
    }


def _tree(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    repo = fake.repos[v[0]]
    files = repo.commits[v[1]]
    links = repo.links.get(v[1], set())
    entries = [
        {
            "path": path,
            "mode": "120000" if path in links else "100644",
            "type": "blob",
            "sha": blob_of(data),
            "size": len(data),
        }
        for path, data in sorted(files.items())
    ]
    return {"sha": v[1], "tree": entries, "truncated": False}


def _blob(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    for files in fake.repos[v[0]].commits.values():
        for data in files.values():
            if blob_of(data) == v[1]:
                return {
                    "sha": v[1],
                    "encoding": "base64",
                    "content": base64.encodebytes(data).decode(),
                    "size": len(data),
                }
    raise KeyError


def _contents(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    repo = fake.repos[v[0]]
    data = repo.commits[repo.branches["main"]][v[1]]
    return {"encoding": "base64", "content": base64.encodebytes(data).decode()}


def _check_runs(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return {"__list__": "check_runs", "items": fake.repos[v[0]].check_runs.get(v[1], [])}


def _run(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return fake.repos[v[0]].runs[int(v[1])]


def _artifacts(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return {"__list__": "artifacts", "items": fake.repos[v[0]].artifacts.get(int(v[1]), [])}


def _archive(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    archive = fake.repos[v[0]].archives[int(v[1])]
    if fake.direct_archives:
        return 200, archive, {}
    return 302, None, {"Location": f"{fake.storage or fake.url}/storage/{v[0]}/{v[1]}"}


def _storage(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    return 200, fake.repos[v[0]].archives[int(v[1])], {}


def _tarball(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    files = fake.repos[v[0]].commits[v[1]]
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as out:
        for path, data in files.items():
            member = tarfile.TarInfo(f"repo-{v[1][:7]}/{path}")
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    number = fake.new_id()
    fake.repos[v[0]].archives[number] = stream.getvalue()
    return 302, None, {"Location": f"{fake.url}/storage/{v[0]}/{number}"}


def _membership(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    team = f"{v[0]}/{v[1]}".lower()
    if team in fake.hidden_teams:
        return 403, {"message": "Resource not accessible by integration"}, {}
    return {"state": fake.teams[team][v[2].lower()]}


def _team(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    team = f"{v[0]}/{v[1]}".lower()
    if team in fake.hidden_teams or team not in fake.teams:
        raise KeyError
    return {"slug": v[1]}


def _user(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    if fake.login is None:
        return 403, {"message": "Resource not accessible by integration"}, {}
    return {"login": fake.login}


def _status(fake: FakeGitHub, verb: str, v: list[str], q: Any, body: Any) -> Any:
    assert len(body["description"]) <= 140
    fake.repos[v[0]].statuses.setdefault(v[1], []).append(body)
    return 201, {**body, "id": fake.new_id()}, {}


_R = r"/repos/([^/]+/[^/]+)"
_ROUTES: list[tuple[str, tuple[str, ...], Callable[..., Any]]] = [
    (_R + r"/pulls/(\d+)", ("GET",), _pull),
    (_R + r"/pulls/(\d+)/files", ("GET",), _pull_list("pull_files")),
    (_R + r"/pulls/(\d+)/commits", ("GET",), _pull_commits),
    (_R + r"/pulls/(\d+)/reviews", ("GET",), _pull_list("reviews")),
    (_R + r"/pulls/(\d+)/comments", ("GET",), _pull_list("review_comments")),
    (_R + r"/pulls/\d+/reviews/(\d+)", ("GET",), _find("reviews")),
    (_R + r"/pulls/comments/(\d+)", ("GET",), _find("review_comments")),
    (_R + r"/issues/(\d+)/comments", ("GET", "POST"), _comments),
    (_R + r"/issues/comments/(\d+)", ("GET", "PATCH", "DELETE"), _comment),
    (_R + r"/branches/(.+)", ("GET",), _branch),
    (_R + r"/compare/(\w+)\.\.\.(\w+)", ("GET",), _compare),
    (_R + r"/git/trees/(\w+)", ("GET",), _tree),
    (_R + r"/git/blobs/(\w+)", ("GET",), _blob),
    (_R + r"/contents/(.+)", ("GET",), _contents),
    (_R + r"/commits/(\w+)/check-runs", ("GET",), _check_runs),
    (_R + r"/actions/runs/(\d+)", ("GET",), _run),
    (_R + r"/actions/runs/(\d+)/artifacts", ("GET",), _artifacts),
    (_R + r"/actions/artifacts/(\d+)/zip", ("GET",), _archive),
    (_R + r"/tarball/(\w+)", ("GET",), _tarball),
    (r"/storage/([^/]+/[^/]+)/(\d+)", ("GET",), _storage),
    (r"/orgs/([^/]+)/teams/([^/]+)/memberships/([^/]+)", ("GET",), _membership),
    (r"/orgs/([^/]+)/teams/([^/]+)", ("GET",), _team),
    (r"/user", ("GET",), _user),
    (_R + r"/statuses/(\w+)", ("POST",), _status),
]
