false | true; [[ a == a ]]; rec "${PIPESTATUS[@]}"
false | true; (( 1 )); rec "${PIPESTATUS[@]}"
false | true; (( 0 )); rec "${PIPESTATUS[@]}"
false | true; (exit 3); rec "${PIPESTATUS[@]}"
false | true; { :; }; rec "${PIPESTATUS[@]}"
false | true; if true; then :; fi; rec "${PIPESTATUS[@]}"
false | true; if false; then :; fi; rec "${PIPESTATUS[@]}"
false | true; for i in; do :; done; rec "${PIPESTATUS[@]}"
false | true; for i in 1; do :; done; rec "${PIPESTATUS[@]}"
false | true; case a in b) ;; esac; rec "${PIPESTATUS[@]}"
false | true; case a in a) ;; esac; rec "${PIPESTATUS[@]}"
false | true; f() { :; }; rec "${PIPESTATUS[@]}"
false | true; x=1; rec "${PIPESTATUS[@]}"
false | true; x=$(false); rec "${PIPESTATUS[@]}"
! false; rec "${PIPESTATUS[@]}" $?
! false | true; rec "${PIPESTATUS[@]}" $?
! true; rec "${PIPESTATUS[@]}" $?
false | true; while false; do :; done; rec "${PIPESTATUS[@]}"
g() { false | true; return 4; }; g; rec "${PIPESTATUS[@]}"
false | true && rec "${PIPESTATUS[@]}"
! [ a = b ] && { for vi in 1; do rec "${PIPESTATUS[@]}"; done; }
false | true; ! [[ a == a ]]; rec "${PIPESTATUS[@]}"
false | true; ( rec "${PIPESTATUS[@]}" ); false | true; v=$(rec "${PIPESTATUS[@]}")
false | true; if [ "${PIPESTATUS[0]}" = 1 ]; then rec "${PIPESTATUS[@]}"; fi
false | true; [[ ${PIPESTATUS[0]} == 1 ]] && rec yes
true | false; rec ${PIPESTATUS[0]} ${PIPESTATUS[1]} "${PIPESTATUS}" ${#PIPESTATUS[@]}
( exit 2 ) | ( exit 3 ) | true; rec "${PIPESTATUS[@]}"
{ false; true; } | { exit 4; }; rec "${PIPESTATUS[@]}"
! [[ a == a ]]; rec "${PIPESTATUS[@]}"
! [[ a == b ]]; rec "${PIPESTATUS[@]}"
! { false; }; rec "${PIPESTATUS[@]}"
! { [[ a == b ]]; }; rec "${PIPESTATUS[@]}"
f() { return 5; }; ! f; rec "${PIPESTATUS[@]}"
! x=1; rec "${PIPESTATUS[@]}"
! x=$(exit 4); rec "${PIPESTATUS[@]}"
! if false; then :; fi; rec "${PIPESTATUS[@]}"
! (( 0 )); rec "${PIPESTATUS[@]}"
! (( 1 )); rec "${PIPESTATUS[@]}"
! (exit 3); rec "${PIPESTATUS[@]}"
false; for ((i=0;i<2;i++)); do rec $? "${PIPESTATUS[@]}"; done
false; for ((;;)); do rec $? "${PIPESTATUS[@]}"; break; done
false; for i in 1; do rec $? "${PIPESTATUS[@]}"; done
false; while rec $? "${PIPESTATUS[@]}"; do break; done
false; while :; do rec $? "${PIPESTATUS[@]}"; break; done
false; until false; do rec $? "${PIPESTATUS[@]}"; break; done
false; if :; then rec $? "${PIPESTATUS[@]}"; fi
false; if false; then :; else rec $? "${PIPESTATUS[@]}"; fi
false; case a in a) rec $? "${PIPESTATUS[@]}";; esac
false; { rec $? "${PIPESTATUS[@]}"; }
false; ( rec $? "${PIPESTATUS[@]}" )
false; for ((i=5;i<2;i++)); do :; done; rec $? "${PIPESTATUS[@]}"
false; for i in; do :; done; rec $? "${PIPESTATUS[@]}"
false; while false; do :; done; rec $?
false; case a in b) ;; esac; rec $? "${PIPESTATUS[@]}"
f() { rec $? "${PIPESTATUS[@]}"; }; false; f
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
