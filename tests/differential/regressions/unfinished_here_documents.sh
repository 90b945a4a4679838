cat <<E2
${X:-it's}
E2
rec $?
v=$(cat <<E2
a $(echo
E2
); rec $? "[$v]"
cat <<E2 | cat
a $((1+
E2
rec $?
rec "${X:-$"q"}" $"lit"
