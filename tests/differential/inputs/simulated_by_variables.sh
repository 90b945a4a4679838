# inputs: EVAL_ONLY=UNSET|EMPTY|true; SPEC_DECODING=UNSET|mtp|none; TP=UNSET|4|8
export SGLANG_SIMULATE_ACC_LEN=2.49
export SGLANG_SIMULATE_ACC_METHOD=match-expected
case "${EVAL_ONLY:-false}" in
  true) unset SGLANG_SIMULATE_ACC_LEN SGLANG_SIMULATE_ACC_METHOD ;;
esac
SPEC_ARGS=()
case "${SPEC_DECODING:-none}" in
  mtp)
    SPEC_ARGS=(
      --speculative-algorithm EAGLE
      --speculative-num-steps 3
      --speculative-eagle-topk 1
      --speculative-num-draft-tokens 4
    )
    ;;
  none) : ;;
  *) echo "bad" >&2; exit 2 ;;
esac
if [ "$TP" = 8 ]; then EXTRA="--enable-dp-attention --dp 8"; else EXTRA=""; fi
bash -c 'rec env "${SGLANG_SIMULATE_ACC_LEN-none}" "${SGLANG_SIMULATE_ACC_METHOD-none}"'
rec sglang --tp "${TP:-4}" $EXTRA "${SPEC_ARGS[@]}" \
  --mem-fraction-static 0.8 \
  --port 30000
SGLANG_SIMULATE_ACC_LEN=3.39 rec prefixed
env SGLANG_X=1 ${EVAL_ONLY:+Y=1} bash -c 'rec "$SGLANG_X" "${Y-no}"'
