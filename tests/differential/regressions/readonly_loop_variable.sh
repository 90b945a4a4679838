readonly r=1;  for r in a; do rec loop; done; rec $? end
