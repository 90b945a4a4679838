set -e
: $((1/0))
rec next
(readonly q=1; q=2; rec no) || rec or
readonly q=1
q=2 || true
rec never
