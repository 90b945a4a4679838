printf 'x' > a.txt; printf 'y' > b.txt; mkdir d 2>/dev/null; rec *.txt; rec "*.txt"; rec nomatch*; shopt -s nullglob; rec nomatch*; rec [ab].txt; shopt -u nullglob; x=*.txt; rec $x; rec "$x"; y=(*.txt); rec "${y[@]}" ${#y[@]}; for f in *.txt; do rec "$f"; done; rec a.tx?; set -f; rec *.txt; set +f; shopt -s failglob; rec nomatch*; rec after
rec next $?
