while getopts ':a:bc' o -a val -b -x -c rest; do rec $o "$OPTARG" $OPTIND; done; rec $OPTIND
OPTIND=1; set -- -bc -aval -- -b z; while getopts a:bc o; do rec $o "${OPTARG-unset}" $OPTIND; done; shift $((OPTIND-1)); rec "$@"
f() { local OPTIND o; while getopts xy: o; do case $o in x) rec X;; y) rec Y $OPTARG;; *) rec bad $o;; esac; done; shift $((OPTIND-1)); rec "$@"; }; f -x -y 3 q; f -y; f -z r
