"""Master configs as points: every (key, scenario, row, concurrency, mode) with its environment.

Facts about the expansion: SemiAnalysisAI/InferenceX `utils/matrix_logic/generate_sweep_configs.py`
and `.github/workflows/benchmark{,-multinode}-tmpl.yml`. Names and patterns come from the policy.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

from verifier.model.finding import Finding, Status
from verifier.model.points import ConfigEntry, Point, PointId
from verifier.model.record import dataclass, field
from verifier.model.text import Span
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy
from verifier.recipes import runners as runner_facts
from verifier.recipes.concurrency import concurrencies
from verifier.recipes.fields import FieldError, Fields
from verifier.recipes.placing import Placement, Site, place
from verifier.recipes.rows import Row, row_of
from verifier.recipes.runners import sku_of
from verifier.recipes.yaml_marks import Document, YamlMap, YamlNode, plain, read

FIXED = "fixed-seq-len"
AGENTIC = "agentic-coding"


@dataclass(slots=True)
class Expansion:
    """All that the master configs of one tree say."""

    entries: list[ConfigEntry] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def expand(tree: Tree, policy: Policy, keys: tuple[str, ...] = ()) -> Expansion:
    """The points of every config key, or of those that a pattern of `keys` names."""
    result = Expansion()
    seen: dict[str, Span] = {}
    machines = runner_facts.load(*_bytes(tree, policy.place(policy.point.runners)))
    site = Site(tree, policy, machines)
    for name in policy.paths.master_configs:
        document = _document(tree, policy.place(name), result.findings)
        if not isinstance(document.root, YamlMap):
            continue
        for key, entry in document.root.entries.items():
            text = str(key)
            if keys and not any(fnmatchcase(text, pattern) for pattern in keys):
                continue
            if text in seen:
                message = f"{text}: is already a key in {seen[text].path}:{seen[text].line}"
                result.findings.append(_finding("duplicate_key", message, entry.key))
                continue
            seen[text] = entry.key
            _Entry(site, result, text, entry.key).read(entry.node)
    return result


COMPLETE = frozenset({"missing_script"})
"""Codes of findings about points that are expanded all the same."""


def unexpanded(expansion: Expansion) -> list[Finding]:
    """Findings that hide points: nobody knows what was meant to run there."""
    return [finding for finding in expansion.findings if finding.code not in COMPLETE]


def _bytes(tree: Tree, path: str) -> tuple[bytes | None, str]:
    try:
        return tree.read(path), path
    except Unreadable:
        return None, path


def _document(tree: Tree, path: str, findings: list[Finding]) -> Document:
    try:
        data = tree.read(path)
    except Unreadable as error:
        message = f"{path} cannot be read: {error}"
        findings.append(_finding("unreadable", message, Span(path, 1), Status.UNRESOLVED))
        return Document(path, None)
    if data is None:
        return Document(path, None)
    document = read(data, path)
    for problem in document.problems:
        findings.append(_finding("config_yaml", problem.text, problem.span))
    if document.root is not None and not isinstance(document.root, YamlMap):
        kind = document.root.kind
        message = f"expected a mapping of config keys, not {kind}"
        findings.append(_finding("config_yaml", message, document.root.span))
    return document


def _finding(code: str, message: str, span: Span, status: Status = Status.FAIL) -> Finding:
    return Finding(status=status, code=code, message=message, span=span)


@dataclass(slots=True)
class _Entry:
    """Reads one config key."""

    site: Site
    result: Expansion
    key: str
    span: Span
    twins: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def read(self, node: YamlNode) -> None:
        findings = self.result.findings
        if not isinstance(node, YamlMap):
            message = f"{self.key}: expected a mapping, not {node.kind}"
            findings.append(_finding("config_field", message, node.span))
            return
        fields = Fields(node, self.key, findings)
        try:
            config = self._config(fields)
            scenarios = fields.section("scenarios")
        except FieldError:
            return
        self.result.entries.append(config)
        for name in scenarios.node.entries:
            if name not in (FIXED, AGENTIC):
                span = scenarios.node.entries[name].key
                scenarios.bad(span, str(name), f"unknown scenario; known are {FIXED}, {AGENTIC}")
                continue
            with suppress(FieldError):
                for block in scenarios.sections(str(name)):
                    with suppress(FieldError):  # the other blocks are read all the same
                        self._block(config, fields, str(name), block)

    def _config(self, fields: Fields) -> ConfigEntry:
        texts: dict[str, str] = {}
        failed = False
        for name in ("image", "model", "model-prefix", "runner", "precision", "framework"):
            try:
                texts[name] = fields.text(name)
            except FieldError:
                failed = True
        if failed:
            raise FieldError
        node = fields.node
        known = self.site.policy.point.frameworks
        if texts["framework"] not in known:
            problem = f"unknown framework {texts['framework']!r}; known are {', '.join(known)}"
            raise fields.bad(node.entries["framework"].node.span, "framework", problem)
        sku = sku_of(texts["runner"], self.site.policy.skus)
        if sku is None:
            problem = (
                f"the runner {texts['runner']!r} names no known hardware; "
                f"known are {', '.join(self.site.policy.skus)}"
            )
            raise fields.bad(node.entries["runner"].node.span, "runner", problem)
        return ConfigEntry(
            key=self.key,
            span=self.span,
            image=texts["image"],
            image_span=node.entries["image"].node.span,
            framework=texts["framework"],
            model=texts["model"],
            model_prefix=texts["model-prefix"],
            precision=texts["precision"],
            runner=texts["runner"],
            sku=sku,
            multinode=fields.boolean("multinode", False),
            disagg=fields.boolean("disagg", False),
            scenarios=tuple(_scenarios(node)),
            speculative=tuple(dict.fromkeys(_labels(node))),
            fingerprint=canonical(plain(node)),
        )

    def _block(self, config: ConfigEntry, fields: Fields, scenario: str, block: Fields) -> None:
        lengths = (0, 0)
        if scenario == FIXED:
            lengths = (block.whole("isl"), block.whole("osl"))
        for row in block.sections("search-space"):
            try:
                read_row = row_of(
                    row, config, fields, block, scenario, self.site.machines, self.site.policy
                )
                values = concurrencies(row, self.site.policy.point.max_concurrencies)
            except FieldError:
                continue
            self._points(config, scenario, lengths, read_row, values)

    def _points(
        self,
        config: ConfigEntry,
        scenario: str,
        lengths: tuple[int, int],
        row: Row,
        values: tuple[int, ...],
    ) -> None:
        written = {k: v for k, v in row.written.items() if not str(k).startswith("conc-")}
        bare = _without_settings({k: _without_settings(v) for k, v in written.items()})
        identity = canonical([lengths, row.block, written])
        topology = canonical([lengths, row.block, bare])
        for conc in values:
            twin = self.twins[scenario, identity, conc]
            self.twins[scenario, identity, conc] += 1
            for eval_only in (False, True):
                found = place(config, scenario, lengths, row, values, conc, eval_only, self.site)
                self._report(found, row.span)
                self.result.points.append(
                    Point(
                        id=PointId(self.key, scenario, identity, conc, eval_only, twin),
                        config=config,
                        span=row.span,
                        scenario=scenario,
                        lengths=_label(*lengths) if scenario == FIXED else None,
                        conc=conc,
                        eval_only=eval_only,
                        spec_decoding=row.spec_decoding,
                        script=found.script,
                        recipe=found.recipe,
                        recipe_setting=found.setting,
                        candidates=found.candidates,
                        launchers=found.launchers,
                        env=found.env,
                        unknown=tuple(found.unknown),
                        topology=topology,
                    )
                )

    def _report(self, found: Placement, span: Span) -> None:
        for finding in found.findings:
            placed = _finding(finding[0], f"{self.key}: {finding[1]}", span, finding[2])
            if placed not in self.result.findings[-8:]:
                self.result.findings.append(placed)


def canonical(value: Any) -> str:
    """The same text for the same data."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def _without_settings(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: v for k, v in value.items() if k != "additional-settings"}
    return value


def _label(isl: int, osl: int) -> str:
    if isl % 1024 == 0 and osl % 1024 == 0:
        return f"{isl // 1024}k{osl // 1024}k"
    return f"{isl}_{osl}"


def _blocks(node: YamlMap) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in node.mapping("scenarios").entries.items():
        blocks = plain(entry.node)
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                yield str(name), block


def _scenarios(node: YamlMap) -> Iterator[str]:
    seen: set[str] = set()
    for name, block in _blocks(node):
        isl, osl = block.get("isl"), block.get("osl")
        both = isinstance(isl, int) and isinstance(osl, int)
        for text in (name, _label(isl, osl) if both else name):  # type: ignore[arg-type]
            if text not in seen:
                seen.add(text)
                yield text


def _labels(node: YamlMap) -> Iterator[tuple[str, str]]:
    for name, block in _blocks(node):
        rows = block.get("search-space")
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                yield name, str(row.get("spec-decoding") or "none")
