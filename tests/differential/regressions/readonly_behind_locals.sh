readonly a=1
f() { local a; rec $? $a; local b=2 a=3 c=4; rec $? $a $b $c; declare a=5; rec $a; typeset -r d=1; g; }
g() { local d=2; rec $? $d; }
f
