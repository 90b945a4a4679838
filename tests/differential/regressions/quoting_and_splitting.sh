va='a  b' vb=$'t\tq' vc="it's"
rec $va "$va" '$va' "$vb"'x'"$vc" \$va a\ b ""
IFS=,
vd=a,b,,c,
rec $vd "$vd" x$vd
set -- '' x
rec "$@" $@ "$*" $*
