"""The files of one commit, read through the API: nothing is cloned or checked out."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import posixpath
import tarfile
import zlib
from collections.abc import Iterator

from verifier.model.change import ChangedFile
from verifier.model.record import NamedTuple
from verifier.model.tree import Unreadable
from verifier.sources.github import Api, GitHubError, field_of, number_of, objects, text_of

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_ARCHIVE_BYTES = 200 * 1024 * 1024
MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
MAX_KEPT_BYTES = 96 * 1024 * 1024
SINGLE_READS = 40
"""Files that are read one by one before the whole commit is fetched as one archive."""
MAX_FILES = 200_000
_MAX_LINKS = 40


class Entry(NamedTuple):
    """One file of a commit."""

    mode: str
    blob: str
    size: int


class GitHubTree:
    """Files of `commit` in `repo`. The listing is one call, each file that is read another, until
    they are many: then an archive of the commit brings the rest in one.

    `blobs` holds contents by their name in git; trees of one repository may share it.
    """

    def __init__(
        self,
        api: Api,
        repo: str,
        commit: str,
        max_bytes: int = MAX_FILE_BYTES,
        blobs: dict[str, bytes] | None = None,
    ) -> None:
        self._api = api
        self._repo = repo
        self.commit = commit
        self.name = f"commit {commit[:12]}"
        self._max_bytes = max_bytes
        self._entries: dict[str, Entry] | None = None
        self._folders: frozenset[str] = frozenset()
        self._blobs: dict[str, bytes] = {} if blobs is None else blobs
        self._single = 0
        self.failed: dict[str, str] = {}
        """Files that are there and whose bytes did not arrive, with the reason."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None when there is no such file."""
        entry = self.entries().get(self._resolved(path))
        if entry is None or entry.mode == "160000":
            return None
        return self._blob(path, entry)

    def is_dir(self, path: str) -> bool:
        """Whether there is a folder of that name."""
        self.entries()
        try:
            resolved = self._resolved(path)
        except Unreadable:
            return False
        return resolved == "" or resolved in self._folders

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Paths of all files below `folder`, sorted; linked folders are not entered."""
        prefix = folder.strip("/") + "/" if folder.strip("/") else ""
        return tuple(
            sorted(
                path
                for path, entry in self.entries().items()
                if path.startswith(prefix) and entry.mode != "160000"
            )
        )

    def entries(self) -> dict[str, Entry]:
        """Every file by path. Raises `GitHubError`."""
        if self._entries is None:
            found: dict[str, Entry] = {}
            self._list(self.commit, "", found)
            folders = set()
            for path in found:
                folder = posixpath.dirname(path)
                while folder and folder not in folders:
                    folders.add(folder)
                    folder = posixpath.dirname(folder)
            self._entries, self._folders = found, frozenset(folders)
        return self._entries

    def _list(self, tree: str, prefix: str, found: dict[str, Entry]) -> None:
        """Add what is below `tree`; folder by folder where the whole does not fit an answer."""
        what = f"the file list of {self.name}"
        data = self._api.get(f"/repos/{self._repo}/git/trees/{tree}", recursive=1)
        whole = field_of(data, "truncated", what=what) is False
        if not whole:
            data = self._api.get(f"/repos/{self._repo}/git/trees/{tree}")
            if data.get("truncated"):
                raise GitHubError(f"{what} is too long for the API")
        listed = field_of(data, "tree", what=what)
        if not isinstance(listed, list):
            raise GitHubError(f"{what} is no list")
        for item in objects(listed, what):
            path = prefix + text_of(item, "path", what=what)
            kind = text_of(item, "type", what=what)
            if kind == "tree":
                if not whole:
                    self._list(text_of(item, "sha", what=what), path + "/", found)
                continue
            size = number_of(item, "size", what=what) if kind == "blob" else 0
            found[path] = Entry(
                text_of(item, "mode", what=what), text_of(item, "sha", what=what), size
            )
            if len(found) > MAX_FILES:
                raise GitHubError(f"{what} holds more than {MAX_FILES:,} files")

    def _blob(self, path: str, entry: Entry) -> bytes:
        if entry.size > self._max_bytes:
            raise Unreadable(f"{path} has {entry.size:,} bytes; the limit is {self._max_bytes:,}")
        if path in self.failed:
            raise Unreadable(self.failed[path])
        if entry.blob not in self._blobs:
            self._single += 1
            if self._single == SINGLE_READS:
                self._fetch_archive()
        if entry.blob not in self._blobs:
            try:
                self._blobs[entry.blob] = self._content(path, entry)
            except (GitHubError, binascii.Error, ValueError) as error:
                self.failed[path] = f"{path}: {error}"
                raise Unreadable(self.failed[path]) from None
        return self._blobs[entry.blob]

    def _content(self, path: str, entry: Entry) -> bytes:
        what = f"the content of {path}"
        data = self._api.get(f"/repos/{self._repo}/git/blobs/{entry.blob}")
        if text_of(data, "encoding", what=what) != "base64":
            raise GitHubError(f"{what} is not in base64")
        content = base64.b64decode(text_of(data, "content", what=what), validate=False)
        if len(content) != entry.size:
            raise GitHubError(f"{len(content):,} of {entry.size:,} bytes arrived")
        return content

    def _fetch_archive(self) -> None:
        """Fill the blobs from an archive of the commit; without one, files go on one by one.

        Only contents that hash to their name in the listing are taken.
        """
        try:
            data = self._api.download(
                f"/repos/{self._repo}/tarball/{self.commit}", MAX_ARCHIVE_BYTES
            )
        except GitHubError:
            return
        wanted = {entry.blob for entry in self.entries().values()} - self._blobs.keys()
        kept = 0
        for content in _members(data, self._max_bytes):
            name = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
            if name in wanted and kept + len(content) <= MAX_KEPT_BYTES:
                self._blobs[name] = content
                kept += len(content)

    def _resolved(self, path: str) -> str:
        """`path` with its links followed, all inside the tree."""
        if path.startswith("/") or ".." in path.split("/"):
            raise Unreadable(f"{path!r} leads out of {self.name}")
        entries = self.entries()
        pending = [part for part in reversed(path.split("/")) if part not in ("", ".")]
        done: list[str] = []
        links = 0
        while pending:
            done.append(pending.pop())
            here = "/".join(done)
            entry = entries.get(here)
            if entry is None or entry.mode not in ("120000", "160000"):
                continue
            if entry.mode == "160000":
                if pending:
                    raise Unreadable(f"{path} is inside the submodule {here}")
                continue
            links += 1
            if links > _MAX_LINKS:
                raise Unreadable(f"{path} is a chain of more than {_MAX_LINKS} links")
            target = self._blob(here, entry).decode("utf-8", "surrogateescape")
            place = posixpath.normpath(posixpath.join("/".join(done[:-1]), target))
            if place.startswith(("/", "../")) or place == "..":
                raise Unreadable(f"{path} is a link that leads out of {self.name}")
            done = []
            pending.extend(part for part in reversed(place.split("/")) if part != ".")
        return "/".join(done)


def _members(data: bytes, max_bytes: int) -> Iterator[bytes]:
    """Contents of the regular files of a packed archive; it is read, never unpacked to disk."""
    seen = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r|gz") as archive:
            for member in archive:
                seen += 512 + max(member.size, 0)
                if seen > MAX_UNPACKED_BYTES:
                    return
                stream = archive.extractfile(member) if member.isreg() else None
                if stream is not None and member.size <= max_bytes:
                    yield stream.read(max_bytes + 1)
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError):
        # What was read so far is right all the same: every content is checked by its name.
        return


def changed_files(base: GitHubTree, head: GitHubTree) -> tuple[ChangedFile, ...]:
    """What differs between two listings; a rename is a deletion and an addition."""
    old, new = base.entries(), head.entries()
    files = []
    for path in sorted(old.keys() | new.keys()):
        before, after = old.get(path), new.get(path)
        if before is None:
            files.append(ChangedFile(path=path, status="added"))
        elif after is None:
            files.append(ChangedFile(path=path, status="deleted"))
        elif (before.mode, before.blob) != (after.mode, after.blob):
            files.append(ChangedFile(path=path, status="modified"))
    return tuple(files)
