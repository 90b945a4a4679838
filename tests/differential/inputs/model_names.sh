# inputs: M=UNSET|a|b/c.d; P=UNSET|EMPTY|9
P=${P:-8000}
NAME=${M##*/}; NAME=${NAME%.*}
rec --m "$M" --p "$P" --n "$NAME" "${M/b/X}" "${M:0:1}" "${M^^}" "x${M}y" "$((P+1))"
export MM="$M"; bash -c 'rec "$MM" "$1"' _ "$P"
: "${M:?need}"
rec after "$M"
