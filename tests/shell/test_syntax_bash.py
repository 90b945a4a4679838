"""The parser accepts and refuses what bash accepts and refuses, and reads words as bash does."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from verifier.shell.nodes import (
    Bad,
    DoubleQuoted,
    Literal,
    Part,
    Simple,
    Source,
    Word,
)
from verifier.shell.syntax import parse

BASH = shutil.which("bash")
CASES = Path(__file__).with_name("syntax_cases.txt").read_text().splitlines()

pytestmark = pytest.mark.skipif(BASH is None, reason="needs bash")


def accepts(text: str) -> bool:
    """Whether bash reads the whole text without a complaint."""
    assert BASH is not None
    done = subprocess.run(
        [BASH, "-O", "extglob", "-n"], input=text, capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "warning" not in line]
    return done.returncode == 0 and not complaints


def refused(text: str) -> Bad | None:
    commands = parse(Source("s", text), extglob=True).commands
    last = commands[-1] if commands else None
    return last if isinstance(last, Bad) else None


@pytest.mark.parametrize("case", CASES)
def test_refuses_what_bash_refuses(case: str) -> None:
    text = case.replace("§", "\n") + "\n"
    bad = refused(text)
    assert (bad is None) == accepts(text), bad


def value(parts: tuple[Part, ...]) -> str:
    """The text of parts without expansions."""
    texts = []
    for part in parts:
        assert isinstance(part, Literal | DoubleQuoted), part
        texts.append(part.value if isinstance(part, Literal) else value(part.parts))
    return "".join(texts)


def recorded(text: str) -> list[str]:
    assert BASH is not None
    script = "set -f +B; r() { [ $# = 0 ] || printf '%s\\0' \"$@\"; }; HOME='~'\n" + text
    done = subprocess.run(
        [BASH, "-c", script],
        capture_output=True,
        check=False,
        env={"PATH": "/nowhere", "LC_ALL": "C.UTF-8"},
    )
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


PIECES = st.sampled_from(
    [
        *("a", "b1", "-x", "--k=v", "{", "}", "[", "]", "=", "#", "%", "!", "?", "*", ",", "é"),
        *("\\ ", "\\\\", "\\a", "\\$", "\\\n", "\\'", '\\"', "\\#"),
        *("''", "'a b'", "'\"'", "'\\'", "'#'", "'\n'"),
        *('""', '"a b"', '"\'"', '"\\""', '"\\a"', '"\\\n"', '"\\\\"', '"#"', '"\\$"'),
        *("$'a b'", "$'\\n'", "$'\\''", "$'\\x41\\u00e9\\101\\cA\\e'", "$'\\q'", "$'\\\\'"),
        *('$"a b"', "$", " ", "  ", "\t", " \\\n "),
    ]
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES, max_size=14))
def test_reads_words_as_bash_does(pieces: list[str]) -> None:
    text = "r " + "".join(pieces) + "\n"
    assume(re.search(r"\$[A-Za-z0-9{\[!?#*@$-]", text) is None)
    command = parse(Source("s", text)).commands[0]
    if isinstance(command, Bad):
        assert not accepts(text)
        return
    assert isinstance(command, Simple)
    words = [value(word.parts) for word in command.words[1:] if isinstance(word, Word)]
    assert words == recorded(text)


@pytest.mark.parametrize(
    "escape",
    [
        *(
            "\\a\\b\\e\\E\\f\\r\\t\\v",
            "\\0",
            "a\\0b",
            "\\1",
            "\\777",
            "\\x",
            "\\xg",
            "\\x4",
            "\\x414",
        ),
        *("\\x{41}", "\\u41", "\\u", "\\U1F600", "\\u20ac", "\\xc3\\xa9", "\\xff", "\\ca", "\\c?"),
        *("\\c\\\\a", "\\?", '\\"', "\\z", "\\8", "é", "\\\n", "\\x{zz", "\\c["),
    ],
)
def test_decodes_dollar_quotes_as_bash_does(escape: str) -> None:
    text = f"r $'{escape}'\n"
    command = parse(Source("s", text)).commands[0]
    assert isinstance(command, Simple)
    (word,) = command.words[1:]
    assert isinstance(word, Word)
    assert [value(word.parts)] == recorded(text)
