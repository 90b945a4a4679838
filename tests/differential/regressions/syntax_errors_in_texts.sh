(
echo 'va=x fd2() { :; }' > s.sh; . ./s.sh; rec $?
rec next
)
(
( echo 'va=x fd2() { :; }' > s.sh; . ./s.sh; rec $?
)
rec next
)
(
eval 'va=x fd2() { :; }'; rec $?
rec next
)
(
( eval 'va=x fd2() { :; }'; rec $? ); rec out $?
rec next
)
(
x=$(eval 'va=x fd2() { :; }'; rec in $?); rec out $?
rec next
)
(
bash -c 'va=x fd2() { :; }'; rec $?
rec next
)
(
bash -c 'rec a
va=x fd2() { :; }
rec b'; rec $?
rec next
)
(
echo 'rec a
va=x fd2() { :; }
rec b' > s.sh; . ./s.sh; rec $?; bash s.sh; rec $?
rec next
)
(
eval 'rec a
va=x fd2() { :; }
rec b'; rec $?
)
( f() { eval 'va=x fd2() { :; }'; rec in $?; }; f; rec $? )
( set -e; eval 'va=x fd2() { :; }'; rec $? )
( set -e; eval 'va=x fd2() { :; }' || rec $? )
( set -e; echo 'va=x fd2() { :; }' > s.sh; . ./s.sh || rec $?; if . ./s.sh; then rec y; else rec n $?; fi )
( eval 'rec a; fi'; rec $? )
( f() { eval 'rec a; fi'; rec $?; return 5; }; f; rec $?; trap 'rec err' ERR; eval ')'; rec $? )
( eval 'if'; rec $?; eval "echo 'x"; rec $?; eval 'case'; rec $?; eval '$('; rec $? )
( for i in 1 2; do eval 'if'; rec $i $?; done; eval 'if' || rec or; eval 'if' && rec and; ! eval 'if'; rec $? )
