"""A pull request's facts from GitHub: everything that the checks need, read once.

What the change is (files, commits, sign-off, trusted files) must be readable, else nothing is
judged. Evidence beside it (check-runs, artifacts, teams, linked recipes) may fail: the failure is
then a fact, and the check that needs it is unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from verifier.model.change import Change, ChangedFile
from verifier.model.pull import (
    CheckRun,
    EvalScore,
    Membership,
    PullFacts,
    RecipeEvidence,
    Remark,
    SignOffKind,
    WorkflowRun,
)
from verifier.model.record import dataclass, field, replace
from verifier.model.tree import Tree, Unreadable
from verifier.policy import Policy, load_policy
from verifier.signoff import codeowners, evals, lanes
from verifier.signoff.commands import reuse_commands
from verifier.signoff.event import EventError, Trigger, remark_of
from verifier.signoff.links import links_of, recipe_link
from verifier.signoff.text import read, why_no_signoff
from verifier.sources.github import (
    Api,
    GitHubError,
    number_of,
    objects,
    quoted,
    text_of,
)
from verifier.sources.github_tree import GitHubTree, changed_files
from verifier.sources.recipes import load_recipe

MAX_COMMITS = 40
"""Newest commits whose check-runs are read."""
MAX_RUNS = 20
MAX_EVAL_RUNS = 12
MAX_ARTIFACTS = 200
MAX_TEAMS = 20
MAX_LINKS = 10

_SHA = re.compile(r"[0-9a-f]{40}")
_RUN = re.compile(r"/actions/runs/(\d{1,20})(?:/|$)")
_EVAL_ARTIFACT = re.compile(r"eval_(?!server_logs_|gpu_metrics_).+")
_AGGREGATE = "eval_results_"

T = TypeVar("T")


class LoadError(Exception):
    """The pull request cannot be judged at all, and why."""


class Files(Protocol):
    """Where trees of commits and the change between two of them come from."""

    def tree(self, sha: str) -> Tree:
        """The files of a commit."""

    def change(self, base: str, head: str) -> tuple[ChangedFile, ...]:
        """What differs between two commits."""


@dataclass
class ApiFiles:
    """Files through the API."""

    api: Api
    repo: str
    number: int
    trees: dict[str, GitHubTree] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def tree(self, sha: str) -> GitHubTree:
        """The files of a commit, listed once."""
        if sha not in self.trees:
            tree = GitHubTree(self.api, self.repo, sha, blobs=self.blobs)
            tree.entries()
            self.trees[sha] = tree
        return self.trees[sha]

    def change(self, base: str, head: str) -> tuple[ChangedFile, ...]:
        """What differs, by the two listings; GitHub's own list only adds which are renames.

        That list is of the newest head and ends at 3,000 files, so it decides nothing.
        """
        found = {f.path: f for f in changed_files(self.tree(base), self.tree(head))}
        if not any(f.status == "deleted" for f in found.values()):
            return tuple(found.values())
        path = f"/repos/{self.repo}/pulls/{self.number}/files"
        for item in objects(self.api.pages(path), "the list of changed files"):
            old, new = item.get("previous_filename"), item.get("filename")
            if item.get("status") != "renamed" or old not in found or new not in found:
                continue
            if found[old].status == "deleted" and found[new].status == "added":
                del found[old]
                found[new] = ChangedFile(path=new, status="renamed", previous=old)
        return tuple(found[name] for name in sorted(found))


@dataclass(frozen=True, slots=True)
class Loaded:
    """Facts, the trees they are judged with, and the policy of the base branch."""

    facts: PullFacts
    policy: Policy
    trusted: Tree
    base: Tree
    head: Tree

    @property
    def change(self) -> Change:
        """The change under review."""
        return change_of(self.facts)


def change_of(facts: PullFacts) -> Change:
    """The change under review."""
    return Change(base=facts.merge_base, head=facts.head_sha, files=facts.files)


def head_of(api: Api, repo: str, number: int) -> str:
    """The head commit right now. Raises `GitHubError`."""
    what = f"pull request {number}"
    return _sha(text_of(api.get(f"/repos/{repo}/pulls/{number}"), "head", "sha", what=what), what)


def _sha(text: str, what: str) -> str:
    if not _SHA.fullmatch(text):
        raise GitHubError(f"{what}: {text[:60]!r} is no commit")
    return text


def load_pull(
    api: Api,
    repo: str,
    number: int,
    *,
    trigger: Trigger | None = None,
    policy: Policy | None = None,
    files: Callable[[Iterable[str]], Files | None] | None = None,
    pull: Mapping[str, Any] | None = None,
) -> Loaded:
    """Everything about one pull request. Raises `GitHubError` and `LoadError`.

    `files` may offer another source of file contents for these commits, such as a local clone.
    `pull` is the pull request as it was read a moment ago.
    """
    return _Loader(api, repo, number, trigger, policy, files).load(pull)


@dataclass
class _Loader:
    api: Api
    repo: str
    number: int
    trigger: Trigger | None
    policy: Policy | None
    offer: Callable[[Iterable[str]], Files | None] | None
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def at(self) -> str:
        return f"/repos/{self.repo}"

    def load(self, known: Mapping[str, Any] | None) -> Loaded:
        pull = known or self.api.get(f"{self.at}/pulls/{self.number}")
        what = f"pull request {self.number}"
        head = self.trigger.head_sha if self.trigger and self.trigger.head_sha else None
        head = head or _sha(text_of(pull, "head", "sha", what=what), what)
        base_ref = text_of(pull, "base", "ref", what=what)
        base = self._tip(base_ref)
        ancestor = self._merge_base(base, head)
        files = (self.offer((base, ancestor, head)) if self.offer else None) or ApiFiles(
            self.api, self.repo, self.number
        )
        trusted, before, after = (files.tree(sha) for sha in (base, ancestor, head))
        policy = self.policy or load_policy(trusted)
        changed = files.change(ancestor, head)
        commits = self._commits(pull, ancestor, head)
        comments = self._remarks(f"{self.at}/issues/{self.number}/comments", "issue_comment")
        signoff = self._signoff(comments)
        owners_path, owners = self._owners(trusted, policy)
        author = pull.get("user")
        facts = PullFacts(
            repo=self.repo,
            number=self.number,
            head_sha=head,
            base_ref=base_ref,
            base_sha=base,
            merge_base=ancestor,
            author=str(author.get("login", "")) if isinstance(author, dict) else "",
            title=str(pull.get("title") or ""),
            draft=pull.get("draft") is True,
            state="closed" if pull.get("state") == "closed" else "open",
            files=changed,
            commits=commits,
            comments=comments,
            check_runs=self._evidence("check_runs", lambda: self._check_runs(commits), ()),
            signoff=signoff,
            codeowners=owners,
            codeowners_path=owners_path,
            checklist=self._text(trusted, policy.place(policy.paths.checklist), "checklist"),
            thresholds=self._text(trusted, policy.place(policy.paths.thresholds), "thresholds"),
            waivers=self._waivers(trusted, after, policy),
        )
        facts = self._more(facts, policy, files)
        return Loaded(facts, policy, trusted, before, after)

    def _more(self, facts: PullFacts, policy: Policy, files: Files) -> PullFacts:
        """What depends on facts already read."""
        no_runs: tuple[WorkflowRun, ...] = ()
        runs = self._evidence("runs", partial(self._runs, facts), no_runs)
        scores: list[EvalScore] = []
        refused: list[str] = []
        images: dict[str, Mapping[str, str]] = {}
        behind = lanes.eval_runs(facts, policy)
        if len(behind) > MAX_EVAL_RUNS:
            self.problems["limit:evals"] = (
                f"only the newest {MAX_EVAL_RUNS} of {len(behind)} evaluation runs were read"
            )
        for run, sha in behind[:MAX_EVAL_RUNS]:
            got = self._evidence("evals", partial(self._evals, run), evals.Results())
            scores.extend(got.scores)
            refused.extend(got.problems)
            if sha != facts.head_sha and sha not in images:
                part = f"evidence_images:{sha}"
                found = self._evidence(part, partial(self._images, files, sha, policy), None)
                if found is not None:
                    images[sha] = found
        return replace(
            facts,
            runs=runs,
            evals=tuple(scores),
            eval_problems=tuple(refused),
            evidence_images=images,
            memberships=self._memberships(facts),
            recipes=self._recipes(facts),
            problems=dict(self.problems),
        )

    def _evidence(self, part: str, load: Callable[[], T], otherwise: T) -> T:
        """What `load` yields; a failure is noted as a problem of that part."""
        try:
            return load()
        except (GitHubError, Unreadable) as error:
            self.problems[part] = str(error)
            return otherwise

    def _tip(self, ref: str) -> str:
        what = f"branch {ref}"
        data = self.api.get(f"{self.at}/branches/{quoted(ref)}")
        return _sha(text_of(data, "commit", "sha", what=what), what)

    def _merge_base(self, base: str, head: str) -> str:
        what = "the comparison of base and head"
        data = self.api.get(f"{self.at}/compare/{base}...{head}", per_page=1)
        return _sha(text_of(data, "merge_base_commit", "sha", what=what), what)

    def _commits(self, pull: Mapping[str, Any], ancestor: str, head: str) -> tuple[str, ...]:
        what = "the list of commits"
        items = self.api.pages(f"{self.at}/pulls/{self.number}/commits")
        found = [_sha(text_of(item, "sha", what=what), what) for item in objects(items, what)]
        count = pull.get("commits")
        if isinstance(count, int) and count > len(found):
            # That list ends at 250; a comparison is paged to its end.
            path = f"{self.at}/compare/{ancestor}...{head}"
            items = self.api.pages(path, key="commits")
            found = [_sha(text_of(item, "sha", what=what), what) for item in objects(items, what)]
        if isinstance(count, int) and count > len(found):
            self.problems["limit:commits"] = f"GitHub lists {len(found)} of {count} commits"
        if head in found:
            # Commits after the pinned head are not what was signed off.
            return tuple(found[: found.index(head) + 1])
        self.problems["commits"] = f"the pinned head {head[:12]} is not in the list of commits"
        return tuple(found)

    def _remarks(self, path: str, kind: SignOffKind) -> tuple[Remark, ...]:
        items = self.api.pages(path)
        try:
            remarks = [remark_of(item, kind) for item in objects(items, "the list of comments")]
        except EventError as error:
            raise GitHubError(f"GET {path}: {error}") from None
        return tuple(sorted(remarks, key=lambda r: (r.created, r.id)))

    def _signoff(self, comments: tuple[Remark, ...]) -> Remark | None:
        """The sign-off that was asked for, else the newest one on the pull request."""
        if self.trigger is not None:
            return self.trigger.remark or self._asked(self.trigger)
        remarks = [
            *comments,
            *self._remarks(f"{self.at}/pulls/{self.number}/reviews", "review"),
            *self._remarks(f"{self.at}/pulls/{self.number}/comments", "review_comment"),
        ]
        valid = [remark for remark in remarks if why_no_signoff(remark) is None]
        return max(valid, key=lambda r: (r.created, r.id), default=None)

    def _asked(self, trigger: Trigger) -> Remark:
        paths: dict[SignOffKind, tuple[str, str | None, str]] = {
            "issue_comment": (
                f"{self.at}/issues/comments/{trigger.id}",
                "issue_url",
                f"/issues/{self.number}",
            ),
            "review": (f"{self.at}/pulls/{self.number}/reviews/{trigger.id}", None, ""),
            "review_comment": (
                f"{self.at}/pulls/comments/{trigger.id}",
                "pull_request_url",
                f"/pulls/{self.number}",
            ),
        }
        path, owner, ending = paths[trigger.kind]
        data = self.api.get(path)
        if owner is not None and not text_of(data, owner, what="the sign-off").endswith(ending):
            raise LoadError(f"the sign-off belongs to another pull request than {self.number}")
        try:
            remark = remark_of(data, trigger.kind)
        except EventError as error:
            raise LoadError(f"the sign-off cannot be read: {error}") from None
        reason = why_no_signoff(remark)
        if reason is not None:
            raise LoadError(f"what the address leads to is no sign-off: {reason}")
        return remark

    def _check_runs(self, commits: tuple[str, ...]) -> tuple[CheckRun, ...]:
        what = "the list of check-runs"
        found: list[CheckRun] = []
        if len(commits) > MAX_COMMITS:
            self.problems["limit:check_runs"] = (
                f"only the newest {MAX_COMMITS} of {len(commits)} commits were looked at"
            )
        for sha in reversed(commits[-MAX_COMMITS:]):
            items = self.api.pages(f"{self.at}/commits/{sha}/check-runs", key="check_runs")
            for item in objects(items, what):
                address = str(item.get("details_url") or item.get("html_url") or "")
                match = _RUN.search(address)
                app = item.get("app")
                conclusion = item.get("conclusion")
                found.append(
                    CheckRun(
                        id=number_of(item, "id", what=what),
                        sha=sha,
                        name=text_of(item, "name", what=what),
                        status=text_of(item, "status", what=what),
                        conclusion=conclusion if isinstance(conclusion, str) else None,
                        started=str(item.get("started_at") or ""),
                        run=int(match[1]) if match else None,
                        app=app["slug"]
                        if isinstance(app, dict) and isinstance(app.get("slug"), str)
                        else None,
                    )
                )
        return tuple(found)

    def _runs(self, facts: PullFacts) -> tuple[WorkflowRun, ...]:
        """The runs that commands name, and those behind the check-runs."""
        named = [
            command.run
            for remark in facts.comments
            for command in reuse_commands(remark.body)
            if command.run is not None
        ]
        behind = [run.run for run in facts.check_runs if run.run is not None]
        wanted = list(dict.fromkeys([*reversed(named), *behind]))
        found = []
        for run in wanted[:MAX_RUNS]:
            part = f"runs:{run}"
            got = self._evidence(part, partial(self._run, run, run in behind), None)
            if got is not None:
                found.append(got)
        return tuple(found)

    def _run(self, run: int, exists: bool) -> WorkflowRun | None:
        """A run; one that a person names need not exist, one behind a check-run must."""
        what = f"run {run}"
        try:
            data = self.api.get(f"{self.at}/actions/runs/{run}")
        except GitHubError as error:
            if error.status == 404 and not exists:
                return WorkflowRun(id=run, head_sha="", status="missing")
            raise
        conclusion = data.get("conclusion") if isinstance(data, dict) else None
        return WorkflowRun(
            id=run,
            head_sha=text_of(data, "head_sha", what=what),
            workflow=str(data.get("path") or ""),
            event=str(data.get("event") or ""),
            status=text_of(data, "status", what=what),
            conclusion=conclusion if isinstance(conclusion, str) else None,
            attempt=int(data.get("run_attempt") or 1),
        )

    def _evals(self, run: int) -> evals.Results:
        """Scores in the artifacts of a run: the aggregate where there is one, else all."""
        what = f"the artifacts of run {run}"
        items = self.api.pages(f"{self.at}/actions/runs/{run}/artifacts", key="artifacts")
        wanted = [
            item
            for item in objects(items, what)
            if _EVAL_ARTIFACT.fullmatch(text_of(item, "name", what=what))
        ]
        whole = [item for item in wanted if str(item["name"]).startswith(_AGGREGATE)]
        results = evals.Results()
        if len(wanted) > MAX_ARTIFACTS and not whole:
            raise GitHubError(f"{what}: {len(wanted)} of them, at most {MAX_ARTIFACTS} are read")
        for item in whole or wanted:
            name = text_of(item, "name", what=what)
            if item.get("expired") is True:
                results.problems.append(f"artifact {name} of run {run} has expired")
                continue
            size = number_of(item, "size_in_bytes", what=what)
            if size > evals.MAX_ARCHIVE_BYTES:
                results.problems.append(f"artifact {name} of run {run} has {size:,} bytes")
                continue
            address = f"{self.at}/actions/artifacts/{number_of(item, 'id', what=what)}/zip"
            data = self.api.download(address, evals.MAX_ARCHIVE_BYTES)
            try:
                part = evals.read_archive(data, run, name)
            except evals.ArtifactError as error:
                results.problems.append(str(error))
                continue
            results.scores.extend(part.scores)
            results.problems.extend(part.problems)
        return results

    def _images(self, files: Files, sha: str, policy: Policy) -> Mapping[str, str] | None:
        """Image of every master-config key at a commit."""
        from verifier.recipes.yaml_marks import YamlMap, plain
        from verifier.recipes.yaml_marks import read as read_yaml

        tree = files.tree(sha)
        images: dict[str, str] = {}
        for name in policy.patterns(policy.paths.master_configs):
            data = tree.read(name)
            root = read_yaml(data, name).root if data is not None else None
            if not isinstance(root, YamlMap):
                continue
            for key, entry in root.entries.items():
                value = plain(entry.node)
                if isinstance(value, dict) and isinstance(value.get("image"), str):
                    images[str(key)] = value["image"]
        return images

    def _owners(self, trusted: Tree, policy: Policy) -> tuple[str, str | None]:
        """The owners file: the policy's place, else GitHub's own places."""
        places = dict.fromkeys((policy.place(policy.paths.codeowners), *codeowners.LOCATIONS))
        for path in places:
            text = self._text(trusted, path, "codeowners")
            if text is not None or "codeowners" in self.problems:
                return path, text
        return next(iter(places)), None

    def _text(self, tree: Tree, path: str, part: str) -> str | None:
        try:
            data = tree.read(path)
        except Unreadable as error:
            self.problems[part] = str(error)
            return None
        return None if data is None else data.decode("utf-8", "replace")

    def _waivers(self, trusted: Tree, head: Tree, policy: Policy) -> dict[str, str]:
        """This pull request's waiver at the head, all others at the base."""
        pattern = policy.place(policy.paths.waivers)
        own = pattern.replace("{number}", str(self.number))
        found: dict[str, str] = {}
        mine = self._text(head, own, f"waivers:{own}")
        if mine is not None:
            found[own] = mine
        folder = pattern.rpartition("/")[0]
        for path in trusted.files(folder)[:200]:
            if path != own and path.endswith(".md"):
                text = self._text(trusted, path, f"waivers:{path}")
                if text is not None:
                    found[path] = text
        return found

    def _memberships(self, facts: PullFacts) -> dict[str, Membership]:
        """Whether the signer is in the teams that could cover a changed path."""
        if facts.signoff is None or facts.codeowners is None:
            return {}
        owners = codeowners.parse(facts.codeowners)
        login = facts.signoff.author
        wanted: dict[str, None] = {}
        for name in dict.fromkeys(name for file in facts.files for name in file.names):
            rule = owners.of(name)
            if rule is None or not rule.owners or rule.catch_all:
                if login.lower() not in owners.users:
                    wanted.update(dict.fromkeys(owners.teams))
            elif login.lower() not in rule.users:
                wanted.update(dict.fromkeys(rule.teams))
        found: dict[str, Membership] = {}
        for team in list(wanted)[:MAX_TEAMS]:
            found[team] = self._membership(team, login)
        return found

    def _membership(self, team: str, login: str) -> Membership:
        organisation, _, slug = team.partition("/")
        place = f"/orgs/{quoted(organisation)}/teams/{quoted(slug)}"
        try:
            data = self.api.get(f"{place}/memberships/{quoted(login)}")
            return "member" if data.get("state") == "active" else "not_member"
        except (GitHubError, AttributeError) as error:
            status = getattr(error, "status", None)
            if status == 404 and self._visible(place):
                return "not_member"
            # A token that may not read teams is normal; a failing server is not.
            part = "memberships" if status in (401, 403, 404) else "teams"
            self.problems[f"{part}:{team}"] = str(error)
            return "unknown"

    def _visible(self, place: str) -> bool:
        """Whether the team itself can be read: then a missing member is no member."""
        try:
            return isinstance(self.api.get(place), dict)
        except GitHubError:
            return False

    def _recipes(self, facts: PullFacts) -> tuple[RecipeEvidence, ...]:
        if facts.signoff is None:
            return ()
        details = read(facts.signoff.body).details
        links = [link for link in map(recipe_link, links_of(details)) if link is not None]
        found = tuple(load_recipe(self.api, link) for link in links[:MAX_LINKS])
        if len(links) > MAX_LINKS:
            self.problems["limit:recipes"] = f"only {MAX_LINKS} of {len(links)} links were followed"
        return found
