# inputs: A=UNSET|x|y; B=UNSET|x|y
[ "$A" = "$B" ] && rec same || rec diff
[[ $A == $B ]] && rec same2
[[ $A == x && ( $B == x || -z $B ) ]] && rec combo
if [ "$A" != "$B" ] && [ -n "$A" ]; then rec d "$A" "$B"; fi
case $A in $B) rec c;; esac
[[ "$A$B" == xy ]] && rec xy; [[ $A < $B ]] && rec lt
v=${A:-${B:-none}}; rec "$v"; w=${A:-$B}; rec "$w" "${w:+w}"; A=${A:-z}; rec "$A"; : "${B:=q}"; rec "$B"
