vb='"'; if [[ x = ${vb:1:-1} ]] || true; then rec no; fi; rec same
rec next
for i in 1 2; do [[ -n ${vb:1:-1} ]]; rec i; done
rec n
[[ $((1/0)) == 1 ]] || rec x
rec y
[[ 1/0 -eq 1 ]] || rec x2 $?
f() { [[ a == [$((1/0))] ]] && rec in; rec after; }
f; rec line
rec next
f || rec line
[[ ab =~ ${vb:1:-1} ]] || rec no
rec r
while [[ -z ${vb:0:-2} ]]; do rec no; break; done
rec s
(( ${vb:1:-1} )) || rec t $?
rec u
case ${vb:1:-1} in *) rec no ;; esac; rec no
rec v
case x in ${vb:1:-1}) rec no ;; *) rec no;; esac; rec no
rec w
( [[ ${vb:1:-1} ]]; rec no ); rec sub $?
va=$( [[ ${vb:1:-1} ]]; echo no ); rec "$va" $?
[ "${vb:1:-1}" ] || rec no
eval '[[ ${vb:1:-1} ]]
rec e' ; rec f $?
set -e
[[ ${vb:1:-1} ]] || rec no
rec end
