for i in 1 2; do break x; done; rec same
rec next
