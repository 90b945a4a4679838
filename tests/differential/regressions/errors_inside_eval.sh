declare -i va
f() { eval 'ia[1/0]=x; rec no'; rec no; }; f; rec no
rec next
g() { eval ': $((1/0)); rec no
rec yes'; rec also; }; g; rec line
rec next2
( eval ': $((1/0))
rec no'; rec no ); rec sub
bash -c 'declare -i va; va=1/0
rec no'; rec $?
bash -c ': $((1/0))
:; rec yes; exit 3'; rec $?
echo ': ${ia[1/0]}
rec no' > s.sh; . ./s.sh; rec no
rec s
h() { rec "${ia[1/0]}"; rec no; }; eval 'h
rec no'; rec no
rec h
v=$(eval ': $((1/0))
echo no'; echo no); rec "$v"
eval ': ${x:1/0}
rec yes'; rec yes
unset 'ia[1/0]'; rec no
rec u
set -e
declare -i vb; vb=1/0; rec no
rec end
