declare -a x='(1 2 $(echo 3))'; rec "${x[@]}"
s='([a]=1 [b]="2 3")'; declare -A t="$s"; rec "${!t[@]}" "${t[@]}"
f() { local -a x='(1 "2 3")'; rec "${x[@]}"; local y='(1 2)'; rec "$y"; }; f
a=(1 2); declare a='(3 4 5)'; rec "${a[@]}"; a='(6 7)'; rec "${a[@]}"
readonly -a r='(1 2)'; rec ${#r[@]}
declare -ai n='(1 2 xx 3+4)'; rec "${n[@]}"
e=(1 2); export e='(5)'; rec "${e[@]}"; export -a e='(6 7)'; rec "${e[@]}"
h() { export e='(8)'; }; h; rec "${e[@]}"
