set -o pipefail
echo x | true; rec $? "${PIPESTATUS[@]}"
echo x | rec piped; rec "${PIPESTATUS[@]}"
echo x | head -n1 > f; rec $? "${PIPESTATUS[@]}"
echo x | cat > f; rec $? "${PIPESTATUS[@]}"
printf 'a\nb\n' | grep -q a; rec $?
printf 'a\nb\n' | { read -r l; rec "$l"; }; rec $?
printf 'a\nb\n' | while read -r l; do rec "$l"; break; done; rec $?
true | echo x > f; rec $?
echo | : ; rec $?
