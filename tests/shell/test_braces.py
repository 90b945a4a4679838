"""Brace expansion against real bash."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import bash, needs_bash, quick
from verifier.shell.braces import TooMany, expand_braces
from verifier.shell.nodes import DoubleQuoted, Literal, Parameter, Word

TOKENS = ["{", "}", ",", "a", "b", "..", "1", "3", "01", "-2", "10", "{a,b}", "{1..3}", "{c..e}", "'{'", "'}'", "','", '"x,y"', "$q", "${q}", ":", ".", "{}", "{c..a..2}", "{10..1..-4}", "{001..3}", "=", "[", "{a", "'a'"]  # fmt: skip


def word(tokens: list[str]) -> Word:
    parts: list[Literal | DoubleQuoted | Parameter] = []
    for token in tokens:
        if token[0] == "'":
            parts.append(Literal(token[1:-1], True, 0, 0))
        elif token[0] == '"':
            parts.append(DoubleQuoted((Literal(token[1:-1], True, 0, 0),), 0, 0))
        elif token[0] == "$":
            size = len(token)
            parts.append(Parameter("q", None, "", None, None, False, False, "", 0, size))
        else:
            parts.append(Literal(token, False, 0, 0))
    return Word(tuple(parts), 0, 0)


def shown(expanded: Word) -> str:
    result = ""
    for part in expanded.parts:
        if isinstance(part, Literal):
            result += part.value
        elif isinstance(part, DoubleQuoted):
            result += "x,y"
        else:
            result += "Q" if part.name == "q" else ""
    return result


@needs_bash
@quick
@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=9))
def test_words_agree_with_bash(tokens: list[str]) -> None:
    source = "".join(tokens)
    if any(a == "$q" and (b[0].isalnum() or b[0] == "[") for a, b in pairwise(tokens)):
        return  # another parameter
    output, status = bash(f"q=Q; set -f; for w in {source}; do printf '%s\\n' \"$w\"; done")
    if status:
        return
    assert [w for w in map(shown, expand_braces(word(tokens))) if w] == [
        line for line in output.split("\n") if line
    ]


def test_json_without_quotes_is_two_words() -> None:
    assert [shown(w) for w in expand_braces(word(["{a:1,b:2}"]))] == ["a:1", "b:2"]
    assert len(expand_braces(word(["{a:1}"]))) == 1


def test_limits() -> None:
    with pytest.raises(TooMany):
        expand_braces(word(["{1..1000000000}"]))
    with pytest.raises(TooMany):
        expand_braces(word(["{a,b}"] * 100))
    with pytest.raises(TooMany):
        expand_braces(word(["{" * 100_000]))
    assert len(expand_braces(word(["{" * 200 + "a,b" + "}" * 200]))) == 2
