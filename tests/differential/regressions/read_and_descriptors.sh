( read -t 1 va <<< abc; rec "$va"; read -t 0 va <<< q; rec $? "$va"; read -e va <<< q; rec "$va"; read -i x va <<< q; rec "$va"; read -e -i x va <<< q; rec "$va"; read -t 0.5 va <<< q; rec $? "$va"; read -t x va <<< q 2>/dev/null; rec $? )
(
read -n 2 va <<< 'a\bc'; rec "$va"; read -N 2 va <<< 'a\bc'; rec "$va"; read -n 3 va <<< 'a\
bc'; rec "$va"; read -N 3 va <<< 'a\
bcd'; rec "$va"; read -n 2 va <<< '\\\\x'; rec "$va"; read -n 2 va <<< 'a\ b c'; rec "$va"; read -N 4 va <<< ' a b c '; rec "$va"; read -n 4 va vb <<< ' a b c '; rec "$va" "$vb"; read -rN 4 va vb <<< ' a b c '; rec "$va" "$vb"; read -n 1 va <<< '\a'; rec "$va"
)
( read -rn 0 va <<< abc; rec "$?" "$va"; va=old; read -N 0 va <<< abc; rec $? "$va"; read -n 5 va <<< abc; rec $? "$va"; read -N 5 va <<< abc; rec $? "$va"; read -n 3 va <<< abc; rec $? "$va"; read -n 3 -d b va <<< abc; rec $? "$va"; read -N 3 -d b va <<< abc; rec $? "$va"; read -d '' va <<< abc; rec $? "$va"; read -d xyz va <<< 'abyxc'; rec $? "$va"; read va < /dev/null; rec $? "$va"; read -r -a ia -N 3 <<< 'a b c'; rec "${ia[@]}"; read -n -1 va <<< abc 2>/dev/null; rec $?; read -n 2x va <<< abc 2>/dev/null; rec $?; read -u 9 va 2>/dev/null; rec $? )
( mapfile -d '' ia < <(printf 'a\0b\0'); rec "${ia[@]}"; mapfile -d '' -t ia < <(printf 'a\0b'); rec "${ia[@]}"; printf 'x\0y z\0' > o; mapfile -d '' ia < o; rec "${ia[@]}"; while IFS= read -r -d '' va; do rec "$va"; done < o )
( mapfile -t -C 'rec cb' -c 1 ia <<< $'a\nb'; rec "${ia[@]}" )
( mapfile -O 5 ia <<< a; rec "${!ia[@]}" "${ia[@]}"; mapfile -t -O 1 -n 1 ia <<< $'b\nc'; rec "${!ia[@]}" "${ia[@]}"; declare -A ma; mapfile ma <<< a 2>/dev/null; rec $?; mapfile -n x ia <<< a 2>/dev/null; rec $?; mapfile -t 'ia[1]' <<< a 2>/dev/null; rec $?; mapfile -s 5 -t ia <<< a; rec $? "${#ia[@]}"; mapfile -n 0 -t ia <<< $'a\nb'; rec "${ia[@]}"; readarray -td, ia <<< a,b; rec "${ia[@]}"; readarray -tn1 ia <<< $'q\nr'; rec "${ia[@]}" )
( exec {fd}> o; echo x >&$fd; exec {fd}>&-; rec "$(cat o)"; exec {fd}< o; read -u $fd va; rec "$va"; exec {fd}<&-; exec {fa}> p {fb}> q; echo 1 >&$fa; echo 2 >&"$fb"; echo 3 1>&${fa}; rec "$(cat p)" "$(cat q)" )
( echo hi {fd}> o; echo y >&$fd; rec "$(cat o)"; { echo a; echo b >&$fe; } {fe}> p > q; rec "$(cat p)" "$(cat q)"; exec {fd}<<< $'l1\nl2'; read -ru "$fd" va; read -ru "$fd" vb; rec "$va" "$vb"; mapfile -tu $fd ia; rec "${#ia[@]}"; cat <&$fd > z; rec "$(cat z)" )
( select vi in a b; do rec "$vi" $REPLY; break; done <<< 2 2>/dev/null )
( { select vi in a b; do rec "$vi"; break; done; read x; rec "$x"; } <<< $'2\nrest' 2>/dev/null )
