bash -c 'rec "${BASH_SOURCE[@]}" "${#BASH_SOURCE[@]}" "${BASH_SOURCE-unset}"; f() { rec "${BASH_SOURCE[@]}" "${BASH_LINENO[@]}" "${FUNCNAME[@]}"; }; f; ( f ); eval f'
f() { eval 'rec "${#BASH_SOURCE[@]}" "${FUNCNAME[@]}" "${BASH_LINENO[@]}"'; }
f; eval f; eval 'rec "${#BASH_SOURCE[@]}"'
bash -c 'rec ${PIPESTATUS[0]} "${PIPESTATUS[0]}" "${#PIPESTATUS[@]}"; false | true; rec "${PIPESTATUS[@]}"'
