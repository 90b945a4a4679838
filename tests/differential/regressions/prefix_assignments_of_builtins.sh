va=1 read va <<< new; rec "$va"
va=1 printf -v va new2; rec "$va"
va=1 let va=5; rec "$va"
declare -u va=low
va=1 read va <<< new; rec "$va"
va=1 unset va; rec "${va-unset}"
va=old
va=1 unset va; rec "${va-unset}"
va=1 declare va=2; rec "$va"
va=1 declare -x va; rec "$va"
va=1 getopts a va -a; rec "$va"
va=1 eval 'unset va; rec "${va-unset}"'; rec "${va-unset}"
va=1 eval 'va=2; export va'; rec "$va"; bash -c 'rec "$va"'
va=1 readonly va; rec "$va"
vb=3
f() { vb=$((1/0)); rec no; }
vb=1 f
rec "$vb"
vb=1 vc=$((1/0)) f
rec "$vb" "$vc"
g() { return 3; }
vb=2 g; rec $? "$vb"
for i in 1 2; do vb=5 break; done; rec "$vb"
h() { local vb; rec "${vb-unset}"; k; rec "$vb"; }
k() { local vb; rec "${vb-unset}"; vb=inner; }
vb=t h; rec "$vb"
h2() { k; rec "$vb"; }
vb=t h2; rec "$vb"
vb=t command eval 'rec $vb; vb=3'; rec "$vb"
vb=t exec 3>&1; rec "$vb"
