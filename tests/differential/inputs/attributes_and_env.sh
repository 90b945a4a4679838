# inputs: A=UNSET|EMPTY|ABC|7; B=UNSET|true
declare -l lo=$A; rec "$lo"; declare -u up=$A; rec "$up" "${A,,}" "${A^^}" "${A^}"; declare -i in=${A:-3} ; rec "$in"; rec "${A:1}" "${A: -1}" "${A#A}" "${A%C}" "${A/B/_}" "${#A}" "${A@Q}"
[ "$B" = true ] && E=1
env ${A:+AA=$A} ${E:+EE=$E} bash -c 'rec "${AA-none}" "${EE-none}"'
env ${B:+-u A} bash -c 'rec "${A-none}"'
