# inputs: K=UNSET|a|b|c
declare -A ma=([a]=1 [b]='')
rec "${ma[${K:-q}]+set}" "${ma[${K:-q}]-none}" "${ma[${K:-q}]:-none}"
x=${ma[${K:-q}]}; rec "[$x]" "${#ma[${K:-q}]}" "${ma[${K:-q}]^^}"
[[ -n ${ma[${K:-q}]+x} ]] && rec there || rec missing
n=${K:-0}; ia=(p q); rec "${ia[${#n}]+set}" "${ia[$n]-d}"
