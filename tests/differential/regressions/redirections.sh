exec 3>&1; rec a 3>&1;  exec 3>&-; { echo 1; echo 2 >&2; } 2>&1 | while read l; do rec "$l"; done; f() { echo out; echo err >&2; }; rec "$(f 2>/dev/null)" "$(f 2>&1)" "$(f 2>&1 >/dev/null)"; x=$(f 2> e); rec "$x" "$(<e)"; f > both 2>&1; rec "$(<both)"; f 2>&1 > one; rec "$(<one)"; echo a > o; echo b 1>> o; rec "$(<o)"; cat > c <<E
line $x
E
rec "$(<c)"; cat <<E >> c
more
E
rec "$(<c)"; cat c - <<< in > d; rec "$(<d)"; tee t1 t2 <<< tee > t3; rec "$(<t1)$(<t2)$(<t3)"; tee -a t1 <<< app >/dev/null; rec "$(<t1)"; echo x >&2 2>/dev/null; : > empty; rec "[$(<empty)]"; > empty2; rec "[$(<empty2)]"; [ -s empty ] || rec e; [[ -e empty2 ]] && rec e2; n=2; echo y > f$n; rec "$(<f2)"; echo q > "sp ace"; rec "$(<"sp ace")"; while read -r a; do echo "$a-" ; done < c > g; rec "$(<g)"; for i in 1 2; do echo $i; done > h; rec "$(<h)"; if true; then echo i; fi >> h; rec "$(<h)"; { cat <<A; cat <<B; } > k
a
A
b
B
rec "$(<k)"; (echo sub) > l; rec "$(<l)"; echo z | cat > m; rec "$(<m)"; echo 1 >n1 >n2; rec "[$(<n1)]" "$(<n2)"; cat < m > m2 ; rec "$(<m2)"; echo "a b" > o; read x y < o; rec $y $x; diff <(echo a) <(echo a) && rec same; rec "$(cat <(echo ps) <(echo ps2))"; echo w > >(cat > pw); rec done
