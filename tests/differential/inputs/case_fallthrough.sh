# inputs: A=UNSET|1|2|3
case $A in 1) rec a;& 2) rec b;;& 3|*) rec c;; esac
i=0; until [ "$i" = "${A:-0}" ]; do i=$((i+1)); [ $i -gt 5 ] && break; rec i$i; done; rec $i
[ "$A" = 1 ] || [ "$A" = 2 ] && rec or12
if test "$A" -ge 2 2>/dev/null; then rec ge2; fi
x=a; [ "$A" = 2 ] && x=b; [ "$A" = 3 ] && x=c; rec "$x"; rec ${x}1 "${x/b/B}"
f() { case "$1" in 1) return 0;; *) return 1;; esac; }; if f "$A"; then rec f1; else rec f0; fi; f "$A"; rec "$?"
g() { [ "$A" = 1 ] && return 5; rec g; }; g; rec s$?
(exit "${A:-0}"); rec "$?"
