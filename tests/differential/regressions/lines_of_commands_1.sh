rec 1:$LINENO
rec 2:\
$LINENO x $LINENO
rec "a
b" 4:$LINENO
x=$LINENO; rec 6:$x
x="
$LINENO"; rec "7:$x"
f() {
  rec 10:$LINENO
  rec 11:"$(rec $LINENO)"
}
f
eval 'rec 14:$LINENO'
eval 'rec 15:$LINENO
rec 16?:$LINENO'
eval '

rec 19?:$LINENO'
bash -c 'rec 0?:$LINENO'
bash -c 'rec 1?:$LINENO
rec 2?:$LINENO'
for i in $LINENO \
 $LINENO; do rec 23:$i 24:$LINENO; done
case $LINENO in
 25) rec case25 $LINENO;; *) rec casex $LINENO;;
esac
[[ $LINENO == 28 ]] && rec ok28
[[ a == a &&
 $LINENO == 29 ]] && rec ok29
(( LINENO == 31 )) && rec ok31
((
 LINENO == 32 )) && rec ok32
(( x = 
LINENO )); rec 34:$x
if (( LINENO == 36 )); then rec 36:$LINENO; fi
while [ $LINENO = 37 ]; do rec 37:$LINENO; break; done
( rec 38:$LINENO
rec 39:$LINENO )
{ rec 40:$LINENO
rec 41:$LINENO; }
x=$(
rec 43:$LINENO
rec 44:$LINENO
); rec "42: $x"
x=`
rec 47:$LINENO
rec 48:$LINENO
`; rec "46: $x"
cat <<E
51:$LINENO
52: $(rec $LINENO)
E
a=(1
 $LINENO
 $LINENO); rec "55: ${a[@]}"
export y=$LINENO z=\
$LINENO; rec 58:$y $z
cat <(rec 60:$LINENO) | sed s/x/$LINENO/
for ((i=LINENO;
 i<LINENO+1;i++)); do rec 61:$i $LINENO; done
"ec"\
ho 63:$LINENO
x=1 \
 y=$LINENO rec 65:$y
x=1 \
 y=$LINENO 
rec 67:$y
rec 'rec 1:$LINENO
rec 2:$LINENO
x=$(rec 3:$LINENO
rec 4:$LINENO); rec "3:$x"
f2() { rec 5:$LINENO
rec 6:$LINENO; }
f2' > s.sh
. ./s.sh
f2
! rec 80: $LINENO
&& rec 82:$LINENO || \
 rec no
trap 'rec trap:$LINENO' ERR
false
trap - ERR
g() { eval 'rec 88?:$LINENO
rec 89?:$LINENO'; }
g
h() { LINENO=5; rec $LINENO
rec $LINENO; }
h
LINENO=100
rec 101?:$LINENO
unset LINENO; rec "$LINENO"; LINENO=5; rec $LINENO
