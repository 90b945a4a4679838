va=$(< nosuch)
rec a "$va" $?
va=$(cat < nosuch) || rec failed
va=$(< nosuch) && rec ok
echo x > made.txt
va=$(< made.txt); rec "$va" $?
set -e
va=$(< nosuch)
rec "$va"
