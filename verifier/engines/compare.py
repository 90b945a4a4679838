"""Whether two launches set up the same speculation: by meaning, not by spelling."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from verifier.model.launch import Acceptance, Launch, Speculation, Value
from verifier.model.text import Text


def same_speculation(one: Launch, two: Launch) -> bool:
    """Whether both launches draft and accept in the same way.

    Spacing, key order, quoting and `=` do not count, nor does 2.490 against 2.49. A part that is
    not known equals another one only when both are the same unknown. An unread configuration is
    the same only in a command that is the same in full.
    """
    if one.engine != two.engine:
        return False
    if _unread(one.speculation) or _unread(two.speculation):
        return _identical(one, two)
    return (
        canonical(one.speculative_settings) == canonical(two.speculative_settings)
        and canonical(one.speculation) == canonical(two.speculation)
        and [canonical(s) for s in one.other_speculations]
        == [canonical(s) for s in two.other_speculations]
    )


def _unread(speculation: Speculation | None) -> bool:
    return (
        speculation is not None
        and speculation.method is None
        and speculation.method_written is None
        and bool(speculation.unknown)
    )


def _identical(one: Launch, two: Launch) -> bool:
    """Whether arguments, environment and files say the same, unknown parts included."""
    return (
        [(w.text, w.splits) for w in one.argv] == [(w.text, w.splits) for w in two.argv]
        and one.command.env == two.command.env
        and one.command.files == two.command.files
    )


def canonical(value: Value | Speculation | Acceptance) -> object:
    """The value in a form in which equal meanings are equal."""
    if isinstance(value, Speculation):
        return (
            value.method,
            value.draft_length,
            canonical(value.draft_model),
            value.draft_sample_method,
            value.block_verification,
            canonical(value.acceptance),
            value.copies_context,
        )
    if isinstance(value, Acceptance):
        return (value.kind, canonical(value.length), value.exact, value.unknown)
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, int | Decimal):
        number = Decimal(value)
        return ("number", object() if number.is_nan() else str(number.normalize()))
    if isinstance(value, Text):
        return ("text", value.key)
    if isinstance(value, str):
        return ("text", (value,) if value else ())
    if isinstance(value, Mapping):
        return ("map", frozenset((key, canonical(item)) for key, item in value.items()))
    if value is None:
        return None
    return ("list", tuple(canonical(item) for item in value))
