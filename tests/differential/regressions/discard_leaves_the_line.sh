f() { : $((1/0)); rec inf; }
f; rec same
rec next; { : $((1/0)); rec ing; }; rec same4
rec next4; ( : $((1/0)); rec sub ); rec $?
eval 'rec e1; : $((1/0)); rec e2'; rec same5
rec next5
echo 'rec s1; : $((1/0)); rec s2
rec s3' > s.sh; . ./s.sh; rec same6
rec next6
x=$((1/0)); rec same7
rec next7; x=${a[-9]}; rec same8; a[-9]=1; rec same9
if true; then
 : $((1/0))
 rec in
fi
rec next8
: ${u?msg}; rec no
