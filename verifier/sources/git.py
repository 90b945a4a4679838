"""Commits of a local repository as trees, read from git objects; nothing is checked out."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from verifier.model.change import Change, ChangedFile
from verifier.model.record import NamedTuple
from verifier.model.tree import Unreadable

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_FILES = 200_000
_MAX_LINKS = 10

_KEPT_VARIABLES = frozenset(
    {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"}
)
# A repository may be a stranger's: nothing in its configuration may start a program, and a
# missing object is an error rather than a reason to go to the network.
_SAFE = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.attributesFile=",
    "-c",
    "protocol.allow=never",
    "-c",
    "submodule.recurse=false",
)


class GitError(Exception):
    """Git could not answer: no repository, no such revision, no common ancestor."""


class _Entry(NamedTuple):
    mode: str
    kind: str
    object_id: str


def _environment() -> dict[str, str]:
    env = {
        name: value
        for name, value in os.environ.items()
        # A surrounding hook exports GIT_DIR and friends, which would redirect every call.
        if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    env.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="none",
        GIT_OPTIONAL_LOCKS="0",
        GIT_NO_REPLACE_OBJECTS="1",
        LC_ALL="C",
    )
    return env


def _git(repo: str | Path, *arguments: str) -> bytes:
    """Standard output of one git call. Raises `GitError` with git's own reason."""
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", str(repo), *arguments],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise GitError("git is not installed, and reading commits needs it") from None
    except OSError as error:
        raise GitError(f"git could not be started: {error.strerror}") from None
    if done.returncode:
        text = done.stderr.decode("utf-8", "replace").strip()
        raise GitError(text.removeprefix("fatal: ") or f"git {arguments[0]} failed")
    return done.stdout


def toplevel(folder: str | Path) -> Path | None:
    """The repository that holds `folder` (its work tree, or itself when bare), or None."""
    try:
        bare, git_dir = (
            _git(folder, "rev-parse", "--is-bare-repository", "--absolute-git-dir")
            .decode("utf-8", "surrogateescape")
            .splitlines()
        )
        if bare == "true":
            return Path(git_dir)
        top = _git(folder, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape")
    except (GitError, ValueError):
        return None
    return Path(top.rstrip("\n"))


def commit_of(repo: str | Path, revision: str) -> str:
    """The full name of the commit that `revision` means."""
    if not revision or revision.startswith("-"):
        raise GitError(f"{revision!r} is not a revision")
    try:
        found = _git(
            repo, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"
        )
    except GitError as error:
        reason = str(error)
        if "ownership" in reason or "not a git repository" in reason:
            raise
        raise GitError(f"{revision!r} names no commit of {repo}; is the history fetched?") from None
    return found.decode("ascii").strip()


def merge_base(repo: str | Path, base: str, head: str) -> str:
    """The best common ancestor of two commits."""
    base, head = commit_of(repo, base), commit_of(repo, head)
    try:
        return _git(repo, "merge-base", base, head).decode("ascii").split()[0]
    except (GitError, IndexError):
        raise GitError(
            f"{base[:12]} and {head[:12]} have no common ancestor here; "
            "a shallow clone needs more history (git fetch --unshallow)"
        ) from None


def change_between(repo: str | Path, base: str, head: str) -> Change:
    """What `head` changes since its merge base with `base`; a rename has both names."""
    ancestor, tip = merge_base(repo, base, head), commit_of(repo, head)
    raw = _git(
        repo,
        "diff-tree",
        "-r",
        "-z",
        "-M",
        "--name-status",
        "--no-commit-id",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=none",
        ancestor,
        tip,
    )
    return Change(base=ancestor, head=tip, files=tuple(_changed_files(raw)))


def _changed_files(raw: bytes) -> list[ChangedFile]:
    """`git diff-tree -z --name-status` output as changed files."""
    fields = iter(raw.decode("utf-8", "surrogateescape").split("\0"))
    files: list[ChangedFile] = []
    for letter in fields:
        if not letter:
            continue
        path = next(fields)
        match letter[0]:
            case "R":
                files.append(ChangedFile(path=next(fields), status="renamed", previous=path))
            case "A":
                files.append(ChangedFile(path=path, status="added"))
            case "D":
                files.append(ChangedFile(path=path, status="deleted"))
            case _:
                files.append(ChangedFile(path=path, status="modified"))
    return files


class GitTree:
    """The files of one commit. Works on bare repositories as well."""

    def __init__(self, repo: str | Path, revision: str, max_bytes: int = MAX_FILE_BYTES) -> None:
        self._repo = str(repo)
        self.commit = commit_of(repo, revision)
        self.name = f"commit {self.commit[:12]}"
        self._max_bytes = max_bytes
        self._entries: dict[str, _Entry] | None = None
        self._folders: frozenset[str] = frozenset()
        self._reader: _BlobReader | None = None

    def __reduce__(self) -> tuple[type[GitTree], tuple[str, str, int]]:
        return (GitTree, (self._repo, self.commit, self._max_bytes))

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None when there is no such file."""
        entry = self._entry(self._resolved(path))
        if entry is None or entry.kind != "blob":
            return None
        # A forked child must not share its parent's pipe.
        if self._reader is None or self._reader.owner != os.getpid():
            self._reader = _BlobReader(self._repo)
        return self._reader.read(entry.object_id, path, self._max_bytes)

    def is_dir(self, path: str) -> bool:
        """Whether there is a folder of that name."""
        self._load()
        try:
            resolved = self._resolved(path)
        except Unreadable:
            return False
        return resolved == "" or resolved in self._folders

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Paths of all files below `folder`, sorted; linked folders are not entered."""
        entries = self._load()
        prefix = folder.strip("/") + "/" if folder.strip("/") else ""
        return tuple(
            sorted(p for p, e in entries.items() if p.startswith(prefix) and e.kind == "blob")
        )

    def close(self) -> None:
        """End the process that reads objects."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _load(self) -> dict[str, _Entry]:
        if self._entries is None:
            raw = _git(self._repo, "ls-tree", "-r", "-z", "--full-tree", self.commit)
            self._entries, self._folders = _listing(raw, self.name)
        return self._entries

    def _entry(self, path: str) -> _Entry | None:
        return self._load().get(path)

    def _resolved(self, path: str) -> str:
        """`path` with its links followed, all inside the tree."""
        if path.startswith("/") or ".." in path.split("/"):
            raise Unreadable(f"{path!r} leads out of {self.name}")
        entries = self._load()
        pending = [p for p in path.split("/") if p not in ("", ".")]
        pending.reverse()
        done: list[str] = []
        links = 0
        while pending:
            done.append(pending.pop())
            entry = entries.get("/".join(done))
            if entry is None:
                continue
            if entry.kind == "commit" and pending:
                raise Unreadable(f"{path} is inside the submodule {'/'.join(done)}")
            if entry.mode != "120000":
                continue
            links += 1
            if links > _MAX_LINKS:
                raise Unreadable(f"{path} is a chain of more than {_MAX_LINKS} links")
            target = self._link_target("/".join(done), entry)
            place = posixpath.normpath(posixpath.join("/".join(done[:-1]), target))
            if place.startswith(("/", "../")) or place == "..":
                raise Unreadable(f"{path} is a link that leads out of {self.name}")
            done = []
            pending.extend(reversed([p for p in place.split("/") if p != "."]))
        return "/".join(done)

    def _link_target(self, path: str, entry: _Entry) -> str:
        if self._reader is None or self._reader.owner != os.getpid():
            self._reader = _BlobReader(self._repo)
        return os.fsdecode(self._reader.read(entry.object_id, path, 4096))


def _listing(raw: bytes, name: str) -> tuple[dict[str, _Entry], frozenset[str]]:
    """`git ls-tree -r -z` output as entries by path, and every folder above them."""
    entries: dict[str, _Entry] = {}
    folders: set[str] = set()
    for line in raw.decode("utf-8", "surrogateescape").split("\0"):
        if not line:
            continue
        meta, path = line.split("\t", 1)
        mode, kind, object_id = meta.split(" ")
        entries[path] = _Entry(mode, kind, object_id)
        folder = posixpath.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
        if len(entries) > MAX_FILES:
            raise Unreadable(f"{name} holds more than {MAX_FILES:,} files")
    return entries, frozenset(folders)


class _BlobReader:
    """One `git cat-file --batch` process."""

    def __init__(self, repo: str) -> None:
        self._repo = repo
        self.owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, object_id: str, path: str, max_bytes: int) -> bytes:
        process = self._started()
        stdin, stdout = _pipes(process)
        try:
            stdin.write(object_id.encode("ascii") + b"\n")
            stdin.flush()
            header = stdout.readline().decode("ascii", "replace")
        except OSError:
            header = ""
        match = re.fullmatch(r"[0-9a-f]+ blob (\d+)\n", header)
        if match is None:
            self.close()
            raise Unreadable(f"{path}: git has no such object ({object_id[:12]})")
        size = int(match[1])
        if size > max_bytes:
            # Starting again is cheaper than reading the rest away.
            self.close()
            raise Unreadable(f"{path} has {size:,} bytes; the limit is {max_bytes:,}")
        data = stdout.read(size)
        if len(data) != size or stdout.read(1) != b"\n":
            self.close()
            raise Unreadable(f"{path}: git stopped in the middle of the file")
        return data

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in _pipes(process):
            try:
                pipe.close()
            except OSError:
                continue
        process.wait()

    def __del__(self) -> None:
        if self.owner == os.getpid():
            self.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command: Sequence[str] = ["git", *_SAFE, "-C", self._repo, "cat-file", "--batch"]
            try:
                self._process = subprocess.Popen(
                    command,
                    env=_environment(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            except OSError as error:
                raise GitError(f"git could not be started: {error.strerror}") from None
        return self._process


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise AssertionError("the process was started with pipes")
    return process.stdin, process.stdout
