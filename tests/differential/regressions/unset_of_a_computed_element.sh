E=(a b c); unset 'E[${#E[@]}-1]'; rec "${E[@]}"; i=0; unset 'E[$i]'; rec "${E[@]}"; unset "E[$((i+1))]"; rec "${#E[@]}"; E=(a b c); j=2; unset 'E[j-1]'; rec "${E[@]}"; unset E[0]; rec "${E[@]}"
