"""Single-node recipes are documented upstream, with the same major server arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.record import NamedTuple
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.launch import Launch, Value
    from verifier.model.pull import DocumentedLaunch, PullFacts, RecipeEvidence

META = CheckMeta(
    number=3,
    slug="recipe",
    name="recipe",
    summary="A single-node vLLM or SGLang recipe links a merged recipe pull request or a published "
    "page whose major server arguments agree.",
    rationale="Anyone must be able to reproduce a result from public documentation. Model, "
    "parallelism, precision and kernels decide it; ports, concurrency and other harness settings "
    "do not.",
    links=("https://recipes.vllm.ai", "https://docs.sglang.io/cookbook/intro"),
)

ENGINES = ("vllm", "sglang")
MAJOR: Mapping[str, tuple[str, ...]] = {
    "parallelism": ("tensor", "pipeline", "data", "expert", "context", "attention_dp"),
    "precision": ("quantisation", "kv_cache_dtype"),
    "kernels": (
        "attention_backend",
        "prefill_attention_backend",
        "decode_attention_backend",
        "moe_backend",
        "linear_backend",
        "all2all_backend",
    ),
}
_NONE = frozenset({"1", "false", "auto", "none", ""})
"""Values that mean the same as leaving the argument out."""


class Difference(NamedTuple):
    """One major argument that does not agree. `unknown`: it could not be compared."""

    text: str
    span: Span
    unknown: bool = False


def check(context: Context) -> Iterator[Finding]:
    """Judge the links first, then every launch against what they document."""
    pull = context.pull
    if pull is None:
        yield _na("no_pull_request", "no pull request is being judged")
        return
    recipes = _recipes(context)
    if not recipes:
        yield _na(
            "no_single_node_recipe",
            "the change has no single-node vLLM or SGLang recipe; multi-node and disaggregated "
            "submissions need none",
        )
        return
    if pull.signoff is None:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_signoff",
            message="nobody has signed off, so no upstream recipe is linked",
        )
        return
    good = [r for r in pull.recipes if r.state in ("merged", "published")]
    if not good:
        yield from _no_recipe(pull)
        return
    yield from _compare(context, recipes, good)


def _recipes(context: Context) -> list[RecipeFacts]:
    """Single-node recipes that launch vLLM or SGLang, changed themselves or in their master-config
    entry; by point where points are known."""
    changed = {
        f.path for f in (context.change.files if context.change else ()) if f.status != "deleted"
    }
    policy = context.policy
    keys = _keys(context)
    found = [
        recipe
        for recipe in context.recipes
        if (recipe.path in changed or keys.intersection(_words(recipe.point)))
        and (policy.matches(recipe.path, policy.paths.single_node) or "single_node" in recipe.path)
        and (not recipe.launches or any(launch.engine in ENGINES for launch in recipe.launches))
    ]
    by_point = {recipe.path for recipe in found if recipe.point is not None}
    return [r for r in found if r.point is not None or r.path not in by_point]


def _keys(context: Context) -> set[str]:
    """Master-config entries of one node that the change adds or changes."""
    points = context.points
    if points is None:
        return set()
    changed = set(points.changed)
    return {
        entry.key
        for entry in points.entries
        if entry.key in changed and not entry.multinode and not entry.disagg
    }


def _words(label: str | None) -> set[str]:
    """Words of a point's label; the keys of its entries are among them."""
    return set() if label is None else set(label.replace(",", " ").split())


def _no_recipe(pull: PullFacts) -> Iterator[Finding]:
    unreachable = [r for r in pull.recipes if r.state == "unreachable"]
    for recipe in pull.recipes:
        if recipe.state == "unreachable":
            yield Finding(
                status=Status.UNRESOLVED,
                code="recipe_unreachable",
                message=f"{recipe.url} could not be read: {recipe.reason}",
                hint="run the verification again, or link the merged recipe pull request",
            )
        elif not unreachable:
            reason = f" ({recipe.reason})" if recipe.reason else ""
            code = "recipe_missing" if recipe.state == "missing" else "recipe_not_merged"
            yield _fail(
                code,
                f"{recipe.url} is {_state(recipe)}{reason}, and only a merged recipe or a "
                "published page counts",
            )
    if not pull.recipes:
        yield _fail(
            "no_recipe_link",
            "the detail section of the sign-off links no recipe pull request of "
            "vllm-project/recipes or sgl-project/sglang and no published page",
        )


def _state(recipe: RecipeEvidence) -> str:
    words = {
        "open": "still open",
        "draft": "a draft",
        "closed": "closed without a merge",
        "missing": "no recipe",
    }
    return words.get(recipe.state, recipe.state)


def _compare(
    context: Context, recipes: list[RecipeFacts], good: list[RecipeEvidence]
) -> Iterator[Finding]:
    documented = context.documented
    if documented is None:
        yield _unresolved("recipe_unread", "the linked recipes were not read")
        return
    urls = ", ".join(recipe.url for recipe in good)
    if not documented.launches:
        reasons = "; ".join(documented.problems) or "no server command was found in them"
        yield _unresolved("recipe_unread", f"{urls}: {reasons}")
        return
    seen: set[tuple[str, str]] = set()
    agreed = 0
    for recipe in recipes:
        launches = [launch for launch in recipe.launches if launch.engine in ENGINES]
        if not launches:
            yield _unresolved(
                "launch_unread", f"no server launch could be read in {recipe.path}", recipe.start
            )
        for launch in launches:
            findings = list(_launch(context, recipe, launch, documented.launches))
            agreed += not findings
            for finding in findings:
                if (finding.code, finding.message) not in seen:
                    seen.add((finding.code, finding.message))
                    yield finding
    if not seen and agreed:
        yield Finding(
            status=Status.PASS,
            code="recipe_agrees",
            message=f"the major arguments of {agreed} launch{'es' if agreed > 1 else ''} agree "
            f"with {urls}",
        )


def _launch(
    context: Context,
    recipe: RecipeFacts,
    launch: Launch,
    documented: tuple[DocumentedLaunch, ...],
) -> Iterator[Finding]:
    """What keeps a launch from being documented; nothing when it is."""
    same_engine = [d for d in documented if d.launch.engine == launch.engine]
    if not same_engine:
        yield _fail(
            "engine_not_documented",
            f"the linked recipes hold no {launch.engine} command",
            launch.span,
        )
        return
    model = None if launch.model is None else launch.model.known
    if model is None:
        yield _unresolved("model_unknown", "which model is served is not known here", launch.span)
        return
    of_model = [d for d in same_engine if _model(d.launch) == model.lower()]
    if not of_model:
        others = sorted({_model(d.launch) or "a model that is not known" for d in same_engine})
        unknown = any(_model(d.launch) is None for d in same_engine)
        text = f"the linked recipes serve {', '.join(others[:4])}, and this launch serves {model}"
        make = _unresolved if unknown else _fail
        yield make("model_not_documented", text, launch.span)
        return
    sku = _sku(context, recipe)
    fitting = [d for d in of_model if not d.hardware or sku is None or sku in d.hardware]
    if not fitting:
        known = sorted({name for d in of_model for name in d.hardware})
        yield _fail(
            "hardware_not_documented",
            f"the linked recipes show {model} on {', '.join(known)}, not on {sku}",
            launch.span,
        )
        return
    ranked = sorted(
        ((list(_differences(launch, d)), d) for d in fitting),
        key=lambda pair: (sum(not x.unknown for x in pair[0]), len(pair[0])),
    )
    differences, closest = ranked[0]
    place = Related(
        span=Span(closest.path, closest.line),
        text=f"the closest command of {closest.url}"
        + (f" ({closest.label})" if closest.label else ""),
    )
    for difference in differences:
        yield Finding(
            status=Status.UNRESOLVED if difference.unknown else Status.FAIL,
            code="argument_not_compared" if difference.unknown else "argument_differs",
            message=difference.text,
            span=difference.span,
            hint=None if difference.unknown else "align the recipe upstream or this launch",
            when=launch.when,
            related=(place,),
        )


def _model(launch: Launch) -> str | None:
    known = None if launch.model is None else launch.model.known
    return None if known is None else known.lower()


def _sku(context: Context, recipe: RecipeFacts) -> str | None:
    """Hardware of a recipe: the word of its file name that the policy knows."""
    words = recipe.path.rsplit("/", 1)[-1].split(".sh")[0].replace("-", "_").split("_")
    return next((sku for sku in context.policy.skus if sku in words), None)


def _differences(launch: Launch, documented: DocumentedLaunch) -> Iterator[Difference]:
    for group, names in MAJOR.items():
        mine: Mapping[str, object] = getattr(launch, group)
        theirs: Mapping[str, object] = getattr(documented.launch, group)
        for name in names:
            difference = _difference(launch, documented, name, mine.get(name), theirs.get(name))
            if difference is not None:
                yield difference


def _difference(
    launch: Launch, documented: DocumentedLaunch, name: str, mine: object, theirs: object
) -> Difference | None:
    from verifier.model.launch import Setting

    own = mine if isinstance(mine, Setting) else None
    other = theirs if isinstance(theirs, Setting) else None
    if name in documented.free:
        return None
    if name == "quantisation" and (own is None or other is None):
        # The checkpoint says it: an explicit flag changes nothing then.
        return None
    left, right = _written(own), _written(other)
    if left == right and left is not None:
        return None
    label = (own or other).spelling if (own or other) else name  # type: ignore[union-attr]
    span = own.span if own is not None and own.span is not None else launch.span
    where = f"{documented.path}:{documented.line}"
    if left is None or right is None:
        which = "here" if left is None else f"in {where}"
        return Difference(f"{label or name} is not known {which}", span, unknown=True)
    shown = left or "not set"
    return Difference(f"{label or name} is {shown} here and {right or 'not set'} in {where}", span)


def _written(setting: object) -> str | None:
    """A value for comparing: "" for one that changes nothing, None for one that is not known."""
    from verifier.model.launch import Setting

    if not isinstance(setting, Setting):
        return ""
    text = _plain(setting.value)
    return "" if text is not None and text in _NONE else text


def _plain(value: Value) -> str | None:
    from decimal import Decimal

    from verifier.model.text import Text

    if isinstance(value, Text):
        return None if value.known is None else value.known.lower()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, str):
        return value.lower()
    return repr(value)


def _na(code: str, message: str) -> Finding:
    return Finding(status=Status.NA, code=code, message=message)


def _fail(code: str, message: str, span: Span | None = None) -> Finding:
    finding = Finding(
        status=Status.FAIL,
        code=code,
        message=message,
        hint="link the merged recipe in the detail section of the sign-off",
    )
    return finding if span is None else _at(finding, span)


def _unresolved(code: str, message: str, span: Span | None = None) -> Finding:
    finding = Finding(status=Status.UNRESOLVED, code=code, message=message)
    return finding if span is None else _at(finding, span)


def _at(finding: Finding, span: Span) -> Finding:
    from verifier.model.record import replace

    return replace(finding, span=span)
