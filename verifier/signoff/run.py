"""`verify pr` and `verify signoff`: from an event or a number to a verdict, and its publication."""

from __future__ import annotations

import hashlib
import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial

from verifier import __version__
from verifier.cli_output import PASSED, REJECTED, UNDECIDED, InputError, say
from verifier.model.command import Note
from verifier.model.context import Context
from verifier.model.finding import Outcome, Status, Verdict
from verifier.model.pull import PullFacts
from verifier.model.record import dataclass, field, replace
from verifier.model.text import NOWHERE, Span
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy, PolicyError, load_policy
from verifier.reports.report import Report
from verifier.signoff.event import REPOSITORY, EventError, Nothing, Trigger, read_event
from verifier.signoff.text import fingerprint
from verifier.snapshot import RecordingTree, ReplayedTree, Snapshot, SnapshotError, dump, failed
from verifier.snapshot import load as load_snapshot
from verifier.sources.github import Api, GitHubError, place_from, text_of
from verifier.sources.pull import Files, Loaded, LoadError, change_of, load_pull

MAX_DIFF_LINES = 60
EXIT = {Outcome.PASS: PASSED, Outcome.REJECTED: REJECTED, Outcome.UNRESOLVED: UNDECIDED}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and what it was made from."""

    verdict: Verdict
    facts: PullFacts
    report: Report
    key: str
    diff: str = ""
    """What the change launches differently, for people; empty when nothing or not known."""


@dataclass(slots=True)
class Environment:
    """What a run may use of the outside; tests give their own."""

    api: Api
    variables: Mapping[str, str] = field(default_factory=lambda: os.environ)
    folder: str = "."
    """Where a local clone may be."""


def environment(options: Namespace) -> Environment:
    """The real outside. Raises `InputError` for an API address that cannot be used."""
    log = say if options.verbose else None
    try:
        api = Api(place_from(), log=log)
    except GitHubError as error:
        raise InputError(str(error)) from None
    return Environment(api=api, folder=options.root or ".")


def run_signoff(options: Namespace, outside: Environment | None = None) -> int:
    """What the workflow runs: verify the sign-off of an event, publish, return the exit code."""
    try:
        with open(options.event, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise InputError(f"the event {options.event} cannot be read: {error.strerror}") from None
    outside = outside or environment(options)
    try:
        trigger = read_event(
            data,
            outside.variables.get("GITHUB_EVENT_NAME"),
            outside.variables.get("GITHUB_REPOSITORY"),
        )
    except EventError as error:
        raise InputError(str(error)) from None
    if isinstance(trigger, Nothing):
        return _nothing(trigger.reason)
    return _guarded(outside, partial(_verify, trigger, options, outside))


def run_pr(options: Namespace, outside: Environment | None = None) -> int:
    """Judge a pull request by its number, or a snapshot of one."""
    if not REPOSITORY.fullmatch(options.repo):
        raise InputError(f"--repo {options.repo}: expected OWNER/NAME")
    if options.from_snapshot is not None:
        if options.publish:
            raise InputError("--from-snapshot judges offline and has nothing to publish to")
        return _replay(options)
    outside = outside or environment(options)
    return _guarded(outside, partial(_by_number, options, outside))


def _nothing(reason: str) -> int:
    say(f"nothing to verify: {reason}")
    return PASSED


def _guarded(outside: Environment, run: Callable[[], int]) -> int:
    """The run's exit code; what went wrong is said in one sentence."""
    from verifier.publish import Interrupted, PublishError
    from verifier.sources.git import GitError

    api = outside.api
    try:
        return run()
    except (GitHubError, GitError, LoadError, PublishError, PolicyError, Unreadable) as error:
        reason = api.scrubbed(str(error))
    except Interrupted:
        reason = "stopped"
    finally:
        if api.log is not None:
            api.log(f"{api.calls} calls to {api.scrubbed(api.place.url)}")
    say(f"not judged: {reason}")
    _summary(outside, f"Not judged: {reason}\n")
    return UNDECIDED


def _summary(outside: Environment, text: str) -> None:
    from verifier.publish import step_summary

    try:
        step_summary(text, outside.variables)
    except OSError as error:
        say(f"the step summary could not be written: {error.strerror}")


def _verify(trigger: Trigger, options: Namespace, outside: Environment) -> int:
    pull = outside.api.get(f"/repos/{trigger.repo}/pulls/{trigger.number}")
    if not trigger.manual:
        if text_of(pull, "state", what="the pull request") != "open":
            return _nothing("the pull request is closed")
        if pull.get("draft") is True:
            return _nothing("the pull request is a draft")
    sha = trigger.head_sha or text_of(pull, "head", "sha", what="the pull request")
    trigger = replace(trigger, head_sha=sha)
    load = partial(
        load_pull,
        outside.api,
        trigger.repo,
        trigger.number,
        trigger=trigger,
        policy=_given_policy(options),
        files=_files(outside, trigger.repo),
        pull=pull,
    )
    return _published(load, sha, trigger.repo, trigger.number, options, outside)


def _by_number(options: Namespace, outside: Environment) -> int:
    pull = outside.api.get(f"/repos/{options.repo}/pulls/{options.number}")
    sha = text_of(pull, "head", "sha", what="the pull request")
    load = partial(
        load_pull,
        outside.api,
        options.repo,
        options.number,
        policy=_given_policy(options),
        files=_files(outside, options.repo),
        pull=pull,
    )
    if options.publish:
        return _published(load, sha, options.repo, options.number, options, outside)
    judged = _judge_loaded(load(), options)
    return _deliver(judged, options)


def _published(
    load: Callable[[], Loaded],
    sha: str,
    repo: str,
    number: int,
    options: Namespace,
    outside: Environment,
) -> int:
    from verifier.publish import Publisher, never_pending, run_address

    if options.check is not None:
        raise InputError("--check judges a part, and a part is never published as a verdict")
    publisher = Publisher(
        outside.api,
        repo,
        number,
        sha,
        login=outside.variables.get("VERIFY_BOT_LOGIN") or None,
        run_url=run_address(outside.variables),
    )
    with never_pending(publisher):
        judged = _judge_loaded(load(), options)
        render = partial(comment, judged)
        passed = judged.verdict.outcome is Outcome.PASS
        moved = publisher.finish(render, passed, describe(judged.verdict))
    _summary(outside, render(moved))
    code = _deliver(judged, options)
    if moved is not None:
        say("the head has moved since the sign-off; a fresh one is needed")
        return code or UNDECIDED
    return code


def _given_policy(options: Namespace) -> Policy | None:
    if options.policy is None:
        return None
    from verifier.workspace import PathError, policy_from

    try:
        return policy_from(options.policy)
    except PathError as error:
        raise InputError(str(error)) from None


def _files(outside: Environment, repo: str) -> Callable[[Iterable[str]], Files | None]:
    """A local clone, where the run stands in one."""

    def offer(shas: Iterable[str]) -> Files | None:
        from verifier.sources.clone import clone_files

        return clone_files(outside.folder, repo, shas, outside.api.place.url)

    return offer


def _judge_loaded(loaded: Loaded, options: Namespace) -> Judged:
    """Judge what was loaded, and save it when asked to."""
    from verifier.gather import today

    if options.command != "pr" or options.snapshot is None:
        trees = (loaded.trusted, loaded.base, loaded.head)
        return judge_facts(loaded.facts, loaded.policy, trees, options, today())
    recording = tuple(RecordingTree(t) for t in (loaded.trusted, loaded.base, loaded.head))
    load_policy(recording[0])
    judged = judge_facts(loaded.facts, loaded.policy, recording, options, today())
    snapshot = Snapshot(
        facts=loaded.facts,
        today=today().isoformat(),
        trees={
            name: tree.finish()
            for name, tree in zip(("trusted", "base", "head"), recording, strict=True)
        },
    )
    try:
        with open(options.snapshot, "w", encoding="utf-8") as stream:
            stream.write(dump(snapshot))
    except OSError as error:
        raise InputError(f"cannot write {options.snapshot}: {error.strerror}") from None
    return judged


def _replay(options: Namespace) -> int:
    try:
        with open(options.from_snapshot, "rb") as stream:
            snapshot = load_snapshot(stream.read())
        trees = tuple(ReplayedTree(snapshot.trees[name]) for name in ("trusted", "base", "head"))
        policy = _given_policy(options) or load_policy(trees[0])
        when = date.fromisoformat(snapshot.today)
    except OSError as error:
        raise InputError(f"cannot read {options.from_snapshot}: {error.strerror}") from None
    except KeyError as error:
        raise InputError(f"the snapshot has no tree {error.args[0]}") from None
    except (SnapshotError, PolicyError, ValueError) as error:
        raise InputError(str(error)) from None
    facts = snapshot.facts
    if (facts.repo.lower(), facts.number) != (options.repo.lower(), options.number):
        raise InputError(f"the snapshot is of {facts.repo} pull request {facts.number}")
    return _deliver(judge_facts(facts, policy, trees, options, when), options)


def judge_facts(
    facts: PullFacts,
    policy: Policy,
    trees: tuple[Tree, ...],
    options: Namespace | None,
    today: date,
) -> Judged:
    """The verdict over facts and the trees (trusted, merge base, head)."""
    from verifier import judge

    context = context_of(facts, policy, trees, options, today)
    only = None if options is None or options.check is None else tuple(options.check)
    try:
        verdict = judge.judge(context, only)
    except KeyError as error:
        from verifier.cli_judge import unknown_check

        raise unknown_check(error) from None
    lost = dict(item for tree in trees for item in failed(tree).items())
    notes = (
        *(Note(span=NOWHERE, text=f"could not be read: {text}") for text in facts.unread),
        # A check may take such a file for absent, or for the same on both sides.
        *(
            Note(span=Span(path, 1), text=f"could not be read: {text}")
            for path, text in lost.items()
        ),
    )
    outcome = verdict.outcome
    if notes and outcome is Outcome.PASS:
        outcome = Outcome.UNRESOLVED
    verdict = replace(
        verdict, outcome=outcome, head=facts.head_sha, unread=(*context.unread, *notes)
    )
    report = _report(verdict, facts, trees[2])
    return Judged(verdict, facts, report, key_of(facts, policy), _diff(context))


def context_of(
    facts: PullFacts,
    policy: Policy,
    trees: tuple[Tree, ...],
    options: Namespace | None,
    today: date,
) -> Context:
    """Facts of the pull request and of every recipe that it touches."""
    from verifier import gather
    from verifier.cli_judge import golden_prefixes
    from verifier.facts import Reading
    from verifier.golden import Golden
    from verifier.signoff.documents import documented
    from verifier.sources.git import GitTree

    trusted, base, head = trees
    if options is not None and options.thinking is not None:
        policy = replace(policy, default_thinking=options.thinking)
    golden = Golden.load(trusted, policy)
    reading = Reading(
        env=options.env if options is not None else {},
        closed=options.closed if options is not None else False,
        thinking=options.thinking if options is not None else None,
        prefixes=golden_prefixes(golden),
    )
    jobs = 1
    if options is not None and all(isinstance(tree, (GitTree, ReplayedTree)) for tree in trees):
        # Other trees hold a connection or a record, which processes cannot share.
        jobs = options.jobs or os.cpu_count() or 1
    task = gather.Task(
        tree=head, policy=policy, golden=golden, reading=reading, today=today, jobs=jobs
    )
    context = gather.context_of_change(change_of(facts), base, head, task, trusted)
    return replace(context, pull=facts, documented=documented(facts.recipes, policy))


def _diff(context: Context) -> str:
    """The launch diff, shortened."""
    diff = context.points.diff if context.points is not None else None
    if diff is None or not (diff.changed or diff.added or diff.removed):
        return ""
    from verifier.reports.points import diff_text

    lines = diff_text(diff, width=200).rstrip("\n").split("\n")
    if len(lines) > MAX_DIFF_LINES:
        more = len(lines) - MAX_DIFF_LINES
        lines[MAX_DIFF_LINES:] = [f"{more} more lines: verify diff {diff.base}..{diff.head}"]
    return "\n".join(lines)


def key_of(facts: PullFacts, policy: Policy) -> str:
    """What a verdict belongs to: the same key, the same question."""
    signoff = facts.signoff
    parts = (
        facts.head_sha,
        str(signoff.id) if signoff else "",
        fingerprint(signoff.body) if signoff else "",
        __version__,
        repr(policy),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _report(verdict: Verdict, facts: PullFacts, head: Tree) -> Report:
    import checks
    from verifier.cli_judge import source_of

    return Report(
        verdict=verdict,
        source=source_of(head),
        judged=tuple(file.path for file in facts.files),
        summaries={meta.slug: meta.summary for meta in checks.catalogue()},
    )


def comment(judged: Judged, moved: str | None) -> str:
    """The comment's body, without the marker line."""
    from verifier.reports import markdown

    signoff = judged.facts.signoff
    body = markdown.render(
        judged.report,
        signer=signoff.author if signoff else None,
        moved=moved,
        details=[
            *([("Launch changes", judged.diff)] if judged.diff else []),
            ("Sources", sources(judged)),
        ],
    )
    if moved is not None or judged.verdict.outcome is not Outcome.PASS:
        # Readers of the comment look for these words, and quoted text must not offer them.
        body = body.replace("Verdict: PASS", "Verdict:\u200b PASS")
    return f"{body}\n<!-- key={judged.key} -->\n"


def sources(judged: Judged) -> str:
    """What was judged, by which rules: for whoever wonders why a verdict differs."""
    facts = judged.facts
    lines = [
        f"head {facts.head_sha}",
        f"base {facts.base_ref} at {facts.base_sha}, merge base {facts.merge_base}",
        f"rules recipe-verifier {__version__}",
    ]
    if facts.signoff is not None:
        lines.insert(
            0,
            f"sign-off {facts.signoff.id} of {facts.signoff.created}, "
            f"text {fingerprint(facts.signoff.body)}",
        )
    return "\n".join(lines)


def describe(verdict: Verdict) -> str:
    """The status in one line."""
    if verdict.outcome is Outcome.PASS:
        return "CODEOWNER sign-off verified"
    rows = [row for row in verdict.checks if row.blocks]
    failed = [str(row.number) for row in rows if row.status is Status.FAIL]
    open_ones = [str(row.number) for row in rows if row.status is Status.UNRESOLVED]
    parts = []
    if failed:
        parts.append(f"Rejected: check {', '.join(failed)} failed")
    if open_ones:
        parts.append(f"check {', '.join(open_ones)} could not be decided")
    return "; ".join(parts) or "Something could not be read, so this is no pass"


def _deliver(judged: Judged, options: Namespace) -> int:
    from verifier.cli_judge import rendered
    from verifier.cli_output import deliver

    if options.format == "markdown":
        deliver(comment(judged, None), options)
    else:
        deliver(rendered(judged.report, options), options)
    return EXIT[judged.verdict.outcome]
