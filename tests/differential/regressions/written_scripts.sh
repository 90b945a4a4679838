echo 'rec "$@"' > out.txt; bash out.txt a 'b c'
cat > run.sh <<X
#!/usr/bin/env bash
rec "\$1" $HOME "\${va-none}"
X
va=x; bash run.sh 1
export va; bash ./run.sh "$va"
chmod +x run.sh; ./run.sh 2; PATH=$PATH ./run.sh 3
d=$PWD; bash "$d/run.sh" 4
printf '%s\n' 'exit 3' > e.sh; bash e.sh; rec $?
bash -e e.sh || rec failed
cat > u.py <<'X'
#!/usr/bin/env python3
rec no
X
cat > n <<'X'
rec plain "$0"
X
bash n
