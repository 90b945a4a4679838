"""A recipe of about 400 lines in the manner of real ones, made for measuring."""

from __future__ import annotations

_HEAD = """\
#!/usr/bin/env bash
set -euo pipefail

source "$(dirname "$0")/../../benchmark_lib.sh"

check_env_vars MODEL TP CONC ISL OSL RESULT_FILENAME PORT

if [[ -n "${SLURM_JOB_ID:-}" ]]; then
    echo "JOB $SLURM_JOB_ID running on ${SLURMD_NODENAME:-unknown}"
fi
SERVER_LOG="/workspace/server.log"
NUM_SPEC_TOKENS=3
SYNTHETIC_AL=2.49
"""
_BLOCK = """
# Tuning {n}: settings that depend on the point.
if [ "${{DP_ATTENTION_{n}:-false}}" = "true" ]; then
    BATCHED_{n}=$((2048 * {n}))
    TUNING_{n}="--max-num-batched-tokens $BATCHED_{n}"
elif [[ "$CONC" -ge {n} && "$TP" == "8" ]]; then
    TUNING_{n}="--max-num-seqs {n}"
else
    TUNING_{n}=""
fi
case "${{MODE_{n}:-plain}}" in
    fast) export VLLM_MODE_{n}=1 ;;
    slow|plain) export VLLM_MODE_{n}=0 ;;
    *) echo "unknown mode ${{MODE_{n}}}" >&2; exit 1 ;;
esac
"""
_TAIL = """
if [ "${EVAL_ONLY:-false}" = "true" ]; then
    SPEC_CONFIG="{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":${NUM_SPEC_TOKENS}}"
else
    FORMAT='{"method":"mtp","num_speculative_tokens":%d,"rejection_sample_method":"synthetic",'
    FORMAT+='"synthetic_acceptance_length":%.2f}'
    SPEC_CONFIG=$(printf "$FORMAT" "$NUM_SPEC_TOKENS" "$SYNTHETIC_AL")
fi
VLLM_CMD=(
    vllm serve "$MODEL" --host 0.0.0.0 --port "$PORT"
    --tensor-parallel-size "$TP"
    --speculative-config "$SPEC_CONFIG"
)
printf '%q ' "${VLLM_CMD[@]}" | tee "$SERVER_LOG"
"${VLLM_CMD[@]}" >> "$SERVER_LOG" 2>&1 &
SERVER_PID=$!

wait_for_server_ready --port "$PORT" --server-log "$SERVER_LOG" --server-pid "$SERVER_PID"

if [ "${EVAL_ONLY:-false}" = "true" ]; then
    run_eval --framework lm-eval --port "$PORT"
else
    run_agentic_replay --port "$PORT" --concurrency "$CONC"
fi
"""


def recipe(blocks: int = 24) -> str:
    """A recipe with `blocks` groups of conditional settings; 24 give about 400 lines."""
    return _HEAD + "".join(_BLOCK.format(n=n) for n in range(1, blocks + 1)) + _TAIL
