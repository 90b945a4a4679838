# inputs: IN0=UNSET|EMPTY|8; IN1=1|2|8
args=(); SPEC_ARGS=(); x=1; y=; z=w; SPEC_LEN=3
for i in $SPEC_LEN; do
[ -z "$x" ] && SPEC_ARGS=("${SPEC_ARGS[@]:1}")
done
unset x
if [ -n "${IN1+x}" ]; then
for i in 1 2; do
for i in 1 2; do
args+=($x)
done
unset y
if [[ $IN1 == 8 ]]; then
args=(8)
elif ! [ "$IN0" = mtp ]; then
export x="${y:=e}"
fi
done
if [[ "$IN0" =~ ^(a|8)$ ]]; then
for i in 1 2; do
rec 6 "${args[@]}" "$z-$y" ${SPEC_ARGS[@]}
done
fi
fi
rec 9 $y "${args[0]-none}"