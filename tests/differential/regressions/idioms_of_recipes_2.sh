( set -- a b c; rec "${@:0}" ; rec "${@: -2:1}" "${*:2}" "${@:4}" "${@:1:0}"; set -- "${@:1:$#-1}"; rec "$@"; rec "${!#}" "${@:$#}" )
( ia=(a b c d); rec "${ia[@]:1:2}" "${ia[@]: -1}" "${ia[@]::2}" "${ia[@]:9}" "${ia[-1]}" "${#ia[-1]}"; ia=("${ia[@]:0:1}" x "${ia[@]:2}"); rec "${ia[@]}"; unset 'ia[1]'; rec "${!ia[@]}" "${ia[@]:1}"; ia=("${ia[@]}"); rec "${!ia[@]}" )
( x='a b  c'; set -f; rec $x; IFS=' ' read -ra q <<< "$x"; rec "${#q[@]}" "${q[@]}"; IFS=, ; y="1,2,,3,"; rec $y; set -- $y; rec $#; z=($y); rec "${#z[@]}" "${z[*]}"; unset IFS; rec $x )
( json='{"a": 1, "b": [1,2]}'; rec "$json" $json; rec "${json//\"/\\\"}" "${json//[\{\}]/}" "${json%\}*}" "${json/1/"2"}" "${json#*: }" )
( cmd=(rec --flag "a b"); [[ -n ${y:-} ]] && cmd+=(--y); cmd+=(${z:+--z "$z"}); "${cmd[@]}" end; rec "${cmd[*]}" "${#cmd[@]}" )
( args=""; args+=" --a 1"; args="$args --b 'x y'"; rec $args; eval "rec $args"; eval rec $args; bash -c "rec $args"; echo "$args" | xargs rec )
( f() { local a="${1:?need}" b=${2:-def} c; shift 2; c=("$@"); rec "$a" "$b" "${c[@]}" $#; }; f x "" p q; (f) 2>/dev/null; rec $?; f x 2>/dev/null; rec $? )
( declare -A m=([a]=1 [b]=2); for k in "${!m[@]}"; do rec "$k=${m[$k]}"; done; m[c]=3; rec "${#m[@]}" "${m[@]}"; [[ -v m[a] ]] && rec has; [[ -v m[z] ]] || rec hasnot; unset 'm[a]'; rec "${!m[@]}"; k=b; rec "${m[$k]}" "${m["$k"]}" "${m[x]-none}"; m+=([d]=4); rec "${m[d]}"; declare -A n; n[x y]=1; rec "${!n[@]}"; for k in "${!n[@]}"; do rec "$k"; done )
(
while IFS='=' read -r k v; do rec "$k" "$v"; done <<'E'
A=1
B=x=y
 C = z
E
while read -r a b _; do rec "$a" "$b"; done < <(printf '1 2 3 4\n5 6\n'); n=0; while read -r l; do n=$((n+1)); done <<< $'a\nb'; rec $n; printf 'x\ny' | while read -r l; do rec "$l"; done
)
(
cat > conf <<E
{"model": "$HOME/x", "n": $((1+2)), "q": "\$y", 'z': "a\\b"}
E
rec "$(cat conf)"; cat > conf <<'E'
{"model": "$HOME/x", "n": $((1+2))}
E
rec "$(< conf)"; cat <<-E > conf
	tab $((2*3))
		two
	E
rec "$(cat conf)"; sed -i 's/tab/TAB/' conf; rec "$(cat conf)"; grep -q TAB conf && rec found; printf '%s\n' "a: 1" "b: 2" >> conf; rec "$(tail -n1 conf)" "$(wc -l < conf)" "$(head -n 1 conf)"; tee -a conf <<< more > /dev/null; rec "$(tail -1 conf)"
)
( n=08; rec $((10#$n + 1)) $((0x1F)) $((2**10)) $((7/2)) $((-7/2)) $((-7%3)) $((1<<4|1)) $((5>3?10:20)) $((n=5, n*2)) "$n" $((n++ + ++n)) $n $((~0)) $((!0)) $(( (1+2)*3 )); i=5; (( i+=2, i*=3 )); rec $i; (( i == 21 )) && rec eq; let i-=1; rec $i; rec $((i > 10 && i < 30)); declare -i d=3+4; d+=1; rec $d; a=(1 2 3); rec $((a[0]+a[2])) $((${#a[@]}*2)); rec $(( 1 ? 2 : (x=9) )) "${x-unset}" )
( v=v1.2.3-rc1; rec "${v#v}" "${v%%-*}" "${v##*.}" "${v%.*}" "${v//./_}" "${v/#v/V}" "${v/%1/2}" "${v^^}" "${v:1:3}" "${v: -3}" "${#v}" "${v/[0-9]/N}" "${v//[!0-9.]/}" "${v/.*-/X}" "${v/rc?/&&}" "${v,,}" "${v^}" "${v@U}" "${v/x/y}" "${v//}" "${v/v}" )
( p=/a/b/c.tar.gz; rec "${p##*/}" "${p%/*}" "${p%%.*}" "${p#*.}" "$(basename $p .gz)" "$(dirname $p)" "${p##*.}" "$(basename "${p%.gz}")" "${p/\/a/\/z}" "${p//\//:}" )
( case "x-y" in x*|z) rec 1 ;; esac; case $# in 0) rec none ;; *) rec some ;; esac; shopt -s extglob; case abc in !(abc)) rec no;; @(abc|d)) rec ext;; esac; case "a b" in "a b") rec q;; esac; case '*' in '*') rec star;; esac; case x in [[:upper:]]) rec up;; [a-z]) rec low;; esac; v='a*'; case 'abc' in $v) rec pat;; esac; case 'abc' in "$v") rec no;; *) rec lit;; esac )
( [[ "abc" == a* ]] && rec 1; [[ "abc" == "a*" ]] || rec 2; [[ abc =~ ^a(.)c$ ]] && rec "${BASH_REMATCH[1]}"; re='^([0-9]+)x([0-9]+)$'; [[ 12x34 =~ $re ]] && rec "${BASH_REMATCH[@]}"; [[ -z "" && ! -n "" ]] && rec 3; [[ a < b ]] && rec 4; [[ 5 -gt 3 ]] && rec 5; [ "a" = "a" -a 1 -lt 2 ] && rec 6; [[ x == @(x|y) ]] && rec 7; [[ $'a\nb' == *$'\n'* ]] && rec 8; [[ "FP8" =~ [Ff][Pp](4|8) ]] && rec "${BASH_REMATCH[1]}"; [[ "" =~ ^$ ]] && rec 9 "${#BASH_REMATCH[@]}"; [[ "a.b" =~ a\.b ]] && rec 10; [[ "a.b" =~ "a.b" ]] && rec 11; [[ "model-70B" =~ ([0-9]+)[bB] ]] && rec "${BASH_REMATCH[1]}" )
( trap 'rec err $?' ERR; false; (false); x=$(false); false || true; if false; then :; fi; f() { false; }; f; trap - ERR; false; rec done )
( set -e; f() { false; rec no; }; f || rec caught; x=$(false) || rec sub; if ! f; then rec neg; fi; (false) || rec sh; { false; rec grp; } || rec or; local_() { local x=$(false); rec local; }; local_; false | true; rec pipe; ! true; rec neg2; [[ a == b ]] && rec no; rec end; ((0)) || rec ar; true && false; rec unreachable )
( set -euo pipefail; x=${UNSET:-d}; rec "$x" "${UNSET-}" "${arr[@]-}"; arr=(); rec "${arr[@]}" "${#arr[@]}"; for a in "${arr[@]}"; do rec no; done; rec ${arr[@]+"${arr[@]}"}; cat nosuch 2>/dev/null | cat || rec pf; rec "${1:-none}" $#; echo a | grep b || rec nogrep; rec "$UNSET"; rec no )
(
out=$(printf 'a\n\n\n'); rec "$out" "${#out}"; out="$(echo "x y"; echo z)"; rec "$out" $out; rec "$(echo '$HOME')" "$(echo "\$x")" "`echo \`echo n\``" "$(echo $(echo $(echo deep)))" "a$(echo b)c" $(echo "1 2") "$(cat <<E
h $((1+1))
E
)"; x=$(cat <<'E'
a'b"c
E
); rec "$x"
)
( rec a{b,c}d {1..3} {a..c} {3..1} {01..03} {1..10..3} x{,y} {a,b}{1,2} "{a,b}" '{1..2}' \{a,b} {a} {} a{b}c {a,{b,c}} $x{1,2} {$((1)),2} "$(echo {1,2})"; for i in {1..3}; do rec $i; done; rec --tp={1,2} {"x y",z} )
( rec ~ ~/x "~" a~ ~nosuchuser x=~ --p=~/y; v=~/z; rec "$v"; v=a:~/b; rec "$v"; PATH2=~:~/c; rec "$PATH2" )
( exec 3>&1; { echo to3 >&3; } > o; rec "$(cat o)"; { echo out; echo err >&2; } 2>&1 | sort > o; rec "$(cat o)"; echo x 2>&1 1>o2; rec "$(cat o2)"; { echo a; echo b >&2; } > o 2> e; rec "$(cat o)" "$(cat e)"; exec 4> f4; echo four >&4; exec 4>&-; rec "$(cat f4)"; echo 1 > n; echo 2 >> n; : >> n; rec "$(cat n)"; > n; rec "$(cat n)"; cat <<< "hs $((1))" > n; rec "$(<n)"; while read -r l; do echo "got $l"; done < n > n2; rec "$(cat n2)"; if true; then echo c; fi >> n2; rec "$(cat n2)" )
( f() { echo "$1"; return 3; }; x=$(f a); rec $? "$x"; f b > /dev/null; rec $?; f c | cat > /dev/null; rec $? "${PIPESTATUS[@]}"; ! f d >/dev/null; rec $?; f e >/dev/null && rec no || rec $?; y=$(f g; echo "$?"); rec "$y"; local z=1 2>/dev/null || rec nolocal; g() { local r; r=$(f h); local s=$?; rec $s "$r"; local t=$(f i); rec $?; }; g )
( export A=1; B=2; bash -c 'rec "${A-}" "${B-}"'; B=3 bash -c 'rec "$B"'; env C=4 bash -c 'rec "$C"'; (A=9; bash -c 'rec "$A"'); rec $A; export -n A; bash -c 'rec "${A-unset}"'; A=x B=y env -u A bash -c 'rec "${A-u}" "$B"'; env -i D=1 "$BASH" -c 'echo $D' > o 2>/dev/null; declare -x E=5; bash -c 'rec $E'; f() { local -x F=6; bash -c 'rec "$F"'; }; f; bash -c 'rec "${F-none}"'; export G; bash -c 'rec "${G-unset}"'; G=7; bash -c 'rec $G'; set -a; H=8; set +a; bash -c 'rec $H' )
( a=1; a+=2; rec $a; b=(1); b+=(2 3); b+=4; rec "${b[@]}"; declare -i c=1; c+=2; rec $c; d="x"; d+=y"z"'w'; rec "$d"; e[2]=q; rec "${e[@]}" "${!e[@]}"; e+=(r); rec "${!e[@]}"; f=(a [5]=b c); rec "${!f[@]}"; read -r g h <<< "1 2 3"; rec "$g" "$h"; printf -v i '%03d' 7; rec $i; : "${j:=default}"; rec $j; k=${k:-$j}; rec $k; l=$((1+1)) m=$l; rec $m; n=a n=b; rec $n; o="$(echo 1)$(echo 2)"; rec $o )
( i=0; while (( i < 3 )); do (( i++ )); [[ $i == 2 ]] && continue; rec $i; done; until [ $i -eq 0 ]; do i=$((i-1)); done; rec $i; for ((i=0; i<2; i++)); do for j in x y; do [[ $j == y ]] && continue 2; rec $i$j; done; done; for x in a b c; do [[ $x == b ]] && break; rec $x; done; rec $x; for x in "a b" 'c d'; do rec "$x"; done; for x in $(seq 3); do rec $x; done; for f in *.nosuch; do rec "$f"; done; seq 2 | while read n; do rec $n; done; n=5; while [ $n -gt 3 ]; do n=$((n-1)); done; rec $n; for x; do rec no; done; select_=1 )
