# inputs: A=UNSET|1; B=UNSET|EMPTY|x y
if [ -n "$A" ]; then vc=''; fi
rec q ${vc@Q} "${vc@Q}"
rec a "${vc@A}" "${vc@a}"
rec u ${vc@U}x ${vc+set} "${vc-unset}" "${#vc}" "${vc:-d}"
if [ -n "$A" ]; then vd=$B; fi
rec d ${vd@Q} "${vd@Q}" "${vd-u}" "${vd+s}"
rec e "${vd#x}" "${vd/x/y}" "${vd^^}" "${vd:1}" "${#vd}"
