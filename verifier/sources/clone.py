"""File contents from a local clone, where there is one of the right repository.

Missing commits are fetched into its object store. Work tree, index, branches and `FETCH_HEAD` stay
as they are, and nothing of the pull request is checked out or run.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from verifier.model.change import ChangedFile
from verifier.model.record import dataclass
from verifier.sources.git import GitError, GitTree, change_between, commit_of, toplevel

TIMEOUT = 180
"""Seconds for one fetch; the API is the other way."""

_SSH = re.compile(r"(?:ssh://)?[^@/\s]+@(?P<host>[^:/\s]+)[:/](?P<path>\S+)")


@dataclass(frozen=True, slots=True)
class GitFiles:
    """Trees and changes from git objects."""

    repo: Path

    def tree(self, sha: str) -> GitTree:
        """The files of a commit."""
        return GitTree(self.repo, sha)

    def change(self, base: str, head: str) -> tuple[ChangedFile, ...]:
        """What `head` changes since `base`, its merge base; renames have both names."""
        return change_between(self.repo, base, head).files


def clone_files(folder: str, repo: str, shas: Iterable[str], api_url: str) -> GitFiles | None:
    """Files from the clone at `folder`, or None when it is no clone of `repo` or lacks commits
    that cannot be fetched. The last two of `shas` are merge base and head."""
    top = toplevel(folder)
    if top is None or not _is_clone_of(top, repo, api_url):
        return None
    wanted = tuple(shas)
    missing = [sha for sha in dict.fromkeys(wanted) if not _has(top, sha)]
    if missing and not _fetch(top, missing):
        return None
    try:
        *_, ancestor, head = wanted
        change_between(top, ancestor, head)
    except (GitError, ValueError):
        # A shallow clone has the commits and not how they are related.
        return None
    return GitFiles(top)


def _has(repo: Path, sha: str) -> bool:
    try:
        return commit_of(repo, sha) == sha
    except GitError:
        return False


def _run(repo: Path, *arguments: str, timeout: int = 20) -> str | None:
    """Output of a git call that may use the network, or None when it fails."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env.update(GIT_TERMINAL_PROMPT="0", GIT_ASKPASS="true", SSH_ASKPASS="true", LC_ALL="C")
    env.pop("GITHUB_TOKEN", None)
    env.pop("GH_TOKEN", None)
    try:
        done = subprocess.run(
            ["git", "-c", "core.hooksPath=/dev/null", "-C", str(repo), *arguments],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").strip()


def _is_clone_of(repo: Path, name: str, api_url: str) -> bool:
    url = _run(repo, "config", "--get", "remote.origin.url")
    if not url:
        return False
    match = _SSH.fullmatch(url)
    if match:
        host, path = match["host"], match["path"]
    else:
        parts = urlsplit(url)
        host, path = parts.hostname or "", parts.path
    api = urlsplit(api_url).hostname or ""
    same_host = host.lower() == api.lower() or f"api.{host}".lower() == api.lower()
    return same_host and path.strip("/").removesuffix(".git").lower() == name.lower()


def _fetch(repo: Path, shas: list[str]) -> bool:
    """Whether the objects of these commits are here now."""
    shallow = _run(repo, "rev-parse", "--is-shallow-repository") == "true"
    options = ["--depth=1"] if shallow else []
    done = _run(
        repo,
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
        "--no-auto-gc",
        *options,
        "origin",
        *shas,
        timeout=TIMEOUT,
    )
    return done is not None and all(_has(repo, sha) for sha in shas)
