# inputs: IN0=1|2|8; IN1=UNSET|EMPTY|8
y=; x=1
case "$IN0" in
mtp)
rec 4
;&
8|1)
case "$IN1" in
'' | none)
exit 0
;;
true)
rec 9
;;
*)
exit 0
;;
esac
rec 10
;&
*)
rec 11 $x
;;
esac
rec end
