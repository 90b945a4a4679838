"""Patterns against real bash, and with holes against every filling."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.shell.real import bash, filled, needs_bash, quick, text
from verifier.model.text import EMPTY, Text, lit
from verifier.shell import patterns
from verifier.shell.patterns import TooComplex, compile_pattern

ATOMS = [
    *"abc/.-]!^", "*", "?", "[ab]", "[!a]", "[^b-c]", "[]a]", "[!]a]", "[a-c]", "[[:alpha:]]",
    "[[:digit:]a]", "[a-]", "[-a]", "\\*", "\\a", "[", "[a", "**", "[\\]]", "[[=a=]]", "[c-a]",
    "[/a]", "[[.a.]b]", "[a\\-c]",
]  # fmt: skip
simple = st.lists(st.sampled_from(ATOMS), max_size=4).map("".join)
nested = st.recursive(
    simple,
    lambda inner: st.builds(
        lambda operator, parts, tail: f"{operator}({'|'.join(parts)}){tail}",
        st.sampled_from("?*+@!"),
        st.lists(inner, min_size=1, max_size=3),
        inner,
    ),
    max_leaves=5,
)
subjects = st.text("abc/.-]", max_size=7)
OPERATORS = ["#", "##", "%", "%%", "/", "//", "/#", "/%"]


def apply(operator: str, subject: Text, pattern: str, replacement: str = "<&>") -> Text | None:
    compiled = compile_pattern([(lit(pattern), False)])
    if operator[0] == "#":
        return patterns.remove_prefix(subject, compiled, longest=operator == "##")
    if operator[0] == "%":
        return patterns.remove_suffix(subject, compiled, longest=operator == "%%")
    return patterns.substitute(subject, compiled, [(lit(replacement), False)], mode=operator)


def bash_apply(subject: str, pattern: str, replacement: str) -> list[str]:
    expansions = [
        f"${{x{operator}$p{'/$r' if operator[0] == '/' else ''}}}" for operator in OPERATORS
    ]
    script = "shopt -s extglob; x=$1 p=$2 r=$3; printf '%s\\n' " + " ".join(
        f'"{e}"' for e in expansions
    )
    output, _ = bash(
        script + "; [[ $x == $p ]] && echo yes || echo no", subject, pattern, replacement
    )
    return output.split("\n")[:-1]


@needs_bash
@quick
@given(subjects, nested)
def test_known_texts_agree_with_bash(subject: str, pattern: str) -> None:
    expected = bash_apply(subject, pattern, "<&>")
    compiled = compile_pattern([(lit(pattern), False)])
    for operator, want in zip(OPERATORS, expected, strict=False):
        got = apply(operator, lit(subject), pattern)
        assert got is None or got.known == want, operator
        odd = compiled.unsure or compiled.odd or patterns.matches(compiled, EMPTY)
        assert got is not None or odd
    match = patterns.matches(compiled, lit(subject))
    assert match is None if compiled.unsure else match == (expected[-1] == "yes")


@needs_bash
@quick
@given(
    st.sampled_from(["a", "?", "[ab]", "*", "z"]),
    st.lists(st.sampled_from(["&", "\\&", "\\\\", "\\n", "x", "\\", "/"]), max_size=4).map("".join),
)
def test_replacements_agree_with_bash(pattern: str, replacement: str) -> None:
    expected = bash_apply("abca", pattern, replacement)
    for operator, want in zip(OPERATORS[4:], expected[4:], strict=False):
        got = apply(operator, lit("abca"), pattern, replacement)
        assert got is not None
        assert got.known == want, operator


SMALL = ["", "a", "b", "/", "ab", "a/", "/b", "a/b", "aa"]


@quick
@given(
    st.lists(st.sampled_from(["a", "b", "/", "<X>", "ab/", "<Y>", "a/b"]), max_size=4).map("".join),
    nested,
)
def test_holes_agree_with_every_filling(template: str, pattern: str) -> None:
    subject = text(template)
    assume(subject.holes)
    compiled = compile_pattern([(lit(pattern), False)])
    match = patterns.matches(compiled, subject)
    results = {operator: apply(operator, subject, pattern) for operator in OPERATORS}
    for x in SMALL:
        for y in SMALL[:5]:
            holes = {"input:X": x, "input:Y": y}
            value = lit(filled(subject, holes))
            if match is not None:
                assert match == patterns.matches(compiled, value)
            for operator, result in results.items():
                if result is not None and all(h.symbol in holes for h in result.holes):
                    want = apply(operator, value, pattern)
                    assert want is not None
                    assert filled(result, holes) == want.known, operator


@pytest.mark.parametrize(
    ("operator", "template", "pattern", "expected"),
    [
        ("##", "<X>/a/b.json", "*/", "b.json"),
        ("%%", "a/b<X>", "/*", "a"),
        ("%", "<X>/a/b.json", ".json", "<X>/a/b"),
        ("#", "ab<X>", "a", "b<X>"),
        ("##", "a/<X>", "*/", None),
        ("#", "<X>/a", "*/", None),
        ("/", "a-b<X>", "-", "a<->b<X>"),
        ("//", "<X>", "-", None),
        ("/%", "<X>a", "a", "<X><a>"),
    ],
)
def test_what_holes_leave_decided(
    operator: str, template: str, pattern: str, expected: str | None
) -> None:
    got = apply(operator, text(template), pattern, "<&>")
    if expected is None:
        assert got is None or got.known is None
    else:
        assert got is not None
        assert "".join(f"<{p.reason}>" if not isinstance(p.origin, type) and hasattr(p, "reason")
                       else p.value for p in got.pieces) == expected  # fmt: skip


def test_one_character_patterns_pass_holes_by() -> None:
    got = patterns.substitute(
        text("a/<X>/b"), compile_pattern([(lit("/"), False)]), [(lit("_"), True)], mode="//"
    )
    assert got is not None
    assert [p if isinstance(p, str) else "?" for p in got.key] == ["a_", "?", "_b"]


@pytest.mark.parametrize(
    ("pattern", "subject", "expected"),
    [
        ([("<X>", True)], "<X>", True),
        ([("<X>", True)], "<X>a", None),
        ([("<X>", False)], "<X>", None),
        ([("a", False), ("<X>", True)], "b", False),
        ([("a", False), ("<X>", False)], "bc", False),
        ([("*", False), ("<X>", False)], "bc", None),
        ([("[", False), ("<X>", False)], "bc", None),
        ([("*", False), ("<X>", True), ("*", False)], "a<X>b", True),
        ([("*", False)], "<X>", True),
        ([("a*", False)], "b<X>", False),
        ([("[", False), ("<X>", True), ("]", False)], "ab", None),
    ],
)
def test_patterns_with_holes(
    pattern: list[tuple[str, bool]], subject: str, expected: bool | None
) -> None:
    compiled = compile_pattern([(text(t), quoted) for t, quoted in pattern])
    assert patterns.matches(compiled, text(subject)) is expected


@needs_bash
@pytest.mark.parametrize("operator", ["^", "^^", ",", ",,"])
@pytest.mark.parametrize("pattern", ["", "a", "[a-c]", "?", "B"])
def test_case_agrees_with_bash(operator: str, pattern: str) -> None:
    expected, _ = bash(
        f'x=abcABC p=$1; printf %s "${{x{operator}{"$p" if pattern else ""}}}"', pattern
    )
    compiled = compile_pattern([(lit(pattern), False)]) if pattern else None
    got = patterns.change_case(lit("abcABC"), operator, compiled)
    assert got is not None
    assert got.known == expected


def test_paths() -> None:
    paths = ["b.sh", "a.sh", ".h.sh", "d/a.sh"]
    assert patterns.match_paths([(lit("*.sh"), False)], paths) == ["a.sh", "b.sh"]
    assert patterns.match_paths([(lit("*/*.sh"), False)], paths) == ["d/a.sh"]
    assert patterns.match_paths([(lit("*.sh"), False)], paths, dotglob=True) == [
        ".h.sh", "a.sh", "b.sh",
    ]  # fmt: skip
    assert patterns.match_paths([(lit("*.sh"), True)], paths) == []


def test_hostile_patterns_end() -> None:
    pattern = compile_pattern([(lit("*a" * 50 + "b"), False)])
    assert patterns.matches(pattern, lit("a" * 5000)) is False
    hostile = compile_pattern([(lit("!(" * 9 + "a*" + ")" * 9), False)])
    try:
        patterns.matches(hostile, lit("a" * 2000))
    except TooComplex:
        pass
    assert patterns.substitute(
        lit("a" * 100_000), compile_pattern([(lit("b"), False)]), [], mode="//"
    )
    assert patterns.substitute(EMPTY, compile_pattern([(lit("b"), False)]), [], mode="//") == EMPTY
