readonly r=1; (( r++ )); rec $? $r; let r=3; rec $?; unset r; rec $?
