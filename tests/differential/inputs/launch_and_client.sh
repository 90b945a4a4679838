# inputs: EVAL_ONLY=UNSET|EMPTY|false|true; DP=UNSET|true; CONC=UNSET|4|64
export SGL=2.49
if [[ "${EVAL_ONLY:-false}" == "true" ]]; then unset SGL; fi
ENVV=(); if [ "$DP" = "true" ]; then ENVV+=("A=1"); P=(--dp 8); else P=(--tp 8); fi
[ "${CONC:-1}" -le 8 ] && P+=(--small) || P+=(--big)
bash -c 'rec env "${SGL-none}"'
env "${ENVV[@]}" bash -c 'rec dp "${A-no}"'
rec serve "${P[@]}" ${SGL:+--al "$SGL"}
if [ "${EVAL_ONLY}" != "true" ]; then rec bench --conc "$CONC"; else rec eval; fi
! [ "$EVAL_ONLY" = true ] && rec notEval || rec isEval
