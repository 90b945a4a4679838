rec on
set -o noexec
rec off
