[[ -e nosuch ]] && va=abc || va=
for vi in ${va:1:-1} 0; do rec i "$vi"; done
rec "${va:0:-1}"
rec end
