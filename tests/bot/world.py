"""A small repository with one pull request, which passes every check unless a test spoils it."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from tests.bot.fake_github import TOKEN, FakeGitHub, Repo, sha_of
from verifier.signoff.run import Environment
from verifier.sources.github import Api, Place

REPO = "bench/recipes"
NUMBER = 7
BASE = sha_of("base")
HEAD = sha_of("head")
SIGNER = "olga"
BOT = "github-actions[bot]"
MARKER = f"<!-- codeowner-signoff-verify sha={HEAD} -->"

CHECKLIST = """\
# Review checklist

## Template
```
As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [ ] Verified that this is the latest version of [the checklist](https://example.org/list.md)
- [ ] Verified that the general code quality meets the standard
- [ ] Verified that this change has passed validation. Please link the workflow run.
- [ ] Verified that single-node recipes are documented upstream:
  - [ ] I linked the merged upstream pull request or the published page
- [ ] If any of the above cannot be satisfied, I have provided reasoning below.

### Additional detail section:
- insert any additional info here

Signed: `FILL_IN_GITHUB_USERNAME`
```
"""

CODEOWNERS = """\
* @bench/core
docs/ @olga @pavel
configs/nvidia-master.yaml @nina @bench/nvidia
benchmarks/ @olga
"""

THRESHOLDS = """\
default:
  gsm8k: 0.90
models:
  dsv4:
    gsm8k: 0.95
"""

SIGNOFF = """\
As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [x] Verified that this is the latest version of [the checklist](https://example.org/list.md)
- [x] Verified that the general code quality meets the standard
- [x] Verified that this change has passed validation. Please link the workflow run.
- [X] Verified that single-node recipes are documented upstream:
  - [x] I linked the merged upstream pull request or the published page
- [x] If any of the above cannot be satisfied, I have provided reasoning below.

### Additional detail section:
- Nothing is measured differently.

Signed: `olga`
"""

BASE_FILES: dict[str, bytes] = {
    ".github/CODEOWNERS": CODEOWNERS.encode(),
    "docs/PR_REVIEW_CHECKLIST.md": CHECKLIST.encode(),
    "docs/notes.md": b"Notes.\n",
    "utils/evals/thresholds.yaml": THRESHOLDS.encode(),
}


def remark(
    identity: int,
    body: str,
    login: str = SIGNER,
    kind: str = "User",
    association: str = "MEMBER",
    created: str = "2026-07-10T10:00:00Z",
) -> dict[str, Any]:
    """A comment as GitHub describes it."""
    return {
        "id": identity,
        "user": {"login": login, "type": kind},
        "author_association": association,
        "body": body,
        "created_at": created,
        "submitted_at": created,
        "html_url": f"https://github.com/{REPO}/pull/{NUMBER}#issuecomment-{identity}",
        "issue_url": f"https://api.github.com/repos/{REPO}/issues/{NUMBER}",
        "pull_request_url": f"https://api.github.com/repos/{REPO}/pulls/{NUMBER}",
    }


class World:
    """The repository on a fake GitHub, and runs of the verifier against it."""

    def __init__(self, fake: FakeGitHub, folder: Path) -> None:
        self.fake = fake
        self.folder = folder
        self.repo: Repo = fake.repo(REPO)
        self.slept: list[float] = []
        self.patience = 5.0
        """Seconds that a call may take."""
        repo = self.repo
        repo.branches["main"] = BASE
        repo.commits[BASE] = dict(BASE_FILES)
        repo.commits[HEAD] = {**BASE_FILES, "docs/notes.md": b"Better notes.\n"}
        repo.pulls[NUMBER] = {
            "number": NUMBER,
            "title": "Better notes",
            "state": "open",
            "draft": False,
            "commits": 1,
            "user": {"login": "author", "type": "User"},
            "head": {"sha": HEAD, "ref": "notes"},
            "base": {"sha": BASE, "ref": "main"},
        }
        repo.pull_commits[NUMBER] = [HEAD]
        repo.comments[NUMBER] = [
            remark(100, "/reuse-sweep-run", login="maria", created="2026-07-10T09:00:00Z"),
            remark(101, SIGNOFF),
        ]
        self.signoff = repo.comments[NUMBER][1]

    def api(self, **settings: Any) -> Api:
        api = Api(
            Place(self.fake.url, TOKEN),
            sleep=self.slept.append,
            jitter=lambda: 0.5,
            **settings,
        )
        # PyGithub takes whole seconds, which is long when each call times out in turn.
        api._client()._Requester__timeout = self.patience
        return api

    def outside(self, **variables: str) -> Environment:
        summary = self.folder / "summary.md"
        return Environment(
            api=self.api(),
            variables={"GITHUB_STEP_SUMMARY": str(summary), **variables},
            folder=str(self.folder),
        )

    @property
    def summary(self) -> str:
        path = self.folder / "summary.md"
        return path.read_text() if path.exists() else ""

    def event(self, **changes: Any) -> Path:
        """The payload of the comment event, with top-level changes."""
        payload: dict[str, Any] = {
            "action": "created",
            "issue": {"number": NUMBER, "state": "open", "pull_request": {"url": "x"}},
            "comment": self.signoff,
            "repository": {"full_name": REPO},
            **changes,
        }
        path = self.folder / "event.json"
        path.write_text(json.dumps(payload))
        return path

    def options(self, **changes: Any) -> Namespace:
        values: dict[str, Any] = {
            "command": "signoff",
            "event": None,
            "number": NUMBER,
            "repo": REPO,
            "publish": False,
            "snapshot": None,
            "from_snapshot": None,
            "root": None,
            "policy": None,
            "check": None,
            "format": "json",
            "output": str(self.folder / "verdict.out"),
            "env": {},
            "closed": False,
            "thinking": None,
            "jobs": None,
            "color": "never",
            "verbose": False,
            **changes,
        }
        return Namespace(**values)

    @property
    def verdict(self) -> dict[str, Any]:
        """The JSON verdict of the last run."""
        data: dict[str, Any] = json.loads((self.folder / "verdict.out").read_text())
        return data

    def row(self, slug: str) -> dict[str, Any]:
        """One check's row of the last verdict."""
        rows = [row for row in self.verdict["checks"] if row["slug"] == slug]
        assert len(rows) == 1, slug
        return dict(rows[0])

    @property
    def states(self) -> list[str]:
        """Every status of the head, in order."""
        return [status["state"] for status in self.repo.statuses.get(HEAD, [])]

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """Verdict comments of the bot."""
        return [
            c
            for c in self.repo.comments[NUMBER]
            if c["user"]["login"] == BOT and c["body"].startswith("<!-- codeowner-signoff")
        ]
