f() { return 1 2; rec inf; }; f; rec same
rec n2 $?
(exit 1 2; rec insub); rec same $?
exit 1 2; rec same3
rec n3 $?
break 1 2; rec b0 $?
for i in 1; do break 1 2; rec in; done; rec same4
rec n4 $?
shift 1 2; rec same5 $?
rec n5
f() { return abc; }; f; rec r $?
f() { return ''; }; f; rec r $?
f() { return -1; }; f; rec r $?
f() { return ' 3'; }; f; rec r $?
for i in 1 2; do break 0; done; rec "b0 $?"
return 3; rec $?
(exit ''); rec "e $?"
for i in 1 2; do for j in 1 2; do break -- 2; done; done; rec $i $j; n=2; for i in 1 2; do for j in 1 2; do continue $n; done; rec no; done; rec $i $j
while break; do :; done; rec w; until continue; break; do :; done; rec u; while :; do (break); break; done; f() { while :; do return 4; done; }; f; rec $?; for i in 1 2; do . ./lib.sh; done; echo break > br.sh; for i in 1 2 3; do . ./br.sh; done; rec $i; for x in a b; do case $x in a) continue;; esac; rec $x; done; for x in 1 2; do { break; } ; done; rec $x; for x in 1 2; do x=$(break; echo v); rec "$x"; done
