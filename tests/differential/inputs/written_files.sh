# inputs: A=UNSET|EMPTY|x y
cat > f <<E
v: ${A:-d}
w: $A
E
rec "$(cat f)"; rec "$(<f)" "$(head -1 f)"; while read -r k v; do rec "$k" "$v"; done < f
cmd=(rec run "$A" ${A:+"$A"} "${A:-q r}"); "${cmd[@]}"; printf '%q ' "${cmd[@]}" > g
eval "rec ev \"\$A\""; eval rec ev2 $A; bash -c "rec bc '$A'"
"${cmd[@]}" "${@}" 
