!
rec $?
! !
rec $?
time ! rec a
rec $?
! time rec b
rec $?
