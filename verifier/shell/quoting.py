"""Bash's ways to quote a string for reuse, and the escapes of `$'…'`."""

from __future__ import annotations


def quote_printf(value: str) -> str:
    """`printf %q`: backslashes, or `$'…'` when there are control characters."""
    raise NotImplementedError


def quote_transform(value: str) -> str:
    """`${x@Q}` and `printf %Q` without precision: single quotes, or `$'…'`."""
    raise NotImplementedError


def decode_ansi_c(text: str) -> str:
    """The characters that the inside of `$'…'` stands for. A NUL ends the string, as in bash."""
    raise NotImplementedError
