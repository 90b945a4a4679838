cd /tmp; pushd /usr > /dev/null; pushd /etc > /dev/null; rec $PWD
pushd > /dev/null; rec $PWD $OLDPWD
cd /; popd > /dev/null; rec $PWD $OLDPWD
popd > /dev/null; rec $PWD
popd 2> /dev/null; rec $?
f() { pushd /usr > /dev/null; rec $PWD; popd > /dev/null; }
f; rec $PWD
(pushd /etc > /dev/null; rec $PWD); rec $PWD
