declare -A m; for i in {1..40}; do m[k$i]=$i; done; rec "${!m[@]}"; rec "${m[@]}"
declare -A n; for i in TP EP DP CONC ISL OSL MODEL PORT; do n[$i]=v$i; done; rec "${!n[@]}"
declare -A o=(a 1 b 2 c); rec "${!o[@]}" "${o[@]}"
