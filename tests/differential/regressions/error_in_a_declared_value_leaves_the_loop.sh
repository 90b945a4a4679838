vn=1 vm=2
ia=(5 6)
for vi in 1 2; do
export vc=$((vn ? ia[1] : vn << vm -= vn))
rec i "$vi" "$vc"
done
rec mid
export vd=$((0 && (3 = 4)))
rec e2 "$vd"
vc=$((1 ? 2 : 3 = 4))
rec end "$vc"
