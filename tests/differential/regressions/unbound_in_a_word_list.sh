set -u
rec before
for vi in a ${vd:1:2}; do
  rec "$vi"
done
rec after
