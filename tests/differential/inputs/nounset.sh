# inputs: A=UNSET|EMPTY|x; B=UNSET|y
set -u
rec "${A:-d}"
rec "$A"
rec "$B"
