mkdir -p sub/deep; x=$PWD; cd sub; cd ..; [[ $PWD == "$x" ]] && rec same
cd sub/deep; rec "${PWD##*/}"; cd ../..; [[ $PWD == "$x" ]] && rec same2; cd sub; cd ../sub/./deep/..; rec "${PWD##*/}"
cd /; rec "$PWD"; cd ..; rec "$PWD"; cd /usr/lib/..; rec "$PWD"; cd "$x"
cd sub && rec in; (cd deep && rec indeep); cd - > /dev/null; cd ./sub; rec "${PWD##*/}"
echo one > f; cd ..; rec "$(cat sub/f)" "$(cat $PWD/sub/f)"; (cd sub/deep; echo two > g); rec "$(cat sub/deep/g)"
cd sub; cat ../sub/f > "$OLDPWD/h"; cd ..; rec "$(cat h)"
cd ..; cd - > /dev/null; . ./lib.sh back
cd sub; . ../lib.sh up; cd ..; source lib.sh top; (cd /; cd "$x"; . ./lib.sh again)
echo data | tee >(cat > f1) > g1; rec "$(cat g1)"
rec "$(cat <(echo p1) <(echo p2))" "$(paste -d, <(echo 1) <(echo 2))" "$(sort <(printf 'b\na\n'))"
