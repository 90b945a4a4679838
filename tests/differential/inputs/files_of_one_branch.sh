# inputs: X=UNSET|1
if [ -n "$X" ]; then echo a > f; fi
if [ -f f ]; then rec A; else rec B; fi
[ -s f ] && rec s
[ -e f ] || rec gone
cat f > /dev/null && rec read
if [ -z "$X" ]; then rm -f f; fi
[ -e f ] && rec again
