f() { rec $((1/0)); rec no; }; f
rec "${#FUNCNAME[@]}" "${FUNCNAME[@]}" "$FUNCNAME"; set -- 1; shift
rec "${#FUNCNAME[@]}"
g() { :; }; g; rec "${#FUNCNAME[@]}" "${FUNCNAME-unset}"
eval 'f
rec "${FUNCNAME[@]}"'
rec "${#FUNCNAME[@]}"
g
h() { eval 'f
rec "${FUNCNAME[@]}"'; rec "${FUNCNAME[@]}"; }; h
rec "${#FUNCNAME[@]}"
echo $'f\nrec "${FUNCNAME[@]}"' > s.sh; . ./s.sh
rec "${FUNCNAME[@]}"
(rec "${FUNCNAME[@]}"); rec "$(echo "${FUNCNAME[@]}")"; bash -c 'rec "${FUNCNAME[@]}"'
