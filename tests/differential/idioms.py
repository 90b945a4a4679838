"""More shapes for generated scripts: whole statements that use one corner of the language each.

The same variables as in `scripts`; `vr`, `vt` and `fd` … are free to use. Every loop is bounded.
"""

from __future__ import annotations

from hypothesis import strategies as st

S = st.SearchStrategy[str]


def quoting() -> S:
    """Words that show every kind of quote."""
    return st.sampled_from(
        [
            '"a\\b\\$va\\"\\`\\\\"', "'a'\\''b'", "$'\\x41\\101\\t\\u00e9\\\\\\''", '$"local $va"', '"$(echo "x  y" "$va")"',
            '"${va:-"in  ner"}"', '"${vc:-$(echo \'a  b\')}"', "\"it's $va\"", '"`echo \\"q\\" \\$va`"', "`echo \\`echo deep\\``", "a\\\nb",
            '"a\\\nb"', "'a\\\nb'", '"${va}"\'$va\'"$vb"', "\\$va", "\\a\\ b", '""', "''$vc''", '"$vc"$vc', "-\"-\"'-'", 'x="$va"', "x='$va'", "{a,'b c',\"$va\"}",
            "$'a\\nb'", '"\\\'"', '"!"', "a#b", "'#'", '"${va#"${va%?}"}"', '"${vb%"$va"}"', '"${va//"$vb"/_}"', '"${va/\'a\'/b}"', "$'\\cA'$'\\e'", '"$va"$\'\\n\'"$vb"',
            "~", "~/x", "x:~", "a~", "--dir=~/x", "~+/y", '"~"', "\\~", "=~",
        ]
    )  # fmt: skip


def operators() -> S:
    """Expansions with rarer operators, to be put between quotes or not."""
    return st.sampled_from(
        [
            "${va@a}", "${ia@a}", "${ma@a}", "${va@A}", "${ia[@]@A}", "${ma[@]@K}", "${ia[@]@k}", "${ia[@]@K}", "${va@P}", "${va@K}", "${!ia[*]}", "${!ma[@]}", "${#ia[1]}",
            "${ia[-2]}", "${ia[@]: -2:1}", "${ia[@]:1:1}", "${va~}", "${va~~}", "${va^^[a-c]}", "${va,,?}", "${!vp:-x}", "${!vp:1}", "${ma[@]/a/b}", "${@:1:2}", "${@#a}",
            "${*%b}", "${#@}", "${#*}", "${va//[^a-z]/_}", "${va##*[![:space:]]}", "${ia[*]/%/x}", "${ia[@]/#/--}", "${ia[@]%%.*}", "${@^}", "${*@Q}", "${@@U}", "${1+\"$@\"}",
            "${ia[vn]:-none}", "${ia[@]+x}", "${ia[9]-u}", "${ma[nokey]-u}", "${ma[k]:+set}", "${vc:?}", "${#vc}", "${#ma[k]}", "${va: -3:2}", "${va:vn:1}", "${va:0:${#vb}}",
            "${!ia[@]}", "${ia[${#ia[@]}-1]}", "${ia[@]:${#ia[@]}}", "${va/*/}", "${va/%?/}", "${va/#?/&&}", "${va//?/&\\&}", "${va//a/${vb}}", "${0##*/}", "${-//[!u]/}",
            "${BASH_SOURCE[0]##*/}", "${BASH_SUBSHELL}", "${PIPESTATUS[0]}", "${PIPESTATUS[@]}", "$((${#ia[@]}*2))", "${BASH_REMATCH[1]-}",
            "$((ia[1]+1))", "$((2**3**2))", "$((-7/2)),$((-7%3))", "$((1?2:3?4:5))", "$((16#ff+0x10+010))", "$((va=3,va*2))", "$(( vn>2 ? vn-- : ++vn ))", "$[1+1]", "$((~5&0xf|1<<4^3))",
            "$((\"1\"+'2'))", "$(( vn += 2, vn ))", "$((!vn)),$((!!vn))", "$((36#z))", "$((64#_))", "$((1<2&&3>2||0))", "$((ia[0]=7)),${ia[0]}", "$((ma[x]=4)),${ma[x]}",
            "$LINENO", "$_", "${_}", "$!", "${!vp@Q}", "${!vz}", "${vz:=new}", "${ia[3]:=el}", "${ma[y]:=el}", "$(:)", "$(<lib.sh)", "$(echo a; echo b)", "$(printf 'a\\n\\n')x",
            "${ia[*]@A}", "${ia[@]@a}", "${va[@]@k}", "${ia[1]@A}", "${@@A}", "${*@a}", "${1@A}", "${ae@A}", "${ma[*]@K}", "$(declare -p va)", "$(declare -p ia)", "$(declare -p ma)", "$(declare -p va vb 2>/dev/null)", "${BASH_VERSINFO[0]}", "${DIRSTACK[1]-}", "${GROUPS[1]+x}", "${FUNCNAME[@]-}", "${#FUNCNAME[@]}", "${BASH_LINENO[0]-}", "${BASH_LINENO[@]}", "${0##*/}", "$((LINENO))", "$(echo $LINENO)", "`echo $LINENO`", "${LINENO}", "$(shopt -p nullglob)", "$(shopt -o errexit)", "${x!}", "${#va@Q}", "${va@Z}", "${va@P}", "$(type -t fa)", "$(command -v fa)", "$(readlink link.txt)", "${ia[$((1))]}", "${ia['1']-}", "${!ia[@]}", "${!1-}", "${!#}", "${va:$((1)):1}", "${@:0:1}", "${*: -2}", "${va:-$((vn))}", "${va/$vb/}", "${va^^$vb}",
        ]
    )  # fmt: skip


def assignments() -> S:
    """Arrays, attributes, references, scopes."""
    return st.sampled_from(
        [
            "ia[7]=x", "ia[-1]=last", "unset 'ia[1]'", "unset 'ia[-1]'", "ia+=([9]=x y)", "ia=([1]=a [0]=b c)", "ia+=(more)", "ia[vn]+=x", "ia=([3]=a b [1]=c)", "ia=x", "ia+=y", "unset ia", "unset ma",
            "declare -A ma=(a 1 b 2)", "ma+=([z]=1 [k]+=2)", "ma[k]+=t", "ma=()", "unset 'ma[x]'", "ma[\"$va\"]=v", "ma['a b']=v", "declare -n vr=va; vr=ref; unset -n vr", "declare -n vr=ia; vr+=(r); unset -n vr",
            "declare -n vr='ia[1]'; vr=el; unset -n vr", "declare -n vr=ma; vr[k]=el; rec \"${vr[k]}\" \"${!vr}\"; unset -n vr", "fd() { local -n vt=$1; vt=through; }; fd va; fd 'ia[0]'",
            "fd() { local -n vt=$1; vt+=(\"$2\"); rec \"${#vt[@]}\" \"${vt[@]}\"; }; fd ia \"$va\"", "fd() { local va=l; fe; rec \"$va\"; }; fe() { va=changed; }; fd",
            "fd() { local va; rec \"${va-unset}\"; unset va; rec \"${va-unset}\"; }; fd", "fd() { declare -g vd=global; local vd=l; declare -g vd=again; rec \"$vd\"; }; fd", "fd() { local ia=(l1 l2); ia+=(l3); rec \"${ia[@]}\"; }; fd",
            "fd() { local va=$va vb=\"$va x\"; rec \"$va\" \"$vb\"; }; va=o; fd", "fd() { local -A ma=([k]=l); ma[j]=m; rec \"${ma[k]}\" \"${#ma[@]}\"; }; fd", "fd() { local -i va=2+3; va+=1; rec \"$va\"; }; fd",
            "declare -i vn; vn=2*3", "declare -i va; va=va+1; declare +i va", "declare -l vb; vb=ABC; declare +l vb", "declare -u ia; ia+=(up); declare +u ia", "declare -x vx=1; bash -c 'rec \"${vx-no}\"'", "export -n va",
            "declare -r vt=ro; vt=x || rec ro", "readonly vt=ro", "va=x fd2() { :; }", "declare va+=app", "declare ia[1]=el", "declare \"vd=$va\"", "export \"vd=$va $vb\"", "typeset vd=t", "declare -a ia[2]=x",
            "set -- \"${@:2}\"", "set -- \"$@\" \"$va\"", "set -- $va", "set -- ${ia[@]+\"${ia[@]}\"}", "shift 0", "shift $#", "IFS=$'\\n'", "IFS=ab", "IFS=' ,'", "local vt=1", "vn=$((vn)) vm=$vn", "va=$vb vb=$va",
            "va='a  b' vb=$va", "va=*; vb=\"$va\"", "va=~:~/x", "va=a{1,2}", "va=$(echo x; false)", "va=`false`", "va=$vc$(false)", "ia=($(echo 1 2)) vb=${ia[1]}", "eval \"va='$vb'\"", "eval va=\\$vb", "eval 'eval \"va=2\"'",
            "eval \"vd=\\\"\\${va}\\\"\"", "eval 'ia+=(\"$va\")'", "eval 'set -- 8 9'", "eval 'if true; then va=t; fi'", "set -a; vd=ex; set +a; bash -c 'rec \"$vd\"'", "unset -v va", "unset -f fa", "unset vz nosuch", "vn=08", "vn=0x10",
            "printf -v 'ia[2]' '%s' \"$va\"", "printf -v 'ma[p]' '%03d' 7", "printf -v va '%b' 'a\\tb\\101'", "printf -v va '%s-' 1 2 3", "printf -v va '%*d|%-*s|' 5 42 4 x", "printf -v va '%c%c' abc def", "printf -v va '%+d % d %o %X' 5 5 8 255",
            "printf -v va '%.2s|%5.1s|' abc def", "printf -v va '%%|%5s|%-5s|' a b", "printf -v va '%e' 1.5", "printf -v va '%d' \"'A\"", "printf -v va '%s %s\\n' a b c", "printf -v va '%i' 0x1f", "printf -v va '%q' \"$vb\"", "printf -v va '\\x41%s' z",
            "f3() { local -n vt=va; f4; rec \"$va\"; }; f4() { local va=l; vt=2; rec \"$va\"; }; f3", "declare -n vr=va; va=tmp eval 'vr=ref; rec \"$va\"'; rec \"$va\"; unset -n vr", "va=tmp eval 'unset va; rec \"${va-}\"; va=n'; rec \"$va\"", "fd() { va=tmp eval 'export va; va=2'; rec \"$va\"; }; fd", "fd() { va=t declare va; rec \"$va\"; }; fd; rec \"$va\"", "va=t declare vd=$va", "va= vb=${va:=2} eval 'rec \"$va\" \"$vb\"'", "va=x vb=$((va=3)) rec", "va+=tmp eval 'rec \"$va\"'", "fd() { local -; set -f; rec *; }; fd", "fd() { va=$1; local va=l; unset va; va=u; rec $va; }; fd q", "fd() { local -n va=$1; va=2; rec \"$va\"; }; fd va", "declare -p va > o.sh; va=; . ./o.sh", "ia=(a 'b c'); eval \"$(declare -p ia)\"", "export > /dev/null", "readonly -p > /dev/null", "declare -a ae; ae=()", "declare -ai ia; ia+=(2+3); declare +i ia", "declare -A mb=([a]=1 [é]=2); rec \"${!mb[@]}\"; unset mb", "declare -p nosuch 2>/dev/null; rec $?", "unset -n va", "va=1 va=$va rec \"$va\"", "typeset -i va=5; declare -p va; typeset +i va", "readonly vo=1; getopts ab vo -a; rec $? $OPTIND",
        ]
    )  # fmt: skip


def reading() -> S:
    """`read`, `mapfile`, here-documents, redirections, process substitution."""
    return st.sampled_from(
        [
            "read va vb <<< 'a\\ b c\\d'", "read -r va <<< '  x  y '", "read -r <<< '  x  y '; rec \"$REPLY\"", "IFS= read -r va <<< '  x '", "IFS=, read -r va vb <<< 'a,,b,c,'", "IFS=' ,' read -r va vb vc <<< ' a , b  c,'",
            "IFS=: read -ra ia <<< 'a::b:'", "read -d : -r va <<< 'x:y'", "read -rd '' va <<< 'l1\nl2'", "read -r -a ia <<< ''", "read -n 2 -r va <<< abcd", "read -N 3 -r va <<< 'a b c'", "read -rn1 va <<< ''", "read -r va vb <<< \"$va\"",
            "read -r 'ia[1]' <<< el", "read -r va < <(echo s1; echo s2)", "{ read -r va; read -r vb; } <<< $'l1\\nl2'", "while read -r va vb; do rec \"$va\" \"$vb\"; done <<< $'1 2 3\\n4 5'", "while IFS== read -r va vb; do rec \"$va\" \"$vb\"; done <<< $'k=v\\nx=y=z'",
            "while read -r va || [ -n \"$va\" ]; do rec \"$va\"; done < <(printf 'p\\nq')", "mapfile ia <<< $'a\\nb'", "mapfile -t -n 1 ia <<< $'a\\nb'", "mapfile -t -s 1 ia <<< $'a\\nb\\nc'", "mapfile -t -O 2 ia <<< $'a\\nb'", "mapfile -d , -t ia <<< 'a,b'",
            "readarray -t ia < <(printf '%s\\n' \"$va\" \"$vb\")", "mapfile -t < <(echo m); rec \"${MAPFILE[@]}\"", "cat <<EOF | tr a-z A-Z > out.txt\nx $va\nEOF", "cat <<- EOF > out.txt\n\tindented $vb\n\t\ttwice\n\tEOF", "read -r va << A; read -r vb << B\none $va\nA\ntwo\nB",
            "{ read -r va; read -r vb <&3; } <<A 3<<B\none\nA\ntwo\nB", "fd() { read -r va; rec \"$va\"; } <<E\nbody $1\nE\nfd x", "va=$(cat <<E\nin $vb\nE\n)", "cat <<'E' | while read -r va; do rec \"$va\"; done\n$x 1\n`y`\nE", "if true; then cat <<E >> out.txt; fi\nadded $vn\nE",
            "for vi in 1 2; do cat <<E\n$vi\nE\ndone > out.txt", "echo one >| out.txt", "echo both &> out.txt", "{ echo out; echo err >&2; } > out.txt 2>&1", "exec 3> out.txt; echo three >&3; exec 3>&-", "exec 4< lib.sh; read -r va <&4; exec 4<&-; rec \"$va\"", "echo y > out.txt; cat < out.txt > new.txt; rec \"$(cat new.txt)\"",
            "cat out.txt - <<< piped > new.txt", "rec \"$(cat <(echo p1) <(echo p2))\"",
            "mkdir -p sub/deep; cd sub && rec in", "mkdir sub 2>/dev/null; (cd sub && echo x > f; rec \"$(cat f)\")", "cd ..; cd - > /dev/null", "cd /; rec \"$PWD\"", "mkdir -p dd; cd dd; echo f > f; cd ..; rec \"$(cat dd/f)\"",
            "[ -d sub ] && rec dir", "[ -d dd ] || rec nodir", "cp -r dd ee; rec \"$(cat ee/f)\"", "mv dd ff; [ -d dd ] || rec moved", "mkdir -p dd; (cd dd; echo x > f; rm -rf *; [ -e f ] || rec gone)", "rm -f *.txt; [ -e new.txt ] || rec gone", "cat out.txt > $PWD/new.txt; rec \"$(< new.txt)\"",
            "touch out.txt; [ -e out.txt ] && rec there", "if [ -n \"$vc\" ]; then echo c > cond.txt; fi; [ -f cond.txt ] && rec cond", "ls > /dev/null; rec ls",
            "echo data > out.txt; va=$(wc -l < out.txt)", "> out.txt", ": > out.txt; [ -s out.txt ] || rec empty", "echo a > out.txt; echo b >> out.txt; mapfile -t ia < out.txt", "echo x | { read -r va; rec \"$va\"; }",
            "echo x y | read -r va vb; rec \"$va\"", "shopt -s lastpipe; echo x y | read -r va vb; rec \"$va\"; shopt -u lastpipe", "echo a | tee out.txt | cat > new.txt", "printf '%s\\n' b a c | sort | head -n2 > out.txt", "echo $va >out.txt; rec \"$(< out.txt)\"", "rec redirected > out.txt \"$va\" 2>&1", "> out.txt rec first",
            "mkdir -p dd; echo f > dd/f1; echo g > dd/f2", "for vi in dd/*; do rec \"$vi\"; done", "rm -f out.txt; [ -e out.txt ] || rec gone", "mv out.txt new.txt; [ -f new.txt ] && rec \"$(cat new.txt)\"", "cp out.txt new.txt && rec \"$(< new.txt)\"", "ln -s out.txt link.txt; rec \"$(cat link.txt)\"", "rm -rf dd", "echo *.txt > new.txt; rec \"$(cat new.txt)\"",
            "rec *.txt", "rec d?", "rec nomatch*", "shopt -s nullglob; rec nomatch* *.txt; shopt -u nullglob", "set -f; rec *.txt; set +f", "echo -e 'a\\tb' > out.txt; rec \"$(cat out.txt)\"", "echo -n x > out.txt; rec \"$(cat out.txt)\"", "coproc cat; rec co", "exec 5>&1",
            "ln -s out.txt l1; rec \"$(cat l1)\"; echo via >> l1; rec \"$(cat out.txt)\"; rm -f l1", "ln -f out.txt h1; echo h > h1; rec \"$(cat out.txt)\"; rm out.txt; rec \"$(cat h1)\"", "mkdir -p dd; ln -sfn dd cur; echo q > cur/q; rec \"$(cat dd/q)\"", "exec {fd}> out.txt; echo chosen >&$fd; exec {fd}>&-; rec \"$(cat out.txt)\"", "exec {fd}<<< $'l1\\nl2'; read -ru $fd va; read -ru $fd vb; exec {fd}<&-", "mapfile -d '' ia < <(printf 'a\\0b\\0')", "mapfile -t -C 'rec cb' -c 1 ia <<< $'a\\nb'", "mapfile -t -O 1 -n 1 ia <<< $'b\\nc'", "read -n 2 va <<< 'a\\bc'", "read -N 2 va <<< 'a\\bc'", "read -rn 0 va <<< abc; rec $?", "read -n 3 -d b va <<< abc; rec $? \"$va\"", "read -N 5 va <<< abc; rec $? \"$va\"", "read -e va <<< q", "{ read -N 2 va; read vb; } <<< abcdef", "printf '%s\\n' b A 'a b' é | sort > out.txt; rec \"$(cat out.txt)\"", "printf '%s\\n' 'x 3' 'a 3' 'b 10' | sort -k2n > out.txt; rec \"$(cat out.txt)\"", "cat <<E > out.txt\n$LINENO\nE", "select vi in a b; do rec \"$vi\" $REPLY; break; done <<< 2 2>/dev/null", "mv out.txt new.txt; mv new.txt out.txt; rec \"$(cat out.txt)\"", "echo a > out.txt; cp out.txt new.txt; echo b > out.txt; rec \"$(cat new.txt)\"", "pushd / > /dev/null; rec \"$PWD\"; popd > /dev/null",
        ]
    )  # fmt: skip


def control() -> S:
    """Loops, functions, tests, options and ways to run text."""
    return st.sampled_from(
        [
            "for vi in 1 2; do for vj in a b; do [[ $vj == b ]] && continue 2; rec $vi$vj; done; done", "for vi in 1 2; do for vj in a b; do [[ $vi$vj == 1b ]] && break 2; rec $vi$vj; done; done", "for ((vi=0, vj=3; vi<vj; vi++, vj--)); do rec $vi $vj; done",
            "for ((;;)); do rec once; break; done", "while :; do rec w; break; done", "until false; do rec u; break; done", "for vi in \"$@\"; do rec \"$vi\"; done", "for vi in \"${!ia[@]}\"; do rec \"$vi\" \"${ia[vi]}\"; done", "for vi in \"${!ma[@]}\"; do rec \"$vi\" \"${ma[$vi]}\"; done",
            "while (( $# )); do case $1 in a) rec a; shift;; *) rec other \"$1\"; shift;; esac; done", "while [ $# -gt 0 ]; do rec \"$1\"; shift; done", "for vi in {1..3}; do (( vi == 2 )) && continue; rec $vi; done", "for vi in a b; do rec $vi; done | cat", "select vi in a b; do rec $vi; break; done < /dev/null",
            "fd() { (( $1 <= 1 )) && { echo 1; return; }; echo $(( $1 * $(fd $(($1-1))) )); }; rec $(fd 4)", "fd() { [ $1 -le 0 ] && return 7; fd $(($1-1)); }; fd 2; rec $?", "fd() { return $1; }; fd 3 || rec $?", "fd() { rec \"$FUNCNAME\" $#; }; fd a b", "fd() { shift; rec \"$@\"; }; fd a b; rec \"$@\"",
            "fd() ( va=sub; rec \"$va\" ); fd; rec \"$va\"", "fd() { for vi; do rec \"$vi\"; done; }; fd p q", "fd() if true; then rec iffn; fi; fd", "fd() { fe() { rec inner; }; }; fd; fe", "function fd { rec kw \"$1\"; }; fd x", "fd() { set -- z; rec $1; }; fd a; rec \"${1-}\"", "fd() { va=in; return; va=never; }; fd",
            "fd() { eval 'return 4'; rec no; }; fd; rec $?", "fd() { local vr=$?; rec $vr; }; false; fd", "va=x fa a b | cat", "va=tmp fd() { rec \"$va\"; }", "fd() { rec \"$va\"; va=in; }; va=tmp fd; rec \"$va\"", "va=tmp eval 'rec \"$va\"'", "va=tmp vb=$va bash -c 'rec \"$va\" \"$vb\"'",
            "[[ $va =~ ([a-z]+)([0-9]*) ]]; rec \"${BASH_REMATCH[@]}\"", "[[ a1b2 =~ ([a-z])([0-9]) ]] && rec \"${BASH_REMATCH[2]}\"", "[[ $va =~ ^(a)?(b)?$ ]] && rec \"${BASH_REMATCH[@]}\"", "[[ 'a b' =~ a\\ b ]] && rec m", "vt='^a.*'; [[ $va =~ $vt ]] && rec m; [[ $va =~ \"$vt\" ]] || rec lit", "[[ $va == $vb || $va == a* && -n $vc ]] && rec t",
            "[[ -n $va && ! -z $vb ]] && rec t", "[[ ( $va == a || $va == b ) && 1 -eq 1 ]] && rec t", "[[ $va == @(a|b|abc) ]] && rec ext", "[[ $va = [[:alpha:]]* ]] && rec alpha", "[[ \"$va\" == \"a*\" ]] || rec lit", "[[ 10 > 9 ]] || rec str", "[[ vn -gt 1+1 ]] && rec ar", "[[ -o errexit ]] || rec noe", "[[ -v ia[9] ]] || rec nov",
            "[ \"$va\" = a -o \"$vb\" = b ] && rec or", "[ ! \"$va\" ] || rec not", "[ \\( a = a \\) ] && rec par", "[ a = a -a ! b = c ] && rec and", "test -n \"$va\" -a -n \"$vb\" && rec both", "[ \"$#\" -ge 1 ] && rec args", "[ -n ] && rec one", "[ = = = ] && rec eq", "[ ! = x ] || rec ne", "[ -z \"$vc\" ] && rec z", "[ 1 -eq 01 ] && rec num", "[ x -eq 1 ] 2>/dev/null || rec $?", "[ a b ] || rec $?",
            "case $va in a|b) rec ab;; [0-9]*) rec num;; ?(x)y) rec xy;; *) rec other;; esac", "case \"$va\" in \"$vb\") rec same;; *) rec diff;; esac", "case x in x) rec 1;& y) rec 2;;& z) rec 3;; x) rec 4;; esac", "case $vn in [1-3]) rec low;; [!1-3]*) rec high;; esac", "case abc in a*c) va=m;; esac", "case '' in '') rec empty;; esac", "case a in (a) rec paren;; esac", "case $va in *[[:space:]]*) rec sp;; esac",
            "set -e; false || true; set +e", "set -e; if false; then :; fi; set +e", "set -eu; va=${va:-x}; set +eu", "set -o pipefail; false | true || rec pf; set +o pipefail", "( set -e; false; rec no ); rec $?", "va=$(set -e; false; echo no); rec \"$va\"", "set -u; rec \"${nosuch-}\"; set +u", "( set -u; rec $nosuch ); rec $?", "set +B; rec {a,b}; set -B",
            "! false; rec $?", "! true; rec $?", "true && false || rec x", "false && rec no; rec $?", "{ false; rec $?; }", "(exit 3); rec $?", "bash -c 'exit 4'; rec $?", "$(exit 5); rec $?", "va=$(exit 6); rec $?", "true | false; rec $?", "false | true; rec $? \"${PIPESTATUS[@]}\"", "echo x | grep -q y; rec $?", "[[ a == b ]]; rec $?", "(( 0 )); rec $?", "(( 5 )); rec $?", "let vn=0; rec $?", "let 'vn=1' 'vm=vn+1'; rec $vm",
            "test x; rec $?", "command true; rec $?", "builtin echo x > out.txt", "command -v fa > /dev/null; rec $?", "type nosuch > /dev/null 2>&1 || rec $?", "nosuch 2>/dev/null; rec $?", "exec nosuch 2>/dev/null | cat", "wait", "sleep 0 & wait $!; rec waited", "{ va=bg; } & wait; rec \"$va\"", "trap 'echo bye' EXIT", "trap '' INT", "trap - EXIT", "trap 'va=trapped' ERR; false; rec \"$va\"; trap - ERR", "trap ':' DEBUG; trap - DEBUG",
            "alias rec2=rec", "shopt -s expand_aliases", "bash -c 'rec \"$#\" \"$@\"' n \"$@\"", "bash -ec 'false; rec no'; rec $?", "bash -c 'rec $0'", "bash -s p q <<< 'rec \"$@\"'", "bash <<E\nrec sub $va \\$va\nE", "env va=e bash -c 'rec \"$va\"'", "env -i va=1 \"$BASH\" -c ':'", ". ./lib.sh a 'b c'", "source lib.sh", "fd() { . ./lib.sh; }; fd q", "echo 'rec from \"$1\"' > out.txt; . ./out.txt arg", "echo 'va=written' > out.txt; source ./out.txt", "echo 'rec \"$@\"' > out.txt; bash out.txt a 'b c'", "eval \"rec '$va'\"", "eval rec '\"$va\"'", "eval 'for vi in 1 2; do rec $vi; done'", "eval \"$(echo 'va=ev')\"", "eval 'rec \"${@}\"'",
            "echo a b c | xargs rec", "echo a b c | xargs -n 2 rec", "printf 'a\\0b' | xargs -0 rec", "echo a | xargs -I{} rec x{}y", "timeout 5 rec t", "nice -n 3 rec n", "nohup rec h", "time rec timed", "command rec c", "exec 2>/dev/null", "\\rec quoted", "'rec' quoted", "\"rec\" \"$va\"", "$vz rec empty", "vt=rec; $vt var", "vt='rec a'; $vt b", "vt=(rec arr); \"${vt[@]}\" c", "\"${vt[@]}\"", "re''c joined", "{rec,brace}", "rec ${va:+--flag \"$va\"}", "rec ${nosuch:+--flag}", "rec \"${va:+--flag}\"", "rec ${va:+\"--flag\" \"$va\"}",
            "eval 'if'; rec $?", "echo 'va=x fd2() { :; }' > s.sh; . ./s.sh; rec $?", "fd() { rec $((1/0)); }; fd\nrec \"${#FUNCNAME[@]}\"", "fd() { rec \"${BASH_LINENO[@]}\" $LINENO; }; fd \\\n a", "fd() {\n rec $LINENO\n}; fd", "eval 'rec $LINENO\nrec $LINENO'", "for ((vi=0; vi<2; vi++)); do\nrec $LINENO\ndone", "[[ $LINENO -gt 1 &&\n $LINENO -gt 2 ]] && rec $LINENO", "[[ Z < a ]] && rec lt", "[ Z \\< a ] && rec lt", "[[ 'a b' < a.b ]] && rec lt", "shopt -q sourcepath; rec $?", "shopt -s nosuch 2>/dev/null; rec $?", "old=$(shopt -p nullglob); shopt -s nullglob; $old", "set -o nounset; shopt -qo nounset && rec on; set +o nounset", "rec \"${x!}\"; rec no\nrec $?", "bash -c 'rec $LINENO\nrec $LINENO'", "x=$(rec $LINENO); x=`rec $LINENO`", "case $LINENO in *) rec $LINENO;; esac", "rec \"a\nb\" $LINENO", "fd() { return 3; }; fd & wait $!; rec $?", "(exit 4) & wait $!; rec $?", "caller; rec $?", "fd() { caller 0 > /dev/null; rec $?; }; fd", "type fa > /dev/null; rec $?", "hash -r; rec $?", "alias aa='rec x'; aa 2>/dev/null || rec noalias; unalias aa", "shopt -s expand_aliases\nalias aa='rec x '\naa y\nunalias aa", ": a b; rec $_", "va=1; rec \"[$_]\"", "exit 3", "return 2", "kill -0 $$; rec $?", "umask > /dev/null; rec $?", "true & wait; rec $?", "builtin printf -v va %s x", "command -v nosuch; rec $?", "(( vn = 3, 0 )) || rec $?", "let 'vn=0' || rec $?", "while read -r va; do break; done <<< x; rec $?", "until (( vn++ > 2 )); do :; done; rec $?", "if false; then :; fi; rec $?", "for vi in; do :; done; rec $?", "case x in y) ;; esac; rec $?",
        ]
    )  # fmt: skip


def _single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def wrapped(statement: S) -> S:
    """The statement where a failure is expected, in a process of its own, or as a text."""
    quoted = statement.map(_single)
    return st.one_of(
        st.builds("eval {}".format, quoted),
        st.builds("fd() {{\n{}\n}}\nfd p 'q r'; rec $?".format, statement),
        st.builds("fd() {{\n{}\n}}\nfd || rec failed".format, statement),
        st.builds("(\n{}\n)".format, statement),
        st.builds('va=$(\n{}\n); rec $? "$va"'.format, statement),
        st.builds("if\n{}\nthen rec yes; else rec no; fi".format, statement),
        st.builds("{{\n{}\n}} && rec and || rec or".format, statement),
        st.builds("! {{\n{}\n}}\nrec $?".format, statement),
        st.builds('{{\n{}\n}} | cat > piped.txt; rec "${{PIPESTATUS[@]}}"'.format, statement),
        st.builds("echo x y | {{\n{}\n}}".format, statement),
        st.builds("bash -c {} n p 'q r'; rec $?".format, quoted),
        st.builds("bash -ec {} n; rec $?".format, quoted),
        # In a subshell bash 5.2 runs the last command of a sourced line in its own place, and what
        # follows is lost.
        st.builds("printf '%s\\n' {} 'return $?' > s.sh; . ./s.sh; rec $?".format, quoted),
        st.builds("set -e\n{}\nset +e".format, statement),
        st.builds("( set -eu\n{}\nrec last ); rec $?".format, statement),
        st.builds("for vi in 1 2; do\n{}\ndone".format, statement),
        st.builds('va=tmp eval {}; rec "$va"'.format, quoted),
        st.builds("local_() {{ local va=loc ia=(l m)\n{}\n}}; local_ a".format, statement),
    )


def idioms() -> S:
    """Any of them."""
    word = st.one_of(quoting(), operators(), st.builds('"{}"'.format, operators()))
    return st.one_of(
        st.builds("rec {}".format, word),
        st.builds("rec {} {}".format, word, word),
        st.builds("va={}".format, word),
        st.builds("ia=({} {})".format, word, word),
        assignments(),
        assignments(),
        reading(),
        control(),
        control(),
        wrapped(st.one_of(assignments(), control(), reading(), st.builds("rec {}".format, word))),
        wrapped(st.one_of(assignments(), control(), st.builds("va={}".format, word))),
    )
