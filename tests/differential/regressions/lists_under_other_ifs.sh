IFS=,; set -- a b; ia=(p q); va=1 vb=2; declare -A ma=([k]=1)
x=$@; rec "$x"
x=${ia[@]}; rec "$x"
x=${!ia[@]}; rec "$x"
x=${!v@}; rec "$x"
x=${ia[@]#a}; rec "$x"
x=${@:1}; rec "$x"
x=$*; rec "$x"
x=${ia[*]}; rec "$x"
x=${!ia[*]}; rec "$x"
x=${!v*}; rec "$x"
x=${ia[*]#a}; rec "$x"
x=${*:1}; rec "$x"
x="$@"; rec "$x"
x="${ia[@]}"; rec "$x"
x="${!ia[@]}"; rec "$x"
x="${!v@}"; rec "$x"
x="$*"; rec "$x"
x="${!v*}"; rec "$x"
x="${!ia[*]}"; rec "$x"
[[ $@ == 'a b' ]] && rec at; [[ $* == 'a,b' ]] && rec star; [[ ${!v@} == *,* ]] && rec pref; [[ ${!ia[@]} == 0,1 ]] && rec keys
case ${!v@} in *,*) rec c1;; esac; case ${!ia[@]} in *,*) rec c2;; esac; case $@ in *,*) rec c3;; esac; case $* in *,*) rec c4;; esac
cat > f <<< ${!v@}; rec "$(< f)"; cat > f <<< $@; rec "$(< f)"; cat > f <<< $*; rec "$(< f)"
cat > f <<< "${!ia[@]}"; rec "$(< f)"
cat > f <<E2
$@ $* ${!v@} ${!v*} ${ia[@]} ${ia[*]} ${!ia[@]}
E2
rec "$(< f)"
x=${1:+$@}; rec "$x"; x=${1:+${!ia[@]}}; rec "$x"; x=${nos:-$@}; rec "$x"; x=${nos:-"$@"}; rec "$x"; x="${nos:-$@}"; rec "$x"; x="${nos:-$*}"; rec "$x"; x=${nos:-$*}; rec "$x"
x=${@@Q}; rec "$x"; x=${ia[@]@Q}; rec "$x"; x=${ia[@]^^}; rec "$x"; x=${@/a/b}; rec "$x"; x=${ia[*]^^}; rec "$x"; x=${*/a/b}; rec "$x"; x=${*@Q}; rec "$x"; x=${ia[@]:0}; rec "$x"; x=${ia[*]:0}; rec "$x"
declare y=$@; rec "$y"; declare y=$*; rec "$y"; declare y=${ia[*]}; rec "$y"; export y=${!v@}; rec "$y"; ib=($@); rec "${ib[@]}"; ib[0]=$@; rec "${ib[@]}"; ib[0]=$*; rec "${ib[@]}"
