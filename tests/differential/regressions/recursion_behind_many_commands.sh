for vi in $(seq 0 100); do
fb() {
fd() { (( $1 <= 1 )) && { echo 1; return; }; echo $(( $1 * $(fd $(($1-1))) )); }; rec $(fd 4)
}
fb
done
f() { local n=$1; (( n == 0 )) || f $((n - 1)); va=$va$n; }
for vi in $(seq 0 300); do va=; f 5; done
rec "$va"
