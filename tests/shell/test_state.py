"""A copy of a state is the whole state."""

from __future__ import annotations

from verifier.shell.state import State


def test_a_copy_has_every_attribute() -> None:
    state = State()
    for name in State.__slots__:
        setattr(state, name, object())
    other = state.copy()
    assert all(getattr(other, name) is getattr(state, name) for name in State.__slots__)
