( rec ${x!}; rec after )
(
rec ${x!}
rec after $?
)
(
f() { rec ${x!}; rec in; }; f; rec out
rec after $?
)
(
va=${x!}
rec after $?
)
(
if true; then rec ${x!}; rec in; fi
rec after $?
)
(
set -e; rec ${x!}
rec after $?
)
( (rec ${x!}; rec in); rec $? )
( va=$(rec ${x!}; rec in); rec $? )
(
eval 'rec ${x!}; rec in'; rec $?
rec after $?
)
( bash -c 'rec ${x!}; rec in'; rec $? )
(
bash -c 'rec ${x!}
rec in'; rec $?
)
(
[[ ${x!} ]] || rec no
rec $?
)
(
for i in ${x!}; do rec $i; done; rec no
rec $?
)
(
cat <<E
${x!}
E
rec $?
)
(
(( ${x!} )); rec $?
rec $?
)
(
local_() { local v=${x!}; rec no; }; local_
rec $?
)
(
rec ${} ; rec no
rec $?
)
(
rec ${a.b} ; rec no
rec $?
)
(
rec "${-x}" "${1x}"; rec no
rec $?
)
(
rec "${x@Z}"; rec no
rec $?
)
(
rec "${x@Q@}" ; rec no
rec $?
)
