"""CODEOWNERS as GitHub reads it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.signoff.codeowners import expression, parse

MATCHES = [
    ("*", "a", True),
    ("*", "a/b/c.txt", True),
    ("*.js", "a/b.js", True),
    ("*.js", "b.jsx", False),
    ("/build/logs/", "build/logs/a/b", True),
    ("/build/logs/", "x/build/logs/a", False),
    ("/build/logs/", "build/logs", False),
    ("docs/*", "docs/getting-started.md", True),
    ("docs/*", "docs/build-app/troubleshooting.md", False),
    ("docs/*", "x/docs/a.md", False),
    ("apps/", "apps/a", True),
    ("apps/", "x/y/apps/a/b", True),
    ("apps/", "apps", False),
    ("/docs/", "docs/a", True),
    ("/docs/", "x/docs/a", False),
    ("/scripts/", "scripts/a", True),
    ("**/logs", "logs", True),
    ("**/logs", "build/logs/a", True),
    ("**/logs", "a/b/logs", True),
    ("/apps/github", "apps/github", True),
    ("/apps/github", "apps/github/deep/er", True),
    ("/apps/github", "apps/github2", False),
    ("configs/amd-master.yaml", "configs/amd-master.yaml", True),
    ("configs/amd-master.yaml", "x/configs/amd-master.yaml", False),
    ("MODELS.md", "docs/MODELS.md", True),
    ("models.md", "MODELS.md", False),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/x/y/c", False),
    ("a/**", "a/b/c", True),
    ("a/**", "a", False),
    ("/*", "a", True),
    ("/*", "a/b", False),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("a.c", "abc", False),
    ("**", "x/y", True),
    ("/a/*/c", "a/b/c", True),
    ("/a/*/c", "a/b/d/c", False),
    ("a\\*b", "a*b", True),
    ("a\\*b", "axb", False),
    ("x+y/", "x+y/z", True),
]


@pytest.mark.parametrize(("pattern", "path", "matches"), MATCHES)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert bool(expression(pattern).fullmatch(path)) is matches


def owners(text: str, path: str) -> tuple[str, ...] | None:
    rule = parse(text).of(path)
    return None if rule is None else rule.owners


def test_the_last_match_wins_and_owners_do_not_add_up() -> None:
    text = "* @core\n*.md @docs\n/a/ @a @b\n"
    assert owners(text, "x.py") == ("@core",)
    assert owners(text, "x.md") == ("@docs",)
    assert owners(text, "a/x.md") == ("@a", "@b")


def test_a_pattern_without_owners_takes_them_away() -> None:
    assert owners("* @core\n*.md\n", "x.md") == ()
    assert owners("* @core\n*.md # nobody\n", "x.md") == ()


def test_comments_escapes_and_line_ends() -> None:
    text = "# @x\n  \nx/ @a # was @b\r\ndocs/a\\ b/ @t\n"
    assert owners(text, "x/y") == ("@a",)
    assert owners(text, "docs/a b/c") == ("@t",)
    assert parse(text).problems == ()


def test_an_owner_may_be_a_team_or_an_address() -> None:
    [rule] = parse("* @User @Org/The-Team dev@example.org\n").rules
    assert rule.users == {"user"}
    assert rule.teams == ("org/the-team",)
    assert rule.addresses == ("dev@example.org",)


@pytest.mark.parametrize(
    "line",
    [
        "!a @b",
        "\\#a @b",
        "[a-z] @b",
        "/a/**.x @b",
        "a**/b @c",
        "a/ b",
        "a @",
        "a @x @/y",
    ],
)
def test_a_line_that_cannot_be_read_is_skipped_and_reported(line: str) -> None:
    parsed = parse(f"* @core\n{line}\nz/ @z\n")
    assert [rule.line for rule in parsed.rules] == [1, 3]
    assert [number for number, _ in parsed.problems] == [2]


def test_a_file_that_github_does_not_load_owns_nothing() -> None:
    parsed = parse("* @core\n" + "#" * 3_200_000)
    assert parsed.rules == ()
    assert parsed.problems


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    parse(text)


@given(st.lists(st.sampled_from(["a", "b", "*", "**", "/", "?", "\\*", "."]), max_size=8),
       st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5))  # fmt: skip
def test_a_trailing_slash_covers_what_the_folder_covers(parts: list[str], path: list[str]) -> None:
    pattern = "".join(parts).strip("/")
    if not pattern or re.search(r"[^/]\*\*|\*\*[^/]|//", pattern):
        return
    below = "/".join([*path, "z"])
    if expression("/" + pattern + "/").fullmatch(below):
        assert expression("/" + pattern + "/**").fullmatch(below)
