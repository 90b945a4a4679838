read -n 2 -r va <<< abcd; rec "$va" $?
read -N 3 -r va <<< 'a b c'; rec "$va" $?
read -rn1 va <<< ''; rec "$va" $?
read -rn5 va <<< 'a b'; rec "$va" $?
read -rN5 va <<< 'ab'; rec "$va" $?
read -rN2 va vb <<< 'a bcd'; rec "$va" "$vb"
read -rn3 va vb <<< 'a bcd'; rec "$va" "$vb"
read -r -d , -n 3 va <<< 'a,bcd'; rec "$va"
{ read -rn2 va; read -r vb; } <<< abcdef; rec "$va" "$vb"
while read -rn1 va; do rec c "$va"; done <<< abc
read va vb <<< 'a\
b c\ d e'; rec "$va" "$vb"
read -d : va <<< 'x\:y:z'; rec "$va"
read -r -u 3 va 3<<< three; rec "$va"
exec 4< <(echo l1; echo l2); read -ru4 va; read -r -u 4 vb; exec 4<&-; rec "$va" "$vb"
read -r 1x <<< a; rec $?
read -r -a ia -d ' ' <<< 'one two'; rec "${ia[@]}"
read -p 'prompt ' -r va <<< p; rec "$va"
read -rs va <<< s; rec "$va"
mapfile -t -n 1 ia <<< $'a\nb'; rec "${ia[@]}"
mapfile -t -s 1 ia <<< $'a\nb\nc'; rec "${ia[@]}"
mapfile -t -O 2 ia <<< $'x\ny'; rec "${ia[@]}" "${!ia[@]}"
mapfile -ts1 -n1 ia <<< $'a\nb\nc'; rec "${ia[@]}"
mapfile -n 0 ia <<< $'a\nb'; rec "${ia[@]}"
mapfile -td , ia <<< 'a,b'; rec "${ia[@]}"
mapfile -d '' -t ia < <(printf 'a\0b c\0'); rec "${#ia[@]}"
mapfile -O 1 -t nia <<< z; rec "${nia[@]}" "${!nia[@]}"
mapfile -n x ia <<< a; rec $? "${ia[@]}"
mapfile -u 3 -t ia 3<<< fd; rec "${ia[@]}"
{ mapfile -n 1 -t ia; read -r va; } <<< $'m1\nm2\nm3'; rec "${ia[@]}" "$va"
declare -A mm; mapfile mm <<< a; rec $?
mapfile -t 1x <<< a; rec $?
ib=scalar; mapfile -t -O 1 ib <<< a; rec "${ib[@]}"
declare -n vr=ic; mapfile -t vr <<< $'r1\nr2'; rec "${ic[@]}"
