# inputs: A=UNSET|1; B=UNSET|1
f() { if [ "$A" = 1 ]; then return 3; fi; rec inf; return "${B:-0}"; }
f; rec $?
f || rec or
f && rec and
if f; then rec t; else rec e; fi
x=$(f; echo $?); rec "$x"
