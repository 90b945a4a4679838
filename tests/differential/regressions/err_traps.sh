va=a
trap 'va=trapped' ERR; false; rec "$va"
va=b; if false; then :; fi; false || true; ! true; rec "$va"
[[ a == b ]]; rec "$va" $?
va=c; (exit 3); rec $? "$va"
va=d; f() { false; rec in "$va"; }; f; rec "$va"
va=e; ( false; rec sub "$va" ); rec "$va"
va=f; x=$(false; echo "$va"); rec "$x" "$va"
g() { trap 'va=inner' ERR; false; rec "$va"; }; g; va=g; false; rec "$va"
set -E; va=h; f; rec "$va"
trap - ERR; va=i; false; rec "$va"
trap 'rec caught $?; exit 9' ERR
( false; rec no ); rec $?
trap 'va=$((va+1))' ERR; va=0; false; false; (( 0 )); rec "$va"
set -e; trap 'rec last $?' ERR
false
rec no
