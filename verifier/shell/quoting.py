"""Bash's ways to quote a string for reuse, and the escapes of `$'…'`.

Source: bash 5.2, lib/sh/strtrans.c and lib/sh/shquote.c.
"""

from __future__ import annotations

import re
import unicodedata

_BACKSLASHED = frozenset(" \t\n!\"$&'()*,;<>?[\\]^`{|}")
_NAMED = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_NAMES = {"\x1b": "\\E", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r",
          "\t": "\\t", "\v": "\\v", "\\": "\\\\", "'": "\\'"}  # fmt: skip


def _printable(char: str) -> bool:
    if char.isprintable():
        return True
    # The C library prints format characters and wide blanks, which Python calls unprintable.
    return not char.isascii() and unicodedata.category(char) in ("Cf", "Co", "Zs")


def _ansi_c(value: str) -> str:
    parts = []
    for char in value:
        if char in _NAMES:
            parts.append(_NAMES[char])
        elif _printable(char):
            parts.append(char)
        else:
            parts += [f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape")]
    return f"$'{''.join(parts)}'"


def quote_printf(value: str) -> str:
    """`printf %q`: backslashes, or `$'…'` when there are control characters."""
    if not value:
        return "''"
    if not all(map(_printable, value)):
        return _ansi_c(value)
    parts = []
    for index, char in enumerate(value):
        before = value[index - 1] if index else ""
        if (
            char in _BACKSLASHED
            or (char == "#" and not before)
            or (char == "~" and before in ("", ":", "="))
        ):
            parts.append("\\")
        parts.append(char)
    return "".join(parts)


def quote_transform(value: str) -> str:
    """`${x@Q}`: single quotes, or `$'…'` when there are control characters."""
    if not all(map(_printable, value)):
        return _ansi_c(value)
    if value == "'":
        return "\\'"
    return "'" + value.replace("'", "'\\''") + "'"


_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{1,2})|x\{(?P<braced>[0-9a-fA-F]*)\}?"
    r"|u(?P<short>[0-9a-fA-F]{1,4})|U(?P<long>[0-9a-fA-F]{1,8})"
    r"|c(?P<control>\\\\|.)|(?P<named>[abeEfnrtv\\'\"?]))",
    re.DOTALL,
)


def utf8(code: int) -> bytes:
    """UTF-8 as bash encodes it, also for codes that Unicode does not have."""
    if code < 0x80:
        return bytes((code,))
    for size, first, bound in ((2, 0xC0, 0x800), (3, 0xE0, 0x10000), (4, 0xF0, 0x200000),
                               (5, 0xF8, 0x4000000), (6, 0xFC, 0x80000000)):  # fmt: skip
        if code < bound:
            tail = [0x80 | code >> 6 * i & 0x3F for i in range(size - 2, -1, -1)]
            return bytes((first | code >> 6 * (size - 1), *tail))
    return b""


def _unescaped(match: re.Match[str]) -> bytes:
    if match["named"]:
        return _NAMED[match["named"]].encode()
    if match["octal"]:
        return bytes((int(match["octal"], 8) & 0xFF,))
    digits = match["hex"] or match["braced"]
    if digits is not None:
        return bytes((int(digits or "0", 16) & 0xFF,))
    if match["control"]:
        control = match["control"][-1].encode("utf-8", "surrogateescape")
        code = 0x7F if control == b"?" else control[0] & 0x1F
        return bytes((code,)) + control[1:]
    return utf8(int(match["short"] or match["long"], 16))


def decode_ansi_c(text: str) -> str:
    """The characters that the inside of `$'…'` stands for. A NUL ends the string, as in bash."""
    if "\\" not in text:
        return text
    parts: list[bytes] = []
    position = 0
    for match in _ESCAPE.finditer(text):
        parts.append(text[position : match.start()].encode("utf-8", "surrogateescape"))
        parts.append(_unescaped(match))
        position = match.end()
        if b"\0" in parts[-1]:
            parts.pop()
            position = len(text)
            break
    parts.append(text[position:].encode("utf-8", "surrogateescape"))
    return b"".join(parts).decode("utf-8", "surrogateescape")


_PRINTF_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{1,2})|u(?P<short>[0-9a-fA-F]{1,4})"
    r"|U(?P<long>[0-9a-fA-F]{1,8})|(?P<named>[abeEfnrtv\\]))"
)
_ZERO_OCTAL = re.compile(r"\\0([0-7]{0,3})")


def decode_escape(text: str, position: int, place: str) -> tuple[str, int]:
    """The escape at `position` in a printf "format", a `%b` argument ("b") or `echo -e` ("echo").

    Gives its characters (odd bytes as surrogates) and where it ends; an unknown one stays as it
    is. `\\c` is the caller's.
    """
    zero = _ZERO_OCTAL.match(text, position) if place != "format" else None
    if zero is not None:
        code = bytes((int(zero[1] or "0", 8) & 0xFF,))
        return code.decode("utf-8", "surrogateescape"), zero.end()
    match = _PRINTF_ESCAPE.match(text, position)
    if match is None or (match["octal"] and place == "echo"):
        if place == "format" and text[position + 1 : position + 2] in ("'", '"', "?"):
            return text[position + 1], position + 2
        return "\\", position + 1
    if match["named"]:
        return _NAMED[match["named"]], match.end()
    if match["octal"] or match["hex"]:
        code = bytes((int(match["octal"] or match["hex"], 8 if match["octal"] else 16) & 0xFF,))
    else:
        code = utf8(int(match["short"] or match["long"], 16))
    return code.decode("utf-8", "surrogateescape"), match.end()
