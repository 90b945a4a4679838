true; (false) | rec $?
false; true | rec $?
( rec $BASH_SUBSHELL ) | cat
( ( rec $BASH_SUBSHELL ) ) | cat
{ rec $BASH_SUBSHELL; ( rec $BASH_SUBSHELL ); } | cat
f() ( rec $BASH_SUBSHELL )
f; f | cat
rec $(echo $BASH_SUBSHELL) $( (echo $BASH_SUBSHELL) )
(rec $BASH_SUBSHELL) & wait
{ rec $BASH_SUBSHELL; (rec $BASH_SUBSHELL); } & wait
