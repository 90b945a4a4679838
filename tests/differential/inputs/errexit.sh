# inputs: A=UNSET|EMPTY|x
set -e
[ -n "$A" ]
rec a
[ "$A" = x ] && rec b
false || rec c
