f() { local vr=$?; rec $vr; }; false; f; (exit 4); f
g() { local va=$(exit 3); rec $?; local vb; vb=$(exit 3); rec $?; }; g
false; declare va=$? vb=$?; rec "$va" "$vb" $?
(exit 5); export va="$?"; rec "$va"
(exit 6); readonly vr=$?x; rec "$vr"
(exit 7); declare -i vi=$?+1; rec "$vi"
(exit 8); declare -a ia=($? $?); rec "${ia[@]}"
false; declare vx; rec $?
