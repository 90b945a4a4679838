# inputs: F=UNSET|a.json|b
[[ $F == *.json ]] && rec json; [[ "$F" =~ \.json$ ]] && rec re; case $F in *.json) rec c;; ?) rec one;; "") rec none;; esac
B=${F%.json}; rec "$B"; [ "$B" = a ] && rec isa; [ "${F##*.}" = json ] && rec ext; [ "${#F}" -gt 2 ] && rec long
[[ -z ${F#a} ]] && rec z; IFS=. read -r n e <<< "$F"; rec "$n" "$e"; rec "$(echo "$F" | cut -d. -f1)" "$(basename "$F" .json)" "$(echo "$F" | sed 's/a/A/')" "$(tr a-z A-Z <<< "$F")"
