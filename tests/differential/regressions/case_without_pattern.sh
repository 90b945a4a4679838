va='a|b'
e=
rec "${va^}" ${va^^} "${va^$e}" "${va,}"
