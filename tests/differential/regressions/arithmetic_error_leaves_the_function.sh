fb() {
  vm=$(($vb / va))
  rec not reached
}
fb
rec next
