# inputs: A=UNSET|EMPTY|x|xyz; B=UNSET|1
rec "${A:0:-1}"
va=${A:1:-1}
rec "$va"
if [ -n "$B" ]; then vb=$A; else vb=q; fi
rec "${vb:0:-1}" "${vb: -2:-1}" "ab${vb}" 
vc=pre$A; rec "${vc:1:-2}" "${vc:0:-4}"
