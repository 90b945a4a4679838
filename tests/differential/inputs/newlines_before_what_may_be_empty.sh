# inputs: A=UNSET|EMPTY|x; B=UNSET|y
x=$(echo a; echo "$A"); rec "$x"
x=$(echo a; echo; echo "$A$B"); rec "$x"
x=$(echo "$A"; echo "$B"); rec "$x"
x=$(echo a; echo "$A"; echo "$B"); rec "$x" $x
x=$(printf '%s\n' "$B" "$A"); rec "$x"
