declare -i va
for i in 1 2; do read -r va vb <<< "'"; rec no; done; rec same
rec read "$va" $?
for i in 1 2; do printf -v va '1/0'; rec no; done
rec printf $?
for i in 1 2; do va=1/0; rec no; done
rec plain $?
for va in 1 2/0 3; do rec loop "$va"; done
rec for $?
f() { declare -i vx=1/0; rec in $?; local -i vy='2 3'; rec in $?; }; f; rec f
rec decl $?
g() { export va=1/0; rec in $?; }; g; rec g
rec export $?
h() { : "${vz:=1}"; declare -i vz; va=1 vz=1/0 true; rec in $?; }; h; rec h
rec temp $?
unset va; declare -i va
k() { : "${va:=1/0}"; rec in; }; k; rec k
rec default $?
declare -ia ia
l() { ia=(1 2/0); rec in "${ia[@]}"; }; l; rec l
rec list "${ia[@]}"
m() { ia[1]=3/0; rec in "${ia[@]}"; }; m; rec m
rec element "${ia[@]}"
n() { mapfile -t ia <<< "3/0"; rec in "${ia[@]}"; }; n; rec n
rec mapfile "${ia[@]}"
o() { read -ra ia <<< "1 3/0"; rec in "${ia[@]}"; }; o; rec o
rec read "${ia[@]}"
p() { getopts a: va -a 1/0; rec in "$va"; }; p; rec p
rec getopts "$va"
q() { let va=1/0; rec in $?; }; q; rec q
r() { (( va = 1/0 )); rec in $?; }; r; rec r
s() { eval 'va=1/0'; rec in $?; }; s; rec s
rec eval
t() { va+=1/0; rec in; }; t; rec t
rec add "$va"
