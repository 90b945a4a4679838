rec "$-"; set -u; rec "$-"; set -ef; rec "$-"; [[ $- == *e* ]] && rec e; [[ $- == *a* ]] || rec noa; set +ef
bash -c 'rec "$-"'; bash -ec 'rec "$-"'; bash -s <<< 'rec "$-"'; ( rec "$-" ); set -mCk; rec "$-"; set +mCk
declare -rl x=a; rec ${x@a}; declare -xu y=b; rec ${y@a}; declare -aix z=1; rec ${z@a} ${z[@]@a}; declare -ilrx w=3; rec "${w@a}"
va=abc; export vx=1; readonly vr=2; declare -i vi=3; declare -a ia=(p 'q r'); declare -A ma=([k]=v [x]="a'b")
rec "${va@A}" "${vx@A}" "${vr@A}" "${vi@A}" "${ia@A}"
rec "${ia[@]@k}"; rec "${ma[@]@k}"; rec "${ia[*]@k}"
rec "${va@K}" "${va@k}"; vn=$'a\nb'; rec "${vn@A}"
declare -u vu=x; rec "${vu@A}"; declare -rx vrx=1; rec "${vrx@A}"
f() { :; }; declare -f f > /dev/null && rec f; declare -F f > o; rec "$(< o)"; declare -F nosuch || rec nof
declare -p va > /dev/null && rec isset; declare -p nosuch 2> /dev/null || rec notset; declare -p ia > /dev/null 2>&1 && rec ia
declare -i nov; declare -p nov > /dev/null && rec nov; unset va; declare -p va 2>/dev/null || rec unset
rec "$(type -t echo)" "$(type -t if)"; rec "$(type -t f)"; type -t nosuch || rec no; rec "$(command -v f)" "$(command -v if)" "$(command -v echo)"
hash nosuch 2>/dev/null || rec nohash; type f > /dev/null && rec t; hash -r; rec $?; command -V f > /dev/null; rec $?
alias x=y; rec $?; alias x > f; rec "$(cat f)"; unalias y 2>/dev/null; rec $?
