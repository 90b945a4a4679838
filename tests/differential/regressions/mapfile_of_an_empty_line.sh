mapfile -t ia < <(printf '%s\n')
rec "${#ia[@]}"
