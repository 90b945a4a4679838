"""How a master-config point becomes a script or recipe and its environment; fits InferenceX.

Templates name the fields of a point in braces: those of the config entry and of the search-space
row as the config spells them (`model-prefix`, `dp-attn`, `prefill.num-worker`, …) and the derived
ones (`name`, `sku`, `spec`, `exp-name`, `conc-list`, `scenario-subdir`, `agentic`, `gpu-count`,
`total-cpu-dram-gb`, `runner-name`, `result-filename`, `eval-only`, …).
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.model.record import dataclass, field

_COMMON = {
    "MODEL": "{model}",
    "MODEL_PREFIX": "{model-prefix}",
    "IMAGE": "{image}",
    "FRAMEWORK": "{framework}",
    "PRECISION": "{precision}",
    "EXP_NAME": "{exp-name}",
    "ISL": "{isl}",
    "OSL": "{osl}",
    "MAX_MODEL_LEN": "{max-model-len}",
    "SPEC_DECODING": "{spec-decoding}",
    "DISAGG": "{disagg}",
    "RUN_EVAL": "{eval-only}",
    "EVAL_ONLY": "{eval-only}",
    "SCENARIO_TYPE": "{scenario}",
    "SCENARIO_SUBDIR": "{scenario-subdir}",
    "IS_AGENTIC": "{agentic}",
    "KV_OFFLOADING": "{kv-offloading}",
    "KV_OFFLOAD_BACKEND": "{kv-offload-backend}",
    "KV_OFFLOAD_BACKEND_METADATA": "{kv-offload-backend-metadata}",
    "ROUTER_METADATA": "{router-metadata}",
    "KV_P2P_TRANSFER": "{kv-p2p-transfer}",
    "TOTAL_CPU_DRAM_GB": "{total-cpu-dram-gb}",
    "DURATION": "{duration}",
    "RANDOM_RANGE_RATIO": "0.8",
    "RESULT_FILENAME": "{result-filename}",
    "RUNNER_NAME": "{runner-name}",
    "RUNNER_TYPE": "{runner}",
}

SINGLE_NODE = {
    **_COMMON,
    "TP": "{tp}",
    "PP_SIZE": "{pp}",
    "DCP_SIZE": "{dcp-size}",
    "PCP_SIZE": "{pcp-size}",
    "EP_SIZE": "{ep}",
    "DP_ATTENTION": "{dp-attn}",
    "CONC": "{conc}",
    "RESULT_DIR": "/workspace/results",
    "GPU_COUNT": "{gpu-count}",
    "PORT": "8888",
}

MULTI_NODE = {
    **_COMMON,
    "CONC": "{job-conc}",
    "CONC_LIST": "{conc-list}",
    "EVAL_CONC": "{eval-conc}",
    "IS_MULTINODE": "true",
    "PREFILL_HARDWARE": "{prefill.hardware}",
    "DECODE_HARDWARE": "{decode.hardware}",
    "PREFILL_NUM_WORKERS": "{prefill.num-worker}",
    "PREFILL_TP": "{prefill.tp}",
    "PREFILL_PP_SIZE": "{prefill.pp}",
    "PREFILL_DCP_SIZE": "{prefill.dcp-size}",
    "PREFILL_PCP_SIZE": "{prefill.pcp-size}",
    "PREFILL_EP": "{prefill.ep}",
    "PREFILL_DP_ATTN": "{prefill.dp-attn}",
    "DECODE_NUM_WORKERS": "{decode.num-worker}",
    "DECODE_TP": "{decode.tp}",
    "DECODE_PP_SIZE": "{decode.pp}",
    "DECODE_DCP_SIZE": "{decode.dcp-size}",
    "DECODE_PCP_SIZE": "{decode.pcp-size}",
    "DECODE_EP": "{decode.ep}",
    "DECODE_DP_ATTN": "{decode.dp-attn}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """An edit that the launcher makes to a recipe before it runs.

    `delete`: lines that hold this text are dropped in evaluation-only jobs. An edit applies to
    points whose framework and runner match and whose launcher holds the text in `proof`.
    """

    frameworks: tuple[str, ...] = ("*",)
    runners: tuple[str, ...] = ("*",)
    launcher: str = ""
    """Path of the launcher below the policy's root."""
    proof: str = ""
    delete: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinInjector:
    """A program of the launcher that pins a recipe's acceptance.

    It counts for points whose framework matches, whose job has `switch=true`, and whose launcher
    holds the text in `proof`; jobs that only evaluate are left alone. `length` is the variable
    that names the acceptance length; without it the program chooses one itself.
    """

    frameworks: tuple[str, ...] = ("dynamo-vllm", "dynamo-sglang")
    proof: str = "inject_synthetic_acceptance"
    switch: str = "SYNTHETIC_ACCEPTANCE"
    length: str = "SYNTHETIC_ACCEPTANCE_LENGTH"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobScript:
    """A script that is handed to a job system and starts another one in a container on each node.

    It counts while it holds the text in `proof`. `environment` are words of the script that give
    the container's variables as `-e NAME=VALUE`; they are complete before the line that begins
    with `before`.
    """

    submitted: str = "benchmarks/multi_node/amd_utils/job.slurm"
    proof: str = 'RUN_FILE="server.sh"'
    environment: str = '"${DOCKER_ENV_COMMON[@]}" "${DOCKER_ENV_ENGINE[@]}"'
    before: str = "HICACHE_MC_CONFIG="
    runs: str = "benchmarks/multi_node/amd_utils/server.sh"
    rank: str = ""
    """The container's variable that numbers the nodes: each node is then followed by itself, when
    the job says with `-N` how many there are."""
    inherits: bool = False
    """The container also gets every variable that the job script exports."""
    files: tuple[tuple[str, str], ...] = ()
    """(folder of the container, what it is in this tree), beside the checkout itself."""


def _job_scripts() -> tuple[JobScript, ...]:
    return (
        JobScript(),
        JobScript(
            submitted="benchmarks/multi_node/llm-d/job.slurm",
            proof="/benchmarks/multi_node/llm-d/server.sh",
            environment='-e NODE_RANK=\\$SLURM_PROCID -e "ALL_IPS=$ALL_IP_LIST" '
            '-e "PREFILL_LEADER_IP=$PREFILL_LEADER_IP" -e "DECODE_LEADER_IP=$DECODE_LEADER_IP" '
            '-e "PREFILL_DP_ADDR=$PREFILL_DP_ADDR" -e "DECODE_DP_ADDR=$DECODE_DP_ADDR" '
            "-e MODEL_DIR=/models -e BENCHMARK_LOGS_DIR=/benchmark_logs",
            before="DOCKER_MOUNT_PATH=",
            runs="benchmarks/multi_node/llm-d/server.sh",
            rank="NODE_RANK",
            inherits=True,
            files=(("/etc/llmd-recipes/", "benchmarks/multi_node/llm-d-recipes/"),),
        ),
    )


def _injections() -> tuple[Injection, ...]:
    forced = "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS"
    return (
        Injection(
            frameworks=("dynamo-trt",),
            runners=("*gb300*",),
            launcher="runners/launch_gb300-nv.sh",
            proof=f"sed -i '/{forced}/d'",
            delete=forced,
        ),
        Injection(
            frameworks=("dynamo-trt",),
            runners=("*gb300*",),
            launcher="runners/launch_gb300-nv.sh",
            proof=f"-e '/{forced}/d'",
            delete=forced,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How a master-config point becomes a script or recipe and its environment."""

    scripts: tuple[str, ...] = (
        "benchmarks/single_node/{scenario-subdir}{name}_{precision}_{sku}_{framework}{spec}.sh",
        "benchmarks/single_node/{scenario-subdir}{name}_{precision}_{sku}{kept}{spec}.sh",
    )
    """Single-node scripts, the first that exists. `name` is EXP_NAME up to the first
    underscore."""
    script_suffixes: tuple[tuple[str, str], ...] = (("trt", "_trt"),)
    """(framework, `{kept}`): what stays in the name of a script without the framework."""
    multi_node_scripts: tuple[str, ...] = (
        "benchmarks/multi_node/{agentic-subdir}{name}_{precision}_{sku}_{framework}.sh",
        "benchmarks/multi_node/{agentic-subdir}{name}_{precision}_{sku}_{framework}-disagg.sh",
    )
    spec_suffixes: tuple[tuple[str, str], ...] = (("mtp", "_mtp"),)
    """(spec-decoding value, suffix)."""
    single_node_variables: Mapping[str, str] = field(default_factory=lambda: dict(SINGLE_NODE))
    multi_node_variables: Mapping[str, str] = field(default_factory=lambda: dict(MULTI_NODE))
    """`additional-settings` of both roles are added to these."""
    recipe_setting: str = "CONFIG_FILE"
    """The additional setting that names a recipe."""
    eval_recipe_setting: str = "EVAL_CONFIG_FILE"
    """The one that names another recipe for evaluation-only jobs."""
    recipe_places: tuple[tuple[str, str], ...] = (
        (
            "recipes/trtllm/kimi-k25-nvfp4/",
            "benchmarks/multi_node/srt-slurm-recipes/trtllm/kimi-k2.5/disagg/trtllm_dynamo/",
        ),
        ("recipes/", "benchmarks/multi_node/srt-slurm-recipes/"),
        ("recipes/", "benchmarks/single_node/srt-slurm-recipes/"),
        ("", "benchmarks/multi_node/llm-d-recipes/"),
        ("", ""),
    )
    """(beginning of the setting, what stands there in this tree), tried in order."""
    injections: tuple[Injection, ...] = field(default_factory=_injections)
    pin_injectors: tuple[PinInjector, ...] = (PinInjector(),)
    job_scripts: tuple[JobScript, ...] = field(default_factory=_job_scripts)
    checkout: tuple[str, ...] = ("GITHUB_WORKSPACE",)
    """Variables of a job that name the root of the checkout."""
    host_variables: tuple[str, ...] = ("HOME", "HOSTNAME", "USER")
    """Variables that every host sets, nobody knows to what."""
    node_variables: tuple[str, ...] = (
        "SLURM_JOB_ID",
        "SLURM_JOB_NODELIST",
        "SLURM_NNODES",
        "SLURM_NTASKS",
        "SLURM_SUBMIT_DIR",
        "SLURMD_NODENAME",
    )
    """Variables that the job system sets."""
    rank_variables: tuple[str, ...] = ("SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID")
    """Those of them that are numbers."""
    launchers: tuple[str, ...] = ("runners/launch_{runner-host}.sh",)
    """Scripts that start a point's job. `runner-host` is a runner's name up to the first `_`,
    for every runner of the entry's label."""
    setup_scripts: str = "benchmarks/multi_node/srt-slurm-recipes/configs/{script}"
    mounts: tuple[str, ...] = ("/infmax-workspace/", "/workspace/")
    """Where jobs see the root of the checkout."""
    runners: str = "configs/runners.yaml"
    frameworks: tuple[str, ...] = (
        "vllm",
        "sglang",
        "trt",
        "atom",
        "tilert",
        "dynamo-vllm",
        "dynamo-sglang",
        "dynamo-trt",
        "vllm-disagg",
        "sglang-disagg",
        "atom-disagg",
        "llmd-vllm",
        "mori-sglang",
        "tokenspeed",
    )
    spec_labels: tuple[str, ...] = ("mtp", "draft_model", "none")
    max_concurrencies: int = 64
    """Most steps a concurrency range may have."""
    max_cpu_dram_mib: int = 2_861_022
    """Cap of a node's CPU memory that an agentic point may count on."""
