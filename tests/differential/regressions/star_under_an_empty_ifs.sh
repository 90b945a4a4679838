set -- a b
IFS=
v=$(rec $*; echo $*); rec "$v"
rec $*
IFS=,
v=$(rec $*; echo $*); rec "$v"
