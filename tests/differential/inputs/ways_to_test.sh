# inputs: X=UNSET|EMPTY|1|true|0
if [ -z "${X:-}" ]; then rec a; fi
if [ "$X" ]; then rec b; fi
if [[ -z $X || $X == 0 ]]; then rec c; else rec d; fi
[ "$X" = 1 -o "$X" = true ] && rec e
[[ $X =~ ^(1|true)$ ]] && rec f "${BASH_REMATCH[1]}"
[[ ${X,,} == tr* ]] && rec g
case ${X:-n} in 1|true) rec h;; n) rec i;; *) rec j;; esac
test -n "$X" && rec k; ! [ "$X" = 1 ] && rec l
if [[ -v X ]]; then rec set; fi
Y=${X:+--flag}; rec $Y end; rec ${X:+--x="$X"} "${X:-def}" "${X-def}"
(( ${X:-0} == 1 )) 2>/dev/null && rec num
