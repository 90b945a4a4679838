"""Run the checks over a context and say what they add up to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import checks
from verifier.model.command import Note
from verifier.model.condition import ALWAYS, Condition, Conjunction
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, CheckResult, Finding, Outcome, Status, Verdict
from verifier.model.record import replace
from verifier.model.text import NOWHERE

_WORST_FIRST = (Status.FAIL, Status.UNRESOLVED, Status.PASS, Status.NA)


def judge(context: Context, only: Collection[str | int] | None = None) -> Verdict:
    """The verdict of all checks, or of those in `only` (slugs or public numbers).

    A check that the policy turns off has no row. Raises `KeyError` for an unknown check.
    """
    wanted = select(context, only)
    results = [run(check, context) for check in checks.ALL if check.META.slug in wanted]
    results.sort(key=lambda result: result.number)
    return Verdict(
        outcome=outcome(results, context),
        checks=tuple(results),
        head=context.change.head if context.change else None,
        assumptions=_assumptions(context),
        unread=context.unread,
    )


def select(context: Context, only: Collection[str | int] | None) -> set[str]:
    """Slugs of the checks to run. Raises `KeyError` with the unknown name."""
    enabled = {
        check.META.slug: number(check.META, context)
        for check in checks.ALL
        if context.policy.check(check.META.slug).severity != "off"
    }
    if only is None:
        return set(enabled)
    everything = {check.META.slug: number(check.META, context) for check in checks.ALL}
    chosen: set[str] = set()
    for name in only:
        found = {
            slug for slug, value in everything.items() if name == slug or str(name) == str(value)
        }
        if not found:
            raise KeyError(name)
        chosen |= found
    return chosen


def number(meta: CheckMeta, context: Context) -> int:
    """The check's public number under this policy."""
    own = context.policy.check(meta.slug).number
    return meta.number if own is None else own


def run(check: checks.Check, context: Context) -> CheckResult:
    """One row. A crash becomes an unresolved finding, so that it cannot look like a pass."""
    meta = check.META
    findings: list[Finding] = []
    try:
        findings.extend(check.check(context))
    except Exception as error:
        # The traceback may quote hostile input, so only the log has it.
        import logging

        logging.getLogger(__name__).debug("check %s crashed", meta.slug, exc_info=True)
        findings.append(
            Finding(
                status=Status.UNRESOLVED,
                code="check_crashed",
                message=f"the check itself failed ({type(error).__name__}); nothing is known",
                hint="please report this with the file that was checked",
            )
        )
    ordered = tuple(sorted(_merged(findings), key=_order))
    status = next((s for s in _WORST_FIRST if any(f.status is s for f in ordered)), Status.NA)
    return CheckResult(
        number=number(meta, context),
        slug=meta.slug,
        name=meta.name,
        status=status,
        reason=_reason(ordered, status),
        findings=ordered,
        blocks=context.policy.check(meta.slug).severity == "block",
    )


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings that say the same on several paths as one, under any of their conditions."""
    groups: dict[Finding, dict[Conjunction, None]] = {}
    for finding in findings:
        same = replace(finding, when=ALWAYS)
        groups.setdefault(same, {}).update(dict.fromkeys(finding.when.alternatives))
    for finding, alternatives in groups.items():
        always = any(not conjunction for conjunction in alternatives)
        yield finding if always else replace(finding, when=Condition(tuple(alternatives)))


def outcome(results: Collection[CheckResult], context: Context) -> Outcome:
    """Rejected outranks unresolved; anything unread is unresolved at best."""
    blocking = [result.status for result in results if result.blocks]
    if Status.FAIL in blocking:
        return Outcome.REJECTED
    if Status.UNRESOLVED in blocking or context.unread:
        return Outcome.UNRESOLVED
    return Outcome.PASS


def _order(finding: Finding) -> tuple[int, str, int, int, str, str]:
    span = finding.span
    return (
        _WORST_FIRST.index(finding.status),
        span.path,
        span.line,
        span.column,
        finding.code,
        finding.message,
    )


def _reason(findings: tuple[Finding, ...], status: Status) -> str:
    """One line for the row: the first of the worst findings, and how many more there are."""
    worst = [finding for finding in findings if finding.status is status]
    if not worst:
        return "nothing to judge"
    first = worst[0]
    where = "" if first.span == NOWHERE else f"{first.span.path}:{first.span.line}: "
    if status in (Status.PASS, Status.NA):
        where = ""
    more = len({(f.span, f.code, f.message) for f in worst}) - 1
    rest = f" (and {more} more)" if more else ""
    return " ".join(f"{where}{first.message}{rest}".split())


def _assumptions(context: Context) -> tuple[Note, ...]:
    def each() -> Iterator[Note]:
        for recipe in context.recipes:
            yield from recipe.assumptions
            yield from _thinking(recipe, context)
            for launch in recipe.launches:
                yield from launch.assumptions

    return tuple(dict.fromkeys(each()))


def _thinking(recipe: RecipeFacts, context: Context) -> Iterator[Note]:
    """The default mode counts where nothing sets it, and the reader must know."""
    drafts = any(launch.speculation is not None for launch in recipe.launches)
    if recipe.workload == "agentic" and drafts and recipe.thinking is None:
        if not recipe.thinking_settings:
            mode = context.policy.default_thinking
            text = f"nothing sets the model's thinking mode; the policy's default ({mode}) applies"
            yield Note(span=recipe.start, text=text)
