readonly r=1
f() { : $((r++)); rec inf; }
f; rec same
rec next
rec ${zz:=$((r=3))}; rec same2
rec next2
((r=4)); rec $?; [[ r=3 -eq 1 ]] ; rec $?
for ((r=0;;)); do rec l; done; rec $?
