va='a|b'
e=
rec "${va^}" ${va^^} "${va^$e}" "${va,}"
rec "${va^""}" "${va^""}"
