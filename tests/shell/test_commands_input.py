"""Modelled commands inside of scripts: what they take from standard input, and their files."""

from __future__ import annotations

import pytest

from tests.shell.test_evaluate import run

LOOP = 'printf "1\\n2\\n3\\n" > f; T=; while read -r x; do {}; T=$T$y,; done < f; srv "$T"'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('y=$(awk "BEGIN{print $x*2}")', "2,4,6,"),
        ('y=$(python3 -c "print($x+1)")', "2,3,4,"),
        ("y=$(sed -n 2p f)", "2,2,2,"),
        ("y=$(head -n1 f)$x", "11,12,13,"),
        ("grep -q $x f; y=$?", "0,0,0,"),
        ("y=$(cat)", "2\n3,"),
    ],
)
def test_a_loop_over_input_goes_on_unless_its_body_takes_the_input(
    body: str, expected: str
) -> None:
    assert run(LOOP.format(body)) == [[expected]]


def test_what_is_left_behind_the_first_line_is_not_known() -> None:
    (words,) = run('printf "1\\n2\\n" | { head -n1 > /dev/null; srv "$(cat)"; }')
    assert words != [""] and words != ["2"]
