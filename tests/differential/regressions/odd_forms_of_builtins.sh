printf -v v -- '--%b--\n' '\"ab\"'; rec "$v"
printf -v v %b '\x41\u0042\0101\q\?'; rec "$v"
printf -v v "\"\'\?"; rec "$v"
command -- rec a; command rec b
command -pv nosuchcommand; rec $?
declare -A s; s[@]=at; s[*]=star; unset 's[@]'; rec "${!s[@]}"
echo ' a  b\ ' | { read x; rec "$x"; }
echo ' a  b\ ' | { read x y; rec "$x" "$y"; }
s=abcd; shopt -s nocasematch
rec ${s//A/z} ${s//BC/x} ${s//[BC]/x} ${s#A} ${s/#AB/} ${s^^[A]}
