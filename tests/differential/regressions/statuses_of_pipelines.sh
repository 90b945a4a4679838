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
