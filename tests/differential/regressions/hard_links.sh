( ln -f out.txt h1 2>/dev/null; echo h > h1; rec "$(cat out.txt 2>/dev/null)"; rec "$(cat h1)" )
( echo a > out.txt; ln -f out.txt h1; echo h > h1; rec "$(cat out.txt)"; rm out.txt; rec "$(cat h1)"; ln out.txt h2 2>/dev/null; rec $?; mkdir d; ln d h3 2>/dev/null; rec $?; ln h1 h1 2>/dev/null; rec $? )
