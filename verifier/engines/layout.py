"""Which settings are parallelism, precision, kernels and architecture, per engine.

Sources: `engine` option tables of this package, and vllm-project/vllm `vllm/envs.py` and
`vllm/model_executor/layers/fused_moe/router/routing_simulator_router.py` 0.33.0; sgl-project/sglang
`srt/environ.py` 0.5.23; ROCm/ATOM `atom/utils/envs.py` @ffdf3bb5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from verifier.engines import json_text
from verifier.model.launch import Setting, Value
from verifier.model.record import dataclass, field
from verifier.model.text import Text, lit


@dataclass(frozen=True, slots=True)
class Layout:
    """Destinations by meaning. Several for one meaning: the first that is set counts."""

    parallelism: Mapping[str, tuple[str, ...]]
    precision: Mapping[str, tuple[str, ...]]
    kernels: Mapping[str, tuple[str, ...]]
    architecture: tuple[str, ...]
    """Destinations that override the model; JSON values are read."""
    dummy: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    """(destination, values) that skip the real weights."""
    switches: tuple[str, ...] = ()
    """Flags that skip work of the model when true."""
    variables: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    """Environment variables that skip work, and when they do."""


def _truthy(value: str) -> bool:
    return value.strip().lower() in ("1", "true", "yes", "y", "on")


def _filled(value: str) -> bool:
    return bool(value.strip())


VLLM = Layout(
    parallelism={
        "tensor": ("tensor_parallel_size",),
        "pipeline": ("pipeline_parallel_size",),
        "data": ("data_parallel_size",),
        "expert": ("enable_expert_parallel",),
        "context": ("decode_context_parallel_size",),
        "prefill_context": ("prefill_context_parallel_size",),
    },
    precision={
        "quantisation": ("quantization",),
        "quantisation_config": ("quantization_config",),
        "kv_cache_dtype": ("kv_cache_dtype",),
        "kv_cache_dtype_skip_layers": ("kv_cache_dtype_skip_layers",),
        "dtype": ("dtype",),
    },
    kernels={
        "attention_backend": ("attention_backend",),
        "attention_config": ("attention_config",),
        "moe_backend": ("moe_backend",),
        "linear_backend": ("linear_backend",),
        "kernel_config": ("kernel_config",),
        "all2all_backend": ("all2all_backend",),
        "compilation_config": ("compilation_config",),
        "enforce_eager": ("enforce_eager",),
    },
    architecture=("hf_overrides", "hf_config_path", "model_class_overrides", "additional_config"),
    dummy=(("load_format", ("dummy",)),),
    variables={"VLLM_MOE_ROUTING_SIMULATION_STRATEGY": _filled},
)
SGLANG = Layout(
    parallelism={
        "tensor": ("tp_size",),
        "pipeline": ("pp_size",),
        "data": ("dp_size",),
        "expert": ("ep_size",),
        "context": ("attn_cp_size",),
        "decode_context": ("dcp_size",),
        "attention_dp": ("attn_dp_size", "enable_dp_attention"),
        "moe_data": ("moe_dp_size",),
    },
    precision={
        "quantisation": ("quantization",),
        "kv_cache_dtype": ("kv_cache_dtype",),
        "dtype": ("dtype",),
        "draft_quantisation": ("speculative_draft_model_quantization",),
        "draft_kv_cache_dtype": ("speculative_draft_kv_cache_dtype",),
        "fp8_gemm_backend": ("fp8_gemm_runner_backend", "fp8_gemm_backend"),
    },
    kernels={
        "attention_backend": ("attention_backend",),
        "prefill_attention_backend": ("prefill_attention_backend",),
        "decode_attention_backend": ("decode_attention_backend",),
        "draft_attention_backend": ("speculative_draft_attention_backend",),
        "moe_backend": ("moe_runner_backend",),
        "all2all_backend": ("moe_a2a_backend",),
        "disable_cuda_graph": ("disable_cuda_graph",),
    },
    architecture=("json_model_override_args", "decrypted_config_file", "model_impl"),
    dummy=(("load_format", ("dummy",)), ("ep_dispatch_algorithm", ("fake",))),
    variables={
        "SGLANG_SIMULATE_UNIFORM_EXPERTS": _truthy,
        "SGLANG_SIMULATE_ROUND_ROBIN_EXPERTS": _truthy,
    },
)
TRTLLM = Layout(
    parallelism={
        "tensor": ("tensor_parallel_size",),
        "pipeline": ("pipeline_parallel_size",),
        "expert": ("moe_expert_parallel_size",),
        "context": ("context_parallel_size",),
        "attention_dp": ("enable_attention_dp",),
        "moe_cluster": ("moe_cluster_parallel_size",),
    },
    precision={
        "quantisation": ("quant_config",),
        "kv_cache_dtype": ("kv_cache_config.dtype",),
        "dtype": ("dtype",),
    },
    kernels={
        "attention_backend": ("attn_backend",),
        "moe_backend": ("moe_config.backend",),
        "cuda_graph_config": ("cuda_graph_config",),
    },
    architecture=("model_kwargs", "sparse_attention_config"),
    dummy=(("load_format", ("dummy", "DUMMY")),),
)
ATOM = Layout(
    parallelism={
        "tensor": ("tensor_parallel_size",),
        "pipeline": ("pipeline_parallel_size",),
        "data": ("data_parallel_size",),
        "expert": ("enable_expert_parallel",),
        "context": ("decode_context_parallel_size",),
        "prefill_context": ("prefill_context_parallel_size",),
        "attention_dp": ("enable_dp_attention",),
    },
    precision={
        "quantisation": ("online_quant_config",),
        "kv_cache_dtype": ("kv_cache_dtype",),
        "index_cache_dtype": ("index_cache_dtype",),
    },
    kernels={
        "moe_backend": ("moe_backend",),
        "all2all_backend": ("all2all_backend",),
        "enforce_eager": ("enforce_eager",),
        "level": ("level",),
    },
    architecture=("hf_overrides",),
    switches=("load_dummy", "fake_eplb"),
    variables={
        "ATOM_ENABLE_GDN_DECODE_LOSSY_FAST": _truthy,
        "ATOM_ENABLE_RELAXED_MTP": _truthy,
        "ATOM_DEBUG_FORCE_SKIP_DRAFT_MODEL": _truthy,
    },
)
TILERT = Layout(
    parallelism={},
    precision={"kv_cache_dtype": ("kv_cache_dtype",)},
    kernels={},
    architecture=(),
)


def pick(
    meanings: Mapping[str, tuple[str, ...]], settings: Mapping[str, Setting]
) -> dict[str, Setting]:
    """The settings of one group that are given."""
    out: dict[str, Setting] = {}
    for meaning, dests in meanings.items():
        for dest in dests:
            found = settings.get(dest)
            if found is not None and found.value is not None:
                out[meaning] = found
                break
    return out


def architecture(
    layout: Layout, settings: Mapping[str, Setting], env: Mapping[str, Text]
) -> tuple[Setting, ...]:
    """Settings that change the model or skip its work."""
    return tuple(_architecture(layout, settings, env))


def _architecture(
    layout: Layout, settings: Mapping[str, Setting], env: Mapping[str, Text]
) -> Iterable[Setting]:
    for dest in layout.architecture:
        found = settings.get(dest)
        if found is None:
            continue
        value = as_json(found.value)
        if value is not None and value != {} and not (dest == "model_impl" and value == "auto"):
            yield Setting(value=value, span=found.span, spelling=found.spelling)
    for dest, values in layout.dummy:
        found = settings.get(dest)
        if found is not None and (found.value in values or isinstance(found.value, Text)):
            yield found
    for dest in layout.switches:
        found = settings.get(dest)
        if found is not None and found.value not in (None, False):
            yield found
    for name, skips in layout.variables.items():
        text = env.get(name)
        if text is not None and (text.known is None or skips(text.known)):
            value = text if text.known is None else text.known
            yield Setting(value=value, span=text.span, spelling=name)


def as_json(value: Value) -> Value:
    """A text that holds a JSON object as that object; anything else as it is."""
    text = lit(value) if isinstance(value, str) else value
    if not isinstance(text, Text) or not text.display().lstrip().startswith(("{", "[")):
        return value
    try:
        return json_text.read(text)
    except json_text.JsonError:
        return value
    except json_text.Unknowable:
        return value
