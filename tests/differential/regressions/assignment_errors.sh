readonly r=1
r=2; rec same
rec next $?
f() { r=3; rec inf; }; f; rec same
rec next2 $?
(r=4; rec insub); rec sub $?
{ r=5; rec g; }
rec next3
if r=6; then rec t; fi
rec next4; declare r=(1); rec same
rec next5
r+=x || rec or
rec next6
y=$(r=7; echo no); rec "[$y]" $?
a=(1); a[-5]=2; rec same
rec next7
set -e
r=6
rec never
