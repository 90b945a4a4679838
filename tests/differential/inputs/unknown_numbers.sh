# inputs: A=UNSET|EMPTY|3|12; B=UNSET|4
rec $((A+1)) $((A*B)) $((A>5?1:0)) "$((${A:-7}))"
for ((i=0;i<A && i<4;i++)); do rec i $i; done; rec $i
n=0; while [ "$n" -lt "${B:-2}" ]; do n=$((n+1)); rec n $n; done
printf -v s '%02d' "${A:-1}"; rec "$s"; t=$(printf '{"n":%d,"s":"%s"}' "${A:-0}" "$B"); rec "$t"
rec "$(seq ${B:-1})"
(( A )) && rec nz; (( B = A + 1 )); rec $B; let C=A-3; rec $? $C
