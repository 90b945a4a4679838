a=(1 2 3); i=0; unset a[i]; rec "${a[@]}"; unset a[-1] a[1]; rec "${#a[@]}"; let x=3*2 y=x*x; rec $x $y; let "x+=1"; rec $x; let x++; rec $x; let z=5>3; rec $z; let 0; rec $?; let w=0 v=1; rec $?; 
