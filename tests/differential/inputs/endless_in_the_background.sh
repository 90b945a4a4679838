# inputs: A=UNSET|x
( while true; do sleep 1; done ) & p=$!
rec later "$A"
[ "$A" = x ] && { while :; do sleep 1; done & kill $!; }
rec still
while true; do echo y; done | head -n 1 > /dev/null
rec end
kill "$p"
rec "$(while true; do echo y; done | head -n 1)"
