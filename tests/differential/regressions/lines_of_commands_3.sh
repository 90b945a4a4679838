f() { rec "${BASH_LINENO[@]}"; }
f \
 a
f a \
 b
f "a
b"
x=1 f \
 x
eval 'f
f'
eval f \
 "a
b
f"
if f; then f; fi
(f; f
)
x=$(f); x=$(
f)
cat <<E
$(f)
E
g() { f
f
}
g
echo $'f\nf \\\n x\nrec $LINENO' > s.sh; . ./s.sh
. \
./s.sh
bash -c 'f() { rec "${BASH_LINENO[@]}" $LINENO; }
f'
case $(f) in
*) f;;&
$LINENO) rec ok;;
$((LINENO-3))) rec odd;;
esac
for ((i=0;
i<LINENO;i+=LINENO)); do
f; rec $i
done
trap 'rec $LINENO' ERR
false
trap - ERR
for i in 1 2; do
[[ $LINENO -gt 1 ]] && rec $LINENO
done > /dev/null
f() ( rec $LINENO
rec $LINENO )
f
function f {
 rec $LINENO
}
f
f() if [ $LINENO ]; then rec $LINENO; fi
f
rec $((LINENO+LINENO))
rec "$(printf %s $LINENO)" `echo $LINENO`
rec "$(rec $LINENO; f
)"
x=`
rec $LINENO
`; x=$(
rec $LINENO
); x=`rec $LINENO`; rec "$(f() { rec $LINENO; }; f)"
