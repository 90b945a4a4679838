"""Both schemas of srt-slurm recipes as roles (NVIDIA/srt-slurm, `core/roles.py`, `core/config.py`).

Older: `backend.{type,<engine>_config,<role>_environment}` and `resources.*`. Newer: top-level
`engine` and `roles.{prefill,decode,agg}`. Unknown keys are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from verifier.model.launch import EngineName, Role
from verifier.model.record import NamedTuple
from verifier.model.text import Span
from verifier.recipes.yaml_marks import Problem, YamlList, YamlMap, YamlNode, YamlScalar

ENGINES: Mapping[str, EngineName] = {
    "vllm": "vllm",
    "sglang": "sglang",
    "trtllm": "trtllm",
    "atom": "atom",
    "tilert": "tilert",
}
Schema = Literal["backend", "roles"]
_ROLES: tuple[tuple[str, Role], ...] = (
    ("prefill", "prefill"),
    ("decode", "decode"),
    ("agg", "aggregated"),
)


class RoleSpec(NamedTuple):
    """One role that the recipe starts, before rendering."""

    role: Role
    engine: EngineName
    args: YamlMap
    extra_args: tuple[YamlScalar, ...]
    env: tuple[tuple[str, YamlScalar], ...]
    """In the order in which srtctl applies them; the later one wins."""
    span: Span
    """The role's settings, or the recipe when it has none."""


class Layout(NamedTuple):
    """What a recipe starts, and what of it could not be read."""

    roles: tuple[RoleSpec, ...]
    schema: Schema
    frontend: str
    model: YamlScalar | None
    """`model.path`: an alias, a path or `hf:` and a name."""
    repository: str | None
    """`identity.model.repo`, the checkpoint that is meant."""
    image: YamlScalar | None
    problems: tuple[Problem, ...]


def layout(root: YamlMap) -> Layout:
    """Read a recipe (one variant). Never raises."""
    problems: list[Problem] = []
    schema: Schema = "roles" if isinstance(root.get("roles"), YamlMap) else "backend"
    if schema == "roles":
        _reject_mixture(root, problems)
    engine = _engine(root, problems)
    roles = tuple(_roles(root, schema, engine, problems)) if engine else ()
    model = root.mapping("model").get("path")
    image = root.mapping("model").get("container")
    return Layout(
        roles,
        schema,
        root.mapping("frontend").string("type") or "dynamo",
        model if isinstance(model, YamlScalar) else None,
        root.mapping("identity").mapping("model").string("repo"),
        image if isinstance(image, YamlScalar) else None,
        tuple(problems),
    )


def _engine(root: YamlMap, problems: list[Problem]) -> EngineName | None:
    backend = root.mapping("backend")
    named = root.get("engine")
    node: YamlNode | None = named.get("type") if isinstance(named, YamlMap) else named
    if node is None:
        node = _role_engine(root) or backend.get("type")
    if node is None:
        return "sglang"  # srtctl's own default
    name = node.text if isinstance(node, YamlScalar) else None
    engine = ENGINES.get(name or "")
    if engine is None:
        known = ", ".join(ENGINES)
        what = f"the engine {name!r}" if name is not None else f"an engine that is {node.kind}"
        problems.append(Problem(node.span, f"{what} is not known; known are {known}"))
    return engine


def _role_engine(root: YamlMap) -> YamlNode | None:
    for entry in root.mapping("roles").entries.values():
        if isinstance(entry.node, YamlMap) and entry.node.get("engine") is not None:
            return entry.node.get("engine")
    return None


def _reject_mixture(root: YamlMap, problems: list[Problem]) -> None:
    """srtctl refuses `roles` beside the fields that it expands into."""
    backend = root.mapping("backend")
    for name, (span, node) in backend.entries.items():
        if str(name).endswith(("_environment", "_extra_args")) or (
            str(name).endswith("_config") and isinstance(node, YamlMap) and node.entries
        ):
            text = f"backend.{name} beside `roles`: srtctl refuses a recipe that mixes both schemas"
            problems.append(Problem(span, text))


def _roles(
    root: YamlMap, schema: Schema, engine: EngineName, problems: list[Problem]
) -> Iterator[RoleSpec]:
    common = tuple(_environment(root.get("environment"), problems))
    for short, role in _used(root, schema, engine):
        args, extra, env, span = _settings(root, schema, engine, short, role)
        if args is not None and not isinstance(args, YamlMap):
            problems.append(Problem(args.span, f"the {role} settings must be a mapping"))
            args = None
        own = tuple(_environment(env, problems))
        words = extra.items if isinstance(extra, YamlList) else ()
        yield RoleSpec(
            role,
            engine,
            args or YamlMap({}, span),
            tuple(word for word in words if isinstance(word, YamlScalar)),
            (*own, *common),
            span,
        )


def _settings(
    root: YamlMap, schema: Schema, engine: EngineName, short: str, role: Role
) -> tuple[YamlNode | None, YamlNode | None, YamlNode | None, Span]:
    """Arguments, extra arguments and environment of a role, and where they stand."""
    if schema == "roles":
        spec = root.mapping("roles").mapping(short)
        return spec.get("args"), spec.get("extra_args"), spec.get("env"), spec.span
    backend = root.mapping("backend")
    args = backend.mapping(f"{engine}_config").get(role)
    span = args.span if args is not None else backend.span
    return (
        None if isinstance(args, YamlScalar) and args.value is None else args,
        backend.get(f"{role}_extra_args"),
        backend.get(f"{role}_environment"),
        span,
    )


def _used(root: YamlMap, schema: Schema, engine: EngineName) -> Iterator[tuple[str, Role]]:
    if schema == "roles":
        for short, role in _ROLES:
            spec = root.mapping("roles").get(short)
            if isinstance(spec, YamlMap) and not _zero(spec.get("workers")):
                yield short, role
        return
    resources = root.mapping("resources")
    config = root.mapping("backend").mapping(f"{engine}_config")
    split = any(_given(resources.get(f"{name}_nodes")) for name in ("prefill", "decode"))
    if not split and not any(_given(resources.get(f"agg_{k}")) for k in ("nodes", "workers")):
        # No topology: take the roles that have settings.
        split = any(name in config.entries for name in ("prefill", "decode"))
    for short, role in _ROLES:
        if (short == "agg") == split or _zero(resources.get(f"{short}_workers")):
            continue
        yield short, role


def _given(node: YamlNode | None) -> bool:
    return node is not None and not (isinstance(node, YamlScalar) and node.value is None)


def _zero(node: YamlNode | None) -> bool:
    return isinstance(node, YamlScalar) and node.value == 0 and node.value is not False


def _environment(
    node: YamlNode | None, problems: list[Problem]
) -> Iterator[tuple[str, YamlScalar]]:
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return
    if not isinstance(node, YamlMap):
        problems.append(Problem(node.span, f"an environment must be a mapping, not {node.kind}"))
        return
    for name, (span, value) in node.entries.items():
        if isinstance(value, YamlScalar):
            yield str(name), value
        else:
            problems.append(Problem(span, f"the variable {name} must be text, not {value.kind}"))
