( rec "${!vp:-x}" )
( rec "${!vp-x}" )
( rec "${!vp:+x}" )
( rec "${!vp+x}" )
( rec "${!vp:=x}" )
( rec "${!vp:?x}" )
( rec "${!vp#x}" )
( vp=; rec "${!vp:-x}" )
( vp=; rec "${!vp}" )
( vp=nos; rec "${!vp:-x}" )
( vp=nos; rec "${!vp:=x} $nos" )
( vp=nos; rec "${!vp}" )
( rec "${!1:-x}" )
( rec "${!vp[0]:-x}" )
( declare -a vp; rec "${!vp:-x}" )
bash -c 'rec "${!vp:-x}"'; rec $?
bash -c 'rec "${!vp-x}"'; rec $?
bash -c 'rec "${!vp:+x}"'; rec $?
bash -c 'rec "${!vp+x}"'; rec $?
bash -c 'rec "${!vp:=x}"'; rec $?
bash -c 'rec "${!vp:?x}"'; rec $?
bash -c 'rec "${!vp#x}"'; rec $?
bash -c 'vp=; rec "${!vp:-x}"'; rec $?
bash -c 'vp=; rec "${!vp}"'; rec $?
bash -c 'vp=nos; rec "${!vp:-x}"'; rec $?
bash -c 'vp=nos; rec "${!vp:=x} $nos"'; rec $?
bash -c 'vp=nos; rec "${!vp}"'; rec $?
bash -c 'rec "${!1:-x}"'; rec $?
bash -c 'rec "${!vp[0]:-x}"'; rec $?
bash -c 'declare -a vp; rec "${!vp:-x}"'; rec $?
