"""Checks that need two trees: base and head through the real readers.

Beside `NAME.head` (files that the head adds or replaces) there may be `NAME.base` (the same for
the base, over the check's `tree`) and `NAME.out` (what the check says). UPDATE_FIXTURES=1
rewrites the `.out` files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from tests.recipes.trees import MemoryTree
from verifier import judge
from verifier.golden import Golden
from verifier.model.change import Change, ChangedFile
from verifier.model.context import Context
from verifier.model.finding import CheckResult, Status
from verifier.policy import DEFAULT
from verifier.recipes.pointfacts import of_change

FIXTURES = Path(__file__).parents[2] / "fixtures"
CHECKS = ("check_06_upstream_image", "check_12_deprecated_model", "check_13_append_only")
TODAY = date(2026, 9, 9)
KINDS = {
    "good": Status.PASS,
    "bad": Status.FAIL,
    "unresolved": Status.UNRESOLVED,
    "na": Status.NA,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One pair of trees."""

    head: Path

    @property
    def name(self) -> str:
        return self.head.name.removesuffix(".head")

    def judge(self) -> CheckResult:
        folder = self.head.parent
        base = MemoryTree({**_below(folder / "tree"), **_below(folder / f"{self.name}.base")})
        head = base.plus(_below(self.head))
        context = Context(
            policy=DEFAULT,
            golden=Golden.bundled(),
            today=TODAY,
            points=of_change(base, head, DEFAULT),
            change=_change(base, head),
        )
        slug = folder.name.split("_", 2)[2].replace("_", "-")
        return judge.judge(context, [slug]).checks[0]


def _change(base: MemoryTree, head: MemoryTree) -> Change:
    changed = [p for p in head.files() if base.read(p) != head.read(p)]
    files = tuple(ChangedFile(path=path, status="modified") for path in changed)
    return Change(base="base", head="head", files=files)


def _below(folder: Path) -> dict[str, str | bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


CASES = [Case(path) for name in CHECKS for path in sorted((FIXTURES / name).glob("*.head"))]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.head.parent.name}/{c.name}")
def test_fixture(case: Case) -> None:
    result = case.judge()
    lines = sorted(
        f"{f.span.path}:{f.span.line}: {f.status}: {f.code}: {f.message}"
        for f in result.findings
        if f.status in (Status.FAIL, Status.UNRESOLVED)
    )
    out = case.head.with_name(f"{case.name}.out")
    if os.environ.get("UPDATE_FIXTURES"):
        if lines:
            out.write_text("\n".join(lines) + "\n")
        else:
            out.unlink(missing_ok=True)
    assert lines == (out.read_text().splitlines() if out.exists() else [])
    assert result.status is KINDS[case.name.partition("_")[0]]


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_has_good_and_bad_cases(name: str) -> None:
    kinds = {path.name.partition("_")[0] for path in (FIXTURES / name).glob("*.head")}
    assert {"good", "bad", "na"} <= kinds
