"""Loading a pull request: everything is read, at one commit, from the right place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bot.fake_github import TOKEN, Fault, sha_of
from tests.bot.test_evals import archive
from tests.bot.world import BASE, BASE_FILES, HEAD, NUMBER, REPO, SIGNOFF, World, remark
from verifier.model.change import ChangedFile
from verifier.model.pull import PullFacts
from verifier.model.tree import Unreadable
from verifier.signoff.run import run_pr, run_signoff
from verifier.snapshot import Recorded, Snapshot, SnapshotError, dump, encode, load
from verifier.sources.github import GitHubError
from verifier.sources.github_tree import GitHubTree
from verifier.sources.pull import Loaded, load_pull

AGENTIC = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"


def loaded(world: World) -> Loaded:
    return load_pull(world.api(), REPO, NUMBER)


def test_every_page_is_read(world: World) -> None:
    world.fake.page_limit = 30
    repo = world.repo
    repo.commits[HEAD].update({f"docs/{n}.md": b"x" for n in range(120)})
    repo.commits[HEAD]["configs/amd-master.yaml"] = b"a: 1\n"
    repo.comments[NUMBER] += [remark(1000 + n, f"comment {n}") for n in range(130)]
    commits = [sha_of(f"c{n}") for n in range(35)]
    repo.pull_commits[NUMBER] = [*commits, HEAD]
    repo.pulls[NUMBER]["commits"] = 36
    repo.check_runs[HEAD] = [
        {"id": n, "name": f"eval / {n}", "status": "completed", "conclusion": "success",
         "started_at": "", "details_url": "", "app": {"slug": "github-actions"}}
        for n in range(140)
    ]  # fmt: skip
    facts = loaded(world).facts
    assert len(facts.files) == 122
    assert len(facts.comments) == 132
    assert facts.commits == (*commits, HEAD)
    assert len(facts.check_runs) == 140
    assert facts.problems == {}


def test_more_commits_than_the_pull_request_lists(world: World) -> None:
    commits = [sha_of(f"c{n}") for n in range(320)]
    world.repo.pull_commits[NUMBER] = [*commits, HEAD]
    world.repo.pulls[NUMBER]["commits"] = 321
    facts = loaded(world).facts
    assert facts.commits == (*commits, HEAD)
    assert set(facts.problems) == {"limit:check_runs"}


def test_both_names_of_a_rename_are_known(world: World) -> None:
    world.repo.commits[HEAD] = {
        **{p: d for p, d in BASE_FILES.items() if p != "docs/notes.md"},
        "notes/notes.md": b"Notes.\n",
    }
    world.repo.pull_files[NUMBER] = [
        {"filename": "notes/notes.md", "previous_filename": "docs/notes.md", "status": "renamed"}
    ]
    assert loaded(world).facts.files == (
        ChangedFile(path="notes/notes.md", status="renamed", previous="docs/notes.md"),
    )


def test_a_rename_that_is_not_listed_is_still_seen(world: World) -> None:
    world.repo.commits[HEAD] = {
        **{p: d for p, d in BASE_FILES.items() if p != "docs/notes.md"},
        "notes/notes.md": b"Notes.\n",
    }
    world.repo.pull_files[NUMBER] = [
        {"filename": "README.md", "previous_filename": "docs/notes.md", "status": "renamed"}
    ]
    assert {f.path: f.status for f in loaded(world).facts.files} == {
        "docs/notes.md": "deleted",
        "notes/notes.md": "added",
    }


def test_rules_come_from_the_base_branch_and_not_from_the_pull_request(world: World) -> None:
    world.repo.commits[HEAD].update(
        {
            ".github/CODEOWNERS": b"* @mallory\n",
            "docs/PR_REVIEW_CHECKLIST.md": b"## Template\n```\n- [ ] nothing\n```\n",
            "verifier.yaml": b"checks: {codeowner: {severity: 'off'}}\n",
            "utils/evals/thresholds.yaml": b"default: {gsm8k: 0.1}\n",
        }
    )
    world.signoff["user"]["login"] = "mallory"
    world.signoff["author_association"] = "NONE"
    assert run_signoff(world.options(event=str(world.event())), world.outside()) == 1
    assert world.row("codeowner")["status"] == "fail"


def test_the_tip_of_the_base_branch_decides_and_the_merge_base_is_compared(world: World) -> None:
    old = sha_of("merge base")
    repo = world.repo
    repo.merge_base[BASE, HEAD] = old
    repo.commits[old] = {**BASE_FILES, "docs/other.md": b"x"}
    repo.commits[BASE] = {**BASE_FILES, ".github/CODEOWNERS": b"* @olga\n"}
    repo.commits[HEAD] = {**repo.commits[old], "docs/notes.md": b"new\n"}
    facts = loaded(world).facts
    assert [f.path for f in facts.files] == ["docs/notes.md"]
    assert facts.codeowners == "* @olga\n"
    assert (facts.base_sha, facts.merge_base) == (BASE, old)


def test_commits_after_the_pinned_head_do_not_count(world: World) -> None:
    world.repo.pull_commits[NUMBER] = [sha_of("one"), HEAD, sha_of("later")]
    assert loaded(world).facts.commits == (sha_of("one"), HEAD)


def test_the_newest_signoff_counts_wherever_it_stands(world: World) -> None:
    world.repo.reviews[NUMBER] = [remark(201, SIGNOFF, "pavel", created="2026-07-11T00:00:00Z")]
    world.repo.review_comments[NUMBER] = [
        remark(301, "> " + SIGNOFF, "zoe", created="2026-07-12T00:00:00Z")
    ]
    signoff = loaded(world).facts.signoff
    assert signoff is not None
    assert (signoff.kind, signoff.author) == ("review", "pavel")


def test_teams(world: World) -> None:
    world.signoff["user"]["login"] = "zoe"
    world.signoff["author_association"] = "NONE"
    world.repo.commits[HEAD]["configs/nvidia-master.yaml"] = b"a: 1\n"
    world.repo.commits[HEAD]["README.md"] = b"x"
    world.fake.teams = {"bench/nvidia": {"zoe": "active"}, "bench/core": {}}
    assert loaded(world).facts.memberships == {
        "bench/nvidia": "member",
        "bench/core": "not_member",
    }
    world.fake.hidden_teams = {"bench/nvidia", "bench/core"}
    facts = loaded(world).facts
    assert set(facts.memberships.values()) == {"unknown"}
    assert facts.unread == ()


def green(world: World) -> None:
    """An agentic script with all its evidence."""
    repo = world.repo
    script = (
        b"#!/usr/bin/env bash\n"
        b"vllm serve deepseek-ai/DeepSeek-V4-Pro --tensor-parallel-size 8 --speculative-config "
        b'\'{"method":"mtp","num_speculative_tokens":3,"rejection_sample_method":"synthetic",'
        b'"synthetic_acceptance_length":2.49}\' &\n'
        b'build_replay_cmd "$RESULT_DIR"\n'
        b"run_agentic_replay_and_write_outputs\n"
    )
    repo.commits[HEAD][AGENTIC] = script
    repo.check_runs[HEAD] = [
        {"id": n, "name": name, "status": "completed", "conclusion": "success", "started_at": "",
         "details_url": f"https://github.com/{REPO}/actions/runs/50/job/{n}", "app": None}
        for n, name in ((1, "agentic / x"), (2, "agentic eval / x"))
    ]  # fmt: skip
    repo.runs[50] = {"id": 50, "head_sha": HEAD, "status": "completed", "conclusion": "success"}
    repo.artifacts[50] = [
        {"id": 1, "name": "eval_results_all", "size_in_bytes": 900, "expired": False},
        {"id": 2, "name": "eval_server_logs_x", "size_in_bytes": 900, "expired": False},
    ]
    rows = [{"model_prefix": "dsv4", "task": "gsm8k", "score": 0.97}]
    repo.archives[1] = archive({"agg_eval_all.json": rows})
    recipe = world.fake.repo("vllm-project/recipes")
    text = b"## B200\n\n```bash\nvllm serve deepseek-ai/DeepSeek-V4-Pro -tp 8\n```\n"
    from tests.bot.fake_github import blob_of

    recipe.commits[sha_of("recipe")] = {"DeepSeek/V4.md": text}
    recipe.pulls[3] = {"number": 3, "state": "closed", "merged": True, "draft": False,
                       "merged_at": "2026-07-01T00:00:00Z", "merge_commit_sha": sha_of("recipe"),
                       "head": {"sha": sha_of("recipe")}}  # fmt: skip
    recipe.pull_files[3] = [
        {"filename": "DeepSeek/V4.md", "status": "modified", "sha": blob_of(text)}
    ]
    world.signoff["body"] = SIGNOFF.replace(
        "- Nothing is measured differently.",
        "- Recipe: https://github.com/vllm-project/recipes/pull/3",
    )


def test_a_whole_submission_turns_green(world: World) -> None:
    green(world)
    code = run_signoff(world.options(event=str(world.event())), world.outside())
    rows = {row["slug"]: row["status"] for row in world.verdict["checks"]}
    assert rows == {
        **dict.fromkeys(rows, "pass"),
        "upstream-image": "na",
        "context-copy": "na",
        "deprecated-model": rows["deprecated-model"],
        "append-only": "na",
    }
    assert code == 0
    assert world.states == ["pending", "success"]
    assert world.fake.blob_tokens == {None}


@pytest.mark.parametrize("state", ["open", "closed"])
def test_an_upstream_recipe_must_be_merged(state: str, world: World) -> None:
    green(world)
    change = {"merged": False, "merged_at": None, "state": state}
    world.fake.repos["vllm-project/recipes"].pulls[3].update(change)
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert world.row("recipe")["status"] == "fail"


def test_an_artifact_that_is_a_bomb_is_refused(world: World) -> None:
    green(world)
    world.repo.archives[1] = archive({"sample.jsonl": b"\0" * 50_000_000})
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert world.row("evals")["status"] == "fail"
    assert "packed more than" in world.row("evals")["reason"]


def test_an_artifact_larger_than_it_claims_is_not_read_to_the_end(world: World) -> None:
    green(world)
    world.repo.archives[1] = b"x" * 40_000_000
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert world.row("evals")["status"] == "unresolved"
    assert world.states[-1] == "failure"


def test_an_archive_that_the_api_gives_away_itself(world: World) -> None:
    """GitHub redirects to a storage; a server in its place need not."""
    green(world)
    world.fake.direct_archives = True
    assert run_signoff(world.options(event=str(world.event())), world.outside()) == 0
    assert world.fake.blob_tokens == set()


def test_an_archive_behind_an_open_address_is_not_fetched(world: World) -> None:
    green(world)
    world.fake.storage = "http://storage.example"
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert "not https" in world.row("evals")["reason"]


def test_an_artifact_that_has_expired_is_no_evidence(world: World) -> None:
    green(world)
    world.repo.artifacts[50][0]["expired"] = True
    run_signoff(world.options(event=str(world.event())), world.outside())
    assert "expired" in world.row("evals")["reason"]


def test_a_snapshot_of_a_whole_submission_replays(world: World) -> None:
    green(world)
    path = str(world.folder / "snapshot.json")
    assert run_pr(world.options(command="pr", snapshot=path), world.outside()) == 0
    online = world.verdict
    assert run_pr(world.options(command="pr", from_snapshot=path)) == 0
    assert world.verdict == online
    assert TOKEN not in Path(path).read_text()


def test_the_tree_of_the_api(world: World) -> None:
    repo = world.repo
    repo.commits[HEAD].update(
        {"link": b"docs/notes.md", "out": b"../../etc/passwd", "abs": b"/etc/passwd",
         "loop": b"loop", "raw": b"\xff\x00", "big": b"x" * 100}
    )  # fmt: skip
    repo.links[HEAD] = {"link", "out", "abs", "loop"}
    tree = GitHubTree(world.api(), REPO, HEAD, max_bytes=50)
    assert tree.read("docs/notes.md") == tree.read("link") == b"Better notes.\n"
    assert tree.read("raw") == b"\xff\x00"
    assert tree.read("nothing") is None
    assert tree.read("docs") is None
    assert tree.is_dir("docs") and not tree.is_dir("docs/notes.md")
    assert "docs/notes.md" in tree.files("docs")
    for path in ("out", "abs", "loop", "../x", "/etc/passwd", "big"):
        with pytest.raises(Unreadable):
            tree.read(path)


def test_many_files_come_as_one_archive(world: World) -> None:
    world.repo.commits[HEAD].update({f"a/{n}": b"file %d" % n for n in range(500)})
    tree = GitHubTree(world.api(), REPO, HEAD)
    assert [tree.read(f"a/{n}") for n in range(500)] == [b"file %d" % n for n in range(500)]
    assert len(world.fake.calls) < 50


def test_without_an_archive_files_are_read_one_by_one(world: World) -> None:
    world.repo.commits[HEAD].update({f"a/{n}": b"file %d" % n for n in range(60)})
    world.fake.faults.append(Fault(lambda i, v, p: "tarball" in p or "storage" in p, "404"))
    tree = GitHubTree(world.api(), REPO, HEAD)
    assert [tree.read(f"a/{n}") for n in range(60)] == [b"file %d" % n for n in range(60)]


def test_an_archive_of_something_else_changes_nothing(world: World) -> None:
    world.repo.commits[HEAD].update({f"a/{n}": b"file %d" % n for n in range(60)})
    tree = GitHubTree(world.api(), REPO, HEAD)
    tree.entries()
    world.fake.before = lambda i, v, p: world.repo.archives.update(
        dict.fromkeys(world.repo.archives, b"\x1f\x8bnothing")
    )
    assert [tree.read(f"a/{n}") for n in range(60)] == [b"file %d" % n for n in range(60)]


def test_an_answer_of_another_shape_is_an_error(world: World) -> None:
    world.repo.pulls[NUMBER] = {"number": NUMBER, "head": {"sha": "HEAD"}}
    with pytest.raises(GitHubError, match="no commit"):
        loaded(world)


def test_a_snapshot_that_was_tampered_with_is_refused() -> None:
    facts = PullFacts(repo="a/b", number=1, head_sha=HEAD, base_ref="m", base_sha=BASE,
                      merge_base=BASE)  # fmt: skip
    text = dump(Snapshot(facts, "2026-07-10", {"head": Recorded("h", ("a",), {"a": b"\xff"})}))
    assert load(text).facts == facts
    assert load(text).trees["head"].texts == {"a": b"\xff"}
    data = json.loads(text)
    for change in (
        {"schema": 2},
        {"facts": None},
        {"facts": {**encode(facts), "extra": 1}},
        {"facts": {**encode(facts), "number": "1"}},
        {"facts": {**encode(facts), "number": True}},
        {"facts": {**encode(facts), "state": "merged"}},
        {"facts": {"repo": "a/b"}},
        {"today": 5},
        {"trees": {"head": {"name": "h", "paths": ["a"], "texts": {"a": 5}}}},
    ):
        with pytest.raises(SnapshotError):
            load(json.dumps({**data, **change}))
    with pytest.raises(SnapshotError):
        load("{")
