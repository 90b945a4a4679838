# inputs: EVAL_ONLY=UNSET|EMPTY|true|false; TP=UNSET|4|8
SPEC='{"method":"mtp","n":3,"al":2.49}'
if [ "${EVAL_ONLY:-false}" = "true" ]; then SPEC='{"method":"mtp","n":3}'; fi
case "$TP" in 8) X=(--tp 8 --ep);; 4) X=(--tp "$TP");; *) X=();; esac
rec serve --spec "$SPEC" "${X[@]}" --tp2 "${TP:-1}"
[[ $EVAL_ONLY == true ]] && rec eval || rec client
