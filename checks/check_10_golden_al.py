"""Agentic speculative decoding pins the committed acceptance length; evaluations never do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checks import golden_pin, prefill_pin
from checks.support import (
    call_site,
    coarse,
    compatible,
    either,
    from_note,
    inputs_of,
    meet,
    not_applicable,
    passed,
    shown,
    unevaluated,
    unread,
    without,
)
from verifier.model.command import Command
from verifier.model.condition import NEVER, Condition, InputIs
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Status
from verifier.model.launch import Launch
from verifier.model.record import replace

META = CheckMeta(
    number=10,
    slug="golden-al",
    name="golden AL",
    summary="Agentic launches with speculative decoding simulate acceptance, pinned to the golden "
    "acceptance length of the model, thinking mode and draft length; a server that an "
    "evaluation uses verifies for real, and so does every server of a random-token benchmark.",
    rationale="Replayed traffic does not reproduce real acceptance, so agentic runs compare only "
    "when all of them pin the same measured value. Accuracy measured with simulated acceptance "
    "means nothing, because tokens are accepted without agreement.",
    links=("golden_al_distribution/README.md",),
)
POINT_CODES = frozenset(
    {
        "missing_script",
        "no_draft_under_label",
        "point_not_evaluated",
        "point_without_launch",
        "recipe_elsewhere",
    }
)


def check(context: Context) -> Iterable[Finding]:
    """Judge every path of every launch; NA when nothing drafts."""
    points = list(_points(context))
    findings = [*unread(context, points), *points]
    for recipe in context.recipes:
        findings.extend(_recipe(recipe, context))
    return findings or [not_applicable("no launch with speculative decoding")]


def _points(context: Context) -> Iterator[Finding]:
    """Points of the change that launch nothing, or draft nothing under a label that says so."""
    if context.points is not None:
        yield from (f for f in context.points.problems if f.code in POINT_CODES)


def _recipe(recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    yield from unevaluated(recipe)
    if not recipe.launches and (recipe.clients or recipe.evaluations) and not recipe.unresolved:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_launch_found",
            message="a benchmark client runs here, but no server launch of a known engine was "
            "found in this file",
            span=recipe.start,
        )
    for launch in recipe.launches:
        yield from _launch(launch, recipe, context)


def _launch(launch: Launch, recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    acceptance = launch.speculation.acceptance if launch.speculation else None
    for note in launch.unresolved:
        # An unreadable speculative setting is reported once, as unknown acceptance.
        if acceptance is None or acceptance.kind != "unknown" or acceptance.span != note.span:
            yield from_note(note, "unread_settings", "it may hide speculative settings")
    if launch.refused is not None and (launch.speculation or launch.speculative_settings):
        unsure = coarse(launch.when) and _starts_elsewhere(launch, recipe)
        doubt = "; whether any run gets here could not be worked out" if unsure else ""
        yield Finding(
            status=Status.UNRESOLVED if unsure else Status.FAIL,
            code="engine_refuses",
            message=f"{launch.entry} would not start: {launch.refused}{doubt}",
            span=launch.refused_span or launch.span,
            when=launch.when,
            related=call_site(launch.command),
        )
        return
    if launch.speculation is None:
        return
    if recipe.workload == "agentic":
        yield from _agentic(launch, recipe, context)
    else:
        yield from _other_workload(launch, recipe)


def _starts_elsewhere(launch: Launch, recipe: RecipeFacts) -> bool:
    """Whether the same command starts a server on other paths."""
    return any(
        other.refused is None
        and other.span == launch.span
        and other.command.calls == launch.command.calls
        for other in recipe.launches
    )


def _agentic(launch: Launch, recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    measured, evaluated = paths(launch, recipe, context)
    if not evaluated.never:
        yield from _evaluated(launch, evaluated, recipe)
    generation = prefill_pin.generation_of(launch, recipe)
    if not measured.never and generation and not _drafts_elsewhere(launch, recipe):
        yield from prefill_pin.judge(launch, generation, measured)
    elif not measured.never and not _drafts_elsewhere(launch, recipe):
        unsure = coarse(measured) and _beside("synthetic", launch, measured, recipe)
        for finding in golden_pin.judge(launch, measured, recipe, context):
            yield _doubtful(finding) if unsure and finding.code == "real_acceptance" else finding


def paths(launch: Launch, recipe: RecipeFacts, context: Context) -> tuple[Condition, Condition]:
    """When the launch serves a throughput run, and when an evaluation.

    Without a known client on the way, every path that does not evaluate counts as throughput.
    """
    if recipe.eval_only is not None:
        return (NEVER, launch.when) if recipe.eval_only else (launch.when, NEVER)
    later = [c for c in recipe.evaluations if c.order > launch.command.order]
    evaluation = either(c.when for c in outermost(later))
    evaluated = meet(launch.when, evaluation)
    clients = [c for c in recipe.clients if c.order > launch.command.order]
    measured = meet(launch.when, either(c.when for c in outermost(clients)))
    if not evaluated.never:
        measured = _without_eval_only(measured, context)
    if not measured.never:
        return measured, evaluated
    if recipe.clients and not evaluated.never:
        return NEVER, evaluated
    return without(launch.when, inputs_of(evaluation)), evaluated


def outermost(commands: Sequence[Command]) -> list[Command]:
    """Without the commands that another one of them runs: they add nothing but conditions."""
    places = {(c.span.path, c.span.line, c.span.column) for c in commands}
    return [
        c
        for c in commands
        if not any((s.path, s.line, s.column) in places and s != c.span for s in c.calls)
    ]


def _without_eval_only(measured: Condition, context: Context) -> Condition:
    """Clients that are called in every mode skip themselves in an accuracy run."""
    skipped = {InputIs(name, value) for name, value in context.policy.eval_only_inputs.items()}
    return Condition(tuple(c for c in measured.alternatives if not c & skipped))


def _drafts_elsewhere(launch: Launch, recipe: RecipeFacts) -> bool:
    """TileRT drafts in its decode server; its vLLM prefill server drafts for nobody."""
    return launch.role == "prefill" and any(one.engine == "tilert" for one in recipe.launches)


def _evaluated(launch: Launch, when: Condition, recipe: RecipeFacts) -> Iterator[Finding]:
    speculation = launch.speculation
    assert speculation is not None
    acceptance = speculation.acceptance
    span = acceptance.span or speculation.span or launch.span
    if acceptance.kind == "synthetic":
        finding = Finding(
            status=Status.FAIL,
            code="synthetic_in_eval",
            message=f"{golden_pin.quoted(acceptance.spelling)} simulates acceptance while an "
            "evaluation runs against this server; the accuracy would be meaningless",
            span=span,
            hint=f"remove {golden_pin.quoted(acceptance.spelling)} on the path that evaluates",
            when=shown(when),
            related=call_site(launch.command),
        )
        unsure = coarse(when) and _beside("real", launch, when, recipe)
        yield _doubtful(finding) if unsure else finding
    elif acceptance.kind == "unknown":
        yield Finding(
            status=Status.UNRESOLVED,
            code="acceptance_unknown",
            message="an evaluation runs against this server and it cannot be told whether "
            f"acceptance is real: {acceptance.unknown}",
            span=span,
            when=shown(when),
        )
    else:
        yield passed(
            "real_in_eval", "evaluations run with real acceptance", launch.span, shown(when)
        )


def _beside(kind: str, launch: Launch, when: Condition, recipe: RecipeFacts) -> bool:
    """Whether the same place also starts a server with the other kind of acceptance."""
    return any(
        one.span == launch.span
        and one.speculation is not None
        and one.speculation.acceptance.kind == kind
        and compatible(one.when, inputs_of(when))
        for one in recipe.launches
    )


def _doubtful(finding: Finding) -> Finding:
    """For paths whose condition is only known in part: they may not exist."""
    message = f"{finding.message} (whether these two happen together is not known exactly)"
    return replace(finding, status=Status.UNRESOLVED, message=message)


def _other_workload(launch: Launch, recipe: RecipeFacts) -> Iterator[Finding]:
    speculation = launch.speculation
    assert speculation is not None
    acceptance = speculation.acceptance
    span = acceptance.span or speculation.span or launch.span
    if recipe.workload == "unknown":
        yield Finding(
            status=Status.UNRESOLVED,
            code="workload_unknown",
            message="whether this launch must pin its acceptance depends on the workload, which "
            f"is not known: {recipe.workload_reason}",
            span=span,
            when=launch.when,
        )
    elif acceptance.kind == "synthetic":
        yield Finding(
            status=Status.FAIL,
            code="synthetic_on_fixed_sequence",
            message=f"{golden_pin.quoted(acceptance.spelling)} simulates acceptance on a "
            f"benchmark that is not agentic ({recipe.workload_reason})",
            span=span,
            hint=f"remove {golden_pin.quoted(acceptance.spelling)}: such benchmarks verify for "
            "real",
            when=launch.when,
            related=call_site(launch.command),
        )
    elif acceptance.kind == "unknown":
        yield Finding(
            status=Status.UNRESOLVED,
            code="acceptance_unknown",
            message="a benchmark that is not agentic must verify for real, and it cannot be told "
            f"whether this launch does: {acceptance.unknown}",
            span=span,
            when=launch.when,
        )
    else:
        yield passed(
            "real_on_fixed_sequence",
            "acceptance is real on a benchmark that is not agentic",
            launch.span,
            launch.when,
        )
