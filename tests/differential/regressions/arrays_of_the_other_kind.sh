f() { local -A u=(); local -a u=(1); rec in $?; }; f; rec same
declare -a u=(); declare -A u=([x]=1); rec same
g() { declare -gA u=([x]=1); rec in $?; }; g; rec same
declare -A u=x; rec $?
declare -A v; declare -a v; rec $?
readonly q=42
h() { local q=7; local q=(one two); local w=(a b) q=(c) z=d; rec $? ${w[@]} $z $q; }; h; rec $?
