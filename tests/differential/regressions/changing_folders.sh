mkdir -p sub/deep; x=$PWD; cd sub; cd ..; [[ $PWD == "$x" ]] && rec same
cd sub/deep; rec "${PWD##*/}"; cd ../..; [[ $PWD == "$x" ]] && rec same2; cd sub; cd ../sub/./deep/..; rec "${PWD##*/}"
cd /; rec "$PWD"; cd ..; rec "$PWD"; cd /usr/lib/..; rec "$PWD"; cd "$x"
cd sub && rec in; (cd deep && rec indeep); cd - > /dev/null; cd ./sub; rec "${PWD##*/}"
echo one > f; cd ..; rec "$(cat sub/f)" "$(cat $PWD/sub/f)"; (cd sub/deep; echo two > g); rec "$(cat sub/deep/g)"
cd sub; cat ../sub/f > "$OLDPWD/h"; cd ..; rec "$(cat h)"
