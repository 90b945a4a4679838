"""Local folders and commits read alike, and neither leads out of its tree."""

from __future__ import annotations

import os
import pickle
import subprocess
from pathlib import Path

import pytest

from verifier.model.tree import Tree, Unreadable
from verifier.sources.git import GitError, GitTree, change_between, commit_of, toplevel
from verifier.sources.local import LocalTree


def git(repo: Path, *arguments: str) -> str:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(repo),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    done = subprocess.run(
        ["git", "-C", str(repo), *arguments], env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(repo: Path, message: str = "change") -> str:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", message)
    return git(repo, "rev-parse", "HEAD")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "x.sh").write_bytes(b"#!/bin/bash\n\xff\n")
    (root / "a" / "y.sh").write_text("echo y\n")
    (root / "ümlaut.txt").write_text("u")
    (root / "inside").symlink_to("a/y.sh")
    (root / "folder").symlink_to("a/b")
    (root / "outside").symlink_to("../../secret")
    (root / "absolute").symlink_to("/etc/hostname")
    (root / "loop").symlink_to("loop")
    return root


@pytest.fixture(params=["local", "git", "bare"])
def tree(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Tree:
    if request.param == "local":
        return LocalTree(folder)
    git(folder, "init", "-q")
    commit(folder)
    if request.param == "git":
        return GitTree(folder, "HEAD")
    git(folder, "clone", "-q", "--bare", str(folder), str(tmp_path / "bare.git"))
    return GitTree(tmp_path / "bare.git", "HEAD")


def test_files_are_read_byte_for_byte(tree: Tree) -> None:
    assert tree.read("a/b/x.sh") == b"#!/bin/bash\n\xff\n"
    assert tree.read("a/y.sh") == b"echo y\n"
    assert tree.read("ümlaut.txt") == b"u"


def test_links_inside_the_tree_are_followed(tree: Tree) -> None:
    assert tree.read("inside") == b"echo y\n"
    assert tree.read("folder/x.sh") == b"#!/bin/bash\n\xff\n"
    assert tree.is_dir("folder")


@pytest.mark.parametrize("path", ["outside", "absolute", "loop", "../x", "/etc/hostname"])
def test_nothing_leads_out_of_the_tree(tree: Tree, path: str) -> None:
    with pytest.raises(Unreadable, match=path.rsplit("/", 1)[-1]):
        tree.read(path)


@pytest.mark.parametrize("path", ["missing", "a/y.sh/z", "a", "a/missing/x"])
def test_what_is_no_file_is_none(tree: Tree, path: str) -> None:
    assert tree.read(path) is None


def test_listing_is_sorted_and_below_the_folder(tree: Tree) -> None:
    assert tree.files("a") == ("a/b/x.sh", "a/y.sh")
    assert tree.files("a/") == tree.files("a")
    assert "a/y.sh" in tree.files() and "ümlaut.txt" in tree.files()
    assert tree.files("none") == ()
    assert tree.is_dir("a") and tree.is_dir("") and not tree.is_dir("a/y.sh")


def test_a_large_file_is_unreadable_and_the_next_one_is_not(folder: Path) -> None:
    (folder / "large").write_bytes(b"x" * 5000)
    git(folder, "init", "-q")
    commit(folder)
    for tree in (LocalTree(folder, max_bytes=1000), GitTree(folder, "HEAD", max_bytes=1000)):
        with pytest.raises(Unreadable, match=r"5,000 bytes; the limit is 1,000"):
            tree.read("large")
        assert tree.read("a/y.sh") == b"echo y\n"


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="not a regular file"):
        LocalTree(tmp_path).read("pipe")


def test_a_commit_can_travel_to_another_process(folder: Path) -> None:
    git(folder, "init", "-q")
    commit(folder)
    tree = GitTree(folder, "HEAD")
    assert tree.read("a/y.sh") == b"echo y\n"
    copy = pickle.loads(pickle.dumps(tree))
    assert copy.read("a/y.sh") == b"echo y\n"
    assert copy.commit == tree.commit


def test_change_starts_at_the_merge_base_and_keeps_both_names(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "kept.sh").write_text("one\n" * 20)
    (tmp_path / "old name.sh").write_text("two\n" * 20)
    (tmp_path / "gone.sh").write_text("three\n" * 20)
    base = commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "work")
    (tmp_path / "kept.sh").write_text("one\n" * 20 + "more\n")
    (tmp_path / "old name.sh").rename(tmp_path / "new\nname.sh")
    (tmp_path / "gone.sh").unlink()
    (tmp_path / "added.sh").write_text("four\n")
    head = commit(tmp_path)
    git(tmp_path, "checkout", "-q", "main")
    (tmp_path / "later.sh").write_text("of main alone\n")
    commit(tmp_path)
    change = change_between(tmp_path, "main", "work")
    assert (change.base, change.head) == (base, head)
    assert {(f.status, f.names) for f in change.files} == {
        ("modified", ("kept.sh",)),
        ("renamed", ("new\nname.sh", "old name.sh")),
        ("deleted", ("gone.sh",)),
        ("added", ("added.sh",)),
    }


@pytest.mark.parametrize("revision", ["", "-h", "--output=x", "nothing", "HEAD:a", "HEAD^{tree}"])
def test_only_commits_are_revisions(folder: Path, revision: str) -> None:
    git(folder, "init", "-q")
    commit(folder)
    with pytest.raises(GitError, match=r"revision|no commit"):
        commit_of(folder, revision)


def test_unrelated_commits_have_no_change(folder: Path) -> None:
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    git(folder, "checkout", "-q", "--orphan", "other")
    commit(folder, "unrelated")
    with pytest.raises(GitError, match="no common ancestor"):
        change_between(folder, "main", "other")


def test_no_repository_is_said(tmp_path: Path) -> None:
    assert toplevel(tmp_path) is None
    with pytest.raises(GitError, match="not a git repository"):
        commit_of(tmp_path, "HEAD")


def test_surrounding_git_variables_do_not_redirect(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(folder, "init", "-q")
    head = commit(folder)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_WORK_TREE", "/nowhere")
    assert toplevel(folder) == folder.resolve()
    assert GitTree(folder, "HEAD").commit == head


def test_configured_programs_do_not_run(folder: Path) -> None:
    git(folder, "init", "-q")
    commit(folder)
    proof = folder / "ran"
    program = folder / "program"
    program.write_text(f"#!/bin/sh\ntouch '{proof}'\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv"):
        git(folder, "config", key, str(program))
    (folder / ".gitattributes").write_text("* diff=x\n")
    git(folder, "-c", "core.fsmonitor=false", "add", ".gitattributes")
    git(folder, "-c", "core.fsmonitor=false", "commit", "-q", "-m", "attributes")
    proof.unlink(missing_ok=True)
    assert change_between(folder, "HEAD~1", "HEAD").files
    assert GitTree(folder, "HEAD").files()
    assert not proof.exists()
