printf 'rec in && rec in2\n' > s.sh; ( . ./s.sh; rec after )
rec out
printf 'x=1; rec in2\n' > s.sh; ( . ./s.sh; rec after )
rec out
printf 'x=1\nrec in2\n' > s.sh; ( . ./s.sh; rec after ); y=$( . ./s.sh; echo after ); rec "$y"; . ./s.sh; rec end
printf 'x=1; :\n' > s.sh; ( . ./s.sh; rec after ); printf 'f() { rec f; }; f\n' > s.sh; ( . ./s.sh; rec after )
