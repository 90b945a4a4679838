# inputs: A=UNSET|true|false; B=UNSET|true; C=UNSET|1|2
ARGS=(); [ "$A" = true ] && ARGS+=(--a); [[ -n "$B" ]] && ARGS+=(--b "$B"); (( C > 1 )) && ARGS+=(--c $C)
rec "${ARGS[@]}" "${#ARGS[@]}" ; rec ${ARGS[@]+"${ARGS[@]}"} x; rec "${ARGS[*]}"; rec "${ARGS[0]-none}" ; for a in "${ARGS[@]}"; do rec a "$a"; done; set -- "${ARGS[@]}" z; rec "$1" "$#"; shift; rec "$@"
L=("${ARGS[@]}" y); rec "${L[@]}"; rec "${L[-1]}"; S="${ARGS[*]}"; rec "$S"; rec $S
printf '%q ' "${ARGS[@]}" > f; rec "$(cat f)"; rec "${ARGS[@]:1}" e; rec "${ARGS[@]/--/-}"
