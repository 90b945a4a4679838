# inputs: A=UNSET|EMPTY|x|a b
rec "${A[@]}" e; rec "${A[*]}"; rec $A; rec "$A" "${A-d}" "${A:-d}" "${A+s}" "${A:+s}" ${A:+"$A"}; rec ${#A} "${#A[@]}"; rec ${A:+--flag "$A"} end
