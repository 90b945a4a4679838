"""What the script that starts a point's job does, as comparable text.

A launcher chooses files and sets variables before the benchmark runs; an edit of it can reach
points that no changed script or recipe reaches. It is evaluated like a script, in the closed
world of the job's variables that it mentions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.model.points import Point
from verifier.model.record import dataclass, field
from verifier.model.tree import Tree
from verifier.recipes.watching import WatchedTree

if TYPE_CHECKING:
    from verifier.policy import Policy

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Step = tuple[str, tuple[tuple[str, str], ...]]
"""A command line, and the variables given to it."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Commands of a launcher in order, and where reading stopped short."""

    steps: tuple[Step, ...]
    stopped: str | None = None


@dataclass(slots=True)
class Launchers:
    """Evaluates launchers over one tree; equal work is done once."""

    tree: Tree
    policy: Policy
    _known: dict[tuple[str, tuple[tuple[str, str], ...]], Steps] = field(default_factory=dict)
    _names: dict[str, frozenset[str]] = field(default_factory=dict)

    def steps(self, path: str, point: Point) -> Steps:
        """What the launcher runs for a point's job. Never raises for anything it holds."""
        from verifier.shell.evaluate import evaluate
        from verifier.shell.options import Options

        names = self._mentioned(path)
        host = path.rsplit("launch_", 1)[-1].removesuffix(".sh")
        # Names that are different for every point would make every evaluation another one.
        name = point.env.get("EXP_NAME", "").partition("_")[0]
        env = {
            **point.env,
            "RUNNER_NAME": f"{host}_00",
            "RESULT_FILENAME": "result",
            "EXP_NAME": f"{name}_point",
        }
        given = tuple(sorted((k, v) for k, v in env.items() if k in names))
        found = self._known.get((path, given))
        if found is None:
            options = Options(closed=True, env=dict(given), limits=self.policy.limits)
            result = evaluate(path, self.tree, options)
            steps = tuple(
                (
                    " ".join(word.text.display() for word in command.argv),
                    tuple(sorted((k, v.display()) for k, v in command.env.items())),
                )
                for command in result.commands
            )
            note = result.unresolved[0] if result.unresolved else None
            found = Steps(steps, None if note is None else f"{note.text} ({note.span})")
            self._known[path, given] = found
        return found

    def _mentioned(self, path: str) -> frozenset[str]:
        """Names that the launcher, or a script beside it that it names, mentions."""
        found = self._names.get(path)
        if found is None:
            tree = WatchedTree(self.tree)
            text = tree.text(path)
            folder = path.rpartition("/")[0]
            parts = [text]
            for other in self.tree.files(folder):
                if other.endswith(".sh") and other != path and other.rpartition("/")[2] in text:
                    parts.append(tree.text(other))
            found = frozenset(_NAME.findall("\n".join(parts)))
            self._names[path] = found
        return found
