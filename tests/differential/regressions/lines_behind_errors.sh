if true; then
va=${#va@Q}
fi
rec $LINENO
eval 'rec $LINENO'
eval 'rec `echo $LINENO`'
rec `echo $LINENO` $(echo $LINENO)
:
rec $((1/0))
rec $LINENO
eval 'rec $LINENO'
eval 'rec `echo $LINENO`'
:
if true; then
rec $((1/0))
fi
eval 'rec `echo $LINENO`'
case 0 in
*)
eval 'rec `echo $LINENO`'
esac
case 0 in
*) eval 'rec $LINENO `echo $LINENO`'
esac
:
case 0 in
*b|[[:digit:]])
eval 'rec `echo $LINENO`'
esac
case 0 in
0)
eval 'rec `echo $LINENO`'
esac
:
fb() {
shift
}
case 0 in
*)
eval 'rec `echo $LINENO`'
esac
:
if false; then
:
else
echo x y | {
:
}
va=${#va@Q}
fi
case 0 in
*)
eval 'rec `echo $LINENO`'
esac
