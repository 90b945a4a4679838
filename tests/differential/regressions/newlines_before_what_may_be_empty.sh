( x=$(echo a; rec q); rec "$x"; y=$(echo a; echo; rec q); rec "$y"; z=$(rec q; echo b; rec r); rec "$z" )
( x=$(echo a; rec q; echo; rec r); rec "$x"; y=$(rec a; rec b); rec "$y"; z=$(echo a; echo $?); rec "$z"; w=$(echo; rec q); rec "[$w]"; v=$(printf 'a\n\n'; rec q; printf 'b'); rec "$v"; u=$(echo a; echo $$ > /dev/null; rec q | cat); rec "$u" )
