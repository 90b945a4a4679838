# inputs: EVAL_ONLY=UNSET|false|true; CONC=UNSET|4|64; DP_ATTENTION=UNSET|true|false
set -euo pipefail
{ set +x; } 2>/dev/null
source "$(dirname "$0")/lib.sh"
MODEL=${MODEL:-deepseek-ai/DeepSeek-V4-Pro}; PORT=${PORT:-8000}
NUM_SPEC=3; AL=2.49
if (( ${CONC:-1} <= 20 )); then NUM_SPEC=7; AL=3.78; fi
if [ "${EVAL_ONLY:-false}" = "true" ]; then
  SPEC=$(printf '{"method":"mtp","num_speculative_tokens":%d}' "$NUM_SPEC")
else
  SPEC=$(printf '{"method":"mtp","num_speculative_tokens":%d,"rejection_sample_method":"synthetic","synthetic_acceptance_length":%.2f}' "$NUM_SPEC" "$AL")
fi
PAR=(--tensor-parallel-size 8)
if [[ "${DP_ATTENTION:-false}" == "true" ]]; then PAR=(--data-parallel-size 8 --enable-expert-parallel); fi
CMD=(rec vllm serve "$MODEL" --port "$PORT"
  "${PAR[@]}"
  # a comment in an array
  --speculative-config "$SPEC"
  --trust-remote-code)
printf '%q ' "${CMD[@]}" | tee cmd.txt > /dev/null
printf '\n'
LOG=server.log
"${CMD[@]}" > "$LOG" 2>&1 &
SERVER_PID=$!
trap 'kill $SERVER_PID 2>/dev/null || true' EXIT
wait $SERVER_PID
rec after "$(cat cmd.txt)"
