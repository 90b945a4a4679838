f() { rec "$1" "${va-unset}" "${vb-unset}" "${ia[@]}"; }
vc=${vc:=A-B} rec "$vc"
rec "$vc"
v=${v:=x}$((w=3)) true
rec "$v" "$w"
va=$((va=5)) f one
rec "${va-unset}"
va=1; va+=2 f two; rec "$va"
va=1 vb=$va f three; rec "$va" "${vb-unset}"
unset va; va=1 vb=${va:=2} f four; rec "${va-unset}" "${vb-unset}"
ia=(a b)
ia[0]=x f six; rec "${ia[@]}"
declare -i vi=3
vi+=4 bash -c 'rec "$vi"'; rec $vi
vi=1+2 bash -c 'rec "$vi"'; rec $vi
declare -u vu=abc
vu=def bash -c 'rec "$vu"'; rec $vu
g() { va=changed; rec "$va"; }
va=outer; va=temp g; rec "$va"
h() { local va; rec "${va-unset}"; va=in; }
va=temp h; rec "$va"
i() { unset va; rec "${va-unset}"; }
va=temp i; rec "$va"
j() { export va=new; bash -c 'rec "$va"'; }
va=temp j; rec "$va"
k() { declare -g va=glob; rec "$va"; }
va=temp k; rec "$va"
va=1 eval 'rec "$va"; va=2'; rec "$va"
va=temp . ./lib.sh; rec "$va"
va=temp export va; rec "$va"
va=temp true; rec "$va"
va=temp :; rec "$va"
vx=1 vy=${vx-none} true; rec "${vx-unset}" "${vy-unset}"
vz=${vz:-d} vz=${vz}2 bash -c 'rec $vz'
IFS=, read -r va vb <<< a,b; rec "$va" "$vb" "${IFS-unset}"
IFS=: f $va; va=a:b; IFS=: rec $va
