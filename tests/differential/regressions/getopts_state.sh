readonly vr=1
while getopts 'ab:' vr -a -b x; do rec opt "$vr"; done; rec $? $OPTIND
getopts 'ab:' vr -a -b x; rec $? $OPTIND $vr
OPTIND=1
getopts 'ab:' vr -a -b x; rec $? $OPTIND $vr ${OPTARG-unset}
getopts 'ab:' '1x' -b x y; rec $? $OPTIND ${OPTARG-unset}
OPTIND=1
getopts ab; rec $?
getopts; rec $?
while getopts 'ab:' vo -c; do rec a "$vo" $OPTIND; done
while getopts 'ab:' vo -a -b x; do rec b "$vo" $OPTIND; done
OPTIND=1
while getopts 'ab:' vo -a -b x; do rec c "$vo" $OPTIND; done
OPTIND=9
getopts ab vo -a -b; rec $? $OPTIND "$vo"
OPTIND=1
getopts abc vo -abc; rec "$vo" $OPTIND
getopts abc vo -xyc; rec "$vo" $OPTIND
getopts abc vo xxx; rec "$vo" $OPTIND
getopts abc vo -xc -b; rec "$vo" $OPTIND
OPTIND=1
f() { local OPTIND vo; while getopts 'xy' vo; do rec f "$vo" $OPTIND; done; rec f $OPTIND; }
getopts abc vo -abc; rec "$vo" $OPTIND
f -xy -x z
getopts abc vo -abc; rec "$vo" $OPTIND
OPTIND=abc
getopts abc vo -abc; rec "$vo" $OPTIND
OPTIND=-3
getopts abc vo -abc; rec "$vo" $OPTIND
unset OPTIND
getopts abc vo -abc; rec "$vo" ${OPTIND-unset}
OPTARG=old
OPTIND=1
getopts abc vo -a; rec "$vo" "${OPTARG-unset}"
OPTARG=old
getopts abc vo -a; rec "$vo" "${OPTARG-unset}"
set -- -a 1 -- -b
OPTIND=1
while getopts 'a:b' vo; do rec p "$vo" "${OPTARG-}"; done
shift $((OPTIND-1)); rec "$@"
OPTIND=1; set -- -:
getopts 'a:b' vo; rec "$vo" "${OPTARG-unset}"
OPTIND=1; set -- -b -a
while getopts ':a:b' vo; do rec q "$vo" "${OPTARG-}"; done
OPTIND=1; set -- -b '' -a ''
while getopts ':a:b:' vo; do rec r "$vo" "${OPTARG-}"; done
