( printf '%s|%d|%5.2f|%-5s|%05d|%x|%X|%o|%c|%%|%b|%q|%e|%g|%i|%u\n' a 1 2.5 b 3 255 255 8 cd 'x\ty' 'a b' 12345.678 0.00001 -4 5 > o; rec "$(cat o)"; printf '%s\n' > o; rec "$(cat o)"; printf 'no newline' > o; rec "$(cat o)"; printf -- '-x %s\n' y > o; rec "$(cat o)"; printf '%s %s\n' a b c > o; rec "$(cat o)"; printf '%*d|%-*d|%.*f' 5 1 4 2 2 3.14159 > o; rec "$(cat o)"; printf '\x41\101\u0041\e[0m\a' > o; rec "$(cat o)"; printf '%d' "'a" > o; rec "$(cat o)"; printf '%d %d' 010 0x10 > o; rec "$(cat o)"; printf '%.3s|%10.2s|' abcdef abcdef > o; rec "$(cat o)"; printf '%+d % d %#x %#o' 5 5 255 8 > o; rec "$(cat o)"; printf '%s' "${nosuch[@]}" > o; rec "$(cat o)"; printf '%d\n' abc 2>/dev/null > o; rec $? "$(cat o)"; printf '%z' 2>/dev/null; rec $?; printf > /dev/null 2>&1; rec $? )
(
echo -n a > o; rec "$(cat o)"; echo -e 'a\tb\nc\\d\c e' > o; rec "$(cat o)"; echo -E 'a\tb' > o; rec "$(cat o)"; echo -ne '\x41' > o; rec "$(cat o)"; echo -- a > o; rec "$(cat o)"; echo -x > o; rec "$(cat o)"; echo - -n > o; rec "$(cat o)"; echo '' > o; rec "$(cat o)"; echo > o; rec "$(wc -c < o)"; echo -nE a > o; rec "$(cat o)"; echo "a
b" > o; rec "$(cat o)"; echo a	b > o; rec "$(cat o)"; echo "-n" a > o; rec "$(cat o)"; echo -en '\0101\u00e9\101' > o; rec "$(cat o)"
)
( test; rec $?; test a; rec $?; test ''; rec $?; test ! a; rec $?; test a = a; rec $?; test a = b -o b = b; rec $?; test \( a = a \) -a c; rec $?; test 1 -lt 2 -a 3 -gt 2; rec $?; [ -n a -a -z '' ]; rec $?; [ ! -z a ]; rec $?; [ a -nt b ]; rec $?; [ 01 -eq 1 ]; rec $?; [ ' 1 ' -eq 1 ]; rec $?; [ 1a -eq 1 ] 2>/dev/null; rec $?; [ a ] && rec y; [ -z ] && rec z; [ = ] && rec eq; [ ! ] && rec bang; [ -f ] && rec f; [ a = ] 2>/dev/null; rec $?; [ -t 9 ]; rec $?; [ -v PATH ]; rec $?; [ -o errexit ]; rec $?; [ a == a ]; rec $?; [ "(" = "(" ]; rec $?; [ ( ] 2>/dev/null; rec $? )
( [ a =~ b ] 2>/dev/null; rec $?; [ 1 -eq ] 2>/dev/null; rec $?; [ a b c d ] 2>/dev/null; rec $?; [ -e /dev/null ]; rec $?; [ -d / ]; rec $?; [ -c /dev/null ]; rec $?; [ -x "$BASH" ]; rec $?; [ -e "" ]; rec $?; [[ -e "" ]]; rec $?; [[ -d /nosuchdir ]]; rec $?; [[ -n "" || -z "" && 1 -eq 1 ]]; rec $?; [[ ! ( a == b || c == d ) ]]; rec $?; [[ a ]]; rec $?; [[ "" ]]; rec $?; [[ -R x ]]; rec $?; x=1; [[ -v x && ! -v y ]]; rec $?; [[ 0x10 -eq 16 ]]; rec $?; [[ 1+1 -eq 2 ]]; rec $?; [[ x -eq 1 ]]; rec $?; [[ "x y" == x\ y ]]; rec $?; [[ a != b ]]; rec $?; [[ a = [a-c] ]]; rec $?; [[ a == ? ]]; rec $?; [[ '' == '' ]]; rec $?; [[ abc == *b* ]]; rec $?; [[ "*" == "\*" ]]; rec $? )
( shift 2>/dev/null; rec $?; set -- 1 2 3; shift 2; rec "$@"; shift 5; rec $? $#; set --; rec $#; set -- a; set x y; rec "$@"; set -- -e; rec "$@"; set - p q; rec "$@"; set +e -- z; rec "$@"; set -e -u; rec "${-//[!eu]/}"; set +eu; set -o pipefail -o noglob; rec *; set +o noglob +o pipefail; set -; rec $#; set -f -- 'a b'; rec $1; set +f )
(
f() { return; }; false; f; rec $?; f() { return 300; }; f; rec $?; f() { false; return; }; f; rec $?; f() { :; }; false; f; rec $?; f() { local x; }; f; rec $?; f() { return -1; }; f; rec $?; f() { return abc; } ; f 2>/dev/null; rec $?; f() { return 1 2; }; f 2>/dev/null; rec $?
rec next; f() { for i in 1 2; do return $i; done; }; f; rec $?; f() { while true; do return 5; done; rec no; }; f; rec $?; f() { if true; then return 3; fi; }; f; rec $?; f() { case x in x) return 4;; esac; }; f; rec $?; f() { (return 6); rec $?; }; f; f() { x=$(return 7); rec $?; }; f; f() { { return 8; }; }; f; rec $?; f() { return 9 | cat; }; f; rec $?
)
( f() { unset f; rec in; }; f; f 2>/dev/null; rec $?; g() { g() { rec new; }; rec old; }; g; g; unset -f g; g 2>/dev/null; rec $?; rec() { command rec fn "$@"; }; rec a; unset -f rec; rec b; function h() { rec h; }; h; function i { rec i $#; }; i 1 2; j () ( rec j; x=1 ); j; rec "${x-u}"; k() for q in 1 2; do rec $q; done; k; l() { rec "$0" > /dev/null; }; l; m() { rec "${FUNCNAME[0]}" "${FUNCNAME[1]}" "${#FUNCNAME[@]}"; }; n() { m; }; n; o() { set -- x y; rec $#; }; o a b c; rec $#; p() { local IFS=,; rec "$*"; }; p a b; rec "$IFS"; declare -F n >/dev/null && rec def; declare -f nosuch > /dev/null || rec undef; type -t n > o; rec "$(cat o)"; export -f m; bash -c 'm'; unset m n; n 2>/dev/null || rec $? )
( echo abc | { read x; rec "$x"; }; rec "${x-u}"; echo abc | (read x; rec $x); { echo a; echo b; } | while read l; do rec $l; last=$l; done; rec "${last-u}"; shopt -s lastpipe; echo z | read y; rec $y; shopt -u lastpipe; true | false; rec $? "${PIPESTATUS[@]}"; false | true; rec "${PIPESTATUS[*]}" $?; (exit 2) | (exit 3) | (exit 0); rec "${PIPESTATUS[@]}"; ! true | false; rec $?; set -o pipefail; (exit 2) | (exit 3) | true; rec $?; ! false | true; rec $?; set +o pipefail; echo x |& cat > o; rec "$(cat o)"; rec a | rec b | cat; x=1 | x=2; rec "${x-none}"; time true | true; rec $?; echo a | tee t1 t2 > /dev/null; rec "$(cat t1 t2)"; cat <<< a | cat - <(echo b) > o; rec "$(cat o)" )
( a=(x); a[3]=y; rec "${a[@]}" "${!a[@]}" ${#a[@]}; a+=(z); rec "${!a[@]}"; b=("${a[@]}"); rec "${!b[@]}"; unset 'a[3]'; rec "${!a[@]}"; a[-1]=last; rec "${a[@]}"; c=([2]=p q [0]=r); rec "${c[@]}" "${!c[@]}"; d=(); d[${#d[@]}]=1; d[${#d[@]}]=2; rec "${d[@]}"; e=(1 2 3 4 5); rec "${e[@]:1:3}" "${e[@]: -2}" "${e[*]:0:2}"; f=("${e[@]/3/three}"); rec "${f[@]}"; g=("${e[@]#1}"); rec "${#g[@]}" "${g[@]}"; h=(${e[@]/#/n}); rec "${h[@]}"; unset 'h[0]' 'h[1]'; rec "${h[@]}" "${#h[@]}" "${h[0]-none}"; i=("a b" "c"); rec ${i[@]} "${i[@]}" ${i[*]} "${i[*]}"; j=(${i[@]}); rec ${#j[@]}; IFS=-; rec "${i[*]}" ${i[*]}; unset IFS; k=("${i[@]}" "${e[@]}"); rec "${#k[@]}" "${k[-1]}"; l=$(echo "${i[@]}"); rec "$l"; m="${i[@]}"; rec "$m"; n=${i[*]}; rec "$n"; o=("${i[@]:1}" x); rec "${o[@]}"; p[1+1]=q; rec "${!p[@]}"; q=5; p[q]=r; rec "${!p[@]}" "${p[q]}" "${p[$q]}" "${p[q-3]}"; declare -a r=(1 2); rec "${r[1]}"; declare -a r; rec "${r[@]}"; s=(a b c); s=("${s[@]:0:1}" "${s[@]:2}"); rec "${s[@]}"; for x in "${!s[@]}"; do rec "$x:${s[x]}"; done; t=("${s[@]^}"); rec "${t[@]}"; (( u[3]=7 )); rec "${!u[@]}" "${u[@]}"; v=(1 2 3); (( v[1]+=10, v[0]++ )); rec "${v[@]}"; w=([a]=1 [b]=2); rec "${w[@]}" "${!w[@]}" )
( IFS=:; a=1:2::3; rec $a; set -- $a; rec $#; b=" x : y "; rec $b; IFS=' :'; rec $b $a; IFS=$' \t\n'; c=$' a\tb\n\nc '; rec $c; IFS=; rec $c "$c"; IFS=x; d=axbxxc; rec $d; rec "${d}"; e=$d; rec $e; unset IFS; f="a b"; rec $f; IFS=,; g=(a,b c); rec "${g[@]}"; h="1,2"; i=($h); rec "${i[@]}"; rec "$*" ; set -- p q; rec "$*" $* "$@" $@; j="$*"; rec "$j"; IFS=,.; rec "$*"; IFS=; rec "$*" $*; unset IFS; rec "$*" )
(
cat > f1 <<E1; cat > f2 <<E2
one
E1
two
E2
rec "$(cat f1)" "$(cat f2)"; cat <<'A B' > f3
q $x
A B
rec "$(cat f3)"; cat <<\E > f4
$(no)
E
rec "$(cat f4)"; cat <<E > f5
a\
b \$x \\ \n "q" 'q' `echo bt` ${x:-def "in"} $((1+1)) \`
E
rec "$(cat f5)"; if cat > f6 <<E; then rec ok; fi
body
E
rec "$(cat f6)"; f() { cat <<E
arg $1
E
}; rec "$(f z)"; cat <<E | tr a-z A-Z > f7
up
E
rec "$(cat f7)"; x=$(cat <<E
in $((2*2))
E
); rec "$x"; cat <<-E > f8
	t1
	  t2
    s
	E
rec "$(cat f8)"; cat > f9 << E
sp
E
rec "$(cat f9)"; cat <<E > f10

E
rec "$(wc -l < f10)"; cat 0<<E > f11
zero
E
rec "$(cat f11)"; read -r a b <<E
w1 w2 w3
E
rec "$a" "$b"; while read -r l; do rec "$l"; done <<E
l1
 l2
E
cat <<E > f12
$(cat <<F
nested
F
)
E
rec "$(cat f12)"; bash <<E
rec fromstdin \$0 > /dev/null
rec "$a"
E
bash -s x y <<'E'
rec "$@"
E
)
