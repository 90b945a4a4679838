q() { source /dev/stdin <<< 'rec st'; }; q; source /dev/stdin <<< 'rec st2'; rec e; . <(echo 'rec ps'); rec e2; . /dev/stdin <<E
rec here
E
bash <<< 'rec viabash'; bash -s a b <<< 'rec "$@"'; echo 'rec piped' | bash; rec e3; bash <<E
rec heredoc $0
E
