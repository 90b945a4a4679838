"""Fixture files as a tree, and what a check says about one of them.

A fixture names its place in the tree in its second line (`# path: …`). Beside `NAME.sh` there may
be `NAME.out` (what the check says, sorted), `NAME.base.sh` (the file before the change) and the
folder `NAME.files` (more files of the tree).
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from verifier import judge
from verifier.facts import Reading, collect
from verifier.golden import Golden
from verifier.model.context import Context
from verifier.model.finding import CheckResult, Finding, Status
from verifier.policy import DEFAULT, Policy

FIXTURES = Path(__file__).parents[2] / "fixtures"
GOLDEN = Golden.bundled()
READING = Reading(prefixes=tuple({name.partition("_")[0] for name in GOLDEN.names}))
TODAY = datetime.date(2026, 9, 1)


class MemoryTree:
    """Files in memory."""

    name = "fixture"

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def is_dir(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self._files)

    def files(self, folder: str = "") -> tuple[str, ...]:
        start = f"{folder}/" if folder else ""
        return tuple(sorted(name for name in self._files if name.startswith(start)))


@dataclass(frozen=True, slots=True)
class Fixture:
    """One case."""

    script: Path

    @property
    def slug(self) -> str:
        return self.script.parent.name.split("_", 2)[2].replace("_", "-")

    @property
    def out(self) -> Path:
        return self.script.with_suffix(".out")

    @property
    def place(self) -> str:
        return place_of(self.script.read_text())

    def tree(self, script: Path) -> MemoryTree:
        files = dict(_below(FIXTURES / "tree"))
        files |= dict(_below(self.script.with_suffix(".files")))
        files[self.place] = script.read_bytes()
        return MemoryTree(files)

    def judge(self, policy: Policy = DEFAULT) -> CheckResult:
        """The row of this fixture's check."""
        head = self.tree(self.script)
        recipes, unread = collect([self.place], head, policy, READING)
        base = self.script.with_suffix(".base.sh")
        base_recipes = None
        if base.exists():
            base_recipes, _ = collect([self.place], self.tree(base), policy, READING)
        context = Context(
            policy=policy,
            golden=GOLDEN,
            today=TODAY,
            recipes=recipes,
            base_recipes=base_recipes,
            unread=unread,
        )
        return judge.judge(context, [self.slug]).checks[0]

    def lines(self) -> list[str]:
        """What the check says: one line for each failure and each unresolved finding."""
        return sorted({line(f) for f in self.judge().findings if f.status in _SHOWN})


_SHOWN = (Status.FAIL, Status.UNRESOLVED)


def place_of(text: str) -> str:
    """The path in the second line."""
    second = text.splitlines()[1]
    assert second.startswith("# path: "), second
    return second.removeprefix("# path: ")


def line(finding: Finding) -> str:
    span = finding.span
    return f"{span.line}:{span.column}: {finding.status}: {finding.code}: {finding.message}"


def _below(folder: Path) -> list[tuple[str, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]


def all_fixtures() -> list[Fixture]:
    """Every case, in order."""
    scripts = sorted(FIXTURES.glob("check_*/*.sh"))
    return [Fixture(path) for path in scripts if not path.name.endswith(".base.sh")]
