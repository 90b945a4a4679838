"""Nothing that the models page retires is submitted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from checks.support import not_applicable, passed
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.points import ModelsPage, Point, PointFacts, Retirement, label_points
from verifier.model.record import NamedTuple
from verifier.model.text import Span

META = CheckMeta(
    number=12,
    slug="deprecated-model",
    name="deprecated model",
    summary="No model, scenario, precision or arm that MODELS.md retires on the review date; a "
    "future date is allowed until it arrives.",
    rationale="Machines are few: what is retired costs hours that current models need.",
    links=("MODELS.md",),
)


class _Submitted(NamedTuple):
    """One thing that the change submits."""

    prefix: str
    scenario: str
    """`agentic`, `8k1k`, …, or `fixed` when the lengths are not known."""
    precision: str | None
    drafts: bool | None
    label: str
    span: Span


def check(context: Context) -> Iterator[Finding]:
    """Compare what the change submits with what the page retires."""
    facts = context.points
    if facts is None:
        yield not_applicable("no change of benchmark configurations is being judged")
        return
    submitted = [*_points(facts), *_recipes(context, facts)]
    if not submitted:
        yield not_applicable("the change submits no benchmark configuration or recipe")
        return
    page = facts.models
    if page is None:
        path = context.policy.place(context.policy.paths.models)
        yield not_applicable(f"the base branch has no {path}, so nothing is retired")
        return
    yield from _unread(page)
    for one in submitted:
        yield _judge(one, page, context.today)


def _unread(page: ModelsPage) -> Iterator[Finding]:
    for problem in page.problems:
        yield Finding(
            status=Status.UNRESOLVED,
            code="models_page",
            message=f"{page.path}: {problem}",
            span=Span(page.path, 1),
        )


def _points(facts: PointFacts) -> Iterator[_Submitted]:
    """Points of changed entries, and points whose launches the change adds or alters."""
    diff = facts.diff
    moved = set()
    if diff is not None:
        moved = {point.id for point in diff.added} | {c.head.id for c in diff.changed}
    groups: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    for point in facts.points:
        if point.eval_only:
            continue
        if diff is None or point.key in facts.changed or point.id in moved:
            drafts = facts.drafting.get(point.id, point.spec_decoding != "none")
            groups[point.key, point.scenario, point.lengths, drafts].append(point)
    for members in groups.values():
        first = members[0]
        yield _Submitted(
            first.config.model_prefix,
            first.lengths or "agentic",
            first.config.precision,
            facts.drafting.get(first.id, first.spec_decoding != "none"),
            label_points(members),
            first.span,
        )


def _recipes(context: Context, facts: PointFacts) -> Iterator[_Submitted]:
    """Changed scripts and recipes that no point runs."""
    if context.change is None:
        return
    used = {path for p in facts.points for path in (p.script, (p.recipe or "").split(":")[0])}
    for recipe in context.recipes:
        if recipe.path in used or recipe.point is not None or recipe.model_prefix is None:
            continue
        yield _Submitted(
            recipe.model_prefix,
            "agentic" if recipe.workload == "agentic" else "fixed",
            None,
            _drafts(recipe),
            recipe.path if recipe.variant is None else f"{recipe.path}:{recipe.variant}",
            recipe.start,
        )


def _drafts(recipe: RecipeFacts) -> bool | None:
    if recipe.unresolved or not recipe.launches:
        return None
    return any(launch.speculation is not None for launch in recipe.launches)


def _judge(one: _Submitted, page: ModelsPage, today: date) -> Finding:
    hits = [item for item in page.retirements if _matches(one, item)]
    now = [item for item in hits if item.since is None or item.since <= today]
    if now:
        item = now[0]
        return Finding(
            status=Status.FAIL,
            code="retired",
            message=f"{one.label}: {_what(item, one)} is retired {_since(item)} "
            f"({page.path}:{item.line})",
            span=one.span,
            hint="leave it out, or change the page first",
            related=tuple(_related(now, page)),
        )
    if hits:
        first = min(hits, key=lambda item: item.since or today)
        text = f"{one.label}: allowed until {_what(first, one)} is retired {_since(first)}"
        return passed("retired_later", text, one.span)
    if one.prefix not in page.prefixes:
        text = f"{one.label}: {page.path} does not retire {one.prefix}, which it does not list"
        return passed("not_listed", text, one.span)
    return passed("active", f"{one.label}: not retired by {page.path}", one.span)


def _matches(one: _Submitted, item: Retirement) -> bool:
    if item.prefix not in (None, one.prefix):
        return False
    if item.precision is not None and item.precision != (one.precision or "").lower():
        return False
    if item.arm == "non-spec" and one.drafts is not False:
        return False
    if item.scenario in (None, one.scenario):
        return True
    return item.scenario == "fixed" and one.scenario != "agentic"


def _what(item: Retirement, one: _Submitted) -> str:
    parts = [
        "every model" if item.prefix is None else item.prefix,
        "" if item.scenario is None else one.scenario,
        item.precision or "",
        "without speculative decoding" if item.arm == "non-spec" else "",
    ]
    return " ".join(part for part in parts if part)


def _since(item: Retirement) -> str:
    return "without a date" if item.since is None else f"from {item.since.isoformat()} on"


def _related(items: Iterable[Retirement], page: ModelsPage) -> Iterator[Related]:
    for item in items:
        yield Related(span=Span(page.path, item.line), text=item.text)
