"""Where a point's launch is written, and the environment in which it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifier.model.finding import Status
from verifier.model.points import ConfigEntry
from verifier.model.record import NamedTuple, dataclass, field
from verifier.model.tree import Tree
from verifier.recipes.rows import AGENTIC, ROLES, UNKNOWN, Row

if TYPE_CHECKING:
    from verifier.policy import Policy
    from verifier.recipes.runners import Runners

_FIELD = re.compile(r"\{([a-z0-9.-]+)\}")
_SEQUENCES = {(1024, 1024): "1k1k", (8192, 1024): "8k1k"}


class _Problem(NamedTuple):
    code: str
    message: str
    status: Status


@dataclass(slots=True)
class Placement:
    """The script or recipe of one point, and its job's variables."""

    script: str | None = None
    recipe: str | None = None
    setting: str | None = None
    candidates: tuple[str, ...] = ()
    launchers: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    findings: list[_Problem] = field(default_factory=list)


@dataclass(slots=True)
class Site:
    """What all points of a tree have in common."""

    tree: Tree
    policy: Policy
    machines: Runners
    _listed: dict[str, frozenset[str]] = field(default_factory=dict)

    def exists(self, path: str) -> bool:
        """Whether there is such a file; one listing of its top folder answers for all."""
        top, slash, _ = path.partition("/")
        if not slash or ".." in path.split("/"):
            return False
        if top not in self._listed:
            self._listed[top] = frozenset(self.tree.files(top))
        return path in self._listed[top]


def place(
    config: ConfigEntry,
    scenario: str,
    lengths: tuple[int, int],
    row: Row,
    values: tuple[int, ...],
    conc: int,
    eval_only: bool,
    site: Site,
) -> Placement:
    """Find the point's script or recipe and compute its environment."""
    result = Placement()
    data = _fields(config, scenario, lengths, row, values, conc, eval_only, site)
    rules = site.policy.point
    variables = rules.multi_node_variables if row.multinode else rules.single_node_variables
    for name, template in variables.items():
        if data.get(template[1:-1]) is UNKNOWN:
            result.unknown.append(name)
            continue
        result.env[name] = _filled(template, data, result)
    for setting in row.settings:
        name, _, value = setting.partition("=")
        result.env[name] = value
    patterns = rules.multi_node_scripts if row.multinode else rules.scripts
    result.candidates = tuple(
        dict.fromkeys(site.policy.place(_filled(p, data, result)) for p in patterns)
    )
    result.script = next((p for p in result.candidates if site.exists(p)), None)
    result.launchers = tuple(
        site.policy.place(_filled(pattern, {**data, "runner-host": host}, result))
        for pattern in rules.launchers
        for host in site.machines.hosts(config.runner)
    )
    if row.multinode:
        _recipe(result, eval_only, site)
    if result.script is None and result.recipe is None and result.setting is None:
        looked = " or ".join(result.candidates)
        message = f"no script for this row: there is no {looked}"
        result.findings.append(_Problem("missing_script", message, Status.FAIL))
    return result


def _recipe(result: Placement, eval_only: bool, site: Site) -> None:
    rules = site.policy.point
    setting = result.env.get(rules.recipe_setting)
    if eval_only and result.env.get(rules.eval_recipe_setting):
        setting = result.env[rules.eval_recipe_setting]
    if not setting:
        return
    result.setting = setting
    path, colon, selector = setting.partition(":")
    for before, after in rules.recipe_places:
        if path.startswith(before):
            found = site.policy.place(after + path[len(before) :])
            if site.exists(found):
                result.recipe = f"{found}{colon}{selector}"
                return


def _filled(template: str, data: Mapping[str, Any], result: Placement) -> str:
    if template.startswith("{") and (name := template[1:-1]) in data:
        return _text(data[name])  # the usual case: one field and nothing else

    def value(match: re.Match[str]) -> str:
        if match[1] not in data:
            message = f"the policy's template {template!r} names the unknown field {match[1]!r}"
            problem = _Problem("policy_template", message, Status.UNRESOLVED)
            if problem not in result.findings:
                result.findings.append(problem)
            return ""
        return _text(data[match[1]])

    return _FIELD.sub(value, template)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return json.dumps(value, indent=2)
    return str(value)


def _fields(
    config: ConfigEntry,
    scenario: str,
    lengths: tuple[int, int],
    row: Row,
    values: tuple[int, ...],
    conc: int,
    eval_only: bool,
    site: Site,
) -> dict[str, Any]:
    agentic = scenario == AGENTIC
    spec_suffix = dict(site.policy.point.spec_suffixes).get(row.spec_decoding, "")
    kept = dict(site.policy.point.script_suffixes).get(config.framework, "")
    batch = (conc,) if agentic else values
    data: dict[str, Any] = {
        **row.values,
        "model": config.model,
        "model-prefix": config.model_prefix,
        "image": config.image,
        "framework": config.framework,
        "precision": config.precision,
        "runner": config.runner,
        "runner-name": site.machines.name(config.runner),
        "sku": config.sku or "",
        "disagg": config.disagg,
        "isl": lengths[0],
        "osl": lengths[1],
        "max-model-len": 0 if agentic else sum(lengths) + 256,
        "conc": conc,
        "job-conc": conc if agentic else "",
        "conc-list": " ".join(str(c) for c in batch),
        "eval-conc": max(batch) if eval_only else "",
        "eval-only": eval_only,
        "scenario": scenario,
        "scenario-subdir": "agentic/" if agentic else "fixed_seq_len/",
        "agentic-subdir": "agentic/" if agentic else "",
        "agentic": "1" if agentic else "0",
        "spec": spec_suffix,
        "kept": kept,
    }
    data["exp-name"] = _experiment(config, lengths, row, conc, agentic)
    data["name"] = data["exp-name"].partition("_")[0]
    data["result-filename"] = _result(config, row, data, batch)
    return data


def _experiment(
    config: ConfigEntry, lengths: tuple[int, int], row: Row, conc: int, agentic: bool
) -> str:
    prefix = config.model_prefix
    if not agentic:
        return f"{prefix}_{_SEQUENCES.get(lengths, f'{lengths[0]}_{lengths[1]}')}"
    mode, backend = row.values["kv-offloading"], row.values["kv-offload-backend"]
    offload = "kvnone" if mode == "none" else f"kv{mode}-{backend}"
    if not row.multinode:
        spec = "" if row.spec_decoding == "none" else f"_spec-{row.spec_decoding}"
        return f"{prefix}_tp{row.values['tp']}_conc{conc}_{offload}{spec}"
    tags = "_".join(_worker_tag(row, role) for role in ROLES)
    return f"{prefix}_{tags}_conc{conc}" + ("" if mode == "none" else f"_{offload}")


def _worker_tag(row: Row, role: str) -> str:
    number, tp = row.values[f"{role}.num-worker"], row.values[f"{role}.tp"]
    ep, attention = row.values[f"{role}.ep"], row.values[f"{role}.dp-attn"]
    return f"{role[0]}{number}x{tp}" + (f"ep{ep}" if ep != 1 else "") + ("dpa" if attention else "")


def _result(config: ConfigEntry, row: Row, data: Mapping[str, Any], batch: tuple[int, ...]) -> str:
    def part(role: str) -> str:
        at = f"{role}." if role else ""
        v = {k: _text(row.values[f"{at}{k}"]) for k in ("tp", "pp", "dcp-size", "pcp-size", "ep")}
        attention = _text(row.values[f"{at}dp-attn"])
        sizes = f"tp{v['tp']}-pp{v['pp']}-dcp{v['dcp-size']}-pcp{v['pcp-size']}-ep{v['ep']}"
        if not role:
            return f"{sizes}-dpa{attention}"
        return f"{role}-{sizes}-dp{attention}-nw{row.values[f'{role}.num-worker']}"

    parts = "_".join(part(role) for role in (ROLES if row.multinode else ("",)))
    concs = "x".join(str(c) for c in batch)
    return (
        f"{data['exp-name']}_{config.precision}_{config.framework}_{parts}"
        f"_disagg-{_text(config.disagg)}_spec-{row.spec_decoding}_conc{concs}"
        f"_{data['runner-name']}"
    )
