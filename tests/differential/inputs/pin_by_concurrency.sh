# inputs: C=UNSET|EMPTY|2|16|64; S=UNSET|mtp|none
if (( C <= 4 )); then N=7; AL=3.78; elif (( C < 32 )); then N=3; AL=3.00; else N=1; AL=1.5; fi
A=()
if [[ "$S" == "mtp" ]]; then A+=(--spec "{\"n\":$N,\"al\":$AL}"); else unset AL; fi
rec s "${A[@]}" "${AL-none}"
[ "${C:-0}" -gt 10 ] && rec big
[ -z "$C" ] && rec empty "$C"
[ -n "${C+x}" ] || rec unset
