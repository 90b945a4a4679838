"""grep."""

from __future__ import annotations

from verifier.model.text import EMPTY
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
from verifier.shell.commands.regex import Expression, compile_posix

_LONG = {
    "--quiet": "q", "--silent": "q", "--extended-regexp": "E", "--fixed-strings": "F",
    "--invert-match": "v", "--only-matching": "o", "--count": "c", "--ignore-case": "i",
    "--line-regexp": "x", "--regexp": "e", "--max-count": "m", "--no-filename": "h",
    "--no-messages": "s",
}  # fmt: skip


def grep(call: Call) -> Result:
    name = (call.argv[0].known or "").rsplit("/", 1)[-1]
    options = Options(call.argv[1:], "qEFGvocixhsn", "em", _LONG)
    patterns = [known(value) for letter, value in options.values if letter == "e"]
    operands = list(options.operands)
    if not patterns:
        if not operands:
            raise NotModelled("grep without a pattern")
        patterns = [known(operands.pop(0))]
    if len(operands) > 1 or len(patterns) > 1 or "\n" in patterns[0]:
        raise NotModelled("several files or patterns")
    fixed = options.has("F") or name == "fgrep"
    if sum(map(options.has, "EFG")) > 1:
        raise NotModelled("grep reports conflicting matchers")
    extended = options.has("E") or name == "egrep"
    pattern = patterns[0]
    if fixed:
        pattern = "".join(f"[{c}]" if c not in "^\\]" else f"\\{c}" for c in pattern if c != "]")
        if "]" in patterns[0] or not patterns[0].isascii():
            raise NotModelled("this fixed string")
    expression = compile_posix(pattern, extended=extended, nocase=options.has("i"))
    text = all_input(call, operands)
    lines = split_lines(known(text))
    if options.has("n"):
        raise NotModelled("line numbers of grep")
    chosen = [line for line in lines if _matches(expression, line, options.has("x"))]
    if options.has("v"):
        chosen = [line for line in lines if not _matches(expression, line, options.has("x"))]
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
        chosen = [part for line in chosen for part in _parts(expression, line)]
    return Result(like(joined_lines(chosen), text), status)


def _matches(expression: Expression, line: str, whole: bool) -> bool:
    if whole:
        if expression.matches(line) is None:
            return False
        return expression.compiled.fullmatch(line) is not None
    return expression.matches(line) is not None


def _parts(expression: Expression, line: str) -> list[str]:
    parts: list[str] = []
    position = 0
    while position < len(line):
        match = expression.search(line, position)
        if match is None:
            break
        if match.end() == match.start():
            position = match.end() + 1
            continue
        parts.append(match.group())
        position = match.end()
    return parts


MODELS: dict[str, Model] = {"grep": grep, "egrep": grep, "fgrep": grep}
