va=$(trap 'echo bye' EXIT; echo x); rec "$va"
va=$(echo x; (trap 'echo inner' EXIT)); rec "$va"
( trap 'echo no' EXIT ) > f; rec "$(cat f)"
va=$(trap 'rm -f x' INT; echo y); rec "$va"
