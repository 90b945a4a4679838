"""Folders of PYTHONPATH that stand before the installed engine, and start-up hooks in them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from checks.engine_paths import EnginePaths
from checks.file_effects import effects
from checks.installs import Sources, repository_of
from checks.support import call_site
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import Finding, Status
from verifier.model.launch import Launch
from verifier.model.text import Hole, Lit, Text

_INHERITED = "PYTHONPATH"


def findings(
    recipe: RecipeFacts, context: Context, paths: EnginePaths, hint: str
) -> Iterator[Finding]:
    """Judge what each server launch has in front of its installed packages."""
    sources = Sources(recipe.commands)
    for launch in recipe.launches:
        text = launch.command.env.get("PYTHONPATH")
        for entry in () if text is None else _entries(text):
            status, why = _judge(entry, launch, recipe, context, paths, sources)
            if status is not None:
                yield Finding(
                    status=status,
                    code="pythonpath_overlay",
                    message=f"PYTHONPATH puts {entry.display()} before the installed packages of "
                    f"the server; {why}",
                    span=entry.span or launch.span,
                    hint=hint if status is Status.FAIL else None,
                    when=launch.when,
                    related=call_site(launch.command),
                )


def _entries(text: Text) -> Iterator[Text]:
    """Folders of a path list; the inherited value and empty entries are left out."""
    current: list[Lit | Hole] = []
    for piece in (*text.pieces, Lit(":")):
        if isinstance(piece, Hole):
            if piece.input != _INHERITED:
                current.append(piece)
            continue
        first, *rest = piece.value.split(":")
        if first:
            current.append(Lit(first, piece.origin))
        for part in rest:
            if current:
                yield Text(current)
            current = [Lit(part, piece.origin)] if part else []


def _judge(
    entry: Text,
    launch: Launch,
    recipe: RecipeFacts,
    context: Context,
    paths: EnginePaths,
    sources: Sources,
) -> tuple[Status | None, str]:
    if paths.guarded(entry):
        return None, ""
    shown = EnginePaths.shown(entry)
    origin = sources.origin(shown)
    guarded = context.policy.engine_sources
    if origin is not None:
        if repository_of(origin).lower() in guarded.repositories:
            return Status.FAIL, f"it holds a clone of {origin}"
        return None, ""
    for command in recipe.commands:
        if command.order > launch.command.order:
            continue
        for effect in effects(command):
            if not _below(effect.target, entry):
                continue
            rest = EnginePaths.shown(effect.target)[len(shown) :].strip("/")
            first = posixpath.splitext(rest.partition("/")[0])[0]
            if paths.start_up(f"/{rest}"):
                return Status.FAIL, f"{effect.how} {rest} there, which Python runs at every start"
            if first in guarded.modules:
                return Status.FAIL, f"{effect.how} {rest} there, which hides the installed {first}"
    return Status.UNRESOLVED, "whether it hides a part of the engine is not known"


def _below(target: Text, folder: Text) -> bool:
    """Whether a path continues a folder's path, holes included."""
    one, two = target.key, folder.key
    if not two or len(one) < len(two) or one[: len(two) - 1] != two[:-1]:
        return False
    last, mine = two[-1], one[len(two) - 1]
    if isinstance(last, tuple) or isinstance(mine, tuple):
        return last == mine
    return mine == last or mine.startswith(f"{last.rstrip('/')}/")
