case ${-//[^e]/} in '') rec none;; *) rec e;; esac
case $- in *x*) vc='';; *u*) vc=q;; esac
rec ${vc@Q} "${vc@Q}" "${vc-unset}"
[[ $- == *v* ]] && vd=''
rec ${vd@Q} "${vd@A}" "${vd-u}"
