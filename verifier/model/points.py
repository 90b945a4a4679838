"""Master-config points, what they launch at the base and at the head, and what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

from verifier.model.context import RecipeFacts
from verifier.model.finding import Finding
from verifier.model.record import NamedTuple, dataclass, field
from verifier.model.text import Span

_JUDGED = frozenset({"missing_script", "no_draft_under_label"})


class PointId(NamedTuple):
    """What makes two points of two trees the same point.

    `row` is the search-space row without its concurrency: a row's place in the file does not
    count, so that inserting a row renames nothing. `twin` counts equal rows.
    """

    key: str
    scenario: str
    row: str
    conc: int
    eval_only: bool
    twin: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """One key of a master config."""

    key: str
    span: Span
    """The key itself."""
    image: str
    image_span: Span
    framework: str
    model: str
    model_prefix: str
    precision: str
    runner: str
    sku: str | None
    """Hardware of the runner; None when the runner's name holds none."""
    multinode: bool
    disagg: bool
    scenarios: tuple[str, ...]
    """`fixed-seq-len`, `agentic-coding` and, for single lengths, `8k1k`."""
    speculative: tuple[tuple[str, str], ...] = ()
    """(scenario, spec-decoding label) of every row, once each."""
    fingerprint: str = ""
    """The same text, the same entry: canonical form of all its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One (config key, scenario, row, concurrency, mode), ready to be launched."""

    id: PointId
    config: ConfigEntry
    span: Span
    """The search-space row."""
    scenario: str
    """`fixed-seq-len` or `agentic-coding`."""
    lengths: str | None
    """`8k1k`, `1k1k`, …; None for agentic points."""
    conc: int
    eval_only: bool
    spec_decoding: str
    script: str | None
    recipe: str | None
    """`path` or `path:selector` as it is found in the tree."""
    recipe_setting: str | None = None
    """The recipe as the config names it."""
    candidates: tuple[str, ...] = ()
    """Script names that were looked for, in order."""
    launchers: tuple[str, ...] = ()
    """Scripts that may start the job: one for each host of the runner's label."""
    env: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    """Variables that the job has and whose values the tree does not tell."""
    topology: str = ""
    """The row without its additional settings: what it is when only its recipe changes."""

    @property
    def key(self) -> str:
        return self.id.key

    @property
    def label(self) -> str:
        """For people: `key agentic-coding conc 8, eval only`."""
        lengths = f" {self.lengths}" if self.lengths else ""
        mode = ", eval only" if self.eval_only else ""
        return f"{self.key} {self.scenario}{lengths} conc {self.conc}{mode}"


def label_points(points: Sequence[Point]) -> str:
    """`KEY agentic-coding conc 1, 4`, for any number of points; long lists are cut."""
    by_key: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for point in points:
        by_key[point.key, point.lengths or point.scenario][point.conc] = None
    parts = [
        f"{key} {scenario} conc {_shortened(concs)}" for (key, scenario), concs in by_key.items()
    ]
    modes = {point.eval_only for point in points}
    mode = ", evaluation only" if modes == {True} else ""
    more = f" and {len(parts) - 3} more" if len(parts) > 3 else ""
    return "; ".join(parts[:3]) + more + mode


def _shortened(concs: Iterable[int]) -> str:
    numbers = [str(c) for c in sorted(concs)]
    return ", ".join(numbers if len(numbers) <= 8 else [*numbers[:8], "…"])


ChangeKind = Literal["argument", "variable", "file", "image", "reach"]


class LaunchChange(NamedTuple):
    """One difference of what a point launches. An absent side is None.

    A flag without a value has an empty side; an empty value that is written shows as `''`.
    """

    kind: ChangeKind
    name: str
    base: str | None
    head: str | None
    launch: str | None = None
    """Which server, where a side starts more than one."""

    @property
    def shown(self) -> str:
        """The name with the server, for people."""
        return self.name if self.launch is None else f"{self.launch}: {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointChange:
    """A point on both sides whose launches differ."""

    base: Point
    head: Point
    changes: tuple[LaunchChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchDiff:
    """What two trees launch differently, point by point."""

    base: str
    head: str
    changed: tuple[PointChange, ...] = ()
    added: tuple[Point, ...] = ()
    removed: tuple[Point, ...] = ()
    unchanged: int = 0
    touched: int = 0
    """Unchanged points although a file that they read has changed."""
    uncertain: tuple[tuple[Point, str], ...] = ()
    """Unchanged points as far as they could be read, and where reading stopped."""
    problems: tuple[Finding, ...] = ()
    """What could not be evaluated; such points are in none of the above."""


class Retirement(NamedTuple):
    """One thing that the models page retires."""

    prefix: str | None
    """None: every model."""
    model: str
    """As the page writes it."""
    scenario: str | None
    """`8k1k`, `1k1k`, `agentic`, …; None: every scenario."""
    since: date | None
    """First day on which it is retired; None: retired without a date, so now."""
    line: int
    text: str
    """The row or notice, shortened."""
    precision: str | None = None
    """Only recipes of this precision."""
    arm: Literal["non-spec", "spec"] | None = None
    """Only recipes without (or with) speculative decoding."""
    method: str | None = None
    """With arm non-spec: the speculative method that the surviving arm uses, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsPage:
    """The models page as data."""

    path: str
    retirements: tuple[Retirement, ...] = ()
    prefixes: frozenset[str] = frozenset()
    """Every model prefix the page knows."""
    problems: tuple[str, ...] = ()


class ChangelogEntry(NamedTuple):
    """One entry of the changelog at the head."""

    span: Span
    keys: tuple[str, ...]
    """As written, globs included."""
    append_only: bool
    scenarios: tuple[str, ...] = ()
    """`scenario-type`; empty: every scenario."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changelog:
    """The changelog on both sides. Bytes are None when there is no such file."""

    path: str
    base: bytes | None
    head: bytes | None
    added: tuple[ChangelogEntry, ...] = ()
    """Entries that the head appends; only meaningful when the base is a prefix."""
    problems: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFacts:
    """All that checks may know about points."""

    entries: tuple[ConfigEntry, ...] = ()
    """Of the head."""
    base_entries: tuple[ConfigEntry, ...] = ()
    changed: tuple[str, ...] = ()
    """Keys of entries that the head adds or changes."""
    points: tuple[Point, ...] = ()
    """Of the head."""
    recipes: tuple[RecipeFacts, ...] = ()
    """Points that were evaluated, equal ones together."""
    base_recipes: tuple[RecipeFacts, ...] = ()
    """The same points at the base, under the same labels; new points have none."""
    drafting: Mapping[PointId, bool] = field(default_factory=dict)
    """Of evaluated points whose launches are known: whether they draft, whatever their label."""
    diff: LaunchDiff | None = None
    """None when there is no base."""
    changelog: Changelog | None = None
    models: ModelsPage | None = None
    problems: tuple[Finding, ...] = ()
    """Of the head's configs: bad fields, missing scripts, points that launch nothing."""

    @property
    def unjudged(self) -> tuple[Finding, ...]:
        """Problems that keep points from being judged, not those that are a judgement already."""
        return tuple(f for f in self.problems if f.code not in _JUDGED)
