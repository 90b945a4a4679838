(
x=$(echo a; false || echo b >&2); rec "$x"; y="$(printf 'a\n'; printf '')"; rec "$y"; z=$(cat <<E
l1

E
); rec "$z"; w=$(cat nosuch 2>/dev/null; echo end); rec "$w"; v=$(echo start; cat nosuch 2>/dev/null); rec "$v"; u=$(for i in 1 2; do echo $i; done; :); rec "$u"; t=$(echo a; [ -f nosuch ] && echo b); rec "$t"; s=$(echo a; if [ -n "$q" ]; then echo q; fi); rec "$s"; r=$(printf '%s\n' a "$q"); rec "$r"; p=$(echo a; echo "$q"; echo b; echo "$q"); rec "$p"; mapfile -t m < <(echo a; cat nosuch 2>/dev/null); rec "${#m[@]}" "${m[@]}"; n=$(echo a; wait; echo); rec "$n"
)
(
f=$(mktemp 2>/dev/null || echo tmpf); echo hi > "$f"; rec "$(cat "$f")"; cat > "$f.sh" <<E
rec from "\$1"
E
. "$f.sh" x; d=out; mkdir -p "$d/sub"; echo 1 > $d/sub/a; (cd $d && cat sub/a > b); rec "$(cat $d/b)"; pushd $d > /dev/null; rec "$(cat b)"; popd > /dev/null; rec "$(cat $d/b)"; cd $d/sub; rec "$(cat a)"; cd - > /dev/null; rec "$(cat $d/sub/a)"; [[ -s $d/b ]] && rec nonempty; [ -f $d/b ] && [ -d $d ] && rec both; rm -r $d; [ -d $d ] || rec gone; exec 3> log; echo l1 >&3; echo l2 >&3; exec 3>&-; rec "$(wc -l < log)"; { echo a; echo b; } | tee t1 | sort -r > t2; rec "$(cat t1)" "$(cat t2)"; cp t1 t3; echo c >> t1; rec "$(cat t3)"; mv t1 t4; rec "$(cat t4)"; diff t3 t3 > /dev/null 2>&1; : > t5; [ -s t5 ] || rec empty; cat t3 t4 > t6; rec "$(< t6)"; head -n1 t6 | { read -r l; rec "$l"; }; while read -r l; do last=$l; done < t6; rec "$last"; x=$(< t5); rec "[$x]"; echo "k=v" > env; set -a; . ./env; set +a; bash -c 'rec "$k"'; source <(echo 'pv=1'); rec "$pv"; sed -n 2p t6 > t7; rec "$(cat t7)"; grep -v a t6 > t8; rec "$(cat t8)"; awk '{print NR": "$0}' t3 > t9; rec "$(cat t9)"; echo x | cat - t3 > t10; rec "$(cat t10)"
)
