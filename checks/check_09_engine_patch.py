"""The pinned image runs as it ships."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from checks import overlays, python_effects
from checks.engine_paths import EnginePaths, is_code
from checks.file_effects import effects
from checks.installs import Sources, installs
from checks.support import call_site, not_applicable, passed, unevaluated, unread, variants
from verifier.model.command import Command
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Status
from verifier.model.text import UNKNOWN, Span, Text, Word, lit

META = CheckMeta(
    number=9,
    slug="engine-patch",
    name="engine patch",
    summary="No command rewrites installed engine sources, applies a patch to them, copies over "
    "them, hooks into Python's start-up or installs another build of the engine, unless a "
    "filled-in waiver of this pull request covers it.",
    rationale="A result belongs to an image that anyone can pull; a patched engine is another one.",
    links=("docs/checks.md",),
)
_HINT = "use an image that contains the change, or file a waiver for this pull request"


def check(context: Context) -> Iterable[Finding]:
    """Judge every command of every recipe, and every changed patch file."""
    before = [f for recipe in context.base_recipes or () for f in _recipe(recipe, context)]
    findings = [*unread(context), *_waived(list(_patch_files(context)), (), context)]
    for recipe in context.recipes:
        found = list(_recipe(recipe, context))
        findings.extend(_waived(found, before, context))
        if not found:
            findings.append(passed("as_shipped", "the image runs as it ships", recipe.start))
    return findings or [not_applicable("nothing runs in the image")]


def _waived(findings: list[Finding], known: Sequence[Finding], context: Context) -> list[Finding]:
    if context.pull is None:
        return findings
    from checks.waivers import waived

    return waived(findings, known, context)


def _patch_files(context: Context) -> Iterator[Finding]:
    for file in context.change.files if context.change else ():
        if file.status != "deleted" and file.path.endswith((".patch", ".diff")):
            yield Finding(
                status=Status.FAIL,
                code="patch_file",
                message=f"the change brings the patch file {file.path}",
                span=Span(file.path, 1),
                hint=_HINT,
            )


def _recipe(recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    yield from unevaluated(recipe)
    paths = EnginePaths(recipe.commands, context.policy)
    sources = Sources(recipe.commands)
    for command in recipe.commands:
        for variant in variants(command):
            yield from _command(variant, recipe, paths, sources, context)
    yield from overlays.findings(recipe, context, paths, _HINT)


def _command(
    command: Command,
    recipe: RecipeFacts,
    paths: EnginePaths,
    sources: Sources,
    context: Context,
) -> Iterator[Finding]:
    seen: set[str] = set()
    for effect in effects(command):
        if paths.guarded(effect.target, command.cwd):
            # The files that a copy puts into a folder are one finding with the folder.
            if effect.how not in seen:
                yield _written(command, effect.how, effect.target.display())
            seen.add(effect.how)
        elif _may_be_engine(effect.target, effect.how):
            yield _finding(
                command,
                Status.UNRESOLVED,
                "write_target_unknown",
                f"{effect.how} {effect.target.display()}; whether that is a file of the engine is "
                "not known",
            )
    yield from _patches(command, paths, sources, context)
    for install in installs(command, sources, context.policy.engine_sources):
        if install.verdict == "other":
            continue
        shown = install.shown.replace(UNKNOWN, "…")
        if install.verdict == "engine":
            verb = "uninstall" if install.removes else "install"
            message = f"`pip {verb}` changes {shown}, which the image ships in its own build"
            yield _finding(command, Status.FAIL, "engine_installed", message)
        else:
            line = " ".join(word.text.display() for word in command.argv)
            message = f"`{line}`: whether this replaces a part of the engine is not known"
            yield _finding(command, Status.UNRESOLVED, "install_unknown", message)
    yield from _python(command, recipe, paths, sources, context)


def _may_be_engine(target: Text, how: str) -> bool:
    """Editing source code at an unknown place in place: nothing else than a patch does that."""
    shown = EnginePaths.shown(target)
    unknown = shown.startswith(UNKNOWN) and not shown.strip(UNKNOWN + "/").startswith("tmp")
    return unknown and "edits" in how and (is_code(shown) or shown.strip(UNKNOWN) == "")


def _patches(
    command: Command, paths: EnginePaths, sources: Sources, context: Context
) -> Iterator[Finding]:
    if command.name not in ("patch", "git"):
        return
    words = [EnginePaths.shown(word.text) for word in command.argv]
    if command.name == "patch" and "--dry-run" not in words:
        how = "`patch`"
    elif command.name == "git" and any(w in ("apply", "am", "cherry-pick") for w in words[1:4]):
        if "--check" in words or "--stat" in words:
            return
        how = f"`git {next(w for w in words[1:4] if w in ('apply', 'am', 'cherry-pick'))}`"
    else:
        return
    folder = _patched_folder(command, words)
    origin = sources.origin(EnginePaths.shown(folder)) if folder is not None else None
    if origin is not None and not _is_engine_repository(origin, context):
        return
    place = "" if folder is None else f" in {folder.display()}"
    yield _finding(
        command, Status.FAIL, "patch_applied", f"{how} applies a patch{place} before the run"
    )


def _is_engine_repository(url: str, context: Context) -> bool:
    from checks.installs import repository_of

    return repository_of(url).lower() in context.policy.engine_sources.repositories


def _patched_folder(command: Command, words: list[str]) -> Text | None:
    """The folder that a patch is applied in."""
    for option in ("-d", "-C", "--directory"):
        for index, word in enumerate(words[1:], 1):
            if word == option and index + 1 < len(words):
                return command.argv[index + 1].text
            if word.startswith(f"{option}=") and option.startswith("--"):
                return lit(word.partition("=")[2])
    return command.cwd


def _python(
    command: Command,
    recipe: RecipeFacts,
    paths: EnginePaths,
    sources: Sources,
    context: Context,
) -> Iterator[Finding]:
    program = python_effects.of(command, recipe.texts, paths)
    for write in program.writes:
        shown = write.shown
        if write.guarded:
            yield _written(command, write.how, f"{shown} (line {write.line} of the program)")
        elif (write.target or "").startswith("$"):
            yield _finding(
                command,
                Status.UNRESOLVED,
                "unexpanded_variable",
                f"{write.how} the literal name {shown}: the shell does not expand variables in "
                "this text, so what they hold plays no part; whether a file of the engine is "
                "meant is not known",
            )
        elif write.target is None and _mentions_engine(program.source, paths):
            yield _finding(
                command,
                Status.UNRESOLVED,
                "write_target_unknown",
                f"{write.how} a file that is not known (line {write.line} of the program), and "
                "the program speaks of engine sources",
            )
    if program.problem is not None and _mentions_engine(program.source, paths):
        yield _finding(
            command,
            Status.UNRESOLVED,
            "program_unread",
            f"this Python program speaks of engine sources and was not read: {program.problem}",
        )
    for words in program.commands:
        inner = _inner(command, words)
        if inner is not None:
            yield from _command(inner, recipe, paths, sources, context)


def _mentions_engine(source: str, paths: EnginePaths) -> bool:
    marks = ("site-packages", "dist-packages", "sgl-workspace", "find_spec", "__file__", "\ufffb")
    return any(mark in source for mark in marks)


def _inner(command: Command, words: tuple[str, ...]) -> Command | None:
    """The command that a Python program runs, in the place of the program."""
    from verifier.model.record import replace

    if not words or (posixpath.basename(words[0]).startswith("python") and words[1:2] != ("-m",)):
        return None
    argv = tuple(Word(lit(word)) for word in words)
    return replace(command, argv=argv, stdin=None, writes=())


def _written(command: Command, how: str, target: str) -> Finding:
    return _finding(
        command,
        Status.FAIL,
        "engine_source_written",
        f"{how} {target.replace(UNKNOWN, '…')}, which belongs to the engine that the image ships",
    )


def _finding(command: Command, status: Status, code: str, message: str) -> Finding:
    return Finding(
        status=status,
        code=code,
        message=message,
        span=command.span,
        hint=_HINT if status is Status.FAIL else None,
        when=command.when,
        related=call_site(command),
    )
