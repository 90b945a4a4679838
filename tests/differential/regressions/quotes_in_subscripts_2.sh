(
ia=(a b); rec ${ia['1']-}; rec "${ia['1']}" "${ia["1"]}"
rec $?
)
(
ia=(a b); rec "${ia['1']}"
rec $?
)
(
ia=(a b); rec "${ia["1"]}" ${ia["1"]} ${ia[\1]}
rec $?
)
(
ia=(a b); rec ${ia['1']}
rec $?
)
(
ia=(a b); ia['1']=c; ia["0"]=d; rec "${ia[@]}"; x=1; rec "$((ia['1']))" 
rec $?
)
(
ia=(a b); ia=(['1']=c ["0"]=d); rec "${ia[@]}"; rec "${#ia['1']}" "${ia['1']:-x}"
rec $?
)
(
ia=(a b); rec "${ia[$'1']}"
rec $?
)
( va=1; f() { unset -n va; rec "${va-u}"; }; f; unset -n va; rec "${va-u}" $?; declare -n vr=va; unset -n vr; rec "${vr-u}" "$va"; g() { local -n vr=va; unset -n vr; rec "${vr-u}"; vr=x; rec "$va"; }; g; unset -n nosuch; rec $?; declare -n vr=va; f2() { unset -n vr; rec "${vr-u}" "$va"; }; f2; rec "${vr-u}"; readonly vq=1; unset -n vq; rec $? "$vq" )
( declare -n vr=va; va=1; h() { local -n vr=vb; vb=2; k; rec "$vr"; }; k() { unset -n vr; rec "${vr-u}"; }; h; rec "$vr" )
