vn=3
case $((--vn ? 1 : vn = 2)) in *) rec no;; esac
rec "$vn"
case x in $((--vn ? 1 : vn = 2))) rec no;; esac
rec "$vn"
for vi in $((vn++)) $((1/0)); do rec no; done
rec "$vn"
rec $((vn++)) $((1/0))
rec "$vn"
va=$((vn++))$((1/0))
rec "$vn"
ia=($((vn++)) $((1/0)))
rec "$vn" "${ia[@]}"
declare vb=$((vn++))$((1/0))
rec "$vn"
[[ $((vn++)) == $((1/0)) ]]
rec "$vn"
echo x > $((vn++))$((1/0))
rec "$vn"
rec x > f$((vn++)) $((1/0))
rec "$vn"
while [ $((vn++)) -lt $((1/0)) ]; do rec no; done
rec "$vn"
(( vn++, 1/0 ))
rec "$vn"
let vn++ 1/0
rec "$vn"
for (( vn=9; 1/0; )); do rec no; done
rec "$vn"
ia=(0 * x); unset 'ia[1]'; rec "${#ia[@]}" "${ia[@]}"
