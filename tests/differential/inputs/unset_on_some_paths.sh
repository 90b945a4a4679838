# inputs: A=UNSET|x; M=UNSET|EMPTY|5
[ "$A" = x ] && unset M
v=M
[[ -z "${!v}" ]] && rec e1
[[ -z "${!v:-}" ]] && rec e2
[[ -z "${M:-}" ]] && rec e3
[[ -z "${!v+x}" ]] && rec e4
rec "${!v:-d}" "${M:-d}" "${!v-d}" "${!v:+y}" "${!v}"
chk() {
  local missing=()
  for v in "$@"; do if [[ -z "${!v:-}" ]]; then missing+=("$v"); fi; done
  if [[ ${#missing[@]} -gt 0 ]]; then exit 1; fi
}
chk M
rec go "$M"
