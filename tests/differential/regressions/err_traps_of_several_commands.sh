trap 'rec err $?' ERR; rec a; false; (false); x=$(false); rec b; f() { false; }; f
for i in 1 2; do false; done
rec done
