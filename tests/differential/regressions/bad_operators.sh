(
va=1; rec ${#va@Q}; rec no
rec $?
)
(
rec ${#va@Q}; rec no
rec $?
)
(
rec ${#@Q}
rec $?
)
(
set -- a; rec "${#@}" "${#*}" "${#@@Q}"
rec $?
)
(
va=1; rec "${va@Z}"; rec no
rec $?
)
