"""What a repository may say about itself: paths, names, severities, limits.

Every key has a default that fits the InferenceX tree; `verifier.yaml` at the root (or `--policy
FILE`) overrides single keys. A mapping is merged key by key, a list replaces the default list.
Unknown keys and wrong types are errors that name file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from verifier import policy_sections as sections
from verifier.model.record import dataclass, field
from verifier.policy_points import Point
from verifier.policy_sections import (
    CheckPolicy,
    Client,
    EngineSources,
    Paths,
    Thinking,
)
from verifier.shell.options import Limits

if TYPE_CHECKING:
    from verifier.model.tree import Tree

FILE = "verifier.yaml"
ENGINES = ("vllm", "sglang", "trtllm", "atom", "tilert")


class PolicyError(ValueError):
    """A policy that cannot be used; the message begins with file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The effective policy. Every attribute of this class is a key of `verifier.yaml`, except
    `sources`."""

    root: str = ""
    """Folder that holds the benchmark tree; prefix of every path pattern."""
    paths: Paths = field(default_factory=Paths)
    checks: Mapping[str, CheckPolicy] = field(default_factory=dict)
    """By slug."""
    default_thinking: Literal["on", "off"] = "on"
    """Thinking mode of a recipe that sets none."""
    model_prefixes: Mapping[str, str] = field(default_factory=lambda: dict(sections.MODEL_PREFIXES))
    """Served model (a glob, any case) to model prefix; the first that matches."""
    clients: Mapping[str, Client] = field(default_factory=sections.default_clients)
    """Benchmark clients by function or command name."""
    eval_clients: tuple[str, ...] = sections.EVAL_CLIENTS
    """Functions and commands that evaluate accuracy against the running server."""
    eval_only_inputs: Mapping[str, str] = field(default_factory=lambda: {"EVAL_ONLY": "true"})
    """Inputs that turn a run into an accuracy run alone: clients skip themselves."""
    thinking: Thinking = field(default_factory=Thinking)
    argument_variables: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {
            "vllm": ("EXTRA_VLLM_ARGS", "VLLM_EXTRA_ARGS"),
            "sglang": ("EXTRA_SGLANG_ARGS", "SGLANG_EXTRA_ARGS", "SERVER_ARGS"),
            "trtllm": ("EXTRA_TRTLLM_ARGS", "TRTLLM_EXTRA_ARGS"),
            "atom": ("EXTRA_ATOM_ARGS", "ATOM_EXTRA_ARGS"),
            "tilert": (),
        }
    )
    """Per engine: variables whose words are arguments of the server."""
    engine_versions: Mapping[str, str] = field(default_factory=dict)
    """Per engine: the version to read flags as; absent means the newest known."""
    architecture_allowed: tuple[str, ...] = sections.ARCHITECTURE_ALLOWED
    """Override keys that Check 7 accepts: they change no work of the model."""
    model_config_files: tuple[str, ...] = sections.MODEL_CONFIG_FILES
    """Names of files that describe a model's architecture."""
    engine_sources: EngineSources = field(default_factory=EngineSources)
    acceptance_tolerance: str = "0.0005"
    """Largest difference of acceptance lengths where an engine's unit forces a conversion."""
    point: Point = field(default_factory=Point)
    hardware: tuple[str, ...] = sections.HARDWARE
    """Established hardware: an upstream image must run there."""
    skus: tuple[str, ...] = sections.SKUS
    """Hardware names that runner names are searched for."""
    image_organisations: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: dict(sections.IMAGE_ORGANISATIONS)
    )
    """Per framework: Docker Hub organisations whose images count as upstream."""
    upstream_frameworks: tuple[str, ...] = (
        "vllm",
        "sglang",
        "dynamo-vllm",
        "dynamo-sglang",
        "sglang-disagg",
        "vllm-disagg",
        "llmd-vllm",
        "mori-sglang",
    )
    """Frameworks that must exist for a model and SKU before another one."""
    lanes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(sections.LANES))
    """Per lane of the sweep: patterns of check-run names."""
    aggregators: tuple[str, ...] = sections.AGGREGATORS
    """Check-runs that prove nothing by themselves."""
    limits: Limits = field(default_factory=Limits)
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Key path to where its value was set; keys not in it have their default."""

    def patterns(self, names: Iterable[str]) -> tuple[str, ...]:
        """Path patterns with the root prefix."""
        return tuple(self.place(name) for name in names)

    def place(self, name: str) -> str:
        """One path or pattern, from the root of the tree."""
        if name.startswith("/"):
            return name[1:]
        if not self.root:
            return name
        return f"{self.root.strip('/')}/{name}"

    def matches(self, path: str, names: Iterable[str]) -> bool:
        """Whether `path` fits one of these policy patterns."""
        return any(fits(path, pattern) for pattern in self.patterns(names))

    def is_script(self, path: str) -> bool:
        """A benchmark script that can launch something by itself."""
        names = (*self.paths.single_node, *self.paths.multi_node)
        return self.matches(path, names) and not self.matches(path, self.paths.libraries)

    def is_recipe(self, path: str) -> bool:
        """A YAML recipe."""
        return self.matches(path, self.paths.recipes)

    def is_agentic(self, path: str) -> bool:
        """Whether the path says that a recipe replays agentic traffic."""
        return self.matches(path, self.paths.agentic)

    def prefix_of_model(self, model: str) -> str | None:
        """Model prefix of a served model's name or path."""
        name = model.lower()
        for pattern, prefix in self.model_prefixes.items():
            if glob(pattern.lower()).fullmatch(name) or glob(pattern.lower()).fullmatch(
                name.rstrip("/").rsplit("/", 1)[-1]
            ):
                return prefix
        return None

    def check(self, slug: str) -> CheckPolicy:
        """How a check counts; a check not named counts as its own number and blocks."""
        return self.checks.get(slug) or CheckPolicy()

    def effective(self) -> list[tuple[str, object, str]]:
        """(key path, value, where it was set) of every key, for `verify policy`."""
        from verifier.policy_load import flatten

        return [(key, value, self._source(key)) for key, value in flatten(self) if key != "sources"]

    def _source(self, key: str) -> str:
        while key:
            if key in self.sources:
                return self.sources[key]
            key = key.rpartition(".")[0]
        return "default"


def fits(path: str, pattern: str) -> bool:
    """Whether a path has the form of a pattern; see `glob`."""
    # The text before the first wildcard settles most without a regular expression.
    start = pattern.partition("*")[0].partition("?")[0]
    return path.startswith(start) and glob(pattern).fullmatch(path) is not None


@lru_cache(maxsize=1024)
def glob(pattern: str) -> re.Pattern[str]:
    """A path pattern as a regular expression: `**` crosses folders, `*` and `?` do not.

    In a pattern without any `/`, `*` matches everything: such patterns are names, not paths.
    """
    star = "[^/]*" if "/" in pattern else ".*"
    out: list[str] = []
    index = 0
    while index < len(pattern):
        if pattern.startswith("**/", index):
            out.append("(?:.*/)?")
            index += 3
        elif pattern.startswith("**", index):
            out.append(".*")
            index += 2
        elif pattern[index] == "*":
            out.append(star)
            index += 1
        elif pattern[index] == "?":
            out.append("[^/]")
            index += 1
        else:
            out.append(re.escape(pattern[index]))
            index += 1
    return re.compile("".join(out), re.DOTALL)


DEFAULT = Policy()


def load_policy(tree: Tree | None = None, path: str | None = None) -> Policy:
    """The policy of a tree: its `verifier.yaml`, or the defaults when there is none.

    `path` names another file of the tree. Raises `PolicyError`.
    """
    if tree is None:
        return DEFAULT
    from verifier.model.tree import Unreadable

    name = path or FILE
    try:
        data = tree.read(name)
    except Unreadable as error:
        raise PolicyError(f"{name}:1: cannot be read: {error}") from None
    if data is None:
        if path is not None:
            raise PolicyError(f"{name}:1: there is no such file in {tree.name}")
        return DEFAULT
    return parse_policy(data, name)


def parse_policy(data: bytes | str, name: str) -> Policy:
    """A policy from the text of a file called `name`. Raises `PolicyError`."""
    from verifier.policy_load import build
    from verifier.strict_yaml import YamlError, read

    try:
        document = read(data, name)
        return DEFAULT if document is None else build(document, DEFAULT)
    except YamlError as error:
        raise PolicyError(str(error)) from None
