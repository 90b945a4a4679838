"""What two trees launch differently."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.diff import compare, diff
from verifier.model.finding import Status
from verifier.model.points import LaunchDiff
from verifier.policy import DEFAULT
from verifier.recipes.closure import differences
from verifier.recipes.pointfacts import of_tree

RECIPES = "benchmarks/multi_node/srt-slurm-recipes/vllm"
RECIPE = """\
model: {path: deepseek-ai/DeepSeek-V4-Pro}
resources: {agg_nodes: 1, agg_workers: 1}
backend:
  type: vllm
  aggregated_environment: {A: "1"}
  vllm_config:
    aggregated:
      max-num-seqs: 8
      speculative-config: '{"method":"mtp","num_speculative_tokens":3}'
benchmark: {type: sa-bench, isl: 8192}
"""
CONFIG = """\
one:
  image: vllm/vllm-openai:v1
  model: m
  model-prefix: dsv4
  runner: gb300-nv
  precision: fp4
  framework: dynamo-vllm
  multinode: true
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - spec-decoding: mtp
        conc-list: [8, 16]
        prefill: {num-worker: 1, tp: 4, ep: 1, dp-attn: false,
                  additional-settings: ["CONFIG_FILE=recipes/vllm/r.yaml"]}
        decode: {num-worker: 0, tp: 4, ep: 1, dp-attn: false}
"""
TREE = MemoryTree(
    {"configs/nvidia-master.yaml": CONFIG, f"{RECIPES}/r.yaml": RECIPE, f"{RECIPES}/s.yaml": RECIPE}
)


def recipe(before: str, after: str) -> LaunchDiff:
    assert before in RECIPE
    return diff(TREE, TREE.plus({f"{RECIPES}/r.yaml": RECIPE.replace(before, after)}), DEFAULT)


def config(before: str, after: str) -> LaunchDiff:
    assert before in CONFIG
    head = TREE.plus({"configs/nvidia-master.yaml": CONFIG.replace(before, after)})
    return diff(TREE, head, DEFAULT)


def changes(found: LaunchDiff) -> set[tuple[str | None, ...]]:
    return {tuple(c[:4]) for point in found.changed for c in point.changes}


def test_nothing_changes() -> None:
    found = diff(TREE, TREE.plus({}), DEFAULT)
    assert (found.unchanged, found.touched) == (4, 0)
    assert not found.changed


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("seqs: 8", "seqs: 9", ("argument", "--max-num-seqs", "8", "9")),
        ("max-num-seqs: 8", "enforce-eager: true", ("argument", "--max-num-seqs", "8", None)),
        ("max-num-seqs: 8", "enforce-eager: true", ("argument", "--enforce-eager", None, "")),
        ('{A: "1"}', '{A: "2"}', ("variable", "A", "1", "2")),
        ('{A: "1"}', "{}", ("variable", "A", "1", None)),
    ],
)
def test_one_change(before: str, after: str, change: tuple[str, ...]) -> None:
    found = recipe(before, after)
    assert len(found.changed) == 4
    assert change in changes(found)
    assert change in changes(found)
    assert found.unchanged == 0


def test_a_server_that_is_no_longer_started() -> None:
    found = recipe("agg_workers: 1", "agg_workers: 0")
    reach = {c for c in changes(found) if c[0] == "reach"}
    assert {c[1] for c in reach} == {"dynamo.vllm (aggregated)"}
    assert all(c[3] is None for c in reach)


def test_a_comment_touches_points_and_changes_none() -> None:
    found = recipe("backend:", "# hello\nbackend:")
    assert (len(found.changed), found.unchanged, found.touched) == (0, 4, 4)


def test_a_file_that_no_point_runs() -> None:
    found = diff(TREE, TREE.plus({f"{RECIPES}/other.yaml": "a: 1"}), DEFAULT)
    assert (found.unchanged, found.touched) == (4, 0)


def test_the_image() -> None:
    assert changes(config("vllm-openai:v1", "vllm-openai:v2")) == {
        ("image", "image", "vllm/vllm-openai:v1", "vllm/vllm-openai:v2")
    }


def test_a_new_concurrency_adds_points_and_changes_no_launch() -> None:
    found = config("[8, 16]", "[8, 16, 32]")
    assert [(p.conc, p.eval_only) for p in found.added] == [(32, False), (32, True)]
    assert not found.changed
    assert not found.removed
    assert found.unchanged == 4


def test_a_lost_concurrency_removes_points() -> None:
    assert [p.conc for p in config("[8, 16]", "[16]").removed] == [8, 8]


def test_a_row_whose_recipe_alone_changes_is_the_same_row() -> None:
    found = config("vllm/r.yaml", "vllm/s.yaml")
    assert not found.added
    assert changes(found) == {
        ("reach", "recipe", f"{RECIPES}/r.yaml", f"{RECIPES}/s.yaml"),
    }


def test_the_head_points_that_were_evaluated_are_kept() -> None:
    head = TREE.plus({f"{RECIPES}/r.yaml": RECIPE.replace("seqs: 8", "seqs: 9")})
    found = compare(TREE, head, DEFAULT)
    assert len(found.evaluated.jobs) == 4
    assert len(found.evaluated.outcomes) <= 4


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    head = TREE.plus({f"{RECIPES}/r.yaml": RECIPE + "x: 1\n"})
    diff(TREE, head, DEFAULT, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


FILES = {
    "benchmarks/single_node/a.sh": "source ../lib.sh\n",
    "benchmarks/single_node/b.sh": "  # like lib.sh\n",
    "benchmarks/lib.sh": 'bash "$D/helper.sh"; source "amd_utils/env_$ENGINE.sh"\n',
    "benchmarks/helper.sh": "echo\n",
    "benchmarks/amd_utils/env_x.sh": "echo\n",
    "benchmarks/README.md": "x",
}


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("benchmarks/helper.sh", {"helper.sh", "lib.sh", "single_node/a.sh"}),
        ("benchmarks/amd_utils/env_x.sh", {"amd_utils/env_x.sh", "lib.sh", "single_node/a.sh"}),
        ("benchmarks/single_node/a.sh", {"single_node/a.sh"}),
        ("benchmarks/README.md", {"README.md"}),
    ],
)
def test_what_a_file_reaches(path: str, reached: set[str]) -> None:
    base = MemoryTree(FILES)
    found = differences(base, base.plus({path: "new"}), DEFAULT, {"benchmarks/single_node/a.sh"})
    assert found.changed == {path}
    assert found.reached == {f"benchmarks/{name}" for name in reached}


def test_a_config_that_cannot_be_expanded_is_not_taken_for_unchanged() -> None:
    base = TREE.plus(
        {"configs/nvidia-master.yaml": CONFIG.replace("  image: vllm/vllm-openai:v1\n", "")}
    )
    found = diff(base, base.plus({f"{RECIPES}/r.yaml": RECIPE.replace("8\n", "9\n")}), DEFAULT)
    assert found.unchanged == 0 and not found.changed
    (problem,) = found.problems
    assert problem.message.startswith("one.image: is missing")
    assert problem.status is Status.UNRESOLVED


SERVER = """\
export A=1
vllm serve "$MODEL" --tensor-parallel-size $TP {} --port 1 &
"""
SCRIPT = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm.sh"
SINGLE = """\
one:
  image: vllm/vllm-openai:v1
  model: m
  model-prefix: dsv4
  runner: b200
  precision: fp4
  framework: vllm
  scenarios:
    agentic-coding:
    - search-space:
      - {tp: 8, conc-list: [4]}
"""


def server(before: str, after: str) -> set[tuple[str | None, ...]]:
    files = {"configs/nvidia-master.yaml": SINGLE, SCRIPT: SERVER.format(before)}
    base = MemoryTree(files)
    return changes(diff(base, base.plus({SCRIPT: SERVER.format(after)}), DEFAULT))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("--l a --l b", "--l a --l c --l d", {("--l", "b", "c"), ("--l", None, "d")}),
        ("--l a --l b", "--l b", {("--l", "a", "b"), ("--l", "b", None)}),
        ("--x 'a b'", "--x a b", {("--x", "'a b'", "a b")}),
        ("--x", "", {("--x", "", None)}),
        ("--x", "--x ''", {("--x", "", "''")}),
        ("--x=1", "--x 1", set()),
        (
            "--x $(curl a)",
            "--x $(curl b)",
            {("--x", "<output of `curl a`>…", "<output of `curl b`>…")},
        ),
    ],
)
def test_values_of_flags(before: str, after: str, expected: set[tuple[str | None, ...]]) -> None:
    assert server(before, after) == {("argument", *change) for change in expected}


def test_a_row_whose_size_changes_is_the_same_row() -> None:
    base = MemoryTree({"configs/nvidia-master.yaml": SINGLE, SCRIPT: SERVER.format("")})
    head = base.plus({"configs/nvidia-master.yaml": SINGLE.replace("tp: 8", "tp: 4")})
    found = diff(base, head, DEFAULT)
    assert changes(found) == {("argument", "--tensor-parallel-size", "8", "4")}
    assert not found.added and not found.removed


def test_a_row_that_changes_and_starts_the_same_server() -> None:
    base = MemoryTree({"configs/nvidia-master.yaml": SINGLE, SCRIPT: SERVER.format("")})
    head = base.plus({"configs/nvidia-master.yaml": SINGLE.replace("tp: 8", "tp: 8, ep: 8")})
    assert ("variable", "EP_SIZE", "1", "8") in changes(diff(base, head, DEFAULT))


def test_an_unknown_part_that_a_changed_file_makes() -> None:
    files = {
        "configs/nvidia-master.yaml": SINGLE,
        SCRIPT: SERVER.format("--x $(python3 gen.py)"),
        "benchmarks/single_node/agentic/gen.py": "a",
    }
    base = MemoryTree(files)
    found = diff(base, base.plus({"benchmarks/single_node/agentic/gen.py": "b"}), DEFAULT)
    assert found.unchanged == 2
    assert len(found.uncertain) == 2
    assert "gen.py has changed" in found.uncertain[0][1]


def test_a_recipe_that_is_no_mapping_leaves_the_other_points_judged() -> None:
    other = CONFIG.replace("one:", "two:").replace("r.yaml", "s.yaml")
    tree = TREE.plus({"configs/nvidia-master.yaml": CONFIG + other, f"{RECIPES}/r.yaml": "- a\n"})
    found = of_tree(tree, DEFAULT)
    (problem,) = found.problems
    assert problem.code == "point_without_launch"
    assert "a recipe must be a mapping, not a list" in problem.message
    assert f"{RECIPES}/r.yaml:1:1" in problem.message
    assert {recipe.path for recipe in found.recipes if recipe.launches} == {f"{RECIPES}/s.yaml"}
