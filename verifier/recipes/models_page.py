"""MODELS.md as data: what it retires, for which model, scenario, precision or arm, and since when.

Read through a Markdown parser. Three shapes of tables count: scenarios with a status, models with
their active and deprecated scenarios, and notices (`Model | Deprecated …`) below a heading or
sentence that gives the last day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from verifier.model.points import ModelsPage, Retirement
from verifier.model.record import NamedTuple
from verifier.recipes.markdown_tables import Cell, Paragraph, Row, Table, blocks

if TYPE_CHECKING:
    from verifier.policy import Policy

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    rf"(\d{{4}})-(\d\d)-(\d\d)|({_MONTH})\s+(\d{{1,2}}),?\s+(\d{{4}})"
    rf"|(\d{{1,2}})\s+({_MONTH})\s+(\d{{4}})",
    re.IGNORECASE,
)
_RETIRED = re.compile(r"\b(?:deprecat|retir|remov|sunset|end of life)", re.IGNORECASE)
_BEFORE_LAST_DAY = re.compile(
    r"\b(?:until|through|after|ends?|ending|last day(?: is)?)\W+(?:on\W+)?(?:\w+day,?\W+)?$",
    re.IGNORECASE,
)
_AFTER_LAST_DAY = re.compile(r"^\W*(?:is|was)\s+the\s+last\s+day", re.IGNORECASE)
_LENGTHS = re.compile(r"\b(\d+)k\s*/?\s*(\d+)k\b", re.IGNORECASE)
_AGENTIC = re.compile(r"\bagentic\b", re.IGNORECASE)
_FIXED = re.compile(r"\b(?:single[- ]turn|fixed[- ]seq)", re.IGNORECASE)
_PRECISION = re.compile(r"\b(bf16|fp16|fp8|fp6|fp4|int8|int4|nvfp4|mxfp4|mxfp8)\b", re.IGNORECASE)
_ARM = re.compile(r"\bnon[- ]([a-z0-9.]+(?:-decode|-decoding)?)", re.IGNORECASE)
_ONLY = re.compile(r"\(([^()]*?) only\)", re.IGNORECASE)
_ALL = re.compile(r"\W*(?:all|every|everything|entire)\b", re.IGNORECASE)


class _Day(NamedTuple):
    """The first day of a retirement."""

    since: date | None


def read_models(text: str, path: str, policy: Policy) -> ModelsPage:
    """Everything that the page retires. Never raises."""
    reader = _Page(path, policy)
    for block in blocks(text):
        if isinstance(block, Paragraph):
            reader.paragraph(block)
        else:
            reader.table(block)
    kept = tuple(dict.fromkeys(reader.retirements))
    return ModelsPage(
        path=path,
        retirements=kept,
        prefixes=frozenset(reader.prefixes),
        problems=tuple(reader.problems),
    )


class _Page:
    """Collects retirements while the page is read from top to bottom."""

    def __init__(self, path: str, policy: Policy) -> None:
        self.path = path
        self.policy = policy
        self.retirements: list[Retirement] = []
        self.prefixes: set[str] = set()
        self.problems: list[str] = []
        self._notice: _Day = _Day(None)

    def paragraph(self, block: Paragraph) -> None:
        """A heading ends a notice; a sentence about a last day begins one, or is one itself."""
        if block.heading:
            self._notice = _Day(None)
        day = next(_days(block.cell.text, last_day_only=not block.heading), None)
        if day is None:
            return
        if block.heading:
            # A dated heading says when; whether it is the last day is for the text below.
            self._notice = _Day(day)
            return
        self._notice = _Day(day)
        prefixes = [code for code in block.cell.code if self._is_prefix(code)]
        said = block.cell.text.split(". ", 1)[0]
        for prefix in prefixes[:1]:
            for found in _items(said):
                self._add(found, prefix, prefix, block.line, said, day)

    def table(self, table: Table) -> None:
        roles = [_role(cell.text) for cell in table.header]
        for row in table.rows:
            cells = dict(zip(roles, row.cells, strict=False))
            if "model" in cells or "prefix" in cells:
                self._model_row(cells, row)
            elif "scenario" in cells and "status" in cells:
                self._scenario_row(cells, row)

    def _scenario_row(self, cells: dict[str, Cell], row: Row) -> None:
        status = cells["status"].text.strip()
        if not _retires(status):
            return
        for found in _items(f"{cells['scenario'].text} {_lengths(row)}"):
            day = next(_days(status), None)
            self._add(found, None, "all models", row.line, _row_text(row), day)
            break
        else:
            self.problems.append(f"line {row.line}: which scenario is retired is not understood")

    def _model_row(self, cells: dict[str, Cell], row: Row) -> None:
        name = cells.get("model", cells.get("prefix", Cell("")))
        prefixes = self._row_prefixes(cells)
        self.prefixes.update(prefixes)
        status, active = cells.get("status"), cells.get("active")
        text = _row_text(row)
        if not prefixes and status is not None and _retires(status.text):
            self.problems.append(f"line {row.line}: which model is retired is not understood")
        for prefix in prefixes:
            if status is not None and _retires(status.text):
                day = next(_days(status.text), None) or self._notice.since
                scenario = cells.get("scenario")
                found = list(_items(scenario.text)) if scenario is not None else []
                for one in found or [_Item()]:
                    self._add(one, prefix, name.text, row.line, text, day)
            if active is not None and re.match(r"\W*none\b", active.text, re.IGNORECASE):
                day = next(_days(active.text), None)
                self._add(_Item(), prefix, name.text, row.line, text, day)
            self._deprecated(cells, prefix, name.text, row, text)

    def _deprecated(
        self, cells: dict[str, Cell], prefix: str, name: str, row: Row, text: str
    ) -> None:
        for role in ("deprecated", "arm"):
            cell = cells.get(role)
            if cell is None or not re.search(r"\w", cell.text):
                continue
            parts = [cell.text] if role == "arm" else _split(cell.text)
            understood = False
            for part in parts:
                only = _ONLY.search(part)
                if only and self.policy.prefix_of_model(only[1].lower()) not in (None, prefix):
                    understood = True  # it is about another model of the same row
                    continue
                day = next(_days(part), None) or self._notice.since
                for found in _items(part):
                    understood = True
                    self._add(found, prefix, name, row.line, text, day)
            if not understood and not re.match(r"\W*none\b", cell.text, re.IGNORECASE):
                self.problems.append(f"line {row.line}: what is retired is not understood")

    def _row_prefixes(self, cells: dict[str, Cell]) -> list[str]:
        for role in ("prefix", "model"):
            cell = cells.get(role)
            if cell is None:
                continue
            if cell.code:
                return list(cell.code)
            word = cell.text.strip()
            known = self._is_prefix(word)
            if known or (role == "prefix" and re.fullmatch(r"[\w.-]+", word)):
                return [word]
            prefix = self.policy.prefix_of_model(word.split(" ")[0])
            if prefix is not None:
                return [prefix]
        return []

    def _is_prefix(self, code: str) -> bool:
        return code in self.policy.model_prefixes.values() or code in self.prefixes

    def _add(
        self, item: _Item, prefix: str | None, model: str, line: int, text: str, day: date | None
    ) -> None:
        self.retirements.append(
            Retirement(
                prefix=prefix,
                model=" ".join(model.split()),
                scenario=item.scenario,
                since=day,
                line=line,
                text=text,
                precision=item.precision,
                arm="non-spec" if item.method is not None else None,
                method=item.method,
            )
        )


class _Item(NamedTuple):
    """One thing that is retired."""

    scenario: str | None = None
    precision: str | None = None
    method: str | None = None


def _items(text: str) -> Iterator[_Item]:
    """The scenarios, precisions and arms that a phrase names."""
    arm = _ARM.search(text)
    method = None
    if arm is not None:
        word = arm[1].lower()
        method = "" if word.startswith("spec") else word
    precisions = [m.lower() for m in _PRECISION.findall(text)]
    scenarios: list[str | None] = [f"{a}k{b}k" for a, b in _LENGTHS.findall(text)]
    if _AGENTIC.search(text):
        scenarios.append("agentic")
    if not scenarios and _FIXED.search(text):
        scenarios.append("fixed")
    if not scenarios and (precisions or method is not None or _ALL.match(text)):
        scenarios = [None]
    for scenario in dict.fromkeys(scenarios):
        for precision in precisions or [None]:
            yield _Item(scenario, precision, method)


def _retires(status: str) -> bool:
    """Whether a status cell says that the thing is, or will be, retired."""
    first = re.match(r"\W*(\w+)", status)
    if first is None:
        return False
    word = first[1].lower()
    if word in ("active", "supported", "current"):
        return bool(re.match(r"\W*\w+\W+(?:until|through)\b", status, re.IGNORECASE))
    return _RETIRED.search(status) is not None


def _days(text: str, last_day_only: bool = False) -> Iterator[date]:
    """First days of retirement that the text gives; a last day counts until it is over."""
    for match in _DATE.finditer(text):
        found = _date(match)
        if found is None:
            continue
        last = bool(
            _BEFORE_LAST_DAY.search(text[: match.start()])
            or _AFTER_LAST_DAY.search(text[match.end() :])
        )
        if last or not last_day_only:
            yield found + timedelta(days=1) if last else found


def _date(match: re.Match[str]) -> date | None:
    year, month, day, name, name_day, name_year, day_first, name_second, year_last = match.groups()
    try:
        if year:
            return date(int(year), int(month), int(day))
        if name:
            return date(int(name_year), _MONTHS.index(name.lower()) + 1, int(name_day))
        return date(int(year_last), _MONTHS.index(name_second.lower()) + 1, int(day_first))
    except ValueError:
        return None


def _split(text: str) -> list[str]:
    """Split at commas that are not inside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character in ",;" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]


def _role(header: str) -> str:
    text = header.strip().lower()
    if text.startswith(("active", "supported")):
        return "active"
    if text.startswith(("deprecated arm", "retired arm")):
        return "arm"
    if text.startswith(("deprecated", "retired")):
        return "deprecated"
    if text.startswith("model prefix") or "prefix" in text:
        return "prefix"
    if text.startswith("model"):
        return "model"
    if text.startswith("scenario"):
        return "scenario"
    if text.startswith(("status", "state")):
        return "status"
    return f"other {text}"


def _lengths(row: Row) -> str:
    """`8192 / 1024` beside the scenario's name, as `8k1k`."""
    for cell in row.cells:
        match = re.fullmatch(r"\s*(\d{3,})\s*/\s*(\d{3,})\s*", cell.text)
        if match:
            isl, osl = int(match[1]), int(match[2])
            if isl % 1024 == 0 and osl % 1024 == 0:
                return f"{isl // 1024}k{osl // 1024}k"
    return ""


def _row_text(row: Row) -> str:
    text = " | ".join(" ".join(cell.text.split()) for cell in row.cells if cell.text.strip())
    return text if len(text) <= 160 else f"{text[:159]}…"


def in_force(item: Retirement, today: date) -> bool:
    """Whether a retirement holds on the review date."""
    return item.since is None or item.since <= today
