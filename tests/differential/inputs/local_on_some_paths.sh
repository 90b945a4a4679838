# inputs: A=UNSET|true; B=UNSET|x
y=; x=1
f() {
  case "$A" in
    true) local y=l ;&
    *) [ -n "$B" ] || y="$x"; x="$1" ;;
  esac
  return 0
}
f a
for i in $y; do rec i "$i"; done
rec end "$x" "$y"
