"""The person who signs off owns every changed path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from verifier.model.context import Context
from verifier.model.finding import CheckMeta, Finding, Related, Status
from verifier.model.record import NamedTuple
from verifier.model.text import Span

if TYPE_CHECKING:
    from verifier.model.pull import PullFacts, Remark
    from verifier.signoff.codeowners import Owners, Rule

META = CheckMeta(
    number=0,
    slug="codeowner",
    name="CODEOWNER",
    summary="The signer owns every changed path; both names of a rename count.",
    rationale="A sign-off speaks for the hardware or model that its author answers for. One by "
    "somebody else says nothing about the change.",
    links=("https://docs.github.com/en/repositories/about-code-owners",),
)

MEMBERS = frozenset({"OWNER", "MEMBER"})
"""Author associations that say: a member of the organisation."""

_SHOWN = 5


class Cover(NamedTuple):
    """Whether the signer covers one rule, and why not."""

    answer: Literal["yes", "no", "unknown"]
    reason: str = ""


def check(context: Context) -> Iterator[Finding]:
    """One finding for each group of paths that the signer does not cover, else one pass."""
    pull = context.pull
    if pull is None:
        yield Finding(
            status=Status.NA, code="no_pull_request", message="no pull request is being judged"
        )
        return
    problem = pull.problem("files") or pull.problem("codeowners")
    if problem:
        yield Finding(
            status=Status.UNRESOLVED,
            code="evidence_unreadable",
            message=f"the changed files or their owners could not be read: {problem}",
        )
        return
    if pull.signoff is None:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_signoff",
            message="nobody has signed off, so there is no owner to compare with",
            hint="a code owner posts the filled-in review checklist",
        )
        return
    if pull.codeowners is None:
        yield Finding(
            status=Status.UNRESOLVED,
            code="no_codeowners",
            message=f"{pull.codeowners_path} does not exist at {pull.base_sha[:12]}, so nobody "
            "is known to own anything",
        )
        return
    from verifier.signoff.codeowners import parse

    yield from _judge(pull, pull.signoff, parse(pull.codeowners))


def _judge(pull: PullFacts, signer: Remark, owners: Owners) -> Iterator[Finding]:
    skipped = tuple(
        Related(span=Span(pull.codeowners_path, line), text=f"this line is skipped: {reason}")
        for line, reason in owners.problems
    )
    bad = False
    for rule, paths in _by_rule(pull, owners):
        cover = _cover(pull, signer, owners, rule)
        if cover.answer == "yes":
            continue
        bad = True
        yield _finding(pull, signer, rule, paths, cover, skipped)
    if not bad:
        changed = len({name for file in pull.files for name in file.names})
        noun = "path" if changed == 1 else "paths"
        yield Finding(
            status=Status.PASS,
            code="owner",
            message=f"@{signer.author} covers all {changed} changed {noun} "
            f"({pull.codeowners_path} at {pull.base_sha[:12]})",
            related=skipped,
        )


def _by_rule(pull: PullFacts, owners: Owners) -> Iterable[tuple[Rule | None, list[str]]]:
    groups: dict[int, tuple[Rule | None, list[str]]] = {}
    for name in dict.fromkeys(name for file in pull.files for name in file.names):
        rule = owners.of(name)
        groups.setdefault(rule.line if rule else 0, (rule, []))[1].append(name)
    return groups.values()


def _cover(pull: PullFacts, signer: Remark, owners: Owners, rule: Rule | None) -> Cover:
    login = signer.author.lower()
    if rule is None or not rule.owners or rule.catch_all:
        # The default line names no gatekeeper: anyone the file knows may answer for it.
        if login in owners.users or signer.association in MEMBERS:
            return Cover("yes")
        return _through_teams(pull, owners.teams, "neither listed nor a member")
    if login in rule.users:
        return Cover("yes")
    team = _through_teams(pull, rule.teams, "not one of them")
    if team.answer == "no" and rule.addresses:
        return Cover("unknown", "an e-mail address does not say which account it is")
    return team


def _through_teams(pull: PullFacts, teams: tuple[str, ...], otherwise: str) -> Cover:
    unknown = []
    for team in teams:
        membership = pull.memberships.get(team, "unknown")
        if membership == "member":
            return Cover("yes")
        if membership == "unknown":
            reason = pull.problem(f"memberships:{team}") or pull.problem(f"teams:{team}")
            unknown.append(f"@{team}" + (f" ({reason})" if reason else ""))
    if unknown:
        return Cover("unknown", f"membership of {', '.join(unknown)} cannot be read")
    return Cover("no", otherwise)


def _finding(
    pull: PullFacts,
    signer: Remark,
    rule: Rule | None,
    paths: list[str],
    cover: Cover,
    skipped: tuple[Related, ...],
) -> Finding:
    from verifier.signoff.codeowners import mention

    named = ", ".join(paths[:_SHOWN])
    if len(paths) > _SHOWN:
        named += f" and {len(paths) - _SHOWN} more"
    verb = "belongs" if len(paths) == 1 else "belong"
    if rule is None or not rule.owners:
        owned = "nobody in particular"
        place: tuple[Related, ...] = ()
    else:
        owned = mention(rule.owners)
        place = (Related(span=Span(pull.codeowners_path, rule.line), text="the last match"),)
    message = f"{named} {verb} to {owned}; @{signer.author} is {cover.reason}"
    if cover.answer == "unknown":
        message = (
            f"{named} {verb} to {owned}; whether @{signer.author} is one of them is not known: "
            f"{cover.reason}"
        )
    return Finding(
        status=Status.FAIL if cover.answer == "no" else Status.UNRESOLVED,
        code="not_an_owner" if cover.answer == "no" else "membership_unknown",
        message=message,
        hint="one of these owners signs off, or the token may read team membership"
        if cover.answer == "unknown"
        else "one of these owners signs off",
        related=place + skipped,
    )
