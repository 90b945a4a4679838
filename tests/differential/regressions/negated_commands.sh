va=a; trap 'va=trapped' ERR
! { false; rec in "$va"; }; va=b
! false; rec "$va"; ! (false; rec s "$va"); f() { false; rec f "$va"; }; ! f; rec "$va"
! (( 0 )); ! [[ a == b ]]; rec "$va"
trap - ERR
! { ( set -e; false; rec no ); rec $?; }
set -e; ! { false; rec in; }; ! f; ! ( false; rec sub ); ! if true; then false; rec iff; fi; ! eval 'false; rec ev'
( set -e; ! { ( set -e; false; rec yes ); rec $?; }; rec after )
! { set -e; false; rec grouped; }
rec end
