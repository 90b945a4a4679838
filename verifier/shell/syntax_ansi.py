"""The escapes of `$'…'`, as bash 5.2 decodes them (lib/sh/strtrans.c, `ansicstr`)."""

from __future__ import annotations

import re

# Compiled when it is first needed, as many scripts have none.
_ESCAPE = (
    r"\\(?:([0-7]{1,3})|x\{([0-9A-Fa-f]*)\}?|x([0-9A-Fa-f]{1,2})"
    r"|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(\\\\|[^\0])|(.))"
)
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}


def decode(body: str) -> str:
    """The text between `$'` and `'` after decoding; bytes that are no UTF-8 become surrogates.

    A NUL ends the string, as it does in bash. `\\u` and `\\U` are read as in a UTF-8 locale.
    """
    if "\\" not in body:
        return body
    position = 0
    pieces: list[bytes] = []
    for match in re.finditer(_ESCAPE, body, re.DOTALL):
        pieces.append(_encode(body[position : match.start()]))
        pieces.append(_decoded(match))
        position = match.end()
    pieces.append(_encode(body[position:]))
    raw = b"".join(pieces)
    return raw.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _decoded(match: re.Match[str]) -> bytes:
    octal, braced, hexadecimal, short, long, control, other = match.groups()
    if octal is not None:
        return bytes((int(octal, 8) & 0xFF,))
    if braced is not None:
        return bytes((int(braced or "0", 16) & 0xFF,))
    if hexadecimal is not None:
        return bytes((int(hexadecimal, 16),))
    if short is not None or long is not None:
        return _utf8(int(short or long, 16))
    if control is not None:
        char = control[0]
        return b"\x7f" if char == "?" else _encode(char.upper())[:1].translate(_CONTROL)
    simple = _SIMPLE.get(other)
    return _encode(match[0]) if simple is None else simple.encode()


_CONTROL = bytes((value ^ 0x40) & 0xFF for value in range(256))


def _utf8(code: int) -> bytes:
    """Bash encodes any 31-bit number, beyond Unicode too."""
    if code < 0x110000:
        return chr(code).encode("utf-8", "surrogatepass")
    lead, count = (0xF0, 3) if code < 0x200000 else (0xF8, 4) if code < 0x4000000 else (0xFC, 5)
    tail = [0x80 | (code >> (6 * index)) & 0x3F for index in range(count)]
    return bytes((lead | (code >> (6 * count)) & 0xFF, *reversed(tail)))
