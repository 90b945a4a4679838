"""Field splitting and `read` against real bash."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.recipes.trees import MemoryTree
from tests.shell.real import bash, needs_bash, quick, text
from verifier.model.text import EMPTY, hole, lit
from verifier.shell.evaluate import evaluate
from verifier.shell.options import Options
from verifier.shell.splitting import Fragment, split_fields, split_read

ifs_values = st.sampled_from([" \t\n", ",", ", ", "", ":,", "a", " ", "\n", ", \t"])
values = st.text(" ,:ab\t", max_size=8)


@needs_bash
@quick
@given(
    values,
    values,
    ifs_values,
    st.sampled_from(["$x", "l$x", '$x"$y"', '"$x"$y', "$x$y", '$x""', '""$x""', "$x,$y", "a$x"]),
)
def test_words_agree_with_bash(x: str, y: str, ifs: str, word: str) -> None:
    output, _ = bash(
        f'x=$1 y=$2 IFS=$3; set -f; set -- {word}; printf \'%s\\n\' "$#" "$@"', x, y, ifs
    )
    fragments = []
    quoted = False
    index = 0
    while index < len(word):
        if word[index] == '"':
            quoted = not quoted
            if quoted:
                fragments.append(Fragment(EMPTY, quoted=True))
            index += 1
        elif word[index] == "$":
            value = x if word[index + 1] == "x" else y
            fragments.append(Fragment(lit(value), quoted=quoted, splits=not quoted))
            index += 2
        else:
            fragments.append(Fragment(lit(word[index])))
            index += 1
    fields = [field.text.known for field in split_fields(fragments, lit(ifs))]
    assert [str(len(fields)), *fields] == output.split("\n")[:-1]


@needs_bash
@quick
@given(values, values, ifs_values)
def test_elements_agree_with_bash(x: str, y: str, ifs: str) -> None:
    output, _ = bash(
        'x=$1 y=$2 IFS=$3; set -f; set -- "$x" "$y"; set -- b$@e; printf \'%s\\n\' "$#" "$@"',
        x,
        y,
        ifs,
    )
    fragments = [
        Fragment(lit("b")),
        Fragment(lit(x), splits=True),
        Fragment(lit(y), splits=True, breaks=True),
        Fragment(lit("e")),
    ]
    fields = [field.text.known for field in split_fields(fragments, lit(ifs))]
    assert [str(len(fields)), *fields] == output.split("\n")[:-1]


@needs_bash
@quick
@given(st.text(" ,:ab\t\\", max_size=8), ifs_values, st.integers(1, 3), st.booleans())
def test_read_agrees_with_bash(line: str, ifs: str, count: int, raw: bool) -> None:
    names = ["p", "q", "r"][:count]
    flag = "-r" if raw else ""
    show = "printf '[%s]' " + " ".join(f'"${n}"' for n in names)
    output, _ = bash(f'p= q= r=; IFS=$2 read {flag} {" ".join(names)} <<< "$1"; {show}', line, ifs)
    fields = split_read(lit(line), lit(ifs), count, raw=raw)
    if not raw and line.endswith("\\") and not line.endswith("\\\\"):
        return  # the caller joins continued lines
    assert fields is not None
    known = [field.known for field in fields] + [""] * (count - len(fields))
    assert "".join(f"[{value}]" for value in known) == output
    output, _ = bash(
        f'IFS=$2 read {flag} -a v <<< "$1"; printf \'[%s]\' "${{#v[@]}}" "${{v[@]}}"', line, ifs
    )
    fields = split_read(lit(line), lit(ifs), None, raw=raw)
    assert fields is not None
    assert "".join(f"[{v}]" for v in (str(len(fields)), *(f.known for f in fields))) in (
        output, output.removesuffix("[]") if not fields else output,
    )  # fmt: skip


def test_a_hole_is_any_number_of_words() -> None:
    fields = split_fields([Fragment(text("a <X> b"), splits=True)], None)
    assert [(f.text, f.many) for f in fields] == [
        (lit("a"), False), (text("<X>"), True), (lit("b"), False),
    ]  # fmt: skip
    fields = split_fields([Fragment(lit("--x=")), Fragment(text("<X>"), splits=True)], None)
    assert [(f.text, f.many) for f in fields] == [(text("--x=<X>"), True)]
    fields = split_fields([Fragment(text("<X>"), quoted=True)], None)
    assert [(f.text, f.many) for f in fields] == [(text("<X>"), False)]
    assert split_fields([Fragment(lit("a b"), splits=True)], text("<X>"))[0].many


def test_an_integer_is_one_word() -> None:
    number = hole("a sum", "arith:(input:X+1)")
    assert not split_fields([Fragment(number, splits=True)], None)[0].many
    assert split_fields([Fragment(number, splits=True)], lit("0"))[0].many


def test_read_with_holes() -> None:
    fields = split_read(text("a b<X> c"), None, 3, raw=True)
    assert fields is not None
    assert [f.known for f in fields] == ["a", None, None]
    assert split_read(text("a <X>"), None, None, raw=True) is None


def test_a_number_in_a_command_line_does_not_hide_its_words() -> None:
    script = 'A="/tmp/x-$$/bin/client run --port $((RANDOM + 1)) --y"\n$A 2>&1 | tee log\n'
    found = evaluate("s.sh", MemoryTree({"s.sh": script}), Options(closed=True)).commands[0]
    assert found.name == "client"
    assert not any(word.splits for word in found.argv)
    assert [word.text.known for word in found.argv[1:]] == ["run", "--port", None, "--y"]
