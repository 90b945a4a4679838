( f() { local x=1 y; y=$x; g; rec "$x" "$y"; }; g() { x=2; local y=3; rec "$x" "$y"; }; f; rec "${x-u}" )
( a=(1 2 3); f() { local -n r=$1; r+=(4); rec "${#r[@]}" "${r[@]}"; r[0]=z; unset 'r[1]'; }; f a; rec "${a[@]}" "${!a[@]}"; g() { local -n o=$1; o="set"; }; g newv; rec "$newv"; h() { local -n m=$1; for k in "${!m[@]}"; do rec "$k" "${m[$k]}"; done; }; declare -A mm=([x]=1); h mm )
( f() { printf -v "$1" '%s' "val"; }; f out; rec "$out"; v=out; rec "${!v}"; declare "$v=new"; rec "$out"; eval "$v='ev'"; rec "$out"; export "$v=ex"; rec "$out"; read "$v" <<< rd; rec "$out"; : "${!v}"; arr=(a b); n='arr[@]'; rec "${!n}"; n='arr[1]'; rec "${!n}"; u=nosuch; rec "${!u-default}" "${!u:-d}" "${!u+x}" )
( set -- -a 1 --b=2 --c 3 pos; while [[ $# -gt 0 ]]; do case "$1" in -a) A="$2"; shift 2;; --b=*) B="${1#*=}"; shift;; --c) C="$2"; shift; shift;; -*) rec unknown "$1"; shift;; *) P+=("$1"); shift;; esac; done; rec "$A" "$B" "$C" "${P[@]}" )
( OPTIND=1; set -- -v -f file -x rest; while getopts ":vf:" o; do case $o in v) V=1;; f) F=$OPTARG;; \?) rec bad "$OPTARG";; :) rec noarg "$OPTARG";; esac; done; shift $((OPTIND-1)); rec "$V" "$F" "$@" )
( IFS=$'\n' read -r -d '' -a lines < <(printf 'a b\nc\n\0'); rec "${lines[@]}"; mapfile -t L < <(printf 'x\ny z\n'); rec "${L[@]}" "${#L[@]}"; IFS=: read -r a b c <<< "1:2:3:4"; rec "$a" "$b" "$c"; IFS=' ' read -r a b <<< "  lead trail  "; rec "[$a]" "[$b]"; read -r a <<< "back\\slash"; rec "$a"; read a <<< "back\\slash"; rec "$a"; while IFS=, read -ra f; do rec "${f[@]}"; done <<< $'1,2\n3,,4' )
( x=$(( $(echo 3) * 2 )); rec $x; y=$((x > 5 ? x : 5)); rec $y; z=$(printf '%.2f' 3.14159); rec $z; w=$(echo "3.5 * 2" | bc); rec "$w"; v=$(awk 'BEGIN{printf "%d", 10/3}'); rec $v; u=$(expr 3 + 4); rec $u; t=$(seq -s ' ' 3); rec "$t"; s=$(echo "a b c" | awk '{print $2}'); rec $s; r=$(echo a,b,c | cut -d, -f2-); rec $r; q=$(echo abc | tr a-z A-Z); rec $q; p=$(echo "x=1" | sed 's/=/: /'); rec "$p"; o=$(printf 'b\na\n' | sort | head -1); rec $o; n=$(echo hello | wc -c); rec $n; m=$(echo '{"a":{"b":[1,2]}}' | jq -r '.a.b[1]' 2>/dev/null); l=$(printf '%s\n' a b a | sort | uniq -c | sort -rn | awk '{print $2}'); rec $l; k=$(python3 -c 'print(2**10)' 2>/dev/null); j=$(echo "a:b" | awk -F: '{print $NF}'); rec $j; i=$(grep -c a <<< $'a\nb\na'); rec $i; h=$(tail -n +2 <<< $'1\n2\n3'); rec "$h"; g=$(rev <<< abc); rec $g; f=$(paste -sd, <<< $'1\n2'); rec $f )
( shopt -s nullglob; fs=(nosuch*.txt); rec "${#fs[@]}"; shopt -u nullglob; for f in nosuch*; do [ -e "$f" ] || continue; rec "$f"; done; touch a1.txt a2.txt 2>/dev/null; set -f; rec *.txt; set +f; rec "*.txt" '*'; x='*.zzz'; rec "$x"; rec [abc; rec a\*b; [[ a.txt == *.txt ]] && rec m )
( echo start > log; exec > out2 2>&1; rec a; echo in; exec 1>&- ; rec b )
( (set -e; false; rec no); rec $?; (exit 3); rec $?; { (exit 4); }; rec $?; ( trap 'rec trapped' EXIT; rec body ); rec after; x=$(trap 'echo bye' EXIT; echo hi); rec "$x"; f() ( exit 5 ); f; rec $?; ( f; rec "$?" ); bash -c 'exit 6' || rec $?; (return 2) 2>/dev/null; rec $?; eval '(exit 7)'; rec $?; ! (exit 8); rec $?; (exit 256); rec $?; (exit -1); rec $?; (exit abc) 2>/dev/null; rec $? )
(
rec "${x:-"a b"}" ${x:-"a b"} ${x:-a b} "${x:-'a b'}" ${x:-'a b'} "${x:-\"q\"}" "${x:-$(echo "s t")}" "${x:-{}}" "${x:-a}b}" ${x:+n} "${y:=v w}" $y "${z:-${y:-n}}" "${z-}" "${z:-
nl}" ${z:-"$@"} "${@:-none}" "${#z}" "${z:+"x"}" "${y/v/"q q"}" "${y//[a-z]/-}" "${y: -1}" "${y%% *}"
)
( a="x y"; b='$a'; rec "$b" '$a' "\$a" \$a "$a"'$a'$a "${a}z" "$a$b" $'t\tn\n' $'\'' $'\x41\u0042' $"loc $a" a\ b 'it'"'"'s' "q\"q" "b\\s" "b\s" '\n' "`echo $a`" "$(echo "$a" '$a')" ""'' "" '' $c "$c" a"$c"b )
(
rec a;rec b; rec c & wait; rec d && rec e || rec f; rec g | cat; { rec h; }; (rec i); if rec j; then rec k; fi; rec l # comment
rec m \
  n
rec o \# p #q
rec r;# s
rec 't
u'
: <<'C'
rec no
C
rec v
)
