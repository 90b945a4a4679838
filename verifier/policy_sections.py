"""The sections of a policy as data; every default fits the InferenceX tree."""

from __future__ import annotations

from typing import Literal

from verifier.model.record import dataclass

Severity = Literal["block", "warn", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where things are. Globs with `**`, below the policy's `root` unless they begin with `/`."""

    single_node: tuple[str, ...] = ("benchmarks/single_node/**/*.sh",)
    multi_node: tuple[str, ...] = ("benchmarks/multi_node/**/*.sh",)
    agentic: tuple[str, ...] = ("**/agentic/**", "**/agentic.yaml", "**/agentic.yml")
    """Recipes that replay agentic traffic."""
    recipes: tuple[str, ...] = (
        "benchmarks/multi_node/srt-slurm-recipes/**/*.yaml",
        "benchmarks/multi_node/srt-slurm-recipes/**/*.yml",
        "benchmarks/single_node/srt-slurm-recipes/**/*.yaml",
        "benchmarks/single_node/srt-slurm-recipes/**/*.yml",
    )
    libraries: tuple[str, ...] = ("benchmarks/benchmark_lib.sh",)
    """Scripts that others source; they launch nothing by themselves."""
    master_configs: tuple[str, ...] = ("configs/nvidia-master.yaml", "configs/amd-master.yaml")
    curves: tuple[str, ...] = ("golden_al_distribution", "infx/golden_al_distribution")
    """Folders of golden curves; the first that exists is used."""
    codeowners: str = "/.github/CODEOWNERS"
    checklist: str = "docs/PR_REVIEW_CHECKLIST.md"
    models: str = "MODELS.md"
    waivers: str = "docs/waiver/{number}.md"
    """`{number}` is the pull request's number."""
    thresholds: str = "utils/evals/thresholds.yaml"
    changelog: str = "perf-changelog.yaml"
    remeasurement: tuple[str, ...] = ("benchmarks/single_node/speedbench/**",)
    """Scripts that measure acceptance; they may tune any draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPolicy:
    """How one check counts here."""

    number: int | None = None
    """Public number; None keeps the check's own."""
    severity: Severity = "block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A benchmark client: a function or command that drives the server."""

    workload: Literal["agentic", "synthetic", "path"] = "path"
    """`path`: the recipe's folder decides."""
    chat_template: Literal["always", "never", "flag"] = "flag"
    """Whether requests go through the model's chat template: `flag`: if one of `flags` is given."""
    flags: tuple[str, ...] = ("--use-chat-template",)
    arguments: tuple[str, ...] = ()
    """Words that the arguments must begin with, such as `bench serve` for `vllm`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """How a launch or a client sets the model's thinking mode."""

    options: tuple[str, ...] = (
        "--default-chat-template-kwargs",
        "--chat-template-kwargs",
        "--extra-inputs",
        "--extra-body",
    )
    variables: tuple[str, ...] = ("AIPERF_EXTRA_INPUTS",)
    keys: tuple[str, ...] = ("thinking", "enable_thinking", "thinking_mode")
    on: tuple[str, ...] = ("true", "enabled", "on", "adaptive")
    off: tuple[str, ...] = ("false", "disabled", "off")


ARCHITECTURE_ALLOWED = (
    "rope_scaling",
    "rope_parameters",
    "rope_theta",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "algorithm",
    "implementation",
    "indexer_kv_dtype",
    "fuse_qkv_index_projection",
    "enable_heuristic_topk",
    "use_cute_dsl_topk",
    "use_cute_dsl_paged_mqa_logits",
    "sparse_disable_index_value",
)
"""Context length, rotary scaling, and which kernels run the sparse attention that a model has.
`sparse_disable_index_value` is how MiniMax-M3 is published: its checkpoint has no index values."""

MODEL_CONFIG_FILES = (
    "config.json",
    "params.json",
    "configuration_*.py",
    "modeling_*.py",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSources:
    """What Check 9 guards: the files and packages that an image ships."""

    paths: tuple[str, ...] = (
        "**/site-packages/**",
        "**/dist-packages/**",
        "/sgl-workspace/**",
        "/workspace/sglang/**",
        "/workspace/vllm/**",
        "/vllm-workspace/**",
        "/app/vllm/**",
        "/app/ATOM/**",
        "/app/atom/**",
        "/app/tensorrt_llm/**",
        "/app/aiter*/**",
        "/opt/vllm/**",
        "/opt/sglang/**",
        "/opt/tensorrt_llm/**",
        "/opt/dynamo/**",
    )
    harness: tuple[str, ...] = (
        "aiperf",
        "bigcodebench",
        "datasets",
        "evalplus",
        "lm_eval",
        "litellm",
        "minisweagent",
        "modal",
        "pandas",
        "sweagent",
        "swebench",
        "swerex",
    )
    """Packages of clients and evaluations: their files may change."""
    modules: tuple[str, ...] = (
        "vllm",
        "sglang",
        "sgl_kernel",
        "tensorrt_llm",
        "atom",
        "tilert",
        "dynamo",
        "aiter",
        "flashinfer",
        "deep_gemm",
        "deep_ep",
        "torch",
        "triton",
        "transformers",
    )
    """Packages that a folder of PYTHONPATH must not hide."""
    wheels: tuple[str, ...] = (
        "vllm",
        "vllm-rocm",
        "sglang",
        "sgl-kernel",
        "sglang-kernel",
        "tensorrt-llm",
        "atom",
        "ai-dynamo",
        "ai-dynamo-runtime",
        "aiter",
        "amd-aiter",
        "flashinfer",
        "flashinfer-python",
        "flashinfer-cubin",
        "flashinfer-jit-cache",
        "deep-gemm",
        "deep-ep",
    )
    """Distributions whose installation replaces a part of the engine that the image ships."""
    repositories: tuple[str, ...] = (
        "vllm",
        "sglang",
        "sgl-kernel",
        "tensorrt-llm",
        "atom",
        "aiter",
        "dynamo",
        "flashinfer",
        "deepgemm",
        "deepep",
    )
    """Names of repositories, any owner, whose installation replaces a part of the engine."""


def default_clients() -> dict[str, Client]:
    """Clients of the InferenceX library (`benchmarks/benchmark_lib.sh`) and of the engines."""
    return {
        "run_benchmark_serving": Client(
            workload="synthetic", flags=("--use-chat-template", "--dsv4")
        ),
        "run_agentic_replay_and_write_outputs": Client(workload="agentic", chat_template="always"),
        "build_replay_cmd": Client(workload="agentic", chat_template="always"),
        "aiperf": Client(workload="agentic", chat_template="always", arguments=("profile",)),
        "vllm": Client(arguments=("bench", "serve"), chat_template="never"),
        "sa-bench": Client(workload="synthetic"),
    }


EVAL_CLIENTS = (
    "run_eval",
    "run_lm_eval",
    "run_swebench_eval",
    "lm_eval",
    "lm-eval",
    "swebench",
)

MODEL_PREFIXES: dict[str, str] = {
    "*deepseek-v4-flash*": "dsv4flash",
    "*deepseek-v4*": "dsv4",
    "*deepseek-r1*": "dsr1",
    "*kimi-k3*": "kimik3",
    "*kimi-k2.6*": "kimik2.6",
    "*kimi-k2.5*": "kimik2.5",
    "*glm-5.2*": "glm5.2",
    "*glm-5.1*": "glm5.1",
    "*glm-5-*": "glm5",
    "*glm-5": "glm5",
    "*minimax-m3*": "minimaxm3",
    "*minimax-m2.5*": "minimaxm2.5",
    "*qwen3.5*": "qwen3.5",
    "*gpt-oss*": "gptoss",
}

LANES: dict[str, tuple[str, ...]] = {
    "single-node": ("single-node */*",),
    "multi-node": ("multi-node 1k1k /*", "multi-node 8k1k /*", "multi-node *k*k /*"),
    "agentic": ("agentic /*",),
    "multi-node-agentic": ("multi-node agentic /*",),
    "eval": ("eval /*",),
    "agentic-eval": ("agentic eval /*",),
    "multi-node-eval": ("multi-node eval /*",),
    "multi-node-agentic-eval": ("multi-node agentic eval /*",),
}

AGGREGATORS = (
    "collect-*",
    "*collect-evals*",
    "*collect-results*",
    "setup*",
    "canary*",
    "*ingest*",
)

HARDWARE = (
    "h100",
    "h200",
    "b200",
    "b300",
    "gb200",
    "gb300",
    "mi300x",
    "mi325x",
    "mi355x",
)

SKUS = (*HARDWARE, "rtx6000pro")

IMAGE_ORGANISATIONS: dict[str, tuple[str, ...]] = {"vllm": ("vllm",), "sglang": ("lmsysorg",)}
