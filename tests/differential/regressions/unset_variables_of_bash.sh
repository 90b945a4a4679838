unset IFS; rec "${IFS-unset}"
set -- a b c; rec "$*"; x='q w'; rec $x
: ${IFS:=-}; rec "$*"
unset OPTIND PS4 OPTERR; rec "${OPTIND-unset}" "${PS4-unset}" "${OPTERR-unset}"
