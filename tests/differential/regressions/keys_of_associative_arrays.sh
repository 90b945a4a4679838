declare -A seen
x='a b'
rec "[${seen[$x]}]" "${seen[a/b]:-none}" "${seen[x y]+set}" ${#seen[@]}
((++seen[$x])); (( seen[$x]++ )); rec "${!seen[@]}" "${seen[$x]}"
unset seen
declare -A seen
x="80's"
((++seen[$x]))
((++seen["$x"]))
rec $((seen[$x])) "${seen[$x]}"
let "seen['p q']=1" 'seen[$x]+=2'
rec "${seen[p q]}" "${seen[$x]}"
k='c]d'; (( seen[$k] = 7 )); rec "${seen[$k]}"
f() { local -A own; own[$1]+=x; rec "${own[$1]}" ${#own[@]}; }
f a/b
HOME=/h; seen=([~]=1); seen[~/x]=2; rec "${!seen[@]}"; seen=(~ 1); rec "${!seen[@]}"
k='x y'
printf -v "seen[$k]" %s v; printf -v 'seen[$k]' %s w; read "seen[q r]" <<< z; declare "seen[s t]=5"
rec "${!seen[@]}" "${seen[$k]}"
[[ -v seen[$k] ]]; rec $?
[ -v 'seen[$k]' ]; rec $?
unset 'seen[$k]'; [[ -v seen[$k] ]]; rec $?
k="a'b"; seen[$k]=1
[[ -v seen[$k] ]]; rec $?
test -v "seen[$k]"; rec $?
unset "seen[$k]"; rec ${#seen[@]}
declare -A c=([a]=1); c=([a]=x [a]+=y [b]+=z); rec ${c[a]} ${c[b]}
c+=([a]=x [a]+=y [b]+=z); rec ${c[a]} ${c[b]}
