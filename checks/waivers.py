"""Patch waivers: `docs/waiver/<number>.md`, filled in, covering, linked in the sign-off."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from verifier.model.context import Context
from verifier.model.finding import Finding, Related, Status
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.pull import PullFacts

_PARTS = {
    "what is patched": re.compile(r"what|patched|change", re.IGNORECASE),
    "why": re.compile(r"why|reason|justif|rationale", re.IGNORECASE),
    "the upstream link": re.compile(r"upstream|link|issue", re.IGNORECASE),
    "the removal plan": re.compile(r"remov|retire|sunset|exit|plan", re.IGNORECASE),
}
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*\S)[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"https?://[^\s)>\]]+/(?:pull|issues|commit|merge_requests)/\w+")
_PATH = re.compile(r"/[\w./+-]*\w\.\w+")
_PLACEHOLDER = re.compile(r"<[^>\n]*>|\b(?:TODO|TBD|FIXME|N/A)\b", re.IGNORECASE)
_LEAST = 20
"""Characters of a part that says something."""


def waived(
    findings: Collection[Finding], known: Collection[Finding], context: Context
) -> list[Finding]:
    """`findings` with those that a waiver covers turned into passes that name it.

    `known`: what the same check finds at the base. Only such a patch can be covered by the
    waiver of an earlier pull request; a new one needs a waiver of this pull request.
    """
    pull = context.pull
    if pull is None or not any(f.status is Status.FAIL for f in findings):
        return list(findings)
    old = {(f.code, f.message, f.span.path) for f in known}
    own = context.policy.place(context.policy.paths.waivers).format(number=pull.number)
    result = []
    for finding in findings:
        if finding.status is not Status.FAIL:
            result.append(finding)
            continue
        earlier = (finding.code, finding.message, finding.span.path) in old
        result.append(_judged(finding, own, earlier, pull))
    return result


def _judged(finding: Finding, own: str, earlier: bool, pull: PullFacts) -> Finding:
    names = [own, *sorted(set(pull.waivers) - {own})] if earlier else [own]
    problems: list[str] = []
    for name in names:
        text = pull.waivers.get(name)
        if text is None:
            continue
        problem = "; ".join(_problems(name, text, finding, pull))
        if not problem:
            return _pass(finding, name)
        problems.append(f"{name} {problem}")
    note = pull.problem("waivers")
    if not problems and note:
        problems.append(f"waivers could not be read: {note}")
    if not problems:
        problems.append(f"there is no {own}")
    return _with(finding, f"{finding.message}; {'; '.join(problems)}")


def _problems(name: str, text: str, finding: Finding, pull: PullFacts) -> Iterator[str]:
    parts = dict(sections(text))
    for part, pattern in _PARTS.items():
        bodies = [body for heading, body in parts.items() if pattern.search(heading)]
        if not any(_says_something(body) for body in bodies):
            yield f"does not say {part}"
    if not _LINK.search(text):
        yield "links no upstream pull request or issue"
    files = {finding.span.path, *(r.span.path for r in finding.related)}
    # Either the script that patches or the file of the engine that the finding names.
    files.update(_PATH.findall(finding.message))
    if not any(posixpath.basename(file) in text for file in files if file):
        yield f"does not cover {posixpath.basename(finding.span.path)}"
    if pull.signoff is None or not _linked(name, pull.signoff.body):
        yield "is not linked in the sign-off"


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Headings and what stands below each."""
    found = list(_HEADING.finditer(text))
    for index, heading in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        yield heading[1], text[heading.end() : end]


def _says_something(body: str) -> bool:
    return len(_PLACEHOLDER.sub("", body).strip(" \t\n-*|_")) >= _LEAST


def _linked(name: str, body: str) -> bool:
    return (
        re.search(
            rf"{re.escape(posixpath.basename(posixpath.dirname(name)))}/"
            rf"{re.escape(posixpath.basename(name))}\b",
            body,
        )
        is not None
    )


def _pass(finding: Finding, name: str) -> Finding:
    return Finding(
        status=Status.PASS,
        code="waived",
        message=f"{finding.message}; the waiver {name} covers it",
        span=finding.span,
        when=finding.when,
        related=(*finding.related, Related(span=Span(name, 1), text="the waiver")),
    )


def _with(finding: Finding, message: str) -> Finding:
    from verifier.model.record import replace

    return replace(finding, message=message)
