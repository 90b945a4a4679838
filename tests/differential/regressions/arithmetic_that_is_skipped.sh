rec $((1 ? 5 : 2 ** -1)); rec a
rec $((0 && 2 ** -1)); rec b
rec $((1 || 2 ** (1-3))); rec c
rec $((1 ? 5 : 1/0)) $((0 && 1%0)) $((1 || (va /= 0))); rec d
rec $((1 ? 5 : 2 ** va)) $((0 && 2 ** -va)); rec e
va=-1; rec $((1 ? 5 : 2 ** va)); rec f
rec $((1 ? 5 : (va = 2 ** -1))) "$va"; rec g
rec $((1 ? 5 : ia[-9])) $((1 ? 5 : ia[1/0])); rec h
rec $((0 ? 08 : 1)); rec i
rec $((1 || 1 +)); rec j
rec $((1 ? 2 : )); rec k
