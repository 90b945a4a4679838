f() { rec "in f" "$@" "${BASH_SOURCE[0]}"; }
g() { rec g; }
export -f f; rec $?
bash -c 'f a b'
printf '%s\n' x y | xargs -n1 bash -c 'f "$0"'
timeout 5 bash -c 'f t'
env -u Z bash -c 'f e; bash -c "f deeper"'
bash -c 'g' 2> /dev/null || rec unknown
export -f nosuch 2> /dev/null; rec $?
export -nf f
bash -c 'f x' 2> /dev/null || rec gone
declare -fx f; bash -c 'f again'
set -a; h() { rec h; }; set +a; bash -c h
unset -f h; bash -c h 2> /dev/null || rec gone
