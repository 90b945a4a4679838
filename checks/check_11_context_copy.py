"""Random-token workloads must not be drafted by copying from the context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checks.support import (
    call_site,
    either,
    from_note,
    not_applicable,
    passed,
    shown,
    unevaluated,
    unread,
    without,
)
from verifier.model.condition import NEVER, Condition, Test
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.launch import Launch, Speculation
from verifier.model.record import dataclass
from verifier.model.text import NOWHERE

META = CheckMeta(
    number=11,
    slug="context-copy",
    name="context-copying draft",
    summary="On a random-token workload no change introduces, switches to or tunes a draft that "
    "copies from the context (n-gram, suffix).",
    rationale="Random tokens repeat in ways that real text does not, so a draft that copies from "
    "the context wins tokens there that no user would see.",
    links=("docs/checks.md",),
)
CODE = "speculative_context_copy_on_synthetic"


def check(context: Context) -> Iterable[Finding]:
    """Judge every launch on a workload that is not agentic."""
    findings = [*unread(context)]
    for recipe in context.recipes:
        if recipe.workload == "agentic" or context.policy.matches(
            recipe.path, context.policy.paths.remeasurement
        ):
            continue
        findings.extend(unevaluated(recipe))
        base = base_of(recipe, context)
        for launch in recipe.launches:
            findings.extend(_launch(launch, recipe, base))
    return findings or [not_applicable("no launch on a random-token workload")]


@dataclass(frozen=True, slots=True)
class Base:
    """What the same recipe launched before the change."""

    known: bool
    """False when there is no base to compare with at all."""
    launches: tuple[Launch, ...] = ()
    unread: bool = False
    """The base was not read to its end."""


def base_of(recipe: RecipeFacts, context: Context) -> Base:
    """The recipe of the same name (or former name) and variant at the base."""
    if context.base_recipes is None:
        return Base(known=False)
    names = {recipe.path}
    if context.change is not None:
        for file in context.change.files:
            if file.path == recipe.path and file.status == "renamed" and file.previous:
                names.add(file.previous)
    found = [
        one
        for one in context.base_recipes
        if one.path in names and (one.variant, one.point) == (recipe.variant, recipe.point)
    ]
    return Base(
        known=True,
        launches=tuple(launch for one in found for launch in one.launches),
        unread=any(one.unresolved for one in found),
    )


def _launch(launch: Launch, recipe: RecipeFacts, base: Base) -> Iterator[Finding]:
    speculation, copies = _worst(launch)
    if speculation is None or copies is False:
        for note in launch.unresolved:
            yield from_note(note, "unread_settings", "it may hide a draft that copies")
        if not launch.unresolved:
            yield passed("no_copying", "no draft copies from the context", launch.span)
        return
    changed = _changed(launch, base)
    if changed.never:
        yield passed("unchanged", "the draft is as it was at the base", launch.span, launch.when)
        return
    place = speculation.span or launch.span
    method = speculation.method_written or speculation.method or "unknown"
    if copies is None or recipe.workload == "unknown":
        why = (
            "; ".join(note.text for note in speculation.unknown) or "its method is not known"
            if copies is None
            else recipe.workload_reason
        )
        yield Finding(
            status=Status.UNRESOLVED,
            code="context_copy_unknown",
            message=f"whether the draft (method {method}) copies from the context of a "
            f"random-token workload cannot be told: {why}",
            span=place,
            when=shown(changed),
            related=call_site(launch.command),
        )
        return
    yield Finding(
        status=Status.FAIL,
        code=CODE,
        message=f"the method `{method}` copies its drafts from the context, on a workload of "
        f"random tokens ({recipe.workload_reason}){_verb(launch, base)}",
        span=place,
        hint="use a model-based draft (MTP, EAGLE3, a draft model) or none",
        when=shown(changed),
        related=(*call_site(launch.command), *_before(base)),
    )


def _worst(launch: Launch) -> tuple[Speculation | None, bool | None]:
    """The reading of the settings that copies, else one that may, else the engine's own."""
    readings = [one for one in (launch.speculation, *launch.other_speculations) if one is not None]
    for answer in (True, None):
        for one in readings:
            if one.copies_context is answer:
                return one, answer
    return launch.speculation, False


def _changed(launch: Launch, base: Base) -> Condition:
    """When the launch's draft differs from what the base launched."""
    if not base.known:
        return launch.when
    from verifier.engines.compare import same_speculation

    same = [one for one in base.launches if same_speculation(one, launch) is True]
    if not same:
        return launch.when
    if len(same) == len(base.launches) and not base.unread:
        return NEVER
    return _uncovered(launch, same)


def _uncovered(launch: Launch, same: Sequence[Launch]) -> Condition:
    """Paths of the launch on which the base did not do the same. Tests are compared by their
    words, because line numbers differ between two versions of a file."""
    rest = without(_by_words(launch.when), _by_words(either(one.when for one in same)))
    return rest


def _by_words(condition: Condition) -> Condition:
    return Condition(
        tuple(
            frozenset(
                Test(atom.text, atom.text, NOWHERE, atom.holds) if isinstance(atom, Test) else atom
                for atom in conjunction
            )
            for conjunction in condition.alternatives
        )
    )


def _verb(launch: Launch, base: Base) -> str:
    if not base.known:
        return ""
    before = [one.speculation for one in base.launches if one.speculation is not None]
    if not before:
        return "; the base launched without a draft"
    if any(one.copies_context is not False for one in before):
        return "; the base's draft had other settings"
    methods = ", ".join(sorted({one.method or "unknown" for one in before}))
    return f"; the base drafted with {methods}"


def _before(base: Base) -> tuple[Related, ...]:
    return tuple(
        Related(span=one.speculation.span or one.span, text="the draft at the base")
        for one in base.launches
        if one.speculation is not None
    )
