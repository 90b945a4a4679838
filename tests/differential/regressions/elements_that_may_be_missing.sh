( rec "${GROUPS[1]+x}" "${GROUPS[9]-d}"; mapfile -t ia < <(nosuch); rec "${ia[3]+x}" "${ia[3]-d}" "${ia[3]:-d}" "${ia[0]+y}" )
( k=$(rec q); declare -A ma=([a]=1 [b]=2); rec "${ma[$k]+set}" "${ma[$k]-none}" "${ma[$k]:-none}" "${#ma[$k]}" "${ma[$k]}"; [[ -n ${ma[$k]+x} ]] && rec no; x="${ma[$k]}"; rec "$x"; [[ -v ma[$k] ]] || rec unset; declare -A mb; rec "${mb[$k]+set}" "${mb[$k]-none}"; set -u; rec "${ma[$k]}" )
( k=$(nosuch 2>/dev/null || echo b); declare -A ma=([a]=1 [b]=2); rec "${ma[$k]+set}" "${ma[$k]-none}"; set -u; rec "${ma[$k]}" )
