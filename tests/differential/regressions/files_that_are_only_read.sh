( x=$(printf ''); rec "[$x]"; printf '' > o; rec "[$(cat o)]"; printf '%s' '' > o; rec "[$(cat o)]"; y=$(printf "$nope"); rec "[$y]"; printf -- '' ; rec $?; printf ''; rec $?; printf '' a; rec $? )
( echo 'a b' > t3; diff t3 t3 > /dev/null 2>&1; md5sum t3 > /dev/null 2>&1; rec "$(cat t3)"; sort -o t3 t3; stat t3 >/dev/null 2>&1; rec "$(cat t3)" )
