for vi in 1 2 3; do
  ia[-1]=x
done
rec "$vi"
