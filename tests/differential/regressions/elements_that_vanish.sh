c() { rec "$#:$*"; }
unset arr; c "${arr[@]+x}"; c "${arr[*]+x}"; c "${@+x}"; c "${*+x}"; arr=(); c "${arr[@]+x}"; c "${arr[@]-}"; c "${arr[@]:-}"; c "${arr[@]:+x}"; arr=(''); c "${arr[@]:+x}"; c "${arr[*]:+x}" ; c "a${arr[@]:+x}"; unset arr;  c "a${arr[@]+x}" ; c "${arr[@]+x}"b; c "${u+x}"; c "$@${u+x}"; c "${arr[@]+"${arr[@]}"}"; c "${arr[@]+${arr[@]}}" "${@:+"$@"}"; c "${arr[@]-}"  "${@-}" "${*-}" "${@:-}"; set -- ''; c "${@:+x}" ; c "${@+x}"; c "${*:+x}"; set -- '' ''; c "${@:+x}"; c "${@:-d}" ; c "${*:-d}"; IFS=; c "${*:-d}" ; c "${*:+x}"; arr=('' ''); c "${arr[*]:-d}"; c "${arr[@]:-d}"; unset IFS; c ${arr[@]:-d}; c "${u:+}" ; c "${u-}" "${arr[0]+x}" "${arr[7]+x}"


rec n2
