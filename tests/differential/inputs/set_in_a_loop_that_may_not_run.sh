# inputs: IN0=UNSET|true; L=UNSET|EMPTY|q
y=
for i in $L; do
IN0=1
done
if [ -n "${IN0+x}" ]; then rec set "$IN0"; else rec unset; fi
rec end "${IN0-gone}"
