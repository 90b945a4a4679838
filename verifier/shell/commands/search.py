"""grep."""

from __future__ import annotations

import re

from verifier.model.record import replace
from verifier.model.text import EMPTY, Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import (
    Options,
    all_input,
    joined_lines,
    known,
    like,
    number,
    split_lines,
)
from verifier.shell.commands.regular import Expression, fixed, translate
from verifier.shell.texts import HOLE_MARK, marked

_LONG = {
    "--quiet": "q", "--silent": "q", "--extended-regexp": "E", "--fixed-strings": "F",
    "--invert-match": "v", "--only-matching": "o", "--count": "c", "--ignore-case": "i",
    "--line-regexp": "x", "--regexp": "e", "--max-count": "m", "--no-filename": "h",
    "--no-messages": "s", "--line-number": "n", "--word-regexp": "w", "--perl-regexp": "P",
}  # fmt: skip


def grep(call: Call) -> Result:
    name = (call.argv[0].known or "").rsplit("/", 1)[-1]
    options = Options(call.argv[1:], "qEFGPvocixhsnw", "em", _LONG)
    patterns = [known(value) for letter, value in options.values if letter == "e"]
    operands = list(options.operands)
    if not patterns:
        if not operands:
            raise NotModelled("grep without a pattern")
        patterns = [known(operands.pop(0))]
    if len(operands) > 1 or len(patterns) > 1 or "\n" in patterns[0]:
        raise NotModelled("several files or patterns")
    expression = _expression(patterns[0], name, options)
    text = all_input(call, operands)
    if text.known is None and options.has("q") and not options.has("v"):
        return _quiet(expression, text, options.has("x"))
    value = known(text)
    status_only = options.has("q") or options.has("c")
    if "\0" in value or not (status_only or value.isascii()):
        raise NotModelled("grep of a file that may count as binary")
    return _selected(expression, text, options)


def _expression(pattern: str, name: str, options: Options) -> Expression:
    if sum(map(options.has, "EFGP")) > 1:
        raise NotModelled("grep reports conflicting matchers")
    nocase = options.has("i")
    if options.has("w"):
        if options.has("o") or options.has("x"):
            raise NotModelled("grep -w with -o or -x")
        return _word(_plain_expression(pattern, name, options, nocase))
    return _plain_expression(pattern, name, options, nocase)


def _word(expression: Expression) -> Expression:
    """One whose matches have no letter, digit or underscore beside them."""
    plain = expression.pattern
    if plain.fullmatch("") is not None:
        raise NotModelled("grep -w of what matches nothing")
    bounded = re.compile(f"(?<!{_WORD})(?:{plain.pattern})(?!{_WORD})", plain.flags)
    return replace(expression, pattern=bounded, repeats=expression.repeats + 1, bytewise=False)


_WORD = "[A-Za-z0-9_]"


def _plain_expression(pattern: str, name: str, options: Options, nocase: bool) -> Expression:
    if options.has("P"):
        from verifier.shell.commands.perl import perl

        return perl(pattern, nocase=nocase)
    if options.has("F") or name == "fgrep":
        return fixed(pattern, nocase=nocase)
    extended = options.has("E") or name == "egrep"
    return translate(pattern, "extended" if extended else "basic", nocase=nocase)


def _quiet(expression: Expression, text: Text, whole: bool) -> Result:
    """`-q` on partly unknown text: one line that is known and matches is enough."""
    for line in marked(text)[0].split("\n")[:-1]:
        if HOLE_MARK not in line and _matches(expression, line, whole):
            return Result(EMPTY, 0)
    raise NotModelled(f"{text.holes[0].reason}")


def _selected(expression: Expression, text: Text, options: Options) -> Result:
    wanted = not options.has("v")
    chosen = [
        (place, line)
        for place, line in enumerate(split_lines(known(text)), 1)
        if _matches(expression, line, options.has("x")) is wanted
    ]
    most = options.value("m")
    if most is not None:
        chosen = chosen[: number(most)]
    status = 0 if chosen else 1
    if options.has("q"):
        return Result(EMPTY, status)
    if options.has("c"):
        return Result(like(f"{len(chosen)}\n", text), status)
    if options.has("o"):
        if options.has("v") or options.has("x"):
            raise NotModelled("grep -o with -v or -x")
        chosen = [(place, part) for place, line in chosen for part in _parts(expression, line)]
    numbered = options.has("n")
    shown = [f"{place}:{line}" if numbered else line for place, line in chosen]
    return Result(like(joined_lines(shown), text), status)


def _matches(expression: Expression, line: str, whole: bool) -> bool:
    return expression.whole(line) if whole else expression.found(line)


def _parts(expression: Expression, line: str) -> list[str]:
    parts: list[str] = []
    position = 0
    while position < len(line):
        match = expression.match(line, position)
        if match is None:
            break
        if match.end() == match.start():
            position = match.end() + 1
            continue
        # What a Perl expression keeps is behind `\K`.
        kept = match.re.groupindex.get("kept")
        parts.append(match.group() if kept is None else match.group(kept))
        position = match.end()
    return parts


MODELS: dict[str, Model] = {"grep": grep, "egrep": grep, "fgrep": grep}
