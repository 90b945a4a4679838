# inputs: L=UNSET|EMPTY|a|a b|a,b
for x in $L; do rec "$x"; done; rec end
IFS=, read -ra P <<< "$L"; rec "${P[@]}"; rec "${#P[@]}"
for x in ${L//,/ } z; do rec i "$x"; done
set -- $L; rec "$#" "$1"
while read -r w; do rec w "$w"; done <<< "$L"
arr=($L); rec "${arr[@]}" ; rec "${arr[0]-none}"
