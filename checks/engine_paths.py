"""Which texts name files of the installed engine, also when the path was found at run time."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from verifier.model.command import Command
from verifier.model.text import UNKNOWN, Hole, Lit, Text, lit

if TYPE_CHECKING:
    from verifier.policy import Policy
    from verifier.policy_sections import EngineSources

_PACKAGES = re.compile(r"(?:site|dist)-packages/([^/]+)")
# Compiled when they are first needed, as many recipes run no Python program.
_DISCOVERY = (
    r"__file__|__path__|find_spec|get_spec|getsitepackages|get_paths|get_path\(|purelib|platlib"
    r"|getsourcefile|getfile|importlib\.resources|importlib\.metadata|submodule_search_locations"
)
_START_UP = r"(?:^|/)(?:sitecustomize|usercustomize)\.py$|\.pth$"
FOUND = "\ufffb"
"""Stands for a stretch that was found through an installed package."""


class EnginePaths:
    """Answers for the commands of one recipe."""

    def __init__(self, commands: Iterable[Command], policy: Policy) -> None:
        self.sources = policy.engine_sources
        self._found: set[tuple[str, int]] = set()
        for command in commands:
            if self.discovers(command):
                self._found.add((command.span.path, command.span.line))

    def discovers(self, command: Command) -> bool:
        """Whether a command prints where an installed package lies."""
        name = command.name or ""
        words = " ".join(word.text.known or "" for word in command.argv)
        if name.startswith("python"):
            text = f"{words} {command.stdin.display() if command.stdin else ''}"
            return bool(re.search(_DISCOVERY, text)) or " -m site" in words
        if name in ("pip", "pip3", "uv"):
            return " show " in words or " files " in words
        if name == "find":
            return any(f"*{module}*" in words or f"/{module}" in words for module in self.modules)
        return False

    @property
    def modules(self) -> tuple[str, ...]:
        return self.sources.modules

    def guarded(self, path: Text, cwd: Text | None = None) -> bool:
        """Whether a path lies in what the image ships."""
        shown = self.shown(path)
        if not shown.startswith(("/", UNKNOWN)) and cwd is not None:
            path = cwd + lit("/") + path
            shown = f"{self.shown(cwd)}/{shown}"
        if self._is_found(path):
            return not _is_harness(self.sources, shown)
        return guarded_name(self.sources, shown)

    def _is_found(self, path: Text) -> bool:
        return any(isinstance(p, Hole) and self._found_by(p) for p in path.pieces)

    def _found_by(self, hole: Hole) -> bool:
        spans = [] if hole.origin is None else [step.span for step in hole.origin.chain()]
        return any((span.path, span.line) in self._found for span in spans) or any(
            f"{path}:{line}:" in hole.symbol for path, line in self._found
        )

    def marked(self, text: Text) -> str:
        """The text with `FOUND` for holes that hold an installed place, `UNKNOWN` for others."""
        return "".join(
            p.value if isinstance(p, Lit) else FOUND if self._found_by(p) else UNKNOWN
            for p in text.pieces
        )

    def start_up(self, shown: str) -> bool:
        """Whether Python runs this file in every process: `sitecustomize.py`, `*.pth`."""
        return bool(re.search(_START_UP, shown))

    @staticmethod
    def shown(path: Text) -> str:
        """The path with `UNKNOWN` for every hole."""
        if path.known is not None:
            return path.known
        return "".join(p.value if isinstance(p, Lit) else UNKNOWN for p in path.pieces)


def guarded_name(sources: EngineSources, shown: str) -> bool:
    """Whether a path whose unknown parts are `UNKNOWN` lies in what the image ships."""
    from verifier.policy import fits

    name = posixpath.normpath(shown) if UNKNOWN not in shown else shown
    if _is_harness(sources, name):
        return False
    probe = f"{name}/" if not name.endswith("/") else name
    return any(
        fits(candidate, pattern) for pattern in sources.paths for candidate in (name, f"{probe}x")
    )


def _is_harness(sources: EngineSources, shown: str) -> bool:
    package = _PACKAGES.search(shown)
    return package is not None and package[1] in sources.harness


def is_code(shown: str) -> bool:
    """Whether a name looks like program source or a library."""
    return shown.endswith((".py", ".so", ".cu", ".cuh", ".cpp", ".h", ".hpp", ".hip", ".pyx"))
