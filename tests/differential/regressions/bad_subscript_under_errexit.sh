set -e
a[-1]=x
rec never
