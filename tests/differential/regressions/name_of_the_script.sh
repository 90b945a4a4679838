( rec "${0##*/}" "${BASH_SOURCE[0]##*/}" "${BASH_SOURCE##*/}" ${0##*/} "${0##*\/}" "${0##"*/"}" "${0##*.}" "${0%.sh}" "${BASH_SOURCE[@]##*/}"; x=${0##*/}; rec "${x%.sh}" )
( . ./lib.sh; f() { rec "${BASH_SOURCE[0]##*/}" "${FUNCNAME[0]}"; }; f; echo 'rec ${BASH_SOURCE##*/} ${BASH_SOURCE[1]##*/} $LINENO' > s.sh; . ./s.sh )
