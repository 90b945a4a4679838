( caller > o; rec $? "$(cat o)"; caller 0 > o; rec $? "$(cat o)"; caller 1 > o; rec $? "[$(cat o)]" )
(
f() { caller > o; rec $? "$(cut -d' ' -f1 o)"; caller 0 > o; rec $? "$(cut -d' ' -f1,2 o)"; caller 1 > o; rec $? "$(cut -d' ' -f1,2 o)"; caller 2 > o; rec $? "$(cat o)"; }
g() { f; }
g
f
echo 'caller 0 > o; rec $? "$(cut -d" " -f1,2 o)"; caller > o; rec $? "$(cut -d" " -f1 o)"
:' > s.sh; . ./s.sh
h() { . ./s.sh; }; h
eval 'caller; rec $?'; (caller 0; rec $?); caller x 2>/dev/null; rec $?; f2() { eval 'caller 0' > o; rec "$(cut -d' ' -f1,2 o)"; }; f2
bash -c 'caller; rec $?; f() { caller 0 > o; rec $? "$(cat o)"; }; f' > /dev/null
)
