"""Which packages an installation command installs, and from where."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from verifier.model.command import Command
from verifier.model.record import NamedTuple
from verifier.model.text import UNKNOWN, Text

if TYPE_CHECKING:
    from verifier.policy_sections import EngineSources

_WITH_VALUE = frozenset(
    "-i --index-url --extra-index-url -f --find-links -c --constraint --timeout --retries "
    "--proxy --cert --trusted-host --cache-dir --log --progress-bar --no-binary --only-binary "
    "--platform --python-version --implementation --abi --root-user-action --config-settings "
    "--global-option --build-option --report --index-strategy --refresh-package "
    "--reinstall-package -C".split()
)
_ELSEWHERE = ("--target", "-t", "--prefix", "--root", "--python", "-p")
"""Options that install outside the image's own packages."""
_INSTALLERS = ("python", "pip", "uv", "agentic_pip_install")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Install(NamedTuple):
    """One thing that a command installs or removes."""

    verdict: Literal["engine", "other", "unknown"]
    shown: str
    removes: bool = False


class Sources:
    """Where folders came from: the clones that a script made."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self._clones: dict[str, str] = {}
        for command in commands:
            self._remember(command)

    def _remember(self, command: Command) -> None:
        if command.name != "git":
            return
        words = [_shown(word.text) for word in command.argv]
        if "clone" not in words:
            return
        operands = [w for w in words[words.index("clone") + 1 :] if not w.startswith("-")]
        urls = [w for w in operands if "://" in w or w.startswith("git@") or w.endswith(".git")]
        if not urls:
            return
        url = urls[0]
        after = operands[operands.index(url) + 1 :]
        folder = after[0] if after else repository_of(url)
        self._clones[posixpath.basename(folder.rstrip("/"))] = url

    def origin(self, folder: str) -> str | None:
        """URL of the repository that a folder lies in."""
        for part in reversed(folder.split("/")):
            if part in self._clones:
                return self._clones[part]
        return None


def installs(command: Command, sources: Sources, guarded: EngineSources) -> Iterator[Install]:
    """What a pip-like command installs into the image's own packages."""
    if not (command.name or "").startswith(_INSTALLERS):
        return
    found = _arguments([_shown(word.text) for word in command.argv])
    if found is None:
        yield from _setup_py(command, sources, guarded)
        return
    action, arguments = found
    folder = "" if command.cwd is None else _shown(command.cwd)
    if action == "uninstall":
        for name in arguments:
            if not name.startswith("-") and _is_wheel(name, guarded):
                yield Install("engine", name, removes=True)
        return
    if any(a.split("=")[0] in _ELSEWHERE for a in arguments):
        return
    yield from _requirements(arguments, folder, sources, guarded)


def _arguments(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """("install" or "uninstall", what follows) of a pip-like command."""
    name = posixpath.basename(words[0]) if words else ""
    rest = list(words[1:])
    if name.startswith("python") and rest[:2] == ["-m", "pip"]:
        rest = rest[2:]
    elif name == "uv" and rest[:1] == ["pip"]:
        rest = rest[1:]
    elif name == "agentic_pip_install":
        rest = ["install", *rest]
    elif not re.fullmatch(r"pip[0-9.]*", name):
        return None
    if UNKNOWN in words[0] and "venv" in words[0]:
        return None
    for index, word in enumerate(rest):
        if word in ("install", "uninstall"):
            return word, rest[index + 1 :]
        if not word.startswith("-"):
            return None
    return None


def _requirements(
    arguments: Sequence[str], folder: str, sources: Sources, guarded: EngineSources
) -> Iterator[Install]:
    skip = False
    for index, argument in enumerate(arguments):
        if skip:
            skip = False
        elif argument in ("-e", "--editable") and index + 1 < len(arguments):
            skip = True
            yield _local(arguments[index + 1], folder, sources, guarded)
        elif argument in ("-r", "--requirement") and index + 1 < len(arguments):
            skip = True
            yield _file(arguments[index + 1], folder, sources, guarded)
        elif argument in _WITH_VALUE:
            skip = True
        elif not argument.startswith("-"):
            yield _requirement(argument, folder, sources, guarded)


def _requirement(text: str, folder: str, sources: Sources, guarded: EngineSources) -> Install:
    if text.startswith(UNKNOWN):
        base = posixpath.basename(text)
        if "/" in text and _is_wheel(base, guarded):
            return Install("engine", text)
        return Install("unknown", text)
    if "://" in text or text.startswith("git+"):
        name, at, _ = text.partition("@")
        if at and _NAME.fullmatch(name.strip().partition("[")[0]):
            if _is_wheel(name, guarded):
                return Install("engine", text)
        return _from_url(text, guarded)
    if text.endswith((".whl", ".tar.gz", ".zip")):
        return Install("engine" if _is_wheel(posixpath.basename(text), guarded) else "other", text)
    if text.startswith((".", "/")) or text.endswith("/"):
        return _local(text, folder, sources, guarded)
    return Install("engine" if _is_wheel(text, guarded) else "other", text)


def _from_url(text: str, guarded: EngineSources) -> Install:
    base = posixpath.basename(text.partition("#")[0].rstrip("/"))
    if base.endswith((".whl", ".tar.gz", ".zip")) and _is_wheel(base, guarded):
        return Install("engine", text)
    if repository_of(text).lower() in guarded.repositories:
        return Install("engine", text)
    return Install("unknown" if UNKNOWN in text.split("@")[0] else "other", text)


def _local(text: str, folder: str, sources: Sources, guarded: EngineSources) -> Install:
    """An installation from a folder: what was cloned there decides."""
    path = text.partition("[")[0]
    place = posixpath.normpath(path if path.startswith("/") else f"{folder}/{path}")
    origin = sources.origin(place)
    if origin is not None:
        found = _from_url(origin, guarded)
        return Install(found.verdict, f"{text} (a clone of {origin})")
    parts = [part.lower() for part in place.split("/") if part]
    if any(part in guarded.repositories for part in parts):
        return Install("engine", text)
    return Install("unknown", text)


def _file(text: str, folder: str, sources: Sources, guarded: EngineSources) -> Install:
    """A requirements file: it belongs to the clone that it lies in."""
    found = _local(posixpath.dirname(text) or ".", folder, sources, guarded)
    return Install("other" if found.verdict == "other" else "unknown", f"-r {text}")


def _setup_py(command: Command, sources: Sources, guarded: EngineSources) -> Iterator[Install]:
    words = [_shown(word.text) for word in command.argv]
    if not words or not posixpath.basename(words[0]).startswith("python"):
        return
    for index, word in enumerate(words[:-1]):
        if posixpath.basename(word) == "setup.py" and words[index + 1] in ("install", "develop"):
            folder = "" if command.cwd is None else _shown(command.cwd)
            yield _local(posixpath.dirname(word) or ".", folder, sources, guarded)


def repository_of(url: str) -> str:
    """Name of the repository in a URL: the part after the owner."""
    path = url.partition("://")[2] or url
    path = re.sub(r"^[^/@]*@", "", path.partition("#")[0]).partition("@")[0]
    parts = [part for part in re.split(r"[/:]", path) if part]
    if len(parts) >= 3 and "." in parts[0]:
        return parts[2].removesuffix(".git")
    return parts[-1].removesuffix(".git") if parts else ""


def _is_wheel(text: str, guarded: EngineSources) -> bool:
    name = _NAME.match(text.strip())
    if name is None:
        return False
    stem = re.sub(r"[-_.]+", "-", name[0]).lower()
    if text.endswith((".whl", ".tar.gz", ".zip")):
        # `vllm-0.9.1+patch-cp312…whl`: the version begins with a digit.
        stem = re.split(r"-(?=\d)", stem, maxsplit=1)[0]
    return stem in guarded.wheels


def _shown(text: Text) -> str:
    from checks.engine_paths import EnginePaths

    return EnginePaths.shown(text)
