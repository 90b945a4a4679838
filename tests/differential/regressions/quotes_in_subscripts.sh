(
ia=(a b); ia['1']=c; rec "${ia[@]}"
rec $?
)
(
ia=(a b); ia["1"]=c; rec "${ia[@]}"; ia["1"]+=d; rec "${ia[@]}"; k=0; ia["$k"]=e; rec "${ia[@]}"
rec $?
)
(
ia=(a b); ia[\1]=c; rec "${ia[@]}"
rec $?
)
(
ia=(a b); ia[$'1']=c; rec "${ia[@]}"
rec $?
)
(
m['key']=v; rec "${m[@]}"; rec "${m['key']}"
rec $? "${m[@]}"
)
(
ia=(['1']=c [\0]=d ["2"]=e); rec "${ia[@]}"
rec $?
)
(
unset 'ia'; ia=(1 2 3); unset ia['1']; rec "${ia[@]}"; unset "ia['0']"; rec $? "${ia[@]}"
rec $?
)
(
ia=(a b); rec "$((ia['1']))"
rec $?
)
