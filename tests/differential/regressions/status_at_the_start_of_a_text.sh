false; eval 'rec $?'; rec $?
false; eval ''; rec $?
false; eval '# nothing'; rec $?
echo 'rec $?' > s.sh; (exit 3); . ./s.sh
: > e.sh; false; . ./e.sh; rec $?
(exit 4); eval 'true; rec $?'
(exit 5); bash -c 'rec $?'
(exit 6); f() { rec $?; }; f
(exit 7); va=$(rec $?)
(exit 8); (rec $?)
(exit 9); { rec $?; }
(exit 3); case $? in 3) rec c $?;; esac
(exit 3); for vi in $?; do rec $vi $?; done
(exit 3); if [[ $? == 3 ]]; then rec yes $?; fi
(exit 3); while [ $? = 3 ]; do rec $?; done
(exit 3); va=$?; rec $va $?
(exit 3); va=1; rec $?
(exit 3); : $?; rec $?
(exit 3); echo $? > f.txt; rec "$(< f.txt)"
(exit 3); cat > g.txt <<X
$?
X
rec "$(< g.txt)"
(exit 3); shift $? || rec shift
