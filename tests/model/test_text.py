"""Texts are equal when they say the same thing."""

from __future__ import annotations

from verifier.model.text import EMPTY, NOWHERE, Hole, Lit, Origin, Text, hole, lit


def test_pieces_and_origins_do_not_count() -> None:
    here = Origin(NOWHERE, "assigned to X")
    assert Text((Lit("a"), Lit("b", here))) == lit("ab")
    assert hash(Text((Lit("a"), Lit("b")))) == hash(lit("ab"))


def test_holes_are_equal_by_symbol_not_by_reason() -> None:
    assert hole("X is an input", "input:X") == hole("another wording", "input:X")
    assert hole("same", "input:X") != hole("same", "input:Y")


def test_a_hole_is_not_its_own_symbol_as_text() -> None:
    assert hole("r", "input:X") != lit("input:X")


def test_known_is_none_with_any_hole() -> None:
    text = lit("a") + hole("r", "s") + lit("b")
    assert text.known is None
    assert text.display() == "a<r>b"


def test_empty_pieces_vanish() -> None:
    assert Text((Lit(""),)) == EMPTY
    assert EMPTY.known == ""
    assert Hole("r", "s") in Text((Lit(""), Hole("r", "s"))).pieces
