# inputs: A=UNSET|EMPTY|true|1; B=UNSET|true
export V=base
if [ "$A" = true ]; then export V=t; elif [ -n "$A" ]; then V+=more; fi
[ "$B" = true ] && unset V
V2=${V:-unset}; rec "$V2" "${V-u}"
bash -c 'rec "${V-none}"'
env ${A:+AA=$A} bash -c 'rec "${AA-none}"'
W=$A; W+=x; rec "$W"; declare -l lo=$A; rec "$lo"; declare -i in=${A:-3} ; rec "$in"
unset A; rec "${A-gone}"
