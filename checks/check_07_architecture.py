"""The model runs with the architecture it was published with."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from checks import python_effects
from checks.engine_paths import EnginePaths
from checks.file_effects import effects
from checks.support import (
    call_site,
    from_note,
    not_applicable,
    passed,
    unevaluated,
    unread,
    variants,
)
from verifier.model.command import Command
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Status
from verifier.model.launch import Launch, Setting, Value
from verifier.model.text import UNKNOWN, Text

META = CheckMeta(
    number=7,
    slug="architecture",
    name="model architecture",
    summary="No launch overrides the model's architecture or skips its work, and no command edits "
    "the model's configuration files.",
    rationale="A model that skips indexers, layers, experts or heads does less work than the one "
    "that is named in the result.",
    links=("docs/checks.md",),
)


def check(context: Context) -> Iterable[Finding]:
    """Judge every launch's overrides and every edit of a model's configuration."""
    findings = [*unread(context)]
    for recipe in context.recipes:
        findings.extend(unevaluated(recipe))
        for launch in recipe.launches:
            findings.extend(_launch(launch, context))
        findings.extend(_edits(recipe, context))
    return findings or [not_applicable("no server launch")]


def _launch(launch: Launch, context: Context) -> Iterator[Finding]:
    for note in launch.unresolved:
        yield from_note(note, "unread_settings", "it may hide an override of the architecture")
    bad = [s for s in launch.architecture if (f := _override(s, context)) is None or f != ()]
    for setting in bad:
        keys = _override(setting, context)
        yield Finding(
            status=Status.FAIL if keys else Status.UNRESOLVED,
            code="architecture_override" if keys else "override_unknown",
            message=_message(setting, keys, launch),
            span=setting.span or launch.span,
            hint=f"remove `{setting.spelling}`",
            when=launch.when,
            related=call_site(launch.command),
        )
    if not bad:
        yield passed(
            "no_override", "no launch overrides the architecture", launch.span, launch.when
        )


def _message(setting: Setting, keys: tuple[str, ...] | None, launch: Launch) -> str:
    if keys is None:
        return (
            f"`{setting.spelling}` overrides the model's configuration with values that are not "
            "known here"
        )
    what = f" ({', '.join(keys)})" if keys != ("",) else ""
    return (
        f"`{setting.spelling}`{what} makes {launch.entry} run another architecture, or less work, "
        "than the model was published with"
    )


def _override(setting: Setting, context: Context) -> tuple[str, ...] | None:
    """Keys that change the architecture; () when none does; None when they are not known.

    A setting that is no mapping counts as one key without a name.
    """
    value = setting.value
    if value is None or value is False or value == "":
        return ()
    if isinstance(value, Text) and value.known is None:
        return None
    if not isinstance(value, Mapping):
        return ("",)
    allowed = context.policy.architecture_allowed
    return tuple(key for key in _keys(value) if key.rsplit(".", 1)[-1] not in allowed)


def _keys(value: Mapping[str, Value], prefix: str = "") -> Iterator[str]:
    """Dotted paths of the leaves; a mapping under an allowed name is one leaf."""
    for key, item in value.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(item, Mapping) and key.endswith("config"):
            yield from _keys(item, path)
        else:
            yield path


def _edits(recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    if not recipe.launches:
        return
    paths = EnginePaths(recipe.commands, context.policy)
    last = max(launch.command.order for launch in recipe.launches)
    for command in recipe.commands:
        if command.order > last:
            continue
        changed = (effect for variant in variants(command) for effect in effects(variant))
        for effect in changed:
            if _describes_model(EnginePaths.shown(effect.target), recipe, context):
                yield _edited(command, effect.how, effect.target.display())
        for write in python_effects.of(command, recipe.texts, paths).writes:
            if write.target is not None and _describes_model(write.target, recipe, context):
                yield _edited(command, write.how, write.shown)


def _describes_model(shown: str, recipe: RecipeFacts, context: Context) -> bool:
    """Whether a path names a file that describes the architecture of a served model."""
    base = posixpath.basename(shown)
    if not any(fnmatchcase(base, name) for name in context.policy.model_config_files):
        return False
    if not base.startswith("config"):
        return True
    folder = posixpath.dirname(shown)
    models = [
        EnginePaths.shown(launch.model) for launch in recipe.launches if launch.model is not None
    ]
    if any(folder and folder.rstrip("/") == model.rstrip("/") for model in models):
        return True
    # Folders of unknown place count when their known part says that they hold a model.
    return any(word in folder.lower() for word in ("model", "snapshot", "hub", "checkpoint"))


def _edited(command: Command, how: str, target: str) -> Finding:
    return Finding(
        status=Status.FAIL,
        code="model_config_edited",
        message=f"{how} {target.replace(UNKNOWN, '…')}, which describes the model's architecture",
        span=command.span,
        hint="serve the checkpoint as it was published",
        when=command.when,
        related=call_site(command),
    )
