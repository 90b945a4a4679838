declare vb={1..3} vc=a{b,c}d "vd={1,2}"
rec "$vb" "$vc" "$vd"
f() { local vl={x,y} vm={"a b",c}; rec "$vl" "$vm"; }
f
export ve={a}
readonly vf={1,2} || rec failed
rec "$ve" "$vf" "$?"
declare -a ia=({1..3} x)
declare -i vi+={1,2}
rec "${ia[@]}" "$vi"
va={1,2}
rec "$va"
set +B
declare vg={1,2}
rec "$vg"
