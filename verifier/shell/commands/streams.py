"""cat, tee, head, tail and tac. Holes pass through where they cannot change what is cut."""

from __future__ import annotations

import re

from verifier.model.text import EMPTY, Lit, Text
from verifier.shell.commands import Call, Model, NotModelled, Result, Write
from verifier.shell.commands.common import (
    Options,
    all_input,
    joined_lines,
    known,
    like,
    split_lines,
    standard_input,
)
from verifier.shell.texts import cut, length


def cat(call: Call) -> Result:
    options = Options(call.argv[1:], "u")
    return Result(all_input(call, options.operands))


def tee(call: Call) -> Result:
    options = Options(call.argv[1:], "ai", long={"--append": "a", "--ignore-interrupts": "i"})
    text = standard_input(call)
    append = options.has("a")
    return Result(text, writes=tuple(Write(name, text, append) for name in options.operands))


def _count(call: Call) -> tuple[str, str, int, list[Text]]:
    """The unit ("n" lines, "c" bytes), the sign, the number, and the operands of head or tail."""
    arguments = list(call.argv[1:])
    first = arguments[0].known if arguments else None
    if first is not None and re.fullmatch(r"-[0-9]+", first, re.ASCII):
        arguments[0:1] = [like("-n" + first[1:], arguments[0])]
    options = Options(arguments, "q", "nc", {"--lines": "n", "--bytes": "c", "--quiet": "q"})
    if len(options.operands) > 1:
        raise NotModelled("head and tail of more than one file")
    unit, value = "n", "10"
    for name, text in options.values:
        if name in "nc":
            unit, value = name, known(text)
    match = re.fullmatch(r"([-+]?)([0-9]{1,12})", value, re.ASCII)
    if match is None:
        raise NotModelled(f"{value!r} is not a plain number")
    return unit, match[1], int(match[2]), options.operands


def _first_lines(text: Text, count: int) -> Text:
    """The first lines, when all of them end before a hole."""
    position = 0
    for piece in text.pieces:
        if count == 0:
            break
        if not isinstance(piece, Lit):
            raise NotModelled(f"{piece.reason}")
        start = 0
        while count and (found := piece.value.find("\n", start)) >= 0:
            start = found + 1
            count -= 1
        position += start if not count else len(piece.value)
    return cut(text, 0, position)


def _last_lines(text: Text, count: int) -> Text:
    """The last lines, when all of them begin behind the last hole."""
    if count == 0:
        return EMPTY
    position = length(text)
    last = True
    for piece in reversed(text.pieces):
        if not isinstance(piece, Lit):
            raise NotModelled(f"{piece.reason}")
        value = piece.value
        end = len(value) - 1 if last and value.endswith("\n") else len(value)
        last = False
        while (found := value.rfind("\n", 0, end)) >= 0:
            count -= 1
            if count == 0:
                return cut(text, position - len(value) + found + 1)
            end = found
        position -= len(value)
    return text


def head(call: Call) -> Result:
    unit, sign, count, operands = _count(call)
    text = all_input(call, operands)
    if unit == "n" and sign != "-":
        return Result(_first_lines(text, count))
    return Result(_all_but(text, unit, count) if sign == "-" else _bytes(text, 0, count))


def _all_but(text: Text, unit: str, count: int) -> Text:
    if unit == "n":
        lines = known(text).splitlines(keepends=True) if known(text).isascii() else None
        if lines is None or re.search(r"[\v\f\r\x1c-\x1e]", known(text)):
            raise NotModelled("odd line ends")
        return cut(text, 0, sum(map(len, lines[: max(len(lines) - count, 0)])))
    return _bytes(text, 0, max(length(text) - count, 0))


def _bytes(text: Text, start: int, end: int | None) -> Text:
    if not known(text).isascii():
        raise NotModelled("a cut between bytes")
    return cut(text, start, end)


def tail(call: Call) -> Result:
    unit, sign, count, operands = _count(call)
    text = all_input(call, operands)
    if unit == "c":
        size = length(text)
        return Result(
            _bytes(text, max(count - 1, 0) if sign == "+" else max(size - count, 0), None)
        )
    if sign == "+":
        return Result(cut(text, length(_first_lines(text, max(count - 1, 0)))))
    return Result(_last_lines(text, count))


def tac(call: Call) -> Result:
    options = Options(call.argv[1:])
    text = all_input(call, options.operands)
    value = known(text)
    if value and not value.endswith("\n"):
        raise NotModelled("tac of a last line without an end")
    return Result(like(joined_lines(split_lines(value)[::-1]), text))


MODELS: dict[str, Model] = {"cat": cat, "tee": tee, "head": head, "tail": tail, "tac": tac}
