"""Server commands in upstream recipes: code blocks of Markdown, scripts, and recipe YAML.

Blocks go through the project's own shell evaluator and engine readers. The YAML is that of
vllm-project/recipes (`models/<organisation>/<model>.yaml`, read at 01595506): `model.base_args`,
`variants`, `hardware_overrides`, `compatible_strategies` and `strategy_overrides`. The cookbook of
sgl-project/sglang keeps its commands as cells of one literal
(`docs_new/src/snippets/configs/<organisation>/<model>.jsx`, read at 905d7b3a).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verifier.model.pull import Documented, DocumentedLaunch, RecipeEvidence
from verifier.model.record import dataclass
from verifier.model.tree import Unreadable
from verifier.policy import Policy
from verifier.signoff.js_literal import constant

if TYPE_CHECKING:
    from verifier.model.launch import Launch

MAX_BLOCKS = 400
MAX_BLOCK = 20_000

GENERATIONS: Mapping[str, tuple[str, ...]] = {
    "hopper": ("h100", "h200"),
    "blackwell": ("b200", "b300", "gb200", "gb300"),
    "amd": ("mi300x", "mi325x", "mi355x"),
    "nvidia": ("h100", "h200", "b200", "b300", "gb200", "gb300"),
}
"""Hardware by the names that recipes use for several SKUs at once."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)(.*)$")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*\S)[ \t]*$")
_TAB = re.compile(r"[ \t]*(?:===?[ \t]+\"([^\"]+)\"|<Tab[^>]*\btitle=[\"']([^\"']+)[\"'])")
_LANGUAGES = frozenset({"", "bash", "sh", "shell", "console", "zsh", "text"})
_PROMPT = re.compile(r"^[ \t]*\$[ \t]+(?=\S)")
_STARTS = ("vllm serve", "sglang", "vllm.entrypoints", "launch_server")
_STRATEGIES: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "single_node_tp": ((), frozenset({"tensor"})),
    "single_node_tep": (("--enable-expert-parallel",), frozenset({"tensor"})),
    "single_node_dep": (("--enable-expert-parallel",), frozenset({"data"})),
}
"""Arguments of a strategy, and the parallelism whose size it leaves open."""


class _Texts:
    """One script as a tree."""

    name = "a linked recipe"

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._data = text.encode("utf-8", "surrogatepass")

    def read(self, path: str) -> bytes | None:
        return self._data if path == self._path else None

    def is_dir(self, path: str) -> bool:
        del path
        return False

    def files(self, folder: str = "") -> tuple[str, ...]:
        del folder
        return (self._path,)


@dataclass(frozen=True, slots=True)
class _Block:
    line: int
    text: str
    hardware: frozenset[str]
    label: str
    free: frozenset[str] = frozenset()


def documented(recipes: Sequence[RecipeEvidence], policy: Policy) -> Documented:
    """Every server command in the linked recipes that are merged or published."""
    found: list[DocumentedLaunch] = []
    problems: list[str] = []
    for recipe in recipes:
        if recipe.state not in ("merged", "published"):
            continue
        if recipe.reason:
            problems.append(f"{recipe.url}: {recipe.reason}")
        for path, text in recipe.texts.items():
            blocks = _blocks(path, text, policy)
            try:
                for _, block in zip(range(MAX_BLOCKS), blocks, strict=False):
                    found.extend(_read(recipe.url, path, block, policy, problems))
            except ValueError as error:
                problems.append(f"{recipe.url}: {path} cannot be read: {error}")
    return Documented(launches=tuple(found), problems=tuple(dict.fromkeys(problems)))


def _blocks(path: str, text: str, policy: Policy) -> Iterator[_Block]:
    if path.endswith((".md", ".mdx")):
        yield from _markdown(text, policy)
    elif path.endswith(".sh"):
        yield _Block(1, text, hardware_in(path, policy), path)
    elif path.endswith((".yaml", ".yml")):
        yield from _yaml(text, policy)
    elif path.endswith((".jsx", ".tsx")):
        yield from _cells(text, policy)
    elif any(start in text for start in _STARTS):
        raise ValueError("commands that a program puts together are not read")


def _cells(text: str, policy: Policy) -> Iterator[_Block]:
    """One command for each single-node cell of a cookbook configuration."""
    config = constant(text, "config")
    cells = config.get("cells") if isinstance(config, dict) else None
    names = config.get("modelNames") if isinstance(config, dict) else None
    if not isinstance(cells, list) or not isinstance(names, dict):
        raise ValueError("its configuration lists no cells with model names")
    unread = 0
    for cell in cells:
        match = cell.get("match") if isinstance(cell, dict) else None
        if not isinstance(match, dict) or match.get("nodes", "single") != "single":
            unread += not isinstance(match, dict)
            continue
        command = _cell(cell, match, names)
        if command is None:
            unread += 1
            continue
        sku = str(match.get("hw"))
        label = ", ".join(str(match[k]) for k in ("variant", "quant", "strategy") if k in match)
        yield _Block(1, command, frozenset({sku} & {*policy.skus}) or frozenset({sku}), label)
    if unread:
        raise ValueError(f"{unread} of its {len(cells)} cells are no plain literals")


def _cell(
    cell: Mapping[str, Any], match: Mapping[str, Any], names: Mapping[str, Any]
) -> str | None:
    """The command of a cell, or None when a part of it is not known."""
    variant, quant = str(match.get("variant")), str(match.get("quant"))
    model = next(
        (names[key] for key in (f"{variant}|{quant}", variant, quant) if key in names), None
    )
    flags, env = cell.get("flags"), cell.get("env", [])
    if not isinstance(model, str) or not isinstance(flags, list) or not isinstance(env, list):
        return None
    if not all(isinstance(item, str) for item in (*flags, *env)):
        return None
    lines = [f"export {item}" for item in env]
    kept = [flag for flag in flags if "{{HOST_IP}}" not in flag and "{{PORT}}" not in flag]
    lines.append(" ".join(("sglang serve", *kept)).replace("{{MODEL_NAME}}", shlex.quote(model)))
    return None if "{{" in lines[-1] else "\n".join(lines)


def hardware_in(text: str, policy: Policy) -> frozenset[str]:
    """SKUs that a heading or title names, alone or by generation."""
    words = set(re.findall(r"[a-z]+\d+[a-z]*|[a-z]+", text.lower()))
    found = {sku for sku in policy.skus if sku in words or sku.removesuffix("x") in words}
    for name, skus in GENERATIONS.items():
        if name in words and not found.intersection(skus):
            found.update(skus)
    return frozenset(found)


def _markdown(text: str, policy: Policy) -> Iterator[_Block]:
    """Fenced blocks of shell, each with the hardware that the nearest title above names."""
    headings: dict[int, tuple[str, frozenset[str]]] = {}
    tab: tuple[str, frozenset[str]] | None = None
    fence: str | None = None
    wanted = prompts = False
    start = 0
    block: list[str] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        match = _FENCE.match(line)
        if fence is not None:
            if match and match[1].startswith(fence) and not match[2] and not match[3].strip():
                if wanted:
                    title, hardware = _title(headings, tab)
                    own = hardware_in(_comments(block), policy)
                    yield _Block(start + 1, "\n".join(block), own or hardware, title)
                fence = None
            else:
                block.append(_PROMPT.sub("", line) if prompts else line)
            continue
        if match:
            fence, start, block = match[1], number, []
            language = match[2].lower()
            wanted, prompts = language in _LANGUAGES, language in ("console", "")
            continue
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            headings = {k: v for k, v in headings.items() if k < level}
            headings[level] = (heading[2], hardware_in(heading[2], policy))
            tab = None
            continue
        named = _TAB.match(line)
        if named:
            name = named[1] or named[2]
            tab = (name, hardware_in(name, policy))
        elif line.strip() in ("</Tab>", "</Tabs>"):
            tab = None


def _comments(block: Sequence[str]) -> str:
    return " ".join(line for line in block if line.lstrip().startswith("#"))


def _title(
    headings: Mapping[int, tuple[str, frozenset[str]]], tab: tuple[str, frozenset[str]] | None
) -> tuple[str, frozenset[str]]:
    if tab is not None and tab[1]:
        return tab
    for level in sorted(headings, reverse=True):
        if headings[level][1]:
            return headings[level]
    last = headings[max(headings)][0] if headings else ""
    return (tab[0] if tab else last), frozenset()


def _yaml(text: str, policy: Policy) -> Iterator[_Block]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if re.search(r"(?m)[\s\[,:-][&*][A-Za-z]", text) and text.count("*") > 1_000:
            raise ValueError("it has too many YAML aliases")
        data = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError):
        raise ValueError("it is not valid YAML") from None
    if not isinstance(data, dict):
        return
    model = data.get("model")
    if isinstance(model, dict) and isinstance(model.get("model_id"), str):
        yield from _recipe(data, model, policy)
    guide = data.get("guide")
    if isinstance(guide, str):
        yield from _markdown(guide, policy)


def _recipe(data: Mapping[str, Any], model: Mapping[str, Any], policy: Policy) -> Iterator[_Block]:
    """One command for each variant, hardware and strategy of a structured recipe."""
    meta = data.get("meta")
    known = meta.get("hardware") if isinstance(meta, dict) else None
    hardware = [
        str(sku)
        for sku, state in (known.items() if isinstance(known, dict) else ())
        if state != "unsupported" and str(sku) in policy.skus
    ]
    variants = data.get("variants")
    if not isinstance(variants, dict) or not variants:
        variants = {"default": {}}
    overrides = data.get("strategy_overrides")
    for name in data.get("compatible_strategies") or ("single_node_tp",):
        if name not in _STRATEGIES:
            continue
        arguments, free = _STRATEGIES[name]
        strategy = overrides.get(name) if isinstance(overrides, dict) else None
        for label, variant in variants.items():
            given = variant if isinstance(variant, dict) else {}
            for sku in hardware:
                words = [
                    "vllm",
                    "serve",
                    str(given.get("model_id") or model["model_id"]),
                    *_words(model.get("base_args")),
                    *_words(given.get("extra_args")),
                    *arguments,
                    *_hardware_words(data, given, strategy, sku),
                ]
                yield _Block(
                    1,
                    " ".join(shlex.quote(word) for word in words),
                    frozenset({sku}),
                    f"{label}, {name}",
                    free,
                )


def _hardware_words(
    data: Mapping[str, Any], variant: Mapping[str, Any], strategy: Any, sku: str
) -> list[str]:
    """A strategy's own hardware override replaces those of recipe and variant."""
    if isinstance(strategy, dict):
        own = _override(strategy, sku)
        if own is not None:
            return [*own, *_words(strategy.get("extra_args"))]
    words = [*(_override(data, sku) or ()), *(_override(variant, sku) or ())]
    return words + (_words(strategy.get("extra_args")) if isinstance(strategy, dict) else [])


def _override(holder: Mapping[str, Any], sku: str) -> list[str] | None:
    overrides = holder.get("hardware_overrides")
    if not isinstance(overrides, dict):
        return None
    for name in (sku, *(g for g, skus in GENERATIONS.items() if sku in skus)):
        if isinstance(overrides.get(name), dict):
            return _words(overrides[name].get("extra_args"))
    return None


def _words(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _read(
    url: str, path: str, block: _Block, policy: Policy, problems: list[str]
) -> Iterator[DocumentedLaunch]:
    """The launches of one block. A block that launches nothing yields nothing."""
    if not any(start in block.text for start in _STARTS):
        return
    if len(block.text) > MAX_BLOCK:
        problems.append(f"{url}: the block in line {block.line} of {path} is too long")
        return
    from verifier.facts import Reading, read_recipe

    name = "block.sh"
    try:
        facts = read_recipe(name, _Texts(name, block.text + "\n"), policy, Reading())
    except Unreadable as error:
        problems.append(f"{url}: line {block.line} of {path}: {error}")
        return
    launches: list[Launch] = [launch for fact in facts for launch in fact.launches]
    if not launches and re.search(r"(?m)^[ \t]*vllm serve\b|launch_server", block.text):
        problems.append(f"{url}: the command in line {block.line} of {path} could not be read")
    for launch in launches:
        yield DocumentedLaunch(
            url=url,
            path=path,
            line=block.line + max(launch.span.line - 1, 0),
            launch=launch,
            hardware=block.hardware,
            free=block.free,
            label=block.label,
        )
