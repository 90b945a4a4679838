( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro=2; } || rec caught 0
rec survived 0 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro=2; } || rec caught 0
rec survived 0 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ export ro=2; } || rec caught 1
rec survived 1 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ export ro=2; } || rec caught 1
rec survived 1 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare ro=2; } || rec caught 2
rec survived 2 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare ro=2; } || rec caught 2
rec survived 2 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare -g ro=2; } || rec caught 3
rec survived 3 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare -g ro=2; } || rec caught 3
rec survived 3 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ readonly ro=2; } || rec caught 4
rec survived 4 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ readonly ro=2; } || rec caught 4
rec survived 4 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read ro <<< x; } || rec caught 6
rec survived 6 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read ro <<< x; } || rec caught 6
rec survived 6 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ printf -v ro x; } || rec caught 7
rec survived 7 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ printf -v ro x; } || rec caught 7
rec survived 7 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ getopts a ro -a; } || rec caught 8
rec survived 8 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ getopts a ro -a; } || rec caught 8
rec survived 8 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ mapfile ra <<< x; } || rec caught 9
rec survived 9 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ mapfile ra <<< x; } || rec caught 9
rec survived 9 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read -a ra <<< x; } || rec caught 10
rec survived 10 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read -a ra <<< x; } || rec caught 10
rec survived 10 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( ro=1 )); } || rec caught 11
rec survived 11 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( ro=1 )); } || rec caught 11
rec survived 11 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ let ro=1; } || rec caught 12
rec survived 12 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ let ro=1; } || rec caught 12
rec survived 12 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $((ro=1)); } || rec caught 13
rec survived 13 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $((ro=1)); } || rec caught 13
rec survived 13 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ for ro in 1; do :; done; } || rec caught 14
rec survived 14 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ for ro in 1; do :; done; } || rec caught 14
rec survived 14 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro=2 true; } || rec caught 15
rec survived 15 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro=2 true; } || rec caught 15
rec survived 15 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra=(1); } || rec caught 16
rec survived 16 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra=(1); } || rec caught 16
rec survived 16 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra[0]=1; } || rec caught 17
rec survived 17 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra[0]=1; } || rec caught 17
rec survived 17 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra+=(x); } || rec caught 18
rec survived 18 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ra+=(x); } || rec caught 18
rec survived 18 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset ro; } || rec caught 19
rec survived 19 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset ro; } || rec caught 19
rec survived 19 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare -A ra; } || rec caught 20
rec survived 20 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare -A ra; } || rec caught 20
rec survived 20 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${nos[1/0]}; } || rec caught 21
rec survived 21 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${nos[1/0]}; } || rec caught 21
rec survived 21 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${s:1:-9}; } || rec caught 22
rec survived 22 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${s:1:-9}; } || rec caught 22
rec survived 22 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $((1/0)); } || rec caught 23
rec survived 23 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $((1/0)); } || rec caught 23
rec survived 23 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( 1/0 )); } || rec caught 24
rec survived 24 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( 1/0 )); } || rec caught 24
rec survived 24 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${!nos}; } || rec caught 25
rec survived 25 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${!nos}; } || rec caught 25
rec survived 25 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ n="a b"; : ${!n}; } || rec caught 26
rec survived 26 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ n="a b"; : ${!n}; } || rec caught 26
rec survived 26 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${1:=x}; } || rec caught 28
rec survived 28 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${1:=x}; } || rec caught 28
rec survived 28 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $(( ia[-5] )); } || rec caught 29
rec survived 29 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : $(( ia[-5] )); } || rec caught 29
rec survived 29 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( ia[-5] )); } || rec caught 30
rec survived 30 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (( ia[-5] )); } || rec caught 30
rec survived 30 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ [[ -v ia[-5] ]]; } || rec caught 31
rec survived 31 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ [[ -v ia[-5] ]]; } || rec caught 31
rec survived 31 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset 'ia[-5]'; } || rec caught 32
rec survived 32 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset 'ia[-5]'; } || rec caught 32
rec survived 32 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read 'ia[-5]' <<< x; } || rec caught 33
rec survived 33 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ read 'ia[-5]' <<< x; } || rec caught 33
rec survived 33 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${#ia[-5]}; } || rec caught 34
rec survived 34 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ : ${#ia[-5]}; } || rec caught 34
rec survived 34 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare "ia[-5]=x"; } || rec caught 35
rec survived 35 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare "ia[-5]=x"; } || rec caught 35
rec survived 35 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ export UID=3; } || rec caught 36
rec survived 36 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ export UID=3; } || rec caught 36
rec survived 36 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ UID=3; } || rec caught 37
rec survived 37 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ UID=3; } || rec caught 37
rec survived 37 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ typeset ro+=x; } || rec caught 38
rec survived 38 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ typeset ro+=x; } || rec caught 38
rec survived 38 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${ia[-5]:-w}; } || rec caught 39
rec survived 39 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${ia[-5]:-w}; } || rec caught 39
rec survived 39 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ia=([-9]=x); } || rec caught 40
rec survived 40 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ia=([-9]=x); } || rec caught 40
rec survived 40 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${s[-2]}; } || rec caught 41
rec survived 41 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${s[-2]}; } || rec caught 41
rec survived 41 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${nos[-1]}; } || rec caught 42
rec survived 42 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=${nos[-1]}; } || rec caught 42
rec survived 42 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ [[ ro=1 -eq 1 ]]; } || rec caught 43
rec survived 43 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ [[ ro=1 -eq 1 ]]; } || rec caught 43
rec survived 43 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ia[-5]=x; } || rec caught 44
rec survived 44 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ia[-5]=x; } || rec caught 44
rec survived 44 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=("${ia[-5]}"); } || rec caught 45
rec survived 45 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=("${ia[-5]}"); } || rec caught 45
rec survived 45 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare x=${ia[-5]}; } || rec caught 46
rec survived 46 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ declare x=${ia[-5]}; } || rec caught 46
rec survived 46 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ v=$(: ${ia[-5]}; echo no); } || rec caught 47
rec survived 47 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ v=$(: ${ia[-5]}; echo no); } || rec caught 47
rec survived 47 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ( : ${ia[-5]}; rec no ); } || rec caught 48
rec survived 48 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ( : ${ia[-5]}; rec no ); } || rec caught 48
rec survived 48 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ eval "ro=1"; } || rec caught 50
rec survived 50 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ eval "ro=1"; } || rec caught 50
rec survived 50 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ true ${ia[-5]} | cat; } || rec caught 51
rec survived 51 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ true ${ia[-5]} | cat; } || rec caught 51
rec survived 51 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ case ${ia[-5]} in *) rec c;; esac; } || rec caught 52
rec survived 52 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ case ${ia[-5]} in *) rec c;; esac; } || rec caught 52
rec survived 52 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ if [[ ${ia[-5]} ]]; then :; fi; } || rec caught 53
rec survived 53 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ if [[ ${ia[-5]} ]]; then :; fi; } || rec caught 53
rec survived 53 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset -v "ia[9]"; } || rec caught 54
rec survived 54 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ unset -v "ia[9]"; } || rec caught 54
rec survived 54 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=$((ia[9])); } || rec caught 55
rec survived 55 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ x=$((ia[9])); } || rec caught 55
rec survived 55 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro+=1; } || rec caught 57
rec survived 57 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ ro+=1; } || rec caught 57
rec survived 57 )
( set -e; ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (ro=1; rec no); } || rec caught 58
rec survived 58 $? )
( ia=(a); s=str; readonly ro=1; readonly -a ra=(q)
{ (ro=1; rec no); } || rec caught 58
rec survived 58 )
