declare -A m=([a]=1 [b]=2 [c]=3 [foo]=x [bar]=y [baz]=z [hello world]=hw); rec "${m[@]}"; rec "${!m[@]}"; rec "${#m[@]}" "${m[hello world]}"; for k in "${!m[@]}"; do rec "$k=${m[$k]}"; done
m[new]=9; unset 'm[a]'; rec "${!m[@]}"; rec "${m[@]@K}"; rec "${m[@]@A}"; rec "${m[@]@Q}"
