"""What is computed from a value that depends on the path depends on it in the same way."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.model.command import Branch
from verifier.model.text import Text, Word
from verifier.reports.conditions import as_words
from verifier.shell import evaluate
from verifier.shell.options import Options

TWO = 'if [ "$A" = 1 ]; then X=3; Y=/m/a.b; else X=5; Y=/n/c; fi\n'
FOUR = TWO + 'if [ "$B" = 1 ]; then Z=10; else Z=$C; fi\n'


def values(script: str) -> list[str]:
    """All values of the last command's first argument, each with its condition."""
    options = Options(branches=True, exact=lambda words: False)
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), options)
    return sorted(spread(Word(evaluation.commands[-1].argv[1].text), evaluation.branches))


def spread(word: Word, branches: dict[str, Branch], when: tuple[str, ...] = ()) -> list[str]:
    for index, piece in enumerate(word.text.pieces):
        branch = branches.get(getattr(piece, "symbol", ""))
        if branch is None:
            continue
        before, after = word.text.pieces[:index], word.text.pieces[index + 1 :]
        condition = as_words(branch.when) or ""
        return [
            value
            for words, said in ((branch.then, condition), (branch.otherwise, f"not {condition}"))
            for value in spread(
                Word(Text((*before, *words[0].text.pieces, *after))), branches, (*when, said)
            )
        ]
    return [f"{word.text.display()}: {', '.join(when)}"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (TWO + 'cmd "$((X * 2))"', ['10: not A is "1"', '6: A is "1"']),
        (TWO + 'declare -i N=X+1; cmd "$N"', ['4: A is "1"', '6: not A is "1"']),
        (TWO + 'cmd "$((X > 4 ? 1 : 0))"', ['0: A is "1"', '1: not A is "1"']),
        (TWO + 'cmd "$(echo "$Y")"', ['/m/a.b: A is "1"', '/n/c: not A is "1"']),
        (TWO + 'cmd "$(basename $Y)"', ['a.b: A is "1"', 'c: not A is "1"']),
        (TWO + 'cmd "$(seq -s, 1 $X)"', ['1,2,3,4,5: not A is "1"', '1,2,3: A is "1"']),
        (TWO + 'cmd "$(echo "$Y" | cut -d/ -f2)"', ['m: A is "1"', 'n: not A is "1"']),
        (TWO + 'cmd "$((X + X))"', ['10: not A is "1"', '6: A is "1"']),
        (
            FOUR + 'cmd "$((X + Z))"',
            [
                '13: A is "1", B is "1"',
                '15: not A is "1", B is "1"',
                '<computed from C>: A is "1", not B is "1"',
                '<computed from C>: not A is "1", not B is "1"',
            ],
        ),
        (
            'if [ "$A" = 1 ]; then X=3; else unset X; fi; cmd "$((X + 1))"',
            ['1: A is not "1"', '4: not A is not "1"'],
        ),
        (
            'if [ "$A" = 1 ]; then X=$M; else X=$N; fi; cmd "$(dirname "$X")"',
            ['<output of `dirname $X`>: A is "1"', '<output of `dirname $X`>: not A is "1"'],
        ),
        (
            'L=(1 2); if [ "$A" = 1 ]; then L+=(4 8); fi; cmd "$(printf "%s, " "${L[@]}")"',
            ['1, 2, 4, 8, : A is "1"', '1, 2, : not A is "1"'],
        ),
        (
            'L=(1); if [ "$A" = 1 ]; then L+=(4); fi; cmd "$(echo "${L[@]}" | tr " " ,)"',
            ['1,4: A is "1"', '1: not A is "1"'],
        ),
        (
            'if [ "$A" = 1 ]; then X=/m/a; else X=$N; fi; cmd "$(dirname "$X")"',
            ['/m: A is "1"', '<output of `dirname $X`>: not A is "1"'],
        ),
        # The two sides end differently, so the command is not the same on both.
        (TWO + 'Z=$((4 % (X - 3))); cmd "$X"', ['3: A is "1"', '5: not A is "1"']),
    ],
)
def test_both_sides_are_worked_out(script: str, expected: list[str]) -> None:
    assert values(script) == expected


def test_a_test_of_a_sum_is_decided_by_the_branch() -> None:
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": TWO + "(( X + 1 > 4 )) && cmd\n"}), Options())
    assert [as_words(c.when) for c in evaluation.commands] == ['A is not "1"']


def test_side_effects_happen_once() -> None:
    assert values(TWO + 'N=0; M=$((X + N++)); cmd "$N"') == ["1: "]


def test_many_values_end_in_bounded_time() -> None:
    lines = "".join(f'[ "$A{n}" = 1 ] && N=$((N + {n}))\n' for n in range(40))
    assert values(f'N=0\n{lines}cmd "$((N * 2))"')


FILE = """case "$B" in
a) echo "port: $PORT" >c.yaml; ARGS=(--config c.yaml) ;;
*) ARGS=() ;;
esac
"""


@pytest.mark.parametrize(
    ("script", "files"),
    [
        (FILE + 'srv "${ARGS[@]}"', {'B is "a"': "port: <PORT is an input>\n"}),
        (FILE + '[ "$B" = a ] && srv "$(cat c.yaml)"', {}),
        (FILE + '[ "$B" = a ] && echo x >>c.yaml; srv "${ARGS[@]}"', {'B is "a"': "port: <PORT is an input>\nx\n"}),
        (FILE + '[ "$B" = a ] && [ -f c.yaml ] && srv c.yaml', {'B is "a"': "port: <PORT is an input>\n"}),
        (FILE + 'rm -f c.yaml; srv "${ARGS[@]}"', {}),
    ],
)  # fmt: skip
def test_a_file_that_one_branch_writes_is_known_there(script: str, files: dict[str, str]) -> None:
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), Options())
    launches = [c for c in evaluation.commands if c.name == "srv"]
    found = {
        as_words(c.when): c.files["c.yaml"].display()
        for c in launches
        if any("c.yaml" in w.text.display() for w in c.argv) and "c.yaml" in c.files
    }
    assert found == files


def test_what_a_branch_wrote_is_read_there() -> None:
    script = FILE + '[ "$B" = a ] && srv "$(cat c.yaml)"; [ "$B" = a ] || srv "$(cat c.yaml)"'
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), Options())
    shown = [c.argv[1].text.display() for c in evaluation.commands if c.name == "srv"]
    assert shown == ["port: <PORT is an input>", "<output of `cat c.yaml`>"]


def test_a_launch_is_not_told_apart_by_what_stays_unknown() -> None:
    script = 'if [ "$(my-tool)" -gt 3 ]; then N=$A; else N=$B; fi\nvllm serve --max "$N"\n'
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), Options())
    assert len([c for c in evaluation.commands if c.name == "vllm"]) == 1
    known = script.replace("$B", "7")
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": known}), Options())
    assert len([c for c in evaluation.commands if c.name == "vllm"]) == 2


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ('$(dirname "$M")', True),
        ('$(seq 1 "$N" | paste -sd, -)', True),
        ('$(basename "$M" .gz)', True),
        ('$(printf "%s, " $M)', True),
        ("$(seq 1 $N | tr '\\n' ,)", True),
        ("$(my-tool)", False),
        ("$(my-tool | sort -n)", False),
        ("$(seq 1 $N | sort -R)", False),
        ("$(head -1 list.txt)", False),
        ('$(cut -f 1 -d , <<<"$M")', False),
    ],
)
def test_what_is_computed_from_the_same_is_the_same(one: str, same: bool) -> None:
    script = f'A="{one}"; B="{one}"; if [ "$A" = "$B" ]; then srv same; else srv other; fi\n'
    evaluation = evaluate("a.sh", MemoryTree({"a.sh": script}), Options())
    found = [c.argv[1].text.known for c in evaluation.commands if c.name == "srv"]
    assert found == (["same"] if same else ["same", "other"])
