# inputs: EVAL_ONLY=UNSET|true; K=UNSET|4|7
declare -A PIN=([3]=2.49 [4]=3.36 [7]=3.84)
K=${K:-3}
SPEC="{\"method\": \"dspark\", \"num_speculative_tokens\": $K, \"synthetic_acceptance_length\": ${PIN[$K]}}"
[[ ${EVAL_ONLY:-false} == true ]] && SPEC='{"method": "dspark", "num_speculative_tokens": '"$K"'}'
SPEC2=$(cat <<EOF
{
  "method": "eagle3",
  "model": "${DRAFT:-org/draft}",
  "num_speculative_tokens": $K
}
EOF
)
printf -v SPEC3 '{"n":%d}' "$K"
read -r -d '' SPEC4 <<EOF || true
{"k": $K}
EOF
rec "--speculative-config=$SPEC" "$SPEC2" "$SPEC3" "$SPEC4"
rec $SPEC
