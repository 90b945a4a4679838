set -u
rec "$((x+1))"
rec no
