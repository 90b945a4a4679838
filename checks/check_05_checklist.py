"""The sign-off has every item of the current checklist, ticked or explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.pull import PullFacts, Remark
    from verifier.signoff.items import Item
    from verifier.signoff.template import Match
    from verifier.signoff.text import SignOffText

META = CheckMeta(
    number=5,
    slug="checklist",
    name="checklist",
    summary="Every item of the current template is in the sign-off and ticked, or its absence is "
    "explained in the detail section.",
    rationale="The template is what the reviewer promises to have looked at. An item that is "
    "missing from an old copy was not looked at.",
    links=("docs/PR_REVIEW_CHECKLIST.md",),
)

_LONGEST = 90


def check(context: Context) -> Iterator[Finding]:
    """One finding for each item that is missing, unticked or malformed, else one pass."""
    pull = context.pull
    if pull is None:
        yield Finding(
            status=Status.NA, code="no_pull_request", message="no pull request is being judged"
        )
        return
    from verifier.signoff.template import read_template

    path = context.policy.place(context.policy.paths.checklist)
    if pull.signoff is None:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_signoff",
            message="nobody has signed off, so there is no checklist to read",
            hint=f"a code owner posts the template of {path}, filled in",
        )
        return
    template = read_template(pull.checklist) if pull.checklist is not None else None
    if template is None:
        why = pull.problem("checklist") or (
            "there is no such file"
            if pull.checklist is None
            else "it has no items below a heading “Template”"
        )
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_template",
            message=f"the template in {path} at {pull.base_sha[:12]} could not be read: {why}",
        )
        return
    yield from _judge(pull, pull.signoff, template, path)


def _judge(pull: PullFacts, remark: Remark, template: SignOffText, path: str) -> Iterator[Finding]:
    from verifier.signoff.template import explanation, match_items
    from verifier.signoff.text import details_without_placeholder, read

    signoff = read(remark.body)
    details = details_without_placeholder(signoff, template)
    explained: list[str] = []
    bad = False
    matches = match_items(template.items, signoff.items)
    for match in matches:
        if match.found is not None and match.found.box == "ticked":
            continue
        line = explanation(match.wanted, template, details, strict=match.found is None)
        if line is not None and (match.found is None or match.found.box == "open"):
            explained.append(f"“{_short(match.wanted)}” (line {line})")
            continue
        bad = True
        yield _item(match, path, pull)
    for item in signoff.malformed:
        if not any(match.found is item for match in matches):
            bad = True
            yield _malformed(item)
    wrong = _signature(signoff, remark)
    if wrong is not None:
        bad = True
        yield wrong
    if not bad:
        message = f"all {len(template.items)} items of {path} at {pull.base_sha[:12]} are ticked"
        if explained:
            message += f", but for {', '.join(explained)}, explained in the detail section"
        yield Finding(status=Status.PASS, code="checklist_complete", message=message)


def _item(match: Match, path: str, pull: PullFacts) -> Finding:
    from verifier.signoff.template import THRESHOLD

    place = (
        Related(
            span=Span(path, match.wanted.line),
            text=f"line of the template block at {pull.base_sha[:12]}: {match.wanted.text}",
        ),
    )
    name = _short(match.wanted)
    if match.found is None:
        near = (
            f"; the nearest item agrees in {match.closest:.0%} of its words, {THRESHOLD:.0%} are "
            "needed"
            if match.closest > 0.3
            else ""
        )
        return Finding(
            status=Status.FAIL,
            code="item_missing",
            message=f"the sign-off has no item “{name}” of the current template{near}",
            hint=f"copy the template of {path} again and fill it in",
            related=place,
        )
    if match.found.box == "malformed":
        return _malformed(match.found)
    return Finding(
        status=Status.FAIL,
        code="item_unticked",
        message=f"“{name}” is not ticked, and the detail section does not say why",
        hint="tick it, or give the reason in the detail section",
        related=place,
    )


def _malformed(item: Item) -> Finding:
    return Finding(
        status=Status.FAIL,
        code="item_malformed",
        message=f"line {item.line} of the sign-off: `{item.written}` is no check box, so "
        f"“{_short(item)}” is neither ticked nor open",
        hint="write `- [x] ` with a blank before and after the brackets",
    )


def _signature(signoff: SignOffText, remark: Remark) -> Finding | None:
    signature = signoff.signature
    if signature is None or signature.login is None:
        return None
    quoted = signature.written[:1] in ("`", "@")
    if not quoted or signature.login.lower() == remark.author.lower():
        return None
    return Finding(
        status=Status.FAIL,
        code="signature_of_another",
        message=f"the sign-off was posted by @{remark.author} and is signed by {signature.login}",
        hint="the person who posts the sign-off signs it",
    )


def _short(item: Item) -> str:
    text = " ".join(item.text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
