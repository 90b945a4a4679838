d=1; b=(4 5 6); x='b[$d]'; rec $((x))
x='b[$(echo 2)]'; rec $((x))
let 'y = b[$d+1]'; rec $y
let 'b[${#b[@]}]=5'; rec "${b[@]}"
n=0; (( (a[n]=++n)<7 && a[0] )); rec "${!a[@]}" "${a[@]}"
unset a; n=0; a='(a[n]=++n)<7&&a[0]'; ((a[0])); rec "${a[@]:1}"
a=(0 1 2); i=0; (( a[i]=++i )); rec "${a[@]}" $i
a=(0 1 2); i=0; (( a[i]+=i++ )); rec "${a[@]}" $i
a=(1); (( ++ a[0] )); (( -- a[0], ++ k )); rec $a $k
i='b[1]'; b=(0 2); a=(7 8 9); rec $(( a[$i] ))
i=1; rec $(( a[b[i]] ))
rec $(( a[$i] + a[b[0]] ))
HOME=2; rec ${a[~]}
rec end
a=(); printf -v 'a[2]' %s v; printf -v 'a[$i+3]' %s w; rec "${!a[@]}"
[[ -v 'a[$i+1]' ]]; rec $?
