va=1 vab=2 vac=3
rec $va{b,c} {$va,x} {1..3} {03..1} a{,b}c {} {a} '{a,b}'
rec {m:1,n:2}
