"""`verify smoke`: the bundled changes, each through the whole road, against its stored verdict.

`fixtures/smoke/` holds a base tree (`tree`), a change over it (`change`), facts of a pull request
(`facts.json`) and its sign-off (`signoff.md`). Each folder of `cases` replaces some of that:
`base` and `head` are laid over the two trees, `case.json` over the facts.
"""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from verifier.cli_output import PASSED, REJECTED, InputError, deliver
from verifier.model.change import ChangedFile
from verifier.model.finding import Verdict
from verifier.model.record import dataclass
from verifier.policy import Policy, load_policy
from verifier.signoff.run import Judged, comment, judge_facts
from verifier.snapshot import Recorded, ReplayedTree, Snapshot, dump, encode, load

TODAY = "2026-07-10"
_STATUSES = frozenset({"pass", "fail", "na", "unresolved"})
_VOLATILE = re.compile(r"<!-- key=\w+ -->|rules recipe-verifier \S+")
Expected = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One bundled change."""

    name: str
    folder: Path
    data: Mapping[str, Any]

    @property
    def about(self) -> str:
        """One sentence."""
        return str(self.data["about"])

    @property
    def slug(self) -> str | None:
        """The check that the case is about; None: all of them."""
        words = self.name.split("_")
        stop = next((i for i, word in enumerate(words) if word in _STATUSES), None)
        return "-".join(words[:stop]) if stop else None

    @property
    def status(self) -> str | None:
        """What that check has to say."""
        return next((word for word in self.name.split("_") if word in _STATUSES), None)

    def snapshot(self) -> Snapshot:
        """Facts and trees, as if they had been loaded from GitHub."""
        root = self.folder.parents[1]
        change = _below(root / "change") if self.data.get("change", True) else {}
        base = {**_below(root / "tree"), **_below(self.folder / "base")}
        head = {**base, **change, **_below(self.folder / "head")}
        for path in self.data.get("deleted", ()):
            del head[path]
        given = json.loads((root / "facts.json").read_text(encoding="utf-8"))
        given.update(self.data.get("facts", {}))
        body = self.folder / "signoff.md"
        given["signoff"] = {
            **given["signoff"],
            "body": (body if body.exists() else root / "signoff.md").read_text(encoding="utf-8"),
        }
        trees = {
            name: Recorded(name, tuple(sorted(files)), files)
            for name, files in (("trusted", base), ("base", base), ("head", head))
        }
        policy = load_policy(ReplayedTree(trees["trusted"]))
        renamed = self.data.get("renamed", {})
        given["files"] = [encode(file) for file in _changed(base, head, renamed)]
        given.update(_trusted(base, head, policy, int(given["number"])))
        facts = load(json.dumps({"schema": 1, "today": TODAY, "facts": given, "trees": {}})).facts
        return Snapshot(facts, str(self.data.get("today", TODAY)), trees)

    def judge(self) -> Judged:
        """The verdict, by way of a saved snapshot."""
        snapshot = load(dump(self.snapshot()))
        trees = tuple(ReplayedTree(snapshot.trees[n]) for n in ("trusted", "base", "head"))
        policy = load_policy(trees[0])
        return judge_facts(snapshot.facts, policy, trees, None, date.fromisoformat(snapshot.today))

    def expected(self) -> Expected:
        """The stored verdict. Raises `InputError` when there is none."""
        try:
            data = json.loads((self.folder / "verdict.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise InputError(f"the smoke test {self.name} has no stored verdict") from None
        assert isinstance(data, dict)
        return data

    def outline(self, verdict: Verdict) -> dict[str, Any]:
        """What is stored: every status, and reason codes of the check that the case is about."""
        whole = outline(verdict)
        if self.slug is not None:
            whole["checks"] = {
                slug: row if slug == self.slug else row[:1] for slug, row in whole["checks"].items()
            }
        return whole

    @property
    def comment_file(self) -> Path:
        """The stored comment, which only some cases have."""
        return self.folder / "comment.md"

    def differences(self, judged: Judged) -> Iterator[str]:
        """How the verdict differs from the stored one."""
        expected, actual = self.expected(), self.outline(judged.verdict)
        if expected["verdict"] != actual["verdict"]:
            yield f"verdict: expected {expected['verdict']}, got {actual['verdict']}"
        for slug in dict.fromkeys((*expected["checks"], *actual["checks"])):
            want, got = expected["checks"].get(slug), actual["checks"].get(slug)
            if want != got:
                yield f"{slug}: expected {_row(want)}, got {_row(got)}"
        if self.comment_file.exists():
            stored = self.comment_file.read_text(encoding="utf-8")
            if stored != stable_comment(judged):
                yield "the rendered comment differs from comment.md"


def outline(verdict: Verdict) -> dict[str, Any]:
    """A verdict's words: outcome, and status with reason codes of every check."""
    return {
        "verdict": verdict.outcome.value,
        "checks": {
            row.slug: [
                row.status.value,
                *sorted({f.code for f in row.findings if f.status is row.status}),
            ]
            for row in verdict.checks
        },
    }


def stable_comment(judged: Judged) -> str:
    """The comment without what changes with the verifier's version."""
    return _VOLATILE.sub("", comment(judged, None))


def cases(root: Path | None = None) -> tuple[Case, ...]:
    """All bundled changes, by name."""
    from verifier import resources

    folder = (root or Path(resources.fixture_folder(), "smoke")) / "cases"
    found = []
    for place in sorted(folder.iterdir()):
        data = json.loads((place / "case.json").read_text(encoding="utf-8"))
        found.append(Case(place.name, place, data))
    return tuple(found)


def run(options: Namespace) -> int:
    """Judge the bundled changes and compare. 0 when every verdict is the stored one."""
    known = cases()
    wanted = set(options.slugs)
    unknown = wanted - {case.name for case in known} - {case.slug for case in known}
    if unknown:
        raise InputError(f"there is no smoke test of {', '.join(sorted(unknown))}")
    lines: list[str] = []
    failed = 0
    chosen = [c for c in known if not wanted or c.slug in wanted or c.name in wanted]
    for case in chosen:
        differences = list(case.differences(case.judge()))
        failed += bool(differences)
        lines.append(f"{'FAIL' if differences else 'ok  '}  {case.name}")
        lines.extend(f"      {difference}" for difference in differences)
    lines.append(f"{len(chosen) - failed} of {len(chosen)} smoke tests as expected")
    deliver("\n".join(lines) + "\n", options)
    return REJECTED if failed else PASSED


def _row(row: Any) -> str:
    if not row:
        return "no row"
    status, *codes = row
    return f"{status} ({', '.join(codes)})" if codes else str(status)


def _below(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _changed(
    base: Mapping[str, bytes], head: Mapping[str, bytes], renamed: Mapping[str, str]
) -> list[ChangedFile]:
    files = []
    for path in sorted({*base, *head}):
        if base.get(path) == head.get(path) or path in renamed.values():
            continue
        if path in renamed:
            files.append(ChangedFile(path=path, status="renamed", previous=renamed[path]))
        elif path not in base:
            files.append(ChangedFile(path=path, status="added"))
        else:
            files.append(ChangedFile(path=path, status="modified" if path in head else "deleted"))
    return files


def _trusted(
    base: Mapping[str, bytes], head: Mapping[str, bytes], policy: Policy, number: int
) -> dict[str, Any]:
    """Texts that the loader takes from the base branch."""
    places = {
        "codeowners": policy.place(policy.paths.codeowners),
        "checklist": policy.place(policy.paths.checklist),
        "thresholds": policy.place(policy.paths.thresholds),
    }
    found: dict[str, Any] = {
        name: base[path].decode() for name, path in places.items() if path in base
    }
    waiver = policy.place(policy.paths.waivers).replace("{number}", str(number))
    if waiver in head:
        found["waivers"] = {waiver: head[waiver].decode()}
    return found
