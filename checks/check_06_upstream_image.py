"""vLLM and SGLang entries run the projects' own images, and land before other engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from checks.support import not_applicable, passed
from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.points import ConfigEntry, PointFacts

if TYPE_CHECKING:
    from verifier.policy import Policy

META = CheckMeta(
    number=6,
    slug="upstream-image",
    name="upstream image",
    summary="On established hardware, vLLM and SGLang entries run images that the projects "
    "publish; another engine needs an existing vLLM or SGLang entry for the same model and "
    "hardware.",
    rationale="Results of a fork's image cannot be had by anyone else, and an engine of one vendor "
    "says little where the common engines have not been measured first.",
    links=("https://hub.docker.com/u/vllm", "https://hub.docker.com/u/lmsysorg"),
)
_HUB = ("docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com")
_SAYS_SO = ("exception", "upstream image", "new hardware", "new model", "not published", "fork")


def check(context: Context) -> Iterator[Finding]:
    """Judge every master-config entry that the change adds or alters."""
    facts = context.points
    if facts is None or facts.diff is None:
        yield not_applicable("no change of master configs is being judged")
        return
    broken = [f for f in facts.problems if f.code in ("config_field", "config_yaml")]
    yield from broken
    changed = [entry for entry in facts.entries if entry.key in facts.changed]
    if not changed and not broken:
        yield not_applicable("the change touches no master-config entry")
        return
    for entry in changed:
        yield _image(entry, context)
        finding = _order(entry, facts, context)
        if finding is not None:
            yield finding


def _image(entry: ConfigEntry, context: Context) -> Finding:
    policy = context.policy
    allowed = policy.image_organisations.get(entry.framework)
    if allowed is None:
        text = f"{entry.key}: framework {entry.framework} has no upstream image"
        return passed("no_upstream_image", text, entry.image_span)
    if entry.sku not in policy.hardware:
        text = f"{entry.key}: {entry.sku or entry.runner} is not established hardware"
        return passed("new_hardware", text, entry.image_span)
    organisation = organisation_of(entry.image)
    if organisation in allowed:
        text = f"{entry.key}: {entry.image} is published by {organisation}/"
        return passed("upstream_image", text, entry.image_span)
    wanted = " or ".join(f"{name}/" for name in allowed)
    return _unless_excepted(
        Finding(
            status=Status.FAIL,
            code="not_upstream",
            message=f"{entry.key}: image {entry.image} is not of Docker Hub's {wanted}, and "
            f"{entry.sku} is established hardware for {entry.framework}",
            span=entry.image_span,
            hint=f"use an image of {wanted}, or document a genuine exception in the sign-off",
        ),
        entry,
        context,
    )


def organisation_of(image: str) -> str | None:
    """Docker Hub organisation of an image reference; None for another registry.

    `#` stands for `/` in some entries. `library` is the organisation of bare names.
    """
    parts = image.strip().replace("#", "/").split("/")
    host = parts[0]
    if len(parts) > 1 and ("." in host or ":" in host or host == "localhost"):
        if host not in _HUB:
            return None
        parts = parts[1:]
    return parts[0] if len(parts) > 1 else "library"


def _order(entry: ConfigEntry, facts: PointFacts, context: Context) -> Finding | None:
    policy = context.policy
    if entry.framework in policy.upstream_frameworks:
        return None
    first = _upstream_entry(entry, facts, policy)
    if first is not None:
        return Finding(
            status=Status.PASS,
            code="upstream_first",
            message=f"{entry.key}: {first.key} measures {entry.model_prefix} on {entry.sku} with "
            f"{first.framework}",
            span=entry.span,
            related=(Related(span=first.span, text="the vLLM or SGLang entry"),),
        )
    return _unless_excepted(
        Finding(
            status=Status.FAIL,
            code="upstream_engine_missing",
            message=f"{entry.key}: {entry.framework} for {entry.model_prefix} on {entry.sku}, but "
            "no vLLM or SGLang entry exists for this model and hardware",
            span=entry.span,
            hint="add the vLLM or SGLang entry first, or document a genuine exception in the "
            "sign-off",
        ),
        entry,
        context,
    )


def _upstream_entry(entry: ConfigEntry, facts: PointFacts, policy: Policy) -> ConfigEntry | None:
    for other in facts.entries:
        if (
            other.framework in policy.upstream_frameworks
            and other.model_prefix == entry.model_prefix
            and other.sku == entry.sku
        ):
            return other
    return None


def _unless_excepted(finding: Finding, entry: ConfigEntry, context: Context) -> Finding:
    """A documented exception is for a person to judge: it neither passes nor fails by itself."""
    quote = _exception(entry, context)
    if quote is None:
        return finding
    return Finding(
        status=Status.UNRESOLVED,
        code="exception_to_judge",
        message=f"{finding.message}; the sign-off says “{quote}”, which a person has to judge",
        span=finding.span,
        hint=finding.hint,
    )


def _exception(entry: ConfigEntry, context: Context) -> str | None:
    """The line of the sign-off's detail section that documents an exception for this entry."""
    pull = context.pull
    if pull is None or pull.signoff is None:
        return None
    from verifier.signoff.template import read_template
    from verifier.signoff.text import details_without_placeholder, read

    signoff = read(pull.signoff.body)
    template = read_template(pull.checklist) if pull.checklist is not None else None
    lines = details_without_placeholder(signoff, template) if template else signoff.details
    repository = entry.image.replace("#", "/").split("@")[0].rsplit(":", 1)[0]
    names = (entry.key.lower(), repository.lower(), entry.image.lower())
    for line in lines:
        text = line.text.strip().lower()
        if any(name in text for name in names) or any(word in text for word in _SAYS_SO):
            return line.text.strip()[:160]
    return None
