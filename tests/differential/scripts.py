"""Generated bash scripts that end in recorded commands.

Variables are named so that they can be found and renamed in the text: `va` … `vd` scalars, `ia`
an indexed array, `ma` an associative one, `fa` … functions. Every loop is bounded.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.differential.idioms import idioms

S = st.SearchStrategy[str]

SCALARS = ["va", "vb", "vc", "vd"]
name = st.sampled_from(SCALARS)
plain = st.sampled_from(
    ["a", "b", "abc", "x.y", "1", "2", "10", "07", "-3", "a/b/c", "/m/dir/file.tar.gz", "--flag", "k=v",
     "A-B", "Hello", "0", "foo", "x=1,y=2", "a:b:c", "Z", "2.49", "v1.10", "u_", "true"]
)  # fmt: skip
spacey = st.sampled_from(
    ["a b", " lead", "trail ", "a  b", "", "*", "it is", "a\tb", "tab\tend", '{"m":"e3","n":3}', "a,b",
     "x y z", "$va", "back\\slash", "~", "#no", "a;b", "[x]", "?", "a|b", "é", "{a,b}", "!x", "'", '"', "a=b c", "-n", "&", "%s"]
)  # fmt: skip
_all_value = st.one_of(plain, plain, spacey)
value: S = st.deferred(lambda: _all_value)
number = st.sampled_from(["0", "1", "2", "3", "5", "7", "10", "-1", "-2", "16", "100"])
small = st.sampled_from(["0", "1", "2", "3", "-1"])


def single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def double(text: str) -> str:
    for char in '\\"$`':
        text = text.replace(char, "\\" + char)
    return f'"{text}"'


def ansi(text: str) -> str:
    table = {"\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n"}
    return "$'" + "".join(table.get(c, c) for c in text) + "'"


def escaped(text: str) -> str:
    return "".join(c if c.isalnum() or c in "_./-=:," else "\\" + c for c in text) or "''"


def quoted(text: S) -> S:
    return st.builds(
        lambda t, how: how(t), text, st.sampled_from([single, double, single, ansi, escaped])
    )


glob = st.sampled_from(
    ["*", "?", "a*", "*b", "*/", "/*", "[a-c]", "[!a]*", "*.*", "a", "*[0-9]", ".", "-", "?(a)b*", "@(a|b)*",
     "+([0-9])", "!(a)", "*:", ":*", "b", "x", "'*'", '"$vb"', "$va", "\\*", "[[:digit:]]", "*=*", "=*", "//", "\\/", " "]
)  # fmt: skip
pattern_operator = st.sampled_from(["#", "##", "%", "%%"])
substitute_operator = st.sampled_from(["/", "//", "/#", "/%"])
case_operator = st.sampled_from(["^", "^^", ",", ",,"])
default_operator = st.sampled_from([":-", "-", ":+", "+", ":=", "="])

arithmetic_atom = st.one_of(
    number,
    st.sampled_from(
        [*SCALARS, "ia[0]", "ia[1]", "${#va}", "$vb", "0x1f", "010", "2#101", "vn", "vn"]
    ),
)
_all_arithmetic = st.recursive(
    arithmetic_atom,
    lambda inner: st.one_of(
        st.builds(
            lambda a, o, b: f"{a} {o} {b}",
            inner,
            st.sampled_from("+ - * / % ** << >> < > <= >= == != & | ^ && || ,".split()),
            inner,
        ),
        st.builds(lambda a, b, c: f"{a} ? {b} : {c}", inner, inner, inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda o, a: f"{o}{a}", st.sampled_from(["!", "-", "~"]), inner),
        st.builds(lambda v, o, a: f"{v} {o} {a}", st.sampled_from(["vn", "vm"]), st.sampled_from(["=", "+=", "-=", "*="]), inner),
        st.sampled_from(["vn++", "--vn", "++vm", "vm--"]),
    ),
    max_leaves=4,
)  # fmt: skip
arithmetic: S = st.deferred(lambda: _all_arithmetic)

subscript = st.sampled_from(["0", "1", "2", "-1", "vn", "vn+1", "5"])
key = st.sampled_from(["k", "two words", "x", "$va", "1"])

# --- expansions ------------------------------------------------------------------------------


def _expansion(word: S) -> S:
    return st.one_of(
        st.builds("${}".format, name),
        st.builds("${{{}}}".format, name),
        st.builds("${{{}{}{}}}".format, name, pattern_operator, glob),
        st.builds("${{{}{}{}/{}}}".format, name, substitute_operator, glob,
                  st.one_of(plain, st.sampled_from(["", "&", "\\&", "[&]", '"$vb"', "$vc", "x y", "'&'"]))),
        st.builds("${{{}{}}}".format, name, case_operator),
        st.builds("${{{}{}{}}}".format, name, default_operator, word),
        st.builds("${{{}:{}}}".format, name, st.sampled_from(["0", "1", "2", " -1", " -2", "vn", "7", "(1)"])),
        st.builds("${{{}:{}:{}}}".format, name, st.sampled_from(["0", "1", " -2"]), st.sampled_from(["0", "1", "2", "-1", "9"])),
        st.builds("${{#{}}}".format, name),
        st.builds("$(({}))".format, arithmetic),
        st.builds("${{{}@{}}}".format, name, st.sampled_from("QEULu")),
        st.builds("${{ia[{}]}}".format, subscript),
        st.builds("${{ma[{}]}}".format, key),
        st.sampled_from(
            ["${ia[@]}", "${ia[*]}", "${#ia[@]}", "${!ia[@]}", "${ia[@]:1}", "${ia[@]:0:2}", "${ia[@]: -1}", "${ma[@]}", "${#ma[@]}",
             "$@", "$*", "$#", "$1", "$2", "${@:2}", "${*:1:1}", "${@: -1}", "$?", "${!vp}", "${!vp#a}", "${ia[@]#a}", "${ia[@]/a/X}",
             "${ia[@]^^}", "${ia[*]%b}", "${1:-none}", "${@/a/b}", "${va+set}", "${vz-unset}", "${vz:-}", "${ia}", "${#ia}", "${#ia[0]}",
             "$0x", "${-//[^e]/}", "${!v@}", "${ia[@]@Q}", "${1-$2}", "${ia[@]:+yes}", "${vb:-${va:-x y}}", "${va:+\"$vb\"}"]
        ),
    )  # fmt: skip


def _substitution(word: S) -> S:
    return st.one_of(
        st.builds("$(echo {})".format, word),
        st.builds("$(printf '%s\\n' {} {})".format, word, word),
        st.builds("`echo {}`".format, plain),
        st.builds("$(printf '%s' {} | {})".format, word, FILTER),
        st.builds("$(seq {} {})".format, small, number),
        st.builds("$(seq -s, 1 {})".format, small),
        st.builds("$(basename {})".format, plain),
        st.builds("$(dirname {})".format, plain),
        st.builds("$(fa {} {})".format, word, word),
        st.builds("$(cat <<< {})".format, word),
        st.builds("$(va={}; echo \"$va\")".format, word),
        st.builds("$(printf {} {} {})".format, st.sampled_from(["'%s,'", "'%d'", "'%5s|'", "'%-4s|'", "'%q '", "'%.2f'", "'%x'", "%s"]), word, number),
    )  # fmt: skip


FILTER = st.sampled_from(
    ["cat", "tr a-z A-Z", "tr -d a", "tr ' ' '\\n'", "cut -d, -f1", "cut -d/ -f2", "head -n1", "tail -n1", "wc -c", "sed 's/a/X/g'", "rev",
     "sed -n 1p", "grep -o '[0-9]*'", "awk '{print $1}'", "tr -s ' '", "paste -sd,", "tac", "tr : '\\n'", "sort", "uniq", "cut -c1-2",
     "sed -e 's/^a//' -e 's/c$//'", "grep a", "grep -v a", "awk -F, '{print $2}'", "sort -n", "sed 's|/|_|g'", "awk '{print NF}'", "wc -l"]
)  # fmt: skip

_leaf = st.one_of(quoted(value), quoted(value), plain, st.builds('"${}"'.format, name))
_all_inner = st.one_of(_leaf, st.builds('"{}"'.format, _expansion(plain)), _expansion(plain))
_inner: S = st.deferred(lambda: _all_inner)
brace = st.sampled_from(
    ["{a,b}", "{1..3}", "x{,y}z", "{a,b}{1,2}", "{c..a}", "{01..3}", "{a}", "{1..5..2}", "{m:1,n:2}", "{'a b',c}", "pre{$va,$vb}", '{"x",y}', "{}", "{a,{b,c}d}", "--{x,y}=1"]
)  # fmt: skip


def _concatenated(parts: list[str]) -> str:
    # `$va` before a letter or bracket would read another name.
    return "".join(f"{p}''" if p[-1:].isalnum() and p.startswith("$") else p for p in parts)


_all_word = st.one_of(
    _leaf,
    _inner,
    st.builds('"{}"'.format, _expansion(_inner)),
    _expansion(_inner),
    st.builds('"{}"'.format, _substitution(_inner)),
    _substitution(_inner),
    brace,
    st.lists(_inner, min_size=2, max_size=3).map(_concatenated),
    st.builds('"pre {} post"'.format, _expansion(plain)),
)
word: S = st.deferred(lambda: _all_word)
_all_words = st.lists(word, min_size=1, max_size=3).map(" ".join)
words: S = st.deferred(lambda: _all_words)
record = st.builds("rec {}".format, words)

# --- conditions --------------------------------------------------------------------------------

comparison = st.sampled_from(["==", "=", "!=", "<", ">"])
integer_test = st.sampled_from(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
unary = st.sampled_from(["-z", "-n"])
_all_condition = st.recursive(
    st.one_of(
        st.builds("[[ {} {} {} ]]".format, st.one_of(_inner, st.builds("${}".format, name)), comparison, st.one_of(_inner, glob)),
        st.builds("[[ {} {} {} ]]".format, st.one_of(number, st.just("vn"), st.just("$vn")), integer_test, st.one_of(number, st.just("vm"))),
        st.builds("[[ {} {} ]]".format, unary, _inner),
        st.builds('[ {} "${}" ]'.format, unary, name),
        st.builds('[ "${}" {} {} ]'.format, name, st.sampled_from(["=", "!=", "=="]), quoted(value)),
        st.builds('[ "$vn" {} {} ]'.format, integer_test, number),
        st.builds('test "${}" = {}'.format, name, plain),
        st.builds("(( {} ))".format, arithmetic),
        st.builds("[[ -v {} ]]".format, st.sampled_from([*SCALARS, "vz", "ia[1]", "ma[k]"])),
        st.builds("[[ ${} =~ {} ]]".format, name, st.sampled_from(["^a", "b$", "[0-9]+", "^([a-z]+)(.*)$", "a|b", "^$", "\\.", '"."', "^-?[0-9]+$"])),
        st.sampled_from(["true", "false", "[ -n \"$1\" ]", "[[ $# -gt 1 ]]", "fa x y", "[ a ]", "[ '' ]", "[[ -f nosuch ]]", "[ -e nosuch -o a = a ]", "[[ a == a && b == b ]]"]),
    ),
    lambda inner: st.one_of(
        st.builds("! {}".format, inner),
        st.builds("{} && {}".format, inner, inner),
        st.builds("{} || {}".format, inner, inner),
    ),
    max_leaves=2,
)  # fmt: skip
condition: S = st.deferred(lambda: _all_condition)

# --- statements --------------------------------------------------------------------------------

_all_assignment = st.one_of(
    st.builds("{}={}".format, name, word),
    st.builds("{}={}".format, name, _leaf),
    st.builds("{}+={}".format, name, _inner),
    st.builds("vn={}".format, number),
    st.builds("vm=$(({}))".format, arithmetic),
    st.builds("ia=({})".format, words),
    st.builds("ia+=({})".format, words),
    st.builds("ia[{}]={}".format, subscript, word),
    st.builds("ia=([2]={} [5]={} {})".format, _leaf, _leaf, _leaf),
    st.builds("ma[{}]={}".format, key, _inner),
    st.builds("ma=([k]={} [x]={})".format, _leaf, _inner),
    st.builds("set -- {}".format, words),
    st.sampled_from(
        ["shift", "unset va", "unset 'ia[0]'", "unset 'ma[k]'", "unset vb vc", "ia=()", "set --", "vp=va", "vp=vb", "vp='ia[1]'", "IFS=,", "IFS=:",
         "IFS=$' \\t\\n'", "unset IFS", "IFS=", "shift 2", "set -f", "set +f", "declare -i vi=3+4", "declare -u vu=abc; vb=$vu", "vz=", "ia=(\"${ia[@]}\")",
         "ia=(\"$@\" last)", "shopt -s extglob", "shopt -s nullglob", "readonly vr=1", "export va", "declare -l vq=ABC; va=$vq", "va=$va$vb", "vi+=2", "declare -a ia"]
    ),
    st.builds("printf -v {} {} {}".format, name, st.sampled_from(["%s", "'%s-%s'", "%d", "%05d", "'%q'", "'%s\\n'"]), words),
    st.builds("read -r va vb <<< {}".format, _inner),
    st.builds("IFS={} read -r va vb vc <<< {}".format, st.sampled_from([",", ":", "/", "' '", ""]), _inner),
    st.builds("read -ra ia <<< {}".format, _inner),
    st.builds("IFS={} read -ra ia <<< {}".format, st.sampled_from([",", ":", "/"]), _inner),
    st.builds("mapfile -t ia <<< {}".format, _inner),
    st.builds("mapfile -t ia < <(printf '%s\\n' {})".format, words),
    st.builds("(( {} ))".format, arithmetic),
    st.builds("let 'vn = {}'".format, arithmetic),
    st.builds("declare {}={}".format, name, word),
    st.builds("export {}={}".format, name, _inner),
    st.builds("eval {}".format, st.sampled_from(["'va=$vb'", '"va=\\$vb"', "'rec \"$va\" e'", "va=5", "'ia=(1 2)'", "\"rec '$vn'\""])),
)  # fmt: skip
assignment: S = st.deferred(lambda: _all_assignment)

heredoc = st.builds(
    "{} <<{}\n{}\nEOF".format,
    st.sampled_from(["read -r va", "cat > out.txt", "cat", "mapfile -t ia", "cat >> out.txt", "va=$(cat)"]),
    st.sampled_from(["EOF", "'EOF'", '"EOF"', "\\EOF"]),
    st.sampled_from(["one $va two", "a 'b' \"$vb\"\nline 2", "$((1+2)) $(echo x)", "\\$va \\\\ \\x", "${vz:-d e}", "plain", "`echo q` \\`", "tab\t${ia[@]}", "a \\\nb"]),
)  # fmt: skip
_all_files = st.one_of(
    heredoc,
    st.builds("echo {} > out.txt".format, words),
    st.builds("printf '%s\\n' {} >> out.txt".format, words),
    st.sampled_from(
        ["va=$(cat out.txt 2>/dev/null)", "va=$(< out.txt)", "while read -r vb; do rec l \"$vb\"; done < out.txt", "echo x | tee out.txt > /dev/null", "rec \"$(cat out.txt)\"",
         "mapfile -t ia < out.txt", "read -r va < out.txt", "{ echo 1; echo 2; } > out.txt", "echo y > out.txt 2>&1", "cat out.txt | while read -r vc; do rec p \"$vc\"; done", "[ -f out.txt ] && rec there"]
    ),
)  # fmt: skip
files: S = st.deferred(lambda: _all_files)


def _compound(body: S) -> S:
    return st.one_of(
        st.builds("if {}; then\n{}\nfi".format, condition, body),
        st.builds("if {}; then\n{}\nelse\n{}\nfi".format, condition, body, body),
        st.builds("if {}; then\n{}\nelif {}; then\n{}\nelse\n{}\nfi".format, condition, body, condition, body, body),
        st.builds("for vi in {}; do\n{}\nrec i \"$vi\"\ndone".format, words, body),
        st.builds("for vi; do\n{}\ndone".format, body),
        st.builds("for ((vj=0; vj<{}; vj++)); do\n{}\nrec \"$vj\"\ndone".format, st.sampled_from(["2", "3"]), body),
        st.builds("vk=0; while (( vk++ < 3 )); do\n{}\n{}\ndone".format, body, st.sampled_from(["rec w $vk", "[[ $vk == 2 ]] && break", "(( vk == 1 )) && continue; rec after", "continue; rec never", "break"])),
        st.builds("vl=3; until [ $vl -le 0 ]; do\nvl=$((vl-1))\n{}\ndone".format, body),
        st.builds("case {} in\n{})\n{}\n{}\n*)\n{}\n;;\nesac".format, _inner, st.one_of(glob, st.builds("{}|{}".format, glob, glob)), body, st.sampled_from([";;", ";&", ";;&"]), body),
        st.builds("({}\n{}\n)".format, st.sampled_from(["", "va=sub"]), body),
        st.builds("{{\n{}\n}}".format, body),
        st.builds("{} && {{\n{}\n}}".format, condition, body),
        st.builds("{} || {{\n{}\n}}".format, condition, body),
        st.builds("fb() {{\nlocal va={} vb\n{}\nrec f \"$va\" \"$#\" \"$@\"\n{}\n}}\nfb {}".format, _inner, body, st.sampled_from(["return 1", "return", "va=inner", "local -a ia=(l1 l2)", "shift"]), words),
        st.builds("fc() {{ {}; rec c \"$1\"; }}\nfc {}".format, st.sampled_from(["local vn=5; (( vn++ ))", "vb=global", "[[ $1 == a ]] && return 0", "echo out", "local IFS=,", "set -- p q"]), words),
        st.builds("{{ {} | while read -r vc vd; do rec \"$vc\" \"$vd\"; vn=9; done; }}".format, st.builds("printf '%s\\n' {}".format, words)),
        st.builds("{}={} rec \"${}\"".format, name, _inner, name),
        st.builds("while getopts 'ab:' vo {}; do rec opt \"$vo\" \"${{OPTARG-}}\"; done".format, st.sampled_from(["-a -b x", "-ab y z", "-bq -a", "--", "-c"])),
        st.builds("bash -c {} {}".format, st.sampled_from(["'rec \"$0\" \"$@\"' zero", "'rec $1; rec \"$va\"' z", "\"rec $vn\"", "'for x in 1 2; do rec $x; done'"]), words),
        st.builds("{} | rec piped".format, st.builds("echo {}".format, _leaf)),
        st.builds("{} rec {}".format, st.sampled_from(["env", "env VE=1", "nohup", "timeout 5", "nice", "command", "exec 3>/dev/null;", "time"]), words),
        st.builds("echo {} | xargs rec x".format, st.sampled_from(["a b", "1", "'p q'"])),
        st.builds("source ./lib.sh {}".format, words),
        st.sampled_from(["la lib", ". ./lib.sh", "set -e", "set +e", "set -u", "set +u", "false || rec or", "true && rec and", "! true", "set -o pipefail", "false | true && rec pf", "false"]),
    )  # fmt: skip


simple = st.one_of(assignment, assignment, record, record, files, idioms(), idioms())
_all_statement = st.recursive(
    simple,
    lambda inner: _compound(st.lists(inner, min_size=1, max_size=2).map("\n".join)),
    max_leaves=4,
)
statement: S = st.deferred(lambda: _all_statement)
RECORDER = 'rec() { command rec "$@"; return 0; }; export -f rec\n'
"""With it the status of a record is known, and what depends on it."""
PRELUDE = st.builds(
    "{}va={}\nvb={}\nvn={} vm=4\nia=({} {})\ndeclare -A ma=([k]={})\nvp=va\nfa() {{ echo \"$2$1\"; }}\nset -- {}\nrec start".format,
    st.sampled_from(["", RECORDER, RECORDER]),
    quoted(value),
    quoted(value),
    number,
    _leaf,
    _leaf,
    _leaf,
    st.sampled_from(["", "a", "a 'b c'", "'' x", "1 2 3"]),
)  # fmt: skip
ENDING = '''
rec end "${va-}" "${vb-}" "${vc-}" "${vd-}" "${vn-}" "${vm-}"
rec "${ia[@]}" "$#" "$@"
rec "${ma[k]-}" "${ma[x]-}"'''
LIBRARY = """la() {
  local vs=$1
  rec lib "$vs" "$#"
}
vd=fromlib
rec sourced "$@"
"""

scripts = st.builds(
    lambda prelude, body: "\n".join([prelude, *body]) + ENDING + "\n",
    PRELUDE,
    st.lists(statement, min_size=1, max_size=5),
)
