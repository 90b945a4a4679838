"""Files from a local clone: missing commits are fetched, and nothing else changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from verifier.model.change import ChangedFile
from verifier.sources.clone import clone_files

API = "https://api.github.example"
ORIGIN = "https://github.example/bench/recipes.git"


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org",
         *arguments],
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, str, str]:
    """A clone that lacks the pull request, the base commit, the pull request's head."""
    upstream = tmp_path / "upstream"
    upstream.mkdir()
    git(upstream, "init", "-q", "-b", "main")
    (upstream / "a.txt").write_text("one\n")
    git(upstream, "add", ".")
    git(upstream, "commit", "-q", "-m", "base")
    base = git(upstream, "rev-parse", "HEAD")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(upstream), str(clone))
    git(upstream, "checkout", "-q", "-b", "change")
    (upstream / "a.txt").write_text("two\n")
    (upstream / "b.txt").write_text("new\n")
    git(upstream, "add", ".")
    git(upstream, "commit", "-q", "-m", "change")
    head = git(upstream, "rev-parse", "HEAD")
    git(upstream, "update-ref", "refs/pull/7/head", head)
    git(upstream, "checkout", "-q", "main")
    git(upstream, "branch", "-q", "-D", "change")
    git(clone, "config", "remote.origin.url", ORIGIN)
    git(clone, "config", f"url.{upstream}.insteadOf", ORIGIN)
    return clone, base, head


def test_missing_commits_are_fetched_into_the_object_store(
    places: tuple[Path, str, str],
) -> None:
    clone, base, head = places
    before = git(clone, "for-each-ref")
    files = clone_files(str(clone), "Bench/Recipes", (base, base, head), API)
    assert files is not None
    assert files.tree(head).read("b.txt") == b"new\n"
    assert files.tree(base).read("b.txt") is None
    assert files.change(base, head) == (
        ChangedFile(path="a.txt", status="modified"),
        ChangedFile(path="b.txt", status="added"),
    )
    assert git(clone, "for-each-ref") == before
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "rev-parse", "HEAD") == base
    assert not (clone / ".git/FETCH_HEAD").exists()
    assert (clone / "a.txt").read_text() == "one\n"


@pytest.mark.parametrize(
    ("repo", "api", "url"),
    [
        ("bench/other", API, ORIGIN),
        ("bench/recipes", "https://api.elsewhere.example", ORIGIN),
        ("bench/recipes", API, "https://elsewhere.example/bench/recipes"),
        ("bench/recipes", API, "https://github.example/evil/bench/recipes"),
    ],
)
def test_another_repository_is_not_taken(
    repo: str, api: str, url: str, places: tuple[Path, str, str]
) -> None:
    clone, base, head = places
    git(clone, "config", "remote.origin.url", url)
    assert clone_files(str(clone), repo, (base, base, head), api) is None


@pytest.mark.parametrize(
    "url", ["git@github.example:bench/recipes.git", "ssh://git@github.example/bench/recipes"]
)
def test_ssh_addresses_are_understood(url: str, places: tuple[Path, str, str]) -> None:
    clone, base, _ = places
    git(clone, "config", "remote.origin.url", url)
    assert clone_files(str(clone), "bench/recipes", (base, base, base), API) is not None


def test_commits_that_cannot_be_had_leave_it_to_the_api(
    places: tuple[Path, str, str], tmp_path: Path
) -> None:
    clone, base, _ = places
    assert clone_files(str(clone), "bench/recipes", (base, base, "e" * 40), API) is None
    empty = tmp_path / "empty"
    empty.mkdir()
    assert clone_files(str(empty), "bench/recipes", (base, base, base), API) is None
