"""Master configs as points."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.model.finding import Status
from verifier.model.record import replace
from verifier.policy import DEFAULT
from verifier.recipes.elsewhere import elsewhere
from verifier.recipes.evaluate import evaluate_points
from verifier.recipes.masters import Expansion, expand

HEAD = """\
dsv4-fp4-b200-vllm-mtp:
  image: vllm/vllm-openai:v1
  model: org/DeepSeek-V4-Pro
  model-prefix: dsv4
  runner: cluster:b200-dgxc
  precision: fp4
  framework: vllm
  multinode: false
  scenarios:
"""
AGENTIC = """\
    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - {tp: 8, spec-decoding: mtp, conc-start: 1, conc-end: 6, kv-offloading: none}
      - {tp: 4, ep: 4, dp-attn: true, conc-list: [16], kv-offloading: dram,
         kv-offload-backend: {name: mooncake, version: "1"}}
"""
FIXED = """\
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - {tp: 8, pp: 2, conc-list: [4, 8, 4]}
"""
SCRIPTS = {
    "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh": "x",
    "benchmarks/single_node/agentic/dsv4_fp4_b200.sh": "x",
    "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_vllm.sh": "x",
}
RUNNERS = """\
labels: {"cluster:b200-dgxc": [b200-dgxc_07]}
hardware: {"cluster:b200-dgxc": {available-cpu-dram-mib: 3_095_781, gpus-per-node: 8}}
"""


def points(config: str, files: dict[str, str] | None = None) -> Expansion:
    tree = {
        **SCRIPTS,
        "configs/nvidia-master.yaml": config,
        "configs/runners.yaml": RUNNERS,
        **(files or {}),
    }
    return expand(MemoryTree(tree), DEFAULT)


def test_every_row_concurrency_and_mode_is_a_point() -> None:
    found = points(HEAD + AGENTIC + FIXED)
    assert not found.findings
    assert [(p.scenario, p.conc, p.eval_only) for p in found.points] == [
        *(("agentic-coding", c, e) for c in (1, 2, 4, 6, 16) for e in (False, True)),
        *(("fixed-seq-len", c, e) for c in (4, 8) for e in (False, True)),
    ]


def test_the_first_script_that_exists() -> None:
    found = points(HEAD + AGENTIC + FIXED)
    assert list(dict.fromkeys(p.script for p in found.points)) == list(SCRIPTS)


def test_environment_of_a_job() -> None:
    env = points(HEAD + AGENTIC + FIXED).points[8].env
    assert env == {
        **env,
        "MODEL": "org/DeepSeek-V4-Pro",
        "MODEL_PREFIX": "dsv4",
        "EXP_NAME": "dsv4_tp4_conc16_kvdram-mooncake",
        "TP": "4",
        "PP_SIZE": "1",
        "EP_SIZE": "4",
        "DP_ATTENTION": "true",
        "CONC": "16",
        "SPEC_DECODING": "none",
        "RUN_EVAL": "false",
        "EVAL_ONLY": "false",
        "SCENARIO_SUBDIR": "agentic/",
        "IS_AGENTIC": "1",
        "KV_OFFLOAD_BACKEND": "mooncake",
        # 2,861,022 MiB (the cap) * 0.8 * 4 of 8 GPUs
        "TOTAL_CPU_DRAM_GB": "1199",
        "RUNNER_NAME": "b200-dgxc_07",
        "RUNNER_TYPE": "cluster:b200-dgxc",
        "GPU_COUNT": "4",
        "ISL": "0",
    }


def test_defaults_and_lengths() -> None:
    env = points(HEAD + FIXED).points[0].env
    assert env == {
        **env,
        "EXP_NAME": "dsv4_8k1k",
        "ISL": "8192",
        "OSL": "1024",
        "MAX_MODEL_LEN": "9472",
        "PP_SIZE": "2",
        "GPU_COUNT": "16",
        "DP_ATTENTION": "false",
        "EP_SIZE": "1",
        "KV_OFFLOADING": "",
        "SCENARIO_SUBDIR": "fixed_seq_len/",
        "IS_AGENTIC": "0",
        "RANDOM_RANGE_RATIO": "0.8",
    }


def test_evaluation_only_points() -> None:
    env = points(HEAD + FIXED).points[1].env
    assert (env["EVAL_ONLY"], env["RUN_EVAL"]) == ("true", "true")


MULTI = """\
k:
  image: i
  model: m
  model-prefix: dsv4
  runner: gb300-nv
  precision: fp4
  framework: dynamo-vllm
  multinode: true
  disagg: true
  scenarios:
    agentic-coding:
    - search-space:
      - spec-decoding: mtp
        conc-list: [8]
        prefill:
          num-worker: 1
          tp: 4
          ep: 4
          dp-attn: true
          additional-settings:
          - "CONFIG_FILE=recipes/vllm/r.yaml:override_x"
          - "EVAL_CONFIG_FILE=recipes/vllm/eval.yaml"
        decode: {num-worker: 2, tp: 8, ep: 1, dp-attn: false}
"""
RECIPES = "benchmarks/multi_node/srt-slurm-recipes/vllm"


def test_multi_node_points_name_their_recipe() -> None:
    found = points(MULTI, {f"{RECIPES}/r.yaml": "a: 1", f"{RECIPES}/eval.yaml": "a: 1"})
    assert not found.findings
    throughput, evaluation = found.points
    assert throughput.recipe == f"{RECIPES}/r.yaml:override_x"
    assert evaluation.recipe == f"{RECIPES}/eval.yaml"
    env = throughput.env
    assert env["EXP_NAME"] == "dsv4_p1x4ep4dpa_d2x8_conc8"
    assert (env["CONC"], env["CONC_LIST"], env["DECODE_TP"]) == ("8", "8", "8")
    assert env["CONFIG_FILE"] == "recipes/vllm/r.yaml:override_x"


def test_a_recipe_of_another_checkout_is_not_judged() -> None:
    found = points(MULTI)
    assert not found.findings
    (finding,) = elsewhere(found.points, MemoryTree({}))
    assert finding.status is Status.UNRESOLVED
    assert finding.code == "recipe_elsewhere"
    assert finding.span.line == 13
    assert "a checkout of its own" in finding.message


def test_recipes_of_another_checkout_are_one_finding_for_a_key() -> None:
    found = points(MULTI)
    rows = [
        replace(p, recipe_setting=f"recipes/{n}.yaml", launchers=("runners/launch_a.sh",))
        for p in found.points
        for n in range(3)
    ]
    launcher = "git clone --branch main https://example.org/a/recipes.git x\n"
    (finding,) = elsewhere(rows, MemoryTree({"runners/launch_a.sh": launcher}))
    assert "3 recipes (recipes/0.yaml, …)" in finding.message
    assert "launch_a.sh takes recipes from https://example.org/a/recipes" in finding.message
    assert [r.text for r in finding.related] == [f"recipes/{n}.yaml" for n in range(3)]


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("conc-start: 1", "conc-start: 0", 13, "[0].conc-start: a range that starts at 0"),
        ("conc-end: 6", "conc-end: 0", 13, "conc-end: must be 1 or more"),
        ("conc-start: 1, conc-end: 6", "conc-start: 6, conc-end: 1", 13, "is below conc-start"),
        ("conc-start: 1, conc-end: 6", "conc-start: 1", 13, "conc-end: is missing"),
        ("conc-start: 1, conc-end: 6, ", "", 13, "neither conc-list nor conc-start"),
        ("conc-start: 1", "conc-list: [1], conc-start: 1", 13, "stands beside conc-start"),
        ("conc-list: [16]", "conc-list: []", 14, "is empty"),
        ("conc-list: [16]", "conc-list: [x]", 14, "conc-list[0]: expected a whole number"),
        ("conc-list: [16]", "conc-list: [true]", 14, "not the boolean true"),
        ("conc-list: [16]", "conc-list: [-1]", 14, "must be 1 or more, not -1"),
        ("tp: 4,", "tp: four,", 14, "tp: expected a whole number, not the text 'four'"),
        ("tp: 4,", "", 14, "tp: is missing"),
        ("mtp, conc", "eagle9, conc", 13, "'eagle9' is none of mtp, draft_model, none"),
        ("framework: vllm", "framework: llama.cpp", 7, "unknown framework 'llama.cpp'"),
        ("cluster:b200-dgxc\n", "mystery\n", 5, "'mystery' names no known hardware"),
        ("image: vllm/vllm-openai:v1", "image: 3", 2, "image: expected text, not the number 3"),
        ("  image: vllm/vllm-openai:v1\n", "", 2, "image: is missing"),
        ("agentic-coding:", "agentic-typing:", 10, "unknown scenario"),
        ("kv-offloading: none", "kv-offloading: disk", 13, "is none of none, dram"),
        ("- dram-utilization: 0.8\n      search", "- search", 11, "dram-utilization: is missing"),
        ("search-space:", "search_space:", 11, "search-space: is missing"),
        ("conc-start: 1, conc-end: 6", "conc-list: 8", 13, "expected a list, not the number 8"),
    ],
)
def test_what_is_wrong_has_a_line_and_a_key_path(
    before: str, after: str, line: int, words: str
) -> None:
    config = HEAD + AGENTIC
    assert before in config
    found = points(config.replace(before, after) + "other: 3\n")
    first, *rest = found.findings
    assert first.status is Status.FAIL
    assert first.message.startswith("dsv4-fp4-b200-vllm-mtp")
    assert words in first.message
    assert first.span.line == line
    assert rest[-1].message == "other: expected a mapping, not the number 3"


def test_the_other_points_are_still_there() -> None:
    found = points((HEAD + AGENTIC).replace("conc-start: 1", "conc-start: 0"))
    assert [p.conc for p in found.points] == [16, 16]


def test_a_range_that_is_too_long() -> None:
    policy = replace(DEFAULT, point=replace(DEFAULT.point, max_concurrencies=3))
    files = {**SCRIPTS, "configs/nvidia-master.yaml": HEAD + AGENTIC}
    found = expand(MemoryTree(files), policy)
    assert "more than 3 steps" in found.findings[0].message


def test_a_missing_script_names_what_was_looked_for() -> None:
    config = (HEAD + FIXED).replace("fp4", "fp8")
    (finding,) = points(config).findings
    assert finding.code == "missing_script"
    assert "dsv4_fp8_b200_vllm.sh or " in finding.message


def test_the_engine_stays_in_a_trt_name() -> None:
    config = (HEAD + FIXED).replace("framework: vllm", "framework: trt")
    (finding,) = points(config).findings
    assert finding.message.endswith(
        "there is no benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_trt.sh"
    )


def test_keys_are_chosen_by_pattern() -> None:
    tree = MemoryTree({**SCRIPTS, "configs/nvidia-master.yaml": HEAD + FIXED + "z: 1\n"})
    assert len(expand(tree, DEFAULT, ("dsv4-*",)).points) == 4
    assert not expand(tree, DEFAULT, ("dsv4-*",)).findings
    assert not expand(tree, DEFAULT, ("none",)).points


def test_a_key_in_two_files_counts_once() -> None:
    found = points(HEAD + FIXED, {"configs/amd-master.yaml": HEAD + FIXED})
    assert len(found.points) == 4
    (finding,) = found.findings
    assert finding.message.endswith("is already a key in configs/nvidia-master.yaml:1")


def test_equal_rows_are_told_apart() -> None:
    config = HEAD + FIXED + "      - {tp: 8, pp: 2, conc-list: [4]}\n"
    ids = [p.id for p in points(config).points]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "config",
    ["", "3", "- a", "a: 1", "a: {scenarios: 1}", "{}", "\tx", "a: [", "a: &x [*x]"],
)
def test_odd_configs_never_raise(config: str) -> None:
    assert not points(config).points


def test_the_root_prefix_moves_everything() -> None:
    files = {f"inner/{path}": text for path, text in SCRIPTS.items()}
    files["inner/configs/nvidia-master.yaml"] = HEAD + FIXED
    found = expand(MemoryTree(files), replace(DEFAULT, root="inner"))
    assert found.points[0].script == (
        "inner/benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_vllm.sh"
    )


def test_a_row_that_says_nothing_of_offloading_offloads_nothing() -> None:
    config = (HEAD + AGENTIC).replace(", kv-offloading: none", "")
    found = points(config)
    assert not found.findings
    assert found.points[0].env["KV_OFFLOADING"] == "none"


MINIMAL = """\
k:
  image: i
  model: m
  model-prefix: dsv4
  runner: mi355x
  precision: fp4
  framework: sglang
  scenarios:
    agentic-coding:
      search-space:
      - {tp: 8, conc-list: [4], kv-offloading: dram, kv-offload-backend: hicache, router: r}
    fixed-seq-len:
    - {isl: 1024, osl: 1024, search-space: [{tp: 4, conc-start: 4, conc-end: 4}]}
m:
  image: i
  model: m
  model-prefix: dsv4
  runner: gb200
  precision: fp4
  framework: dynamo-vllm
  multinode: true
  scenarios:
    agentic-coding:
    - search-space:
      - conc-list: [8]
        prefill: {tp: 4}
        decode: {tp: 8, dp-attn: true}
        additional-settings: ["CONFIG_FILE=recipes/vllm/r.yaml"]
"""


def test_a_config_that_says_no_more_than_it_must() -> None:
    scripts = {
        "benchmarks/single_node/agentic/dsv4_fp4_mi355x_sglang.sh": "echo $TOTAL_CPU_DRAM_GB",
        "benchmarks/single_node/fixed_seq_len/dsv4_fp4_mi355x.sh": "x",
    }
    files = {
        **scripts,
        f"{RECIPES}/r.yaml": "a: 1",
        "configs/nvidia-master.yaml": MINIMAL,
    }
    found = expand(MemoryTree(files), DEFAULT)
    assert not found.findings
    agentic, fixed, multi = found.points[::2]
    assert [agentic.script, fixed.script] == list(scripts)
    assert (fixed.env["EP_SIZE"], fixed.env["PP_SIZE"], fixed.env["DP_ATTENTION"]) == (
        "1",
        "1",
        "false",
    )
    assert agentic.env["KV_OFFLOAD_BACKEND"] == "hicache"
    assert agentic.unknown == ("TOTAL_CPU_DRAM_GB",)
    assert "TOTAL_CPU_DRAM_GB" not in agentic.env
    assert multi.recipe == f"{RECIPES}/r.yaml"
    assert (multi.env["PREFILL_TP"], multi.env["DECODE_TP"]) == ("4", "8")
    assert (multi.env["PREFILL_NUM_WORKERS"], multi.env["DECODE_DP_ATTN"]) == ("1", "true")


def test_a_value_that_the_tree_does_not_tell_is_not_taken_for_empty() -> None:
    script = "benchmarks/single_node/agentic/dsv4_fp4_mi355x_sglang.sh"
    tree = MemoryTree({script: "echo $TOTAL_CPU_DRAM_GB", "configs/nvidia-master.yaml": MINIMAL})
    point = expand(tree, DEFAULT).points[0]
    outcome = evaluate_points([point], tree, DEFAULT).of(point)
    assert outcome is not None and outcome.facts is not None
    assert "TOTAL_CPU_DRAM_GB is not known" in outcome.facts.unresolved[0].text


def test_a_bad_block_leaves_the_others() -> None:
    blocks = "    - {isl: 1024, osl: x, search-space: [{tp: 8, conc-list: [1]}]}\n"
    config = (HEAD + FIXED).replace("fixed-seq-len:\n", f"fixed-seq-len:\n{blocks}")
    found = points(config)
    assert [p.conc for p in found.points[::2]] == [4, 8]
    (finding,) = found.findings
    assert finding.message.endswith(
        "fixed-seq-len[0].osl: expected a whole number, not the text 'x'"
    )
