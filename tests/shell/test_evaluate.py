"""Scripts and the commands that bash would run for them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from verifier.model import condition
from verifier.model.text import Word
from verifier.shell import Options, evaluate


class Files:
    """A tree in memory."""

    name = "memory"

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = {path: text.encode() for path, text in files.items()}

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def is_dir(self, path: str) -> bool:
        return not path or any(name.startswith(path + "/") for name in self._files)

    def files(self, folder: str = "") -> tuple[str, ...]:
        start = folder + "/" if folder else ""
        return tuple(sorted(name for name in self._files if name.startswith(start)))


def shown(word: Word) -> str:
    text = word.text.known if word.text.known is not None else word.text.display()
    return f"*{text}" if word.splits else text


def run(
    script: str,
    *,
    closed: bool = True,
    env: Mapping[str, str] | None = None,
    arguments: tuple[str, ...] = (),
    **files: str,
) -> list[list[str]]:
    """Arguments of every `srv` command."""
    options = Options(
        closed=closed, env=env or {}, arguments=arguments, watch=lambda name: name == "srv"
    )
    tree = Files({"a/run.sh": script, **{name.replace("__", "/"): t for name, t in files.items()}})
    result = evaluate("a/run.sh", tree, options)
    return [[shown(word) for word in command.argv[1:]] for command in result.commands]


ONE = [
    ("srv --a 1", ["--a", "1"]),
    ('A=(SC \'{"n": 3}\'); srv "${A[@]}"', ["SC", '{"n": 3}']),
    ("A=(SC '{\"n\": 3}'); srv ${A[@]}", ["SC", '{"n":', "3}"]),
    ('A=(SC \'{"n": 3}\'); srv "${A[*]}"', ['SC {"n": 3}']),
    (
        'K=3; srv \'{"n": $K}\' "{\\"n\\": $K}" \'{"n": \'"$K"\'}\' "{"n":$K}"',
        ['{"n": $K}', '{"n": 3}', '{"n": 3}', "{n:3}"],
    ),
    ('X="SC \'{\\"n\\":3}\'"; srv m $X', ["m", "SC", "'{\"n\":3}'"]),
    ('EXTRA=\'SC {"n": 3}\'; srv m "$EXTRA"', ["m", 'SC {"n": 3}']),
    ('srv SC $\'{"m":"x\\\'y"}\'', ["SC", '{"m":"x\'y"}']),
    ("K=1; K=3 srv $K", ["1"]),
    ("K=1; (K=2); srv $K", ["1"]),
    ("K=1; { K=2; }; srv $K", ["2"]),
    ('echo 3 | read K; srv --k "$K"', ["--k", ""]),
    ('shopt -s lastpipe; echo 3 | read K; srv --k "$K"', ["--k", "3"]),
    ('K=; srv "${K:-4}" "${K-4}"', ["4", ""]),
    ("declare -i Q=2+1; srv $Q", ["3"]),
    ('srv ${N:-{"a":1}}', ["{a:1}"]),
    ('S="${S:-{\\"k\\":1}}"; srv "$S"', ['{"k":1}']),
    ('f() { local A=x; }; A=(1 2); f; srv "${A[@]}"', ["1", "2"]),
    ('declare -n R=K; R=3; srv --k "$K"', ["--k", "3"]),
    ('A=(first second); srv "--x ${A[@]}"', ["--x first", "second"]),
    ('time ( K=3 ); srv "$K"', [""]),
    ('for ((i=0;i<3;i++)); do L+="$i "; done; srv $L', ["0", "1", "2"]),
    ('while read -r a b; do L+=("$b"); done <<< $\'1 2\\n3 4\'; srv "${L[@]}"', ["2", "4"]),
    ("set -- a 'b c'; shift; srv \"$@\"", ["b c"]),
    ("printf -v X '%s-%03d' a 7; srv $X", ["a-007"]),
    ('X=$(echo a # it\'s\n); srv "$X"', ["a"]),
    ("X=$(printf '%s\\n' a b c | tail -n 1); srv \"$X\"", ["c"]),
    ("case b in a) K=1 ;; b) K=2 ;& c) K=${K}3 ;; *) K=9 ;; esac; srv $K", ["23"]),
    ('declare -A m=([k]=v); m[a b]=1; srv "${m[a b]}" "${m[k]}" "${#m[@]}"', ["1", "v", "2"]),
    (
        "x=abcdef; srv ${x:1:2} ${x: -2} ${x%%d*} ${x//[bc]/_} ${x^} ${#x}",
        ["bc", "ef", "abc", "a__def", "Abcdef", "6"],
    ),
    ('[[ foo-12 =~ ^([a-z]+)-([0-9]+)$ ]] && srv "${BASH_REMATCH[2]}"', ["12"]),
    ('IFS=, read -r a b c <<< \'1,2,3,4\'; srv "$a" "$c"', ["1", "3,4"]),
    ("mapfile -t L <<< $'x y\\nz'; srv \"${L[@]}\"", ["x y", "z"]),
    ("eval 'K=5; set -- a b'; srv $K $2", ["5", "b"]),
    ('cat > f <<EOF\na: 1\nb: 2\nEOF\nsrv "$(cat f)"', ["a: 1\nb: 2"]),
    ('echo a > f; echo b >> f; X=$(<f); srv "$X"', ["a\nb"]),
    ('K=3; export K; bash -c \'srv "$K" "$1"\' x y', ["3", "y"]),
    ("f() { return 3; }; f || srv $?", ["3"]),
    (
        (
            "while getopts 'a:b' o; do case $o in a) A=$OPTARG ;; b) B=1 ;; esac; done < /dev/null; "
            "srv $A $B"
        ),
        ["x", "1"],
    ),
    ("env -u X A=1 timeout 5 srv x", ["x"]),
    ("set -o pipefail; false | true && srv a || srv b", ["b"]),
    ("x=(1 2 3); unset 'x[1]'; srv \"${x[@]}\" ${!x[@]}", ["1", "3", "0", "2"]),
    ('x=(1 2 3 4); srv "${x[@]:1:2}" "${x[-1]}"', ["2", "3", "4"]),
    ("srv a{1..3}b {x,y}", ["a1b", "a2b", "a3b", "x", "y"]),
    ("f() { K=$1; g; }; g() { srv $K; }; f 7", ["7"]),
    ('until [ "$i" = xxx ]; do i+=x; done; srv $i', ["xxx"]),
    (
        "for a in 1 2; do for b in 1 2; do [ $b = 2 ] && continue 2; L+=$a$b; done; done; srv $L",
        ["1121"],
    ),
]


@pytest.mark.parametrize(("script", "expected"), ONE, ids=[s[:60] for s, _ in ONE])
def test_closed_world(script: str, expected: list[str]) -> None:
    arguments = ("-a", "x", "-b") if "getopts" in script else ()
    assert run(script, arguments=arguments) == [expected]


NONE = [
    "false && srv",
    "set -e; false; srv",
    "set -u; : $X; srv",
    ": ${X:?}; srv",
    "exit 0; srv",
    "exec true; srv",
    "trap srv EXIT",
    "cat <<E\nsrv --speculative-config x\nE\n",
    "f() { srv; }",
    'if [ -n "$X" ]; then srv; fi',
]


@pytest.mark.parametrize("script", NONE)
def test_nothing_runs(script: str) -> None:
    assert run(script) == []


def test_continued_command_with_blank_after_backslash() -> None:
    assert run("srv m \\ \nSC J\n") == [["m", " "]]


def test_comment_ends_a_continued_command() -> None:
    assert run("srv --a 1 \\\n# note\nSC J\n") == [["--a", "1"]]


def test_sourced_file_is_found_next_to_the_script() -> None:
    script = 'source "$(dirname "$0")/../lib/x.sh"; srv "$V" $(f)\n'
    assert run(script, **{"lib__x.sh": "V=3; f() { echo $1 q; }"}) == [["3", "q"]]


def test_script_folder_by_cd_and_pwd() -> None:
    script = 'D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; . "$D/b.sh"; srv $B\n'
    assert run(script, **{"a__b.sh": "B=4"}) == [["4"]]


def test_helper_script_gets_the_environment_only() -> None:
    script = 'export A=1; B=2; bash "$(dirname "$0")/h.sh" x; srv end\n'
    helper = 'srv "$A" "$B" "$1"\n'
    assert run(script, **{"a__h.sh": helper}) == [["1", "", "x"], ["end"]]


# --- open world --------------------------------------------------------------------------------


def paths(script: str) -> list[tuple[list[str], list[list[str]]]]:
    """Arguments and conditions of every `srv`."""
    options = Options(watch=lambda name: name == "srv")
    result = evaluate("a/run.sh", Files({"a/run.sh": script}), options)
    return [
        (
            [shown(word) for word in command.argv[1:]],
            sorted(sorted(atom(a) for a in c) for c in command.when.alternatives),
        )
        for command in result.commands
    ]


def atom(found: condition.Atom) -> str:
    if isinstance(found, condition.InputIs):
        return f"{found.name}{'=' if found.holds else '!='}{found.value}"
    return found.text if found.holds else f"not {found.text}"


def test_eval_only_with_a_default() -> None:
    script = 'if [ "${EVAL_ONLY:-false}" = "true" ]; then K=3; else K=4; fi; srv $K'
    assert paths(script) == [
        (["3"], [["EVAL_ONLY=true"]]),
        (["4"], [["EVAL_ONLY!=true"]]),
    ]


def test_default_that_passes_the_test() -> None:
    script = '[ "${X:-true}" = "true" ] && srv'
    assert paths(script) == [([], [["X="], ["X=None"], ["X=true"]])]


def test_value_is_known_once_tested() -> None:
    script = 'case "$TP" in 8) K=3 ;; 4|2) K=5 ;; *) exit 1 ;; esac; srv "$TP" $K'
    assert paths(script) == [
        (["8", "3"], [["TP=8"]]),
        (["<TP is an input>", "5"], [["TP=2"], ["TP=4"]]),
    ]


def test_opposite_comparisons_exclude_each_other() -> None:
    script = (
        'if [ "$C" -gt 4 ]; then K=1; elif [ "$C" -le 4 ]; then K=2; else K=3; fi\n'
        "if [[ $C -gt 9 ]] && (( C < 5 )); then srv never; fi\nsrv $K"
    )
    assert paths(script) == [
        (["1"], [["$C -gt 4"]]),
        (["2"], [["not $C -gt 4"]]),
    ]


def test_branches_that_change_nothing_join() -> None:
    script = 'if [ -n "$A" ]; then echo x; fi; [[ $B == c* ]] && echo; srv'
    assert paths(script) == [([], [[]])]


def test_required_variables_are_known_to_be_set() -> None:
    script = (
        'check() { local m=(); for v in "$@"; do [[ -z ${!v:-} ]] && m+=("$v"); done\n'
        "if [[ ${#m[@]} -gt 0 ]]; then exit 1; fi; }\n"
        'check A B C D E F; srv "${A:-x}"'
    )
    [(argv, [condition])] = paths(script)
    assert argv == ["<A is an input>"]
    assert condition == sorted(f"{n}!={v}" for n in "ABCDEF" for v in ("", None))


def test_loop_with_a_break_on_an_unknown_command() -> None:
    script = "ok=no; while true; do if curl x; then ok=yes; break; fi; sleep 1; done; srv $ok"
    assert paths(script) == [(["yes"], [[]])]


def test_failing_command_ends_only_its_path() -> None:
    # A condition is about inputs: that the script got this far goes without saying.
    assert paths("curl x || exit 1; srv") == [([], [[]])]
    assert paths("if curl x; then srv; fi") == [([], [["`curl x` succeeds"]])]


def test_unknown_list_makes_the_loop_variable_unknown() -> None:
    [(argv, _)] = paths('for x in $LIST; do srv "$x"; done')
    assert argv == ["<x takes each word of $LIST>"]


def test_file_written_with_unknown_parts_is_found_by_name() -> None:
    script = 'cat > "$D/x.yaml" <<EOF\na: $K\nb: 2\nEOF\nsrv --config "$D/x.yaml"'
    options = Options(watch=lambda name: name == "srv")
    [command] = evaluate("a/run.sh", Files({"a/run.sh": script}), options).commands
    assert command.files["$D/x.yaml"].display() == "a: <K is an input>\nb: 2\n"


@pytest.mark.parametrize(
    "script",
    [
        "\n".join(f'if [ -n "$V{i}" ]; then ARGS+=(--f{i}); fi' for i in range(200))
        + '\nsrv "${ARGS[@]}"',
        "\n".join(f'if [ "$V{i}" = x ]; then A{i}=1; fi' for i in range(200))
        + "\nsrv "
        + " ".join(f"$A{i}" for i in range(200)),
        "".join(f"if cmd {i}; then " for i in range(60)) + "srv;" + " fi;" * 60,
        "case $X in " + " ".join(f"v{i}) K={i} ;;" for i in range(20)) + " esac; srv $K",
        "f() { g || f; }; g() { f || cmd && f; }; f; srv",
        "cat <<EOF\n" + "line $X\n" * 5000 + "EOF\nsrv",
    ],
    ids=["one array", "many names", "nested", "case", "recursion", "here-document"],
)
def test_hostile_scripts_are_bounded(script: str) -> None:
    options = Options(watch=lambda name: name == "srv")
    result = evaluate("a/run.sh", Files({"a/run.sh": script}), options)
    assert result.commands or result.unresolved


@pytest.mark.parametrize("data", ["\0\1", "$(", "${", "((", "[[ a", "`", "if", "\ue0009\ue001 x"])
def test_any_text_is_read(data: str) -> None:
    evaluate("a/run.sh", Files({"a/run.sh": data}), Options())


def test_a_command_that_is_asked_for_is_told_with_all_that_it_sees() -> None:
    script = 'export K=1; if [ -n "$A" ]; then X=a; else X=b; fi; echo y > f\ncp "$X" f; echo "$X"'
    tree = Files({"run.sh": script})
    found = evaluate("run.sh", tree, Options(watch=lambda name: name in ("cp", "echo"))).commands
    copies = [c for c in found if c.name == "cp"]
    assert {c.argv[1].text.known for c in copies} == {"a", "b"}
    assert all(c.env["K"].known == "1" and "f" in c.files for c in copies)
    assert {c.argv[1].text.known for c in found if c.name == "echo"} == {"y", "a", "b"}
