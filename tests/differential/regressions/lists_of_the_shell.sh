( rec "${DIRSTACK[0]}" "${DIRSTACK[1]}" "${#DIRSTACK[@]}" "${DIRSTACK[@]}" "$DIRSTACK" ; pushd / > /dev/null; rec "${DIRSTACK[1]}" "${DIRSTACK[0]}" )
( rec "${BASH_VERSINFO[0]}" "$BASH_VERSINFO" "${GROUPS[0]}" "${GROUPS}" "$((BASH_VERSINFO[0] + 0))"; (( BASH_VERSINFO[0] >= 4 )) && rec ok; [[ ${BASH_VERSINFO[0]} -ge 4 ]] && rec ok )
( f() { rec "${BASH_ARGV[@]}" "${BASH_ARGC[@]}"; }; f a b )
