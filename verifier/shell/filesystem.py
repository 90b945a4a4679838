"""`rm`, `mv`, `cp`, `ln`, `mkdir`, `rmdir`, `touch`: what they do to files the script has written.

A folder that the script has made is a file whose key ends in `/`. A path of which nothing is known
is taken to be no folder where that decides what a command does, as in `mv a b`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import NamedTuple

from verifier.model.files import file_key, glob_key, is_absolute
from verifier.model.text import EMPTY, Span, Text, Word
from verifier.shell.files import is_sure, is_symbolic, link, linked, perhaps, place
from verifier.shell.machine import Machine
from verifier.shell.patterns import match_paths
from verifier.shell.state import State

_FLAGS = {
    "rm": "frRdv",
    "rmdir": "v",
    "mv": "fvT",
    "cp": "arRfpTv",
    "ln": "sfnvT",
    "mkdir": "pv",
    "touch": "",
}


class _Call(NamedTuple):
    m: Machine
    state: State
    site: str
    span: Span
    flags: frozenset[str]

    def key(self, path: Text) -> str:
        """The name of the file itself, behind links."""
        return place(self.state.files, file_key(path, self.state.cwd))

    def name(self, path: Text) -> str:
        """The name, which may be a link."""
        key = file_key(path, self.state.cwd)
        folder, slash, last = key.rpartition("/")
        return f"{place(self.state.files, folder)}/{last}" if slash and folder else key

    def put(self, key: str, content: Text | None) -> None:
        self.state.set_file(key, content)

    def replace(self, key: str, content: Text | None) -> None:
        """Give the name another file, or none: other names of the old one keep it."""
        old = self.state.files.get(key)
        keeping = [
            k for k, c in self.state.files.items() if linked(c) == key and not is_symbolic(c)
        ]
        for other in keeping[:1]:
            unknown = perhaps(other, f"{other} may be gone", self.site)
            self.put(other, old if old is not None else unknown)
        for other in keeping[1:]:
            self.put(other, link(other, keeping[0], symbolic=False))
        self.put(key, content)

    def is_folder(self, key: str) -> bool:
        return self.state.files.get(f"{key}/") is not None

    def exists(self, key: str) -> bool:
        """Whether it is there for certain."""
        content = self.state.files.get(key)
        there = content is not None and (is_sure(content) or linked(content) is not None)
        return self.is_folder(key) or there

    def inside(self, folder: str) -> list[str]:
        return [name for name in self.state.files if name.startswith(f"{folder}/")]


def run(m: Machine, state: State, base: str, argv: list[Word], start: int) -> bool:
    """Carry out the command as far as it concerns known files. False when it is not followed.

    Leaves the status as it is when that is not known.
    """
    action = _ACTIONS.get(base)
    if action is None:
        return False
    parsed = _parsed(argv, _FLAGS[base])
    if parsed is None:
        return False
    flags, paths = parsed
    status = action(_Call(m, state, m.site(state, start), m.span(state, start), flags), paths)
    if status is not None:
        state.status = status
    return True


def _parsed(argv: list[Word], allowed: str) -> tuple[frozenset[str], list[Word]] | None:
    flags: set[str] = set()
    paths: list[Word] = []
    options = True
    for word in argv[1:]:
        known = None if word.splits else word.text.known
        if options and known == "--":
            options = False
        elif options and known is not None and known.startswith("-") and len(known) > 1:
            if not set(known[1:]) <= set(allowed):
                return None
            flags |= set(known[1:])
        else:
            paths.append(word)
    return frozenset(flags), paths


# --- removing --------------------------------------------------------------------------------


def _remove(call: _Call, paths: list[Word]) -> int | None:
    whole = bool(call.flags & {"r", "R"})
    status: int | None = 0
    for word in paths:
        if not _one(call, word):
            _perhaps_removed(call, word, whole)
            status = None
            continue
        key = call.name(word.text)
        removed = key in call.state.files and call.state.files[key] is None
        if removed and not call.is_folder(key):
            status = status if "f" in call.flags else 1
            continue
        if call.is_folder(key) and not whole:
            return 1
        status = status if call.exists(key) else None
        for name in call.inside(key):
            call.replace(name, None)
        call.replace(key, None)
    return status


def _remove_folder(call: _Call, paths: list[Word]) -> int | None:
    for word in paths:
        call.put(f"{call.key(word.text)}/", None)
    return None


def _one(call: _Call, word: Word) -> bool:
    """Whether the word is one path: unknown ones are taken to be none of the known files."""
    return not (word.splits and any(h.symbol in call.m.globs for h in word.text.holes))


def _perhaps_removed(call: _Call, word: Word, whole: bool) -> None:
    for key, content in list(call.state.files.items()):
        if content is None:
            continue
        matches = _matches(call, word, key, whole)
        if matches is None:
            call.put(key, perhaps(key, f"{key} may have been removed", call.site))
        elif matches:
            call.put(key, None)


def _matches(call: _Call, word: Word, key: str, whole: bool) -> bool | None:
    """Whether the pattern names the file or, with `whole`, a folder that it is in."""
    pieces = next(call.m.globs[h.symbol] for h in word.text.holes if h.symbol in call.m.globs)
    parts = key.rstrip("/").split("/")
    if key.endswith("/") and not whole:
        return False
    names = ["/".join(parts[: n + 1]) for n in range(len(parts))] if whole else [key]
    state = call.state
    found = match_paths(
        glob_key(pieces, state.cwd),
        names,
        extglob=state.opt("extglob"),
        dotglob=state.opt("dotglob"),
        nocase=state.opt("nocaseglob"),
    )
    return None if found is None else bool(found)


# --- moving and copying ----------------------------------------------------------------------


def _move(call: _Call, paths: list[Word]) -> int | None:
    return _transfer(call, paths, keep=False)


def _copy(call: _Call, paths: list[Word]) -> int | None:
    return _transfer(call, paths, keep=True)


def _transfer(call: _Call, paths: list[Word], *, keep: bool) -> int | None:
    if len(paths) < 2:
        return 1
    *sources, last = paths
    target = call.key(last.text)
    if not keep and not call.is_folder(target):
        target = call.name(last.text)
    text = last.text.known
    slash = text is not None and text.endswith("/")
    into = target == "." or call.is_folder(target) or len(sources) > 1 or slash
    folder = target if into else target.rpartition("/")[0]
    there = folder in ("", ".") or call.is_folder(folder)
    status: int | None = 0 if there else None
    for word in sources:
        if not _one(call, word) or not _one(call, last):
            _perhaps_changed(call, target)
            if not keep:
                _perhaps_removed(call, word, whole=True)
            status = None
            continue
        source = (
            call.key(word.text) if keep and not call.flags & set("aPrR") else call.name(word.text)
        )
        name = call.name(word.text).rpartition("/")[2]
        to = posixpath.normpath(f"{target}/{name}") if into else target
        moved = _one_file(call, source, to, keep=keep)
        status = moved if moved != 0 and status != 1 else status
    return status


def _one_file(call: _Call, source: str, target: str, *, keep: bool) -> int | None:
    files = call.state.files
    if source in files and files[source] is None and not call.is_folder(source):
        return 1
    if call.is_folder(source):
        if keep and not call.flags & {"r", "R", "a"}:
            return 1
        for name in call.inside(source):
            call.put(target + name.removeprefix(source), files[name])
            if not keep:
                call.put(name, None)
        if not keep:
            call.put(source, None)
        return 0
    content = files.get(source)
    sure = content is not None and is_sure(content)
    if sure and keep:
        call.put(target, content)
    elif sure or (not keep and linked(content) is not None and _same_folder(source, target)):
        call.replace(target, content)
        sure = True
    else:
        _perhaps_changed(call, target)
    if not keep:
        call.replace(source, None)
    return 0 if sure else None


def _same_folder(one: str, two: str) -> bool:
    return one.rpartition("/")[0] == two.rpartition("/")[0]


def _perhaps_changed(call: _Call, target: str) -> None:
    for key in (target, *call.inside(target)):
        if key in call.state.files and not key.endswith("/"):
            call.put(key, perhaps(key, f"{key} may have been written over", call.site))


def _link(call: _Call, paths: list[Word]) -> int | None:
    if not paths or not all(_one(call, word) for word in paths):
        return None
    if len(paths) > 2 or (len(paths) == 2 and paths[1].splits):
        for word in paths:
            _perhaps_changed(call, call.key(word.text))
        return None
    last = call.name(paths[0].text).rpartition("/")[2]
    key = call.name(paths[1].text) if len(paths) > 1 else last
    inner = place(call.state.files, key)
    if call.is_folder(inner) and not call.flags & set("nT"):
        key = f"{inner}/{last}"
    symbolic = "s" in call.flags
    target = _target(call, paths[0].text, key) if symbolic else call.key(paths[0].text)
    content = call.state.files.get(key)
    removed = key in call.state.files and content is None
    if "f" not in call.flags and not removed:
        if call.exists(key):
            return 1
        call.m.assume(call.span, f"{key} does not exist yet")
    if target is not None and not symbolic and not call.is_folder(target):
        if call.state.files.get(target, EMPTY) is None:
            return 1
        # A name for a file that may not be there may be none.
        target = target if call.exists(target) and target != key else None
    if target is None or (not symbolic and call.is_folder(target)):
        call.put(key, perhaps(key, f"{key} is a link", call.site))
        return None
    call.replace(key, link(key, target, symbolic=symbolic))
    return 0 if symbolic and ("f" in call.flags or removed) else None


def _target(call: _Call, path: Text, key: str) -> str | None:
    """The file that a symbolic link names: a relative path starts in the link's own folder."""
    folder = key.rpartition("/")[0]
    if path.known is None and not is_absolute(path):
        return None
    if is_absolute(path) or not folder:
        return place(call.state.files, file_key(path, call.state.cwd if not folder else None))
    return place(call.state.files, posixpath.normpath(f"{folder}/{path.known}"))


# --- making ----------------------------------------------------------------------------------


def _make(call: _Call, paths: list[Word]) -> int | None:
    parents = "p" in call.flags
    status: int | None = 0 if parents else None
    for word in paths:
        if word.splits:
            status = None
            continue
        key = call.key(word.text)
        if not call.is_folder(key):
            status = None
        while key not in ("", ".", "/"):
            call.put(f"{key}/", EMPTY)
            key = key.rpartition("/")[0] if parents else ""
    return status


def _touch(call: _Call, paths: list[Word]) -> int | None:
    status: int | None = 0
    for word in paths:
        key = call.key(word.text)
        if word.splits or not call.exists(key):
            status = None
        if not word.splits and key in call.state.files and call.state.files[key] is None:
            call.put(key, EMPTY)
    return status


_ACTIONS: dict[str, Callable[[_Call, list[Word]], int | None]] = {
    "rm": _remove,
    "rmdir": _remove_folder,
    "mv": _move,
    "cp": _copy,
    "ln": _link,
    "mkdir": _make,
    "touch": _touch,
}
