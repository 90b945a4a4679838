"""Points whose script submits a job: what the job runs."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.diff import diff
from verifier.model.context import RecipeFacts
from verifier.model.launch import Launch
from verifier.model.record import replace
from verifier.policy import DEFAULT
from verifier.policy_points import JobScript
from verifier.recipes.evaluate import evaluate_points
from verifier.recipes.masters import expand
from verifier.recipes.pointfacts import launch_problems

CONFIG = """\
one:
  image: lmsysorg/sglang:v1
  model: org/DeepSeek-V4-Pro
  model-prefix: dsv4
  runner: mi355x-amds
  precision: fp4
  framework: sglang-disagg
  multinode: true
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - spec-decoding: mtp
        conc-list: [8, 16]
        prefill: {num-worker: 1, tp: 4, ep: 1, dp-attn: false}
        decode: {num-worker: 1, tp: 8, ep: 1, dp-attn: false,
                 additional-settings: ["MTP=2"]}
"""
LAUNCHER = """\
export MODEL_PATH=/data ACCOUNT="$USER" MODEL_NAME=${MODEL##*/}
JOB=$(bash "benchmarks/multi_node/${EXP_NAME%%_*}_${PRECISION}_mi355x_${FRAMEWORK}.sh")
while squeue | grep -q "$JOB"; do sleep 5; done
"""
SCRIPT = """\
cd "$GITHUB_WORKSPACE/benchmarks/multi_node/utils" || exit 1
bash ./submit.sh "$DECODE_TP"
"""
SUBMIT = """\
[ -n "$ACCOUNT" ] || exit 1
export DECODE_TP_SIZE=$1 ENGINE=$FRAMEWORK
sbatch --parsable -N 2 --account "$ACCOUNT" "$(dirname "$0")/job.slurm"
"""
JOB = """\
#!/bin/bash
RUN_FILE="server.sh"
WS=/workspace/benchmarks/multi_node/utils
NODES=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
CONTAINER=(-e RANK=\\$SLURM_PROCID -e MODEL_NAME=\\$MODEL_NAME -e TP=\\$DECODE_TP_SIZE
  -e MTP=\\${MTP:-0} -e WS=$WS -e \\"EVAL_ONLY=\\$EVAL_ONLY\\" -e NODES=$NODES)
START=1
srun --nodelist="$NODES" bash -lc "docker run ${CONTAINER[*]} $IMAGE bash -lc '$WS/$RUN_FILE'"
"""
SERVER = """\
source "$WS/env.sh"
eval "$(python3 -c "
import yaml
with open('${WS}/models.yaml') as f:
    m = yaml.safe_load(f)['${MODEL_NAME}']
print(f'FLAGS=\\"{m.get(\\"flags\\", \\"\\")}\\"')
")"
if [ "$RANK" -eq 0 ]; then MODE=prefill; else MODE=decode; fi
python3 -m sglang.launch_server --model-path "/models/$MODEL_NAME" --tp-size "$TP" $FLAGS \\
  --disaggregation-mode "$MODE" --speculative-algorithm NEXTN \\
  --speculative-num-steps "$MTP" --speculative-eagle-topk 1 \\
  --speculative-num-draft-tokens "$((MTP + 1))" $EXTRA &
if [ "$RANK" -eq 0 ]; then
  if [ "$EVAL_ONLY" = true ]; then run_eval x; else bash "$WS/bench.sh"; fi
fi
"""
UTILS = "benchmarks/multi_node/utils"
FILES = {
    "configs/amd-master.yaml": CONFIG,
    "runners/launch_mi355x-amds.sh": LAUNCHER,
    "benchmarks/multi_node/dsv4_fp4_mi355x_sglang-disagg.sh": SCRIPT,
    f"{UTILS}/submit.sh": SUBMIT,
    f"{UTILS}/job.slurm": JOB,
    f"{UTILS}/server.sh": SERVER,
    f"{UTILS}/env.sh": "export SGLANG_X=1\n",
    f"{UTILS}/models.yaml": "DeepSeek-V4-Pro: {flags: --mem-fraction-static 0.8}\n",
    f"{UTILS}/bench.sh": "run_benchmark_serving --use-chat-template --backend openai\n",
}
RULE = JobScript(
    submitted=f"{UTILS}/job.slurm",
    environment='"${CONTAINER[@]}"',
    before="START=",
    runs=f"{UTILS}/server.sh",
)
POLICY = replace(DEFAULT, point=replace(DEFAULT.point, job_scripts=(RULE,)))


def facts(files: dict[str, str], eval_only: bool = False) -> RecipeFacts:
    tree = MemoryTree({**FILES, **files})
    points = [p for p in expand(tree, POLICY).points if p.eval_only is eval_only]
    found = evaluate_points(points, tree, POLICY).of(points[0])
    assert found is not None
    assert found.facts is not None, found.error
    return found.facts


def servers(found: RecipeFacts) -> dict[str | None, Launch]:
    return {launch.role: launch for launch in found.launches}


def test_the_server_of_a_submitted_job() -> None:
    found = facts({})
    assert not found.unresolved
    assert set(servers(found)) == {"prefill", "decode"}
    decode = servers(found)["decode"]
    words = [word.text.known for word in decode.argv]
    assert words[3:9] == [
        "--model-path", "/models/DeepSeek-V4-Pro", "--tp-size", "8", "--mem-fraction-static", "0.8",
    ]  # fmt: skip
    assert decode.speculation is not None
    assert decode.speculation.draft_length == 2
    assert decode.command.env["SGLANG_X"].known == "1"
    assert [client.name for client in found.clients] == ["run_benchmark_serving"]
    assert not found.evaluations
    assert any("starts benchmarks/multi_node/utils/server.sh" in a.text for a in found.assumptions)


def test_the_mode_reaches_the_container() -> None:
    found = facts({}, eval_only=True)
    assert not found.clients
    assert [command.name for command in found.evaluations] == ["run_eval"]


def test_a_variable_that_may_be_several_words_is_not_known() -> None:
    found = facts({f"{UTILS}/server.sh": SERVER.replace("$EXTRA", "--dist-init-addr $NODES")})
    argv = servers(found)["decode"].argv
    assert argv[-1].text.known is None


def test_a_variable_that_the_container_does_not_get_is_unset() -> None:
    found = facts({f"{UTILS}/server.sh": SERVER.replace("$EXTRA", "${DECODE_TP:---small}")})
    assert servers(found)["decode"].argv[-1].text.known == "--small"


def test_a_variable_that_a_script_takes_away_is_not_known() -> None:
    edited = SUBMIT.replace("sbatch", "[ -f /x ] && unset MTP\nsbatch")
    found = facts({f"{UTILS}/submit.sh": edited})
    assert {x.speculation.draft_length for x in found.launches if x.speculation} == {None}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (f"{UTILS}/job.slurm", JOB.replace('RUN_FILE="server.sh"', 'RUN_FILE="other.sh"')),
        (f"{UTILS}/submit.sh", SUBMIT.replace("sbatch", "qsub")),
        ("runners/launch_mi355x-amds.sh", ""),
    ],
)
def test_what_cannot_be_followed_is_not_a_pass(name: str, text: str) -> None:
    tree = MemoryTree({**FILES, name: text})
    points = expand(tree, POLICY).points
    found = evaluate_points(points, tree, POLICY)
    problems = list(launch_problems(points, found))
    assert [p.code for p in problems] == ["point_without_launch"]


def test_a_script_that_a_container_starts_by_its_name() -> None:
    submit = """\
run_role() {
  srun --container-image=x --container-mounts="$GITHUB_WORKSPACE:/workspace" \\
    --export=ALL,RANK="$1",MTP=3,TP=8,NODES="$2" bash /workspace/benchmarks/multi_node/utils/run.sh
}
export WS=/workspace/benchmarks/multi_node/utils
run_role 0 "$(hostname)" & run_role 1 "$(hostname)"
"""
    run = SERVER.partition('eval "$(')[0] + SERVER.partition(')"\n')[2]
    found = facts({f"{UTILS}/submit.sh": submit, f"{UTILS}/run.sh": run})
    assert set(servers(found)) == {"prefill", "decode"}
    assert [word.text.known for word in servers(found)["decode"].argv][6] == "8"


@pytest.mark.parametrize(
    ("path", "before", "after", "name"),
    [
        (f"{UTILS}/models.yaml", "0.8", "0.9", "--mem-fraction-static"),
        (
            f"{UTILS}/job.slurm",
            "-e TP=",
            "-e EXTRA=--enable-mixed-chunk -e TP=",
            "--enable-mixed-chunk",
        ),
        ("runners/launch_mi355x-amds.sh", "MODEL_PATH", "DECODE_TP=4 MODEL_PATH", "--tp-size"),
    ],
)
def test_what_lies_on_the_way_is_in_the_diff(path: str, before: str, after: str, name: str) -> None:
    tree = MemoryTree(FILES)
    head = tree.plus({path: FILES[path].replace(before, after)})
    found = diff(tree, head, POLICY)
    assert len(found.changed) == 4
    assert name in {change.name for point in found.changed for change in point.changes}


def test_every_node_of_a_job_with_its_rank_and_mounted_files() -> None:
    server = """\
if [ "$RANK" -lt 1 ]; then ROLE=prefill; else ROLE=decode; fi
if [ -f "/etc/recipes/$RECIPE" ]; then
  eval "$(python3 - <<PY
import yaml
section = yaml.safe_load(open('/etc/recipes/${RECIPE}')).get('${ROLE}', {}) or {}
extra = (section.get('extra-args') or '').strip()
print(f'ARGS={extra!r}')
for k, v in (section.get('env') or {}).items():
    print(f'export {k}={v!r}')
PY
)"
fi
vllm serve "$MODEL_DIR" --role "$ROLE" --node "$RANK" $ARGS &
"""
    recipe = """\
prefill: {extra-args: "--max-num-seqs 4", env: {VLLM_A: "1"}}
decode: {extra-args: "--max-num-seqs 8"}
"""
    rule = replace(
        RULE,
        environment="-e MODEL_DIR=/models -e RANK=\\$SLURM_PROCID",
        rank="RANK",
        inherits=True,
        files=(("/etc/recipes/", f"{UTILS}/recipes/"),),
    )
    policy = replace(DEFAULT, point=replace(DEFAULT.point, job_scripts=(rule,)))
    config = CONFIG.replace('"MTP=2"', '"RECIPE=r.yaml", "MTP=2"')
    files = {
        **FILES,
        "configs/amd-master.yaml": config,
        f"{UTILS}/server.sh": server,
        f"{UTILS}/recipes/r.yaml": recipe,
    }
    tree = MemoryTree(files)
    points = expand(tree, policy).points
    found = evaluate_points(points, tree, policy).of(points[0])
    assert found is not None
    assert found.facts is not None
    assert not found.facts.unresolved
    assert [[word.text.known for word in x.argv[2:]] for x in found.facts.launches] == [
        ["/models", "--role", "prefill", "--node", "0", "--max-num-seqs", "4"],
        ["/models", "--role", "decode", "--node", "1", "--max-num-seqs", "8"],
    ]
    assert found.facts.launches[0].command.env["VLLM_A"].known == "1"
