"""Whether one launch's simulated acceptance is the golden one; the heart of Check 10."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from checks.support import call_site, compatible, meet, passed, shown, without
from verifier.model.condition import Condition
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import Finding, Related, Status
from verifier.model.launch import Acceptance, EngineName, Launch, Speculation

if TYPE_CHECKING:
    from verifier.golden import Choice

_SETTING: dict[EngineName, str] = {
    "vllm": "--speculative-config",
    "sglang": "--speculative-algorithm",
    "trtllm": "speculative_config",
    "atom": "--method",
    "tilert": "--with-mtp",
}


def quoted(spelling: str | None) -> str:
    """A setting's name for messages."""
    return f"`{spelling}`" if spelling else "a setting"


def judge(
    launch: Launch, when: Condition, recipe: RecipeFacts, context: Context
) -> Iterator[Finding]:
    """Findings of a launch on its throughput paths `when`."""
    speculation = launch.speculation
    assert speculation is not None
    modes = thinking_modes(recipe, when, context)
    if not modes:
        yield _unresolved(
            "thinking_unknown",
            "the thinking mode decides the golden value and cannot be told: "
            + "; ".join(dict.fromkeys(s.text for s in recipe.thinking_settings)),
            launch,
            when,
        )
        return
    for mode in modes:
        yield from _judge(launch, speculation, when, mode, recipe, context)


def thinking_modes(recipe: RecipeFacts, when: Condition, context: Context) -> tuple[str, ...]:
    """Modes in which the launch can serve a throughput run; empty when one is unknown."""
    default = context.policy.default_thinking
    if recipe.thinking is not None:
        return (recipe.thinking,)
    settings = [s for s in recipe.thinking_settings if compatible(s.when, when)]
    modes: dict[str, None] = {}
    rest = when
    for setting in settings:
        if setting.mode is None:
            return ()
        modes[setting.mode] = None
        rest = without(rest, setting.when)
    contradictory = any(
        one.mode != two.mode and compatible(meet(one.when, two.when), when)
        for index, one in enumerate(settings)
        for two in settings[index + 1 :]
    )
    if contradictory:
        return ()
    if not rest.never:
        modes[default] = None
    return tuple(modes)


def _judge(
    launch: Launch,
    speculation: Speculation,
    when: Condition,
    mode: str,
    recipe: RecipeFacts,
    context: Context,
) -> Iterator[Finding]:
    choice = _choose(launch, speculation, mode, recipe, context)
    acceptance = speculation.acceptance
    if acceptance.kind == "real" and any(note.final for note in recipe.unresolved):
        yield _unresolved(
            "evaluation_unknown",
            "acceptance is real, and whether an evaluation or a throughput run uses this server "
            "was not read",
            launch,
            when,
            choice,
        )
    elif acceptance.kind == "real":
        yield _real(launch, speculation, when, mode, choice)
    elif acceptance.kind == "unknown" or acceptance.length is None:
        yield _unresolved(
            "acceptance_unknown",
            f"whether acceptance is pinned to {_expected(choice, mode)} cannot be told: "
            f"{acceptance.unknown or 'the simulated length is not known'}",
            launch,
            when,
            choice,
        )
    elif recipe.prefix_problem is not None:
        yield _unresolved(
            "model_prefix_unknown",
            f"which model's golden value applies is not clear: {recipe.prefix_problem}",
            launch,
            when,
            choice,
        )
    elif choice is None or choice.value is None:
        yield _no_value(launch, acceptance, when, choice)
    elif _equal(acceptance, choice.value, context):
        note = f"; {choice.note}" if choice.note else ""
        yield passed(
            "pinned",
            f"acceptance is pinned to {acceptance.written or acceptance.length}, "
            f"{_expected(choice, mode)}{note}",
            launch.span,
            shown(when),
        )
    else:
        yield _mismatch(launch, acceptance, when, mode, choice)


def _choose(
    launch: Launch, speculation: Speculation, mode: str, recipe: RecipeFacts, context: Context
) -> Choice | None:
    if recipe.model_prefix is None:
        return None
    return context.golden.choose(
        recipe.model_prefix,
        _method(launch, speculation),
        speculation.draft_length,
        mode,
        draft_model=speculation.draft_model,
        draft_sample_method=speculation.draft_sample_method,
        engine=launch.engine,
    )


def _method(launch: Launch, speculation: Speculation) -> str | None:
    """What chooses the curve: SGLang's EAGLE is one word for the heads of different models."""
    known = speculation.method is not None and launch.engine == "sglang"
    return speculation.method_written if known else speculation.method


def _equal(acceptance: Acceptance, golden: Decimal, context: Context) -> bool:
    assert acceptance.length is not None
    if acceptance.exact:
        return acceptance.length == golden
    return abs(acceptance.length - golden) <= Decimal(context.policy.acceptance_tolerance)


def _real(
    launch: Launch, speculation: Speculation, when: Condition, mode: str, choice: Choice | None
) -> Finding:
    written = speculation.method_written or ""
    method = speculation.method or "unknown" if written.startswith("-") else written or "unknown"
    length = "?" if speculation.draft_length is None else speculation.draft_length
    setting = _SETTING[launch.engine]
    return Finding(
        status=Status.FAIL,
        code="real_acceptance",
        message=f"`{setting}` asks for real acceptance (method {method}, {length} draft tokens) "
        f"in an agentic throughput run; {_expectation(choice, mode)}",
        span=speculation.span or launch.span,
        hint=_hint(launch.engine, choice),
        when=shown(when),
        related=_related(launch, choice),
    )


def _mismatch(
    launch: Launch, acceptance: Acceptance, when: Condition, mode: str, choice: Choice
) -> Finding:
    written = acceptance.written or str(acceptance.length)
    as_length = "" if _says(written, acceptance) else f" (acceptance length {acceptance.length})"
    return Finding(
        status=Status.FAIL,
        code="pin_mismatch",
        message=f"{quoted(acceptance.spelling)} is {written}{as_length}; "
        f"{_expectation(choice, mode)}",
        span=acceptance.span or launch.span,
        hint=_hint(launch.engine, choice),
        when=shown(when),
        related=_related(launch, choice),
    )


def _says(written: str, acceptance: Acceptance) -> bool:
    try:
        return Decimal(written) == acceptance.length
    except ArithmeticError:
        return False


def _no_value(
    launch: Launch, acceptance: Acceptance, when: Condition, choice: Choice | None
) -> Finding:
    """No golden value: a fault of the recipe when none is committed, else not decidable."""
    if choice is None:
        return _unresolved(
            "model_prefix_unknown", "the model is not known, so no curve fits", launch, when
        )
    code = choice.code or "no_golden_value"
    pin = f"{quoted(acceptance.spelling)} pins {acceptance.written or acceptance.length}"
    if code in ("no_golden_value", "no_curve"):
        return Finding(
            status=Status.FAIL,
            code="no_golden_value",
            message=f"{pin}, but there is no committed value to pin: {choice.problem}",
            span=acceptance.span or launch.span,
            hint="use a draft length that has a committed value, or have one measured first",
            when=shown(when),
            related=_related(launch, choice),
        )
    return _unresolved(
        code, f"{pin}, which cannot be compared: {choice.problem}", launch, when, choice
    )


def _unresolved(
    code: str, message: str, launch: Launch, when: Condition, choice: Choice | None = None
) -> Finding:
    speculation = launch.speculation
    place = launch.span
    reasons: tuple[Related, ...] = ()
    if speculation is not None:
        place = speculation.acceptance.span or speculation.span or launch.span
        reasons = tuple(Related(span=n.span, text=n.text) for n in speculation.unknown)
    return Finding(
        status=Status.UNRESOLVED,
        code=code,
        message=message,
        span=place,
        when=shown(when),
        related=(*reasons, *_related(launch, choice)),
    )


def _expected(choice: Choice | None, mode: str) -> str:
    if choice is None or choice.value is None or choice.curve is None:
        return "the golden value"
    return (
        f"the golden AL of {choice.curve.name}, thinking {mode}, {choice.draft_length} draft tokens"
    )


def _expectation(choice: Choice | None, mode: str) -> str:
    if choice is None:
        return "its golden value cannot be told, because the model is not known"
    if choice.value is None or choice.curve is None:
        return f"no golden value can be named: {choice.problem}"
    return f"{_expected(choice, mode)} is {choice.value}"


def _related(launch: Launch, choice: Choice | None) -> tuple[Related, ...]:
    places = list(call_site(launch.command))
    if choice is not None and choice.cell is not None and choice.curve is not None:
        text = f"{choice.curve.name}, {choice.mode}, {choice.draft_length}: {choice.value}"
        places.append(Related(span=choice.cell.span, text=text))
    elif choice is not None and choice.span is not None:
        places.append(Related(span=choice.span, text="the curve that would decide"))
    return tuple(places)


def _hint(engine: EngineName, choice: Choice | None) -> str | None:
    if choice is None or choice.value is None:
        return None
    value = choice.value
    return {
        "vllm": 'set "rejection_sample_method": "synthetic" and '
        f'"synthetic_acceptance_length": {value} in --speculative-config',
        "sglang": f"export SGLANG_SIMULATE_ACC_LEN={value} "
        "SGLANG_SIMULATE_ACC_METHOD=match-expected "
        "SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token",
        "trtllm": f"export TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS={value - 1} "
        "(TensorRT-LLM leaves out the bonus token)",
        "atom": f"pass --spec-decode-acceptance-length {value}",
        "tilert": f"export TILERT_SIMULATE_ACC_LEN={value} "
        "TILERT_SIMULATE_ACC_METHOD=match-expected",
    }[engine] + ", except where an evaluation runs"
