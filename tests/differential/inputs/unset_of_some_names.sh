# inputs: N=x|y|ab; Q=UNSET|1
x=1; y=2; ab=3
case "$N" in x|y) unset "$N" ;; esac
rec "${ab}" 
rec "${x-gone}" "${y-gone}" "${Q-none}"
while IFS='=' read -r name _; do case "$name" in a*) unset "$name";; esac; done < <(env)
rec "$z" "${x-gone}"
