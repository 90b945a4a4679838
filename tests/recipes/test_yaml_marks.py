from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from verifier.model.text import Span
from verifier.recipes import yaml_marks
from verifier.recipes.yaml_marks import YamlList, YamlMap, YamlScalar, plain, read


def root(text: str) -> YamlMap:
    document = read(text, "f.yaml")
    assert not document.problems
    assert isinstance(document.root, YamlMap)
    return document.root


def test_values_know_line_and_column() -> None:
    node = root("a: 1\nb:\n  - x\n  - {c: 'two words'}\n")
    items = node.get("b")
    assert isinstance(items, YamlList)
    inner = items.items[1]
    assert isinstance(inner, YamlMap)
    assert inner.entries["c"].key[:3] == ("f.yaml", 4, 6)
    assert inner.entries["c"].node.span == Span("f.yaml", 4, 9, 4, 20)


def test_merge_keys_keep_the_place_where_they_were_written() -> None:
    node = root("x: &x {a: 1, b: 2}\ny: &y {b: 3, d: 4}\nz:\n  <<: [*x, *y]\n  a: 9\n")
    merged = node.mapping("z")
    assert plain(merged) == {"a": 9, "b": 2, "d": 4}
    assert merged.entries["b"].key.line == 1
    assert merged.entries["d"].key.line == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("'yes'", "yes"),
        ("n", "n"),
        ("1_000", 1000),
        ("1:30", 90),
        ("0o7", "0o7"),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        ("~", None),
        ("", None),
        ("!!str 5", "5"),
        ("! 5", "5"),
        ("|\n  x\n", "x\n"),
        ("=", "="),
    ],
)
def test_scalars_have_the_safe_loaders_type(text: str, value: object) -> None:
    got = plain(root(f"k: {text}").get("k"))
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "duplicate key 'a': it is already in line 1"),
        ("a: [1\n", 2, "not valid YAML"),
        ("a: !!python/object/apply:os.system [x]\n", 1, "is not allowed"),
        ("a: !mine x\n", 1, "is not allowed"),
        ("a: &b [*b]\n", 1, "inside its own anchor"),
        ("a: *nowhere\n", 1, ""),
        ("a: 1\n---\nb: 2\n", 2, "more than one YAML document"),
        ("? [a]\n: 1\n", 1, "cannot be a key"),
        ("a:\n  <<: 3\n", 2, "needs a mapping"),
        ("a: 2026-02-31\n", 1, "not a valid timestamp"),
    ],
)
def test_what_is_wrong_has_a_line(text: str, line: int, words: str) -> None:
    (problem,) = read(text, "f.yaml").problems
    assert problem.span.line == line
    assert words in problem.text


def test_after_a_duplicate_the_last_value_counts_and_the_rest_is_read() -> None:
    document = read("a: 1\na: 2\nb: 3\n", "f.yaml")
    assert plain(document.root) == {"a": 2, "b": 3}
    assert len(document.problems) == 1


def test_alias_bombs_are_refused_quickly() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    (problem,) = read("\n".join(lines), "f.yaml").problems
    assert "aliases expand it" in problem.text


def test_deep_nesting_is_refused() -> None:
    (problem,) = read("[" * 100_000, "f.yaml").problems
    assert "deep" in problem.text or "nest" in problem.text.lower()


def test_a_file_that_is_too_large_is_refused() -> None:
    (problem,) = read(b"#" * (yaml_marks.MAX_BYTES + 1), "f.yaml").problems
    assert "larger" in problem.text


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    read(text, "f.yaml")


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    read(data, "f.yaml")


_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(_DATA)
def test_dumped_data_reads_as_the_safe_loader_reads_it(data: object) -> None:
    text = yaml.safe_dump(data)
    document = read(text, "f.yaml")
    assert not document.problems
    assert plain(document.root) == yaml.safe_load(text)


def test_a_scalar_says_what_it_is() -> None:
    assert YamlScalar(True, "yes", Span("f", 1)).kind == "the boolean yes"
