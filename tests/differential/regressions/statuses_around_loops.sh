false; for ((i=0;i<2;i++)); do rec $?; done
false; for ((;;)); do rec $?; break; done
false; for i in 1; do rec $?; done
false; while rec $?; do break; done
false; while :; do rec $?; break; done
false; until false; do rec $?; break; done
false; if :; then rec $?; fi
false; if false; then :; else rec $?; fi
false; case a in a) rec $?;; esac
false; { rec $?; }
false; ( rec $? )
false; for ((i=5;i<2;i++)); do :; done; rec $?
false; for i in; do :; done; rec $?
false; while false; do :; done; rec $?
false; case a in b) ;; esac; rec $?
f() { rec $?; }; false; f
for i in 1 2; do rec $?; false; done; rec $?
for ((i=0;i<2;i++)); do rec $?; false; done; rec $?
i=0; while ((i++<2)); do rec $?; false; done; rec $?
for ((i=0;i<1;i++)); do :; done; rec $?
for ((i=0;i<1/0;i++)); do :; done; rec $?
for i in a; do break; done; rec $?; for i in a b; do false; continue; done; rec $?
while false; do :; done; rec $?; while :; do false; break; done; rec $?
if false; then :; elif false; then :; fi; rec $?
(exit 3); x=$?; rec $x $?; (exit 3); x=1 y=$?; rec $y; (exit 4); rec "$(echo $?)" $?
false; for ((i=0;;)); do rec a $?; break; done
false; for ((i=1;;)); do rec b $?; break; done
true; for ((i=0;;)); do rec c $?; break; done
for ((i=0;;i++)); do rec d $?; ((i>1)) && break; false; done
for ((i=0;;)); do rec e $?; ((i++>1)) && break; (exit 7); done
for ((i=0;i<3;)); do rec f $?; i=$((i+1)); (exit 7); done; rec $?
for ((i=0;i<3;i++)); do rec g $?; (exit 7); done; rec $?
for ((;i<5;i++)); do rec h $?; (exit 7); done
for ((i=-1;i<1;i++)); do (exit 7); done; rec i $?
false; for ((i=9;i<1;i++)); do (exit 7); done; rec j $?
for ((i=0;i<1;1/0)); do (exit 7); done; rec k $?
for ((i=0;i<1/0;)); do (exit 7); done; rec l $?
for ((1/0;;)); do (exit 7); done; rec m $?
