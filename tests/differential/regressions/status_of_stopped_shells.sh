bash -c 'set -u
echo $nosuch
rec no'
rec $?
bash -c 'set -u; echo $nosuch'; rec $?
bash -c 'echo ${x?}'; rec $?
bash -c 'echo ${x?}
rec z'; rec $?
bash -uc 'echo $x'; rec $?
( set -u; echo $nosuch; rec no ); rec $?
va=$(set -u; echo $nosuch; rec no); rec $?
( echo ${x?} ); rec $?
bash -c 'readonly a=1; a=2; rec no'; rec $?
bash -c 'readonly a=1
a=2; rec no
rec yes $?'; rec $?
bash -c 'echo $((1/0)); rec no'; rec $?
bash -c 'echo $((1/0))
rec yes $?'; rec $?
bash -c 'set -e; readonly a=1; a=2; rec no'; rec $?
bash -ec 'echo $((1/0))
rec yes $?'; rec $?
bash -c 'f() { echo ${x?}; }; f; rec no'; rec $?
bash <<'X'
set -u
echo $nosuch
rec no
X
rec $?
bash -c '( set -u; echo $nosuch ); rec $?'; rec $?
bash -c 'echo "${x?}" | cat; rec ${PIPESTATUS[@]}'; rec $?
bash -c 'shift 1 2; rec no'; rec $?
bash -c 'return 1 2; rec no'; rec $?
bash -c 'exit 1 2; rec yes'; rec $?
bash -ec 'rec ${vc:?}' n; rec $?
bash -euc 'echo $nosuch'; rec $?
bash -ec '( echo ${vc:?} ); rec no'; rec $?
