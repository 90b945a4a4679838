readonly r=1;  read r <<< 9; rec $? $r; 
