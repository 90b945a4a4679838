( : x y; rec $_; rec a b; rec "$_"; va=1; rec "[$_]"; f() { rec in $_; : q; }; f x; rec $_; [[ a ]]; rec $_; (: z); rec $_; echo w | cat; rec $_; $(:); rec "$_"; : "$(: 1)" 2; rec $_ )
( : a; > o; rec "[$_]"; : b; x=$(echo $_); rec "$x" "[$_]"; eval ': c d'; rec "$_"; eval 'rec "$_"; : e; rec "$_"' f; rec "$_"; . ./lib.sh p q; rec "$_"; printf ': s\nrec "$_"\n' > s.sh; . ./s.sh; rec "$_"; declare z=1; rec "$_"; export va=2; rec "$_"; local_() { local v=5; rec "$_"; }; local_ 9; rec "$_" )
( : a; for i in x y; do rec "$_"; : $i$i; done; rec "$_"; : q; if true; then rec "$_"; fi; : w; case z in z) rec "$_";; esac; : e; { rec "$_"; }; (( 1 )); rec "$_"; : t; while [ "$_" = t ]; do rec "$_"; break; done; rec $_ )
(
: "a b" ; rec $_ "$_"; : ''; rec "[$_]"; : $nothing; rec "[$_]"; :; rec "[$_]"; false x || rec "$_"; test a = b || rec "$_"; mkdir -p d1/d2 && cd $_ && rec "$PWD" "$_" 2>/dev/null; read -r _ x <<< "1 2"; rec "$x" "$_"; for _ in 1 2; do rec "$_"; done; _=5; rec "$_"; x=$((1/0)); rec "$_"
rec "$_"
)
( bash -c ': a; rec "$_"'; f() { : in; }; f out; rec "$_"; f2() { return 0; }; f2 a b; rec $_; set -- p q; rec "$_"; shift; rec "$_"; printf -v va x; rec "$_"; command : c; rec "$_"; builtin : d; rec "$_"; : one & wait; rec "$_"; : k | : l; rec "$_"; ! : n; rec "$_"; time : o; rec "$_"; [ a = a ]; rec "$_"; : {1..3}; rec "$_"; : *.nomatch; rec "$_" )
