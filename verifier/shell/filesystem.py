"""`rm`, `mv`, `cp`, `ln`, `mkdir`, `rmdir`, `touch`: what they do to files the script has written.

A folder that the script has made is a file whose key ends in `/`. A path of which nothing is known
is taken to be no folder where that decides what a command does, as in `mv a b`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import NamedTuple

from verifier.model.files import file_key, glob_key
from verifier.model.text import EMPTY, Text, Word
from verifier.shell.files import is_sure, perhaps
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
    flags: frozenset[str]

    def key(self, path: Text) -> str:
        return file_key(path, self.state.cwd)

    def put(self, key: str, content: Text | None) -> None:
        self.state.set_file(key, content)

    def is_folder(self, key: str) -> bool:
        return self.state.files.get(f"{key}/") is not None

    def exists(self, key: str) -> bool:
        """Whether it is there for certain."""
        content = self.state.files.get(key)
        return self.is_folder(key) or (content is not None and is_sure(content))

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
    status = action(_Call(m, state, m.site(state, start), flags), paths)
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
        key = call.key(word.text)
        removed = key in call.state.files and call.state.files[key] is None
        if removed and not call.is_folder(key):
            status = status if "f" in call.flags else 1
            continue
        if call.is_folder(key) and not whole:
            return 1
        status = status if call.exists(key) else None
        for name in call.inside(key):
            call.put(name, None)
        call.put(key, None)
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
        source = call.key(word.text)
        name = source.rpartition("/")[2]
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
    if sure:
        call.put(target, content)
    else:
        _perhaps_changed(call, target)
    if not keep:
        call.put(source, None)
    return 0 if sure else None


def _perhaps_changed(call: _Call, target: str) -> None:
    for key in (target, *call.inside(target)):
        if key in call.state.files and not key.endswith("/"):
            call.put(key, perhaps(key, f"{key} may have been written over", call.site))


def _link(call: _Call, paths: list[Word]) -> int | None:
    if not paths or not all(_one(call, word) for word in paths):
        return None
    name = call.key(paths[0].text).rpartition("/")[2]
    link = call.key(paths[-1].text) if len(paths) > 1 else name
    if call.is_folder(link):
        link = f"{link}/{name}"
    call.put(link, perhaps(link, f"{link} is a link", call.site))
    return None


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
