( x=5; f() { local x=$x; x=$((x+1)); rec $x; }; f; rec $x; g() { x=9; }; (g); rec $x; y=$(g; echo $x); rec $y $x; g | cat; rec $x; g & wait; rec $x; g > /dev/null; rec $x )
(
readonly R=1; R=2 2>/dev/null; rec no
rec after "$R" $?
)
( readonly R=1; (R=2) 2>/dev/null; rec $?; f() { local R=2 2>/dev/null; rec "$?" "$R"; }; f; declare R=3 2>/dev/null; rec $?; unset R 2>/dev/null; rec $?; R=2 rec tmp 2>/dev/null; rec $? ; export R; rec $R; read R <<< x 2>/dev/null; rec $? $R; for R in a; do rec no; done 2>/dev/null; rec $?; printf -v R x 2>/dev/null; rec $?; ((R=5)) 2>/dev/null; rec $? $R )
(
declare -r A=(1 2); A+=(3) 2>/dev/null
rec $? "${A[@]}"; A[0]=x 2>/dev/null
rec "${A[@]}"; declare -ri N=2+3; rec $N; declare -rx E=e; bash -c 'rec $E; E=2; rec $E'
)
(
declare -i n=abc; rec $n; abc=7; n=abc+1; rec $n; n="1 +  2"; rec $n; n=08 2>/dev/null; rec $? $n
rec $n; declare -i m; m=5/2; rec $m; m+=m; rec $m; declare -l l=ABC; rec $l; l+=DEF; rec $l; declare -u u=abc; rec $u; declare -c c=hello 2>/dev/null; rec $c; declare -lu b=aBc; rec $b; declare +i m; m=1+1; rec $m; declare -a arr=([2]=x); rec "${!arr[@]}"; declare arr2[3]=y; rec "${!arr2[@]}" "${arr2[@]}"; declare -ai ai=(1+1 2*3); rec "${ai[@]}"; ai[0]=5+5; rec "${ai[@]}"; declare -al al=(AB Cd); rec "${al[@]}"; typeset t=1; rec $t; declare -x dx; rec "${dx-unset}"; declare d1=a d2=b; rec $d1$d2; declare -p nosuch 2>/dev/null || rec missing; declare -g gg=1; rec $gg
)
( f() { declare -g G=1; declare L=2; local -r LR=3; rec "$G" "$L" "$LR"; unset L; rec "${L-u}"; local a b=1 c; rec "${a-u}" "$b" "${c-u}"; local -a arr=(1 2); local -A m=([k]=v); rec "${arr[@]}" "${m[k]}"; local e; rec "${e:-empty}" "${e-unset}" "${e+set}"; e=; rec "${e-unset}" "${e+set}"; }; f; rec "$G" "${L-u}" "${LR-u}" "${arr-u}"; local z 2>/dev/null; rec $? )
( f() { x=outer; g; rec "$x"; }; g() { local x; x=inner; h; rec "$x"; }; h() { x=h; }; f; rec "$x"; a() { local v=1; b; }; b() { rec "$v"; unset v; rec "${v-u}"; v=2; }; v=g; a; rec "$v"; c() { local v=1; unset v; rec "${v-u}"; v=3; }; c; rec "$v"; d() { local v; rec "${v-u}"; local v=5; rec "$v"; }; d; e() { local v=$1 w=$v; rec "$w"; }; e 7; r() { local n=$1; (( n > 0 )) && { rec $n; r $((n-1)); }; rec back $n; }; r 2 )
( a=1; b=a; declare -n r=b; rec "$r" "${!r}"; r=new; rec "$b" "$a"; declare -n s=a; s=2; rec "$a"; unset -n s; s=3; rec "$s" "$a"; declare -n arr_r=lst; lst=(1 2); arr_r+=(3); rec "${arr_r[@]}" "${#arr_r[@]}" "${arr_r[1]}" "${lst[@]}"; for arr_i in "${arr_r[@]}"; do rec $arr_i; done; declare -n el='lst[0]'; el=first; rec "${lst[@]}" "$el"; f() { local -n out=$1 in=$2; out="$in!"; }; q=hey; f res q; rec "$res"; g() { local -n h=$1; h[k]=v; }; declare -A hm; g hm; rec "${hm[k]}"; unset r; rec "${b-u}"; declare -n u1=u2; u2=5; rec $u1; u1=6; rec $u2; declare -n u1=u3; u3=z; rec "$u1"; [[ -R u1 ]] && rec isref; declare +n u1; rec "$u1"; for_ref() { local -n it; for it in p1 p2; do it=set$it; done; }; for_ref; rec "$p1" "$p2" )
(
v=abc; rec "${v:1}" "${v:0:-1}" "${v: -2}" "${v:(-2):1}" "${v:1:1}" "${v:5}" "${v:0:0}" "${v::2}" "${v:$((1))}" "${v:v2:1}" "${v: -5}"; rec "${v:1:-3}" 2>/dev/null
rec $?; set -- a b c d; rec "${@:2:2}" "${@: -1}" "${*:3}" "${@:0:2}"; rec "${#}" "${#@}" "${#*}" "${##a}" "${#1}" "${1#a}" "${@#[ab]}" "${@/[a-b]/x}" "${@^^}" "${*^}" "${@:1:1}"; e=(); rec "${e[@]:0:1}" "${#e[@]}" "${e[@]/a/b}" "${e[*]-none}" "${e[@]:-none}"; w='a/b/c'; rec "${w//\//.}" "${w/\//.}" "${w/%c/C}" "${w/#a/A}" "${w//[a-c]/}" "${w/b*/}" "${w##*/}" "${w%%/*}" "${w%/}" "${w#*/}"; p='*'; rec "${w/$p/x}" "${w/"$p"/x}" "${w//$p}"; r='&'; rec "${w/b/[$r]}" "${w/b/"[$r]"}" "${w/b/\&}" "${w/b/$r$r}"; s='a b  c'; rec ${s// /,} "${s// /}" "${s/ /	}" "${s//  / }"; t=$'l1\nl2'; rec "${t//$'\n'/;}" "${t%%$'\n'*}" "${t#*$'\n'}"; u='${x}'; rec "${u//\$\{x\}/y}" "${u//[\{\}]/}"; n="1,234"; rec "${n//,}" $(( ${n//,/} + 1 ))
)
( shopt -s extglob; v=aaabbbccc; rec "${v##+(a)}" "${v%%+(c)}" "${v//+(b)/B}" "${v/@(aaa|bbb)/x}" "${v#?(a)}" "${v##*(a|b)}" "${v%%!(a)}" "${v/!(z)/q}"; s='  trim me  '; s="${s##+([[:space:]])}"; s="${s%%+([[:space:]])}"; rec "[$s]"; n=007; rec "${n##+(0)}"; f=file.tar.gz; rec "${f%.@(gz|bz2)}" "${f%%.*(?)}"; [[ $v == a+(a)*c ]] && rec m; case $v in +(a)+(b)+(c)) rec c;; esac; rec "${v//[!a]}" "${v//[^a]/-}" "${v/[[:alpha:]]/1}" "${v//[a-b]/}" "${v//a/}" ; x='[x]'; rec "${x#\[}" "${x%]}" "${x//[][]/}" "${x/[/(}" )
