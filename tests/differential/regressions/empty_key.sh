declare -A ma=([k]=1)
fb() {
  ma[$vz]=2
  rec not reached
}
fb
rec "${#ma[@]}"
