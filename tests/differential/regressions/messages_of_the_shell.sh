(echo ${x?abcdefg}) 2>&1 | grep -q abcdefg || rec silent
for text in "$(printf %d abc 2>&1)" "$(test 1 -eq a 2>&1)" "$(shift 5 2>&1)" "$(declare 1x=2 2>&1)" "$(cd a b c 2>&1)" \
    "$(let a= 2>&1)" "$( { set -u; echo $nosuch; } 2>&1)" "$(readonly r=1; { r=2; } 2>&1)"; do
  rec ${text:+said}
done
rec "$(read -r 2>&1 < /dev/null)" "$(test a = b 2>&1)" "$(false 2>&1)"
