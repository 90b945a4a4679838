declare -A ma=([k]=v)
ma+=([z]=1 [k]+=2); rec "${ma[k]}" "${ma[z]}"
ma=([k]+=3); rec "${ma[k]}" "${ma[z]-gone}"
ia=(a b); ia+=([1]+=x [5]=y z); rec "${ia[@]}" "${!ia[@]}"
ia=([1]+=q); rec "${ia[@]}" "${!ia[@]}"
ia+=(e [0]=f g); rec "${ia[@]}" "${!ia[@]}"
declare -u ia; ia+=(up); rec "${ia[@]}"
ia=(x y); rec "${ia[@]}"
ia[1]=low; rec "${ia[@]}"
declare -ia in=(1+2 '3*4' x); rec "${in[@]}"
in+=(5+5); in[0]+=1; rec "${in[@]}"
declare -lA ml=([K]=ABC); ml[j]=DEF; rec "${ml[K]}" "${ml[j]}"
f() { local -i l=(2+2); rec "${l[@]}"; }; f
