# inputs: K=UNSET|EMPTY|3|7; T=UNSET|true
declare -A AL=([3]=2.49 [7]=3.78); V=${AL[${K:-3}]:-x}; rec "$V"
case "$K" in "") N=3;; [0-9]) N=$K;; *) N=bad;; esac; rec "$N" "${AL[$N]}"
if [[ $T == true && $K == 7 ]]; then P=1; elif [[ $T == true || $K == 3 ]]; then P=2; fi
rec "${P:-none}" ${P+--p} "$(( ${P:-0} + 1 ))"
f() { local r=$1; [[ $r == 7 ]] && { echo big; return; }; echo small; }
rec "$(f "$K")"; x=$(f "$K"); [ "$x" = big ] && rec isbig; rec "$x$x"
AW=$(awk "BEGIN{print (${AL[3]}-1)/3}"); rec "$AW"
JS=$(printf '{"n":%d,"al":%s}' "${K:-3}" "$V"); rec "$JS"; JS2="{\"n\":${K:-3},\"t\":\"${T}\"}"; rec "$JS2"
cat <<EOF > y.yaml
n: ${K:-3}
$( [ "$T" = true ] && echo "al: 2" )
EOF
rec "$(cat y.yaml)"
