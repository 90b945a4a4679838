readonly r=1; r=4 rec x; rec $?
