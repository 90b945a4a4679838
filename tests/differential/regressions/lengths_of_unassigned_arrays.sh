set -u
declare -A seen; x=(); declare -a d; s=foo
rec ${#x[@]} "${x[@]}" ${#@} "${d[@]}"
for name in seen d none s; do bash -uc "declare -A seen; declare -a d; s=foo; rec \${#$name[@]}; rec no
rec next \$?"; done
seen[a]=1; rec ${#seen[@]}; unset 'seen[a]'; rec ${#seen[@]}
f() { local -a l; rec ${#l[@]}; rec no; }; f; rec no
g() { local -a l=(); rec ${#l[@]}; }; g
rec ${#s[0]}; rec no
rec ${#BASH_SOURCE[@]}
a[1]=2; rec $((a[0])) $((a[1]))
(rec $((b[0])); rec no)
declare -A m=([x]=1); rec $((m[y])); (rec ${m[y]}; rec no)
