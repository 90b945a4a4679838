readonly r=1; declare r=2; rec $? $r; export r=3; rec $?; local r=5; rec $?; unset r; rec $? $r;  export r=5 q=6; rec $? $q; readonly r; rec $?; declare r; rec $?; declare +r r; rec $?
