# inputs: EVAL_ONLY=UNSET|false|true; N=UNSET|3
N=${N:-3}; AL=2.49
RATE=$(awk "BEGIN{print ($AL-1)/$N}")
FLAGS=""
if [ "${EVAL_ONLY:-false}" = "false" ]; then FLAGS="--spec-decode-acceptance-rate $RATE"; fi
ARGS="--method mtp --num-speculative-tokens $N $FLAGS"
rec atom $ARGS
rec atom2 --spec-decode-acceptance-rate "$(awk "BEGIN{print ($AL-1)/3}")" "$(awk -v a=$AL -v n=3 'BEGIN{printf "%.4f", (a-1)/n}')"
[ "$EVAL_ONLY" = true ] || PIN=(--spec-decode-acceptance-length "$AL")
rec atom3 "${PIN[@]}"
