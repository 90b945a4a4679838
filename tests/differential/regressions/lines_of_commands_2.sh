rec a \
$LINENO
rec a \
  \
$LINENO
rec \
$LINENO
x=1 \
  y=$LINENO
rec $y
x=1 \
  y=$LINENO \
  z=$LINENO
rec $y $z
y=$LINENO x="
"
rec $y
y=$LINENO  \
 z=$LINENO bash -c 'rec $y $z'
[[ a == a &&
 $LINENO == 22 ]]; rec $? $LINENO
[[ $LINENO == 23 &&
 a == a ]]; rec $? $LINENO
[[ 
 $LINENO == 26 ]]; rec $? $LINENO
((
 x=LINENO ))
rec $x
rec $((
LINENO )) $LINENO
> /dev/null rec \
 $LINENO
> /dev/null \
 rec \
 $LINENO
f() { 
 rec $LINENO \
  $LINENO
 }; f
f() { rec; }
f a "
$LINENO"
if [ $LINENO = 46 ] && 
 [ $LINENO = 47 ]; then rec $LINENO; fi
while x=$((LINENO)) \
 [ 1 ]; do break; done; rec $x
case \
 $LINENO in *) rec $LINENO; esac
for i in \
  $LINENO; do rec $i; done
for i \
 in  \
  $LINENO
 do rec $i $LINENO; done
select i in $LINENO
do rec $i; done < /dev/null
! rec \
 $LINENO
time rec \
 $LINENO
{ rec \
 $LINENO; } | \
cat
declare -a q=(1
$LINENO
) w=$LINENO; rec ${q[@]} $w
q=(
$LINENO
); rec ${q[@]}
rec x; rec $LINENO; rec "
" $LINENO
rec "$(rec $LINENO
rec $LINENO)" $LINENO
cat <<E "
$LINENO"
$LINENO
E
cat <<E > /dev/null
a
b
$LINENO
E
cat <<< $LINENO
rec $LINENO <<E \
$LINENO
E
