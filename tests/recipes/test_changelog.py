"""The changelog on both sides."""

from __future__ import annotations

from tests.recipes.trees import MemoryTree
from verifier.model.points import Changelog
from verifier.recipes.changelog import read_changelog

BASE = "- config-keys: [a]\n  pr-link: x\n  \n"
NEW = "- config-keys:\n  - b-*\n  append-only: true\n  scenario-type: [agentic-coding]\n"


def log(base: str | None, head: str | None) -> Changelog:
    trees = [MemoryTree({} if text is None else {"c.yaml": text}) for text in (base, head)]
    return read_changelog(trees[0], trees[1], "c.yaml")


def test_new_entries_have_lines() -> None:
    (entry,) = log(BASE, BASE + NEW).added
    assert entry.keys == ("b-*",)
    assert entry.append_only
    assert entry.scenarios == ("agentic-coding",)
    assert entry.span.line == 4


def test_nothing_new() -> None:
    found = log(BASE, BASE)
    assert found.base == found.head
    assert not found.added


def test_a_first_changelog() -> None:
    assert len(log(None, BASE).added) == 1


def test_odd_entries_are_problems() -> None:
    found = log(BASE, BASE + "- 3\n- append-only: maybe\n")
    assert [p.message for p in found.problems] == [
        "expected an entry with config-keys, not the number 3",
        "append-only: expected true or false, not the text 'maybe'",
    ]
    assert not log(BASE, "{").added
    assert log(BASE, "{").problems
    assert log(BASE, "a: 1").problems
