rec ${x!y} second
rec $?
f() { rec ${x!y}; rec in; }
f; rec same
rec $?
if rec ${x!y}; then rec yes; else rec no; fi; rec end
v=$(echo ${y!z}; echo in); rec "$v" $?
bash -c 'rec ${#+} second
rec after $?'
rec ${#} ${##} ${#?} ${##x} ${#:-foo} ${#+x} ${#/x/y}
for x-y in a; do rec no; done || rec bad
set -e
rec ${x!y} || rec other
rec after
