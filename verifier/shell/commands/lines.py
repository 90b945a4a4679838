"""sort, uniq, paste, cut, wc and rev."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import groupby, zip_longest

from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import (
    SAFE_ORDER,
    Options,
    all_input,
    inputs,
    joined_lines,
    known,
    known_ascii,
    like,
    split_lines,
)

_NUMBER = re.compile(r"[ \t]*(-?)([0-9]*)(?:\.([0-9]*))?", re.ASCII)


def _numeric(line: str) -> Fraction:
    """`sort -n`: the number that a line begins with, 0 when none."""
    match = _NUMBER.match(line)
    if match is None:
        return Fraction(0)
    value = Fraction(int((match[2] or "0")[:400]))
    if match[3]:
        value += Fraction(int(match[3][:400]), 10 ** len(match[3][:400]))
    return -value if match[1] else value


def _version(line: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})*", line, re.ASCII):
        raise NotModelled("version order of anything but numbers and dots")
    return tuple(map(int, line.split(".")))


def _field(line: str, start: int, end: int | None, separator: str | None) -> str:
    """`-k start,end`, whole fields."""
    if separator is not None:
        fields = line.split(separator)
        return separator.join(fields[start - 1 : end])
    fields = re.findall(r"[ \t]*[^ \t]+|[ \t]+$", line)
    return "".join(fields[start - 1 : end])


def sort(call: Call) -> Result:
    options = Options(
        call.argv[1:], "nrusVh", "kt",
        {"--numeric-sort": "n", "--reverse": "r", "--unique": "u", "--stable": "s",
         "--version-sort": "V", "--key": "k", "--field-separator": "t"},
    )  # fmt: skip
    text = all_input(call, options.operands)
    lines = split_lines(known(text))
    keys = [value for name, value in options.values if name == "k"]
    if options.has("h") or len(keys) > 1 or (options.has("n") and options.has("V")):
        raise NotModelled("this kind of sort")
    numeric, version = options.has("n"), options.has("V")
    reverse = options.has("r")
    extract = list(lines)
    if keys:
        match = re.fullmatch(r"([1-9][0-9]*)(?:,([1-9][0-9]*))?(n?)(r?)", known(keys[0]), re.ASCII)
        given = options.value("t")
        separator = None if given is None else known(given)
        if match is None or (separator is not None and len(separator) != 1):
            raise NotModelled("this sort key")
        numeric = numeric or bool(match[3])
        if match[4] or match[3]:
            # Options of the key leave the global ones to the last resort.
            if reverse or options.has("n"):
                raise NotModelled("sort options both global and in the key")
            reverse = bool(match[4])
        end = int(match[2]) if match[2] else None
        extract = [_field(line, int(match[1]), end, separator) for line in lines]
    by_bytes = call.by_bytes()
    ranks = _ranks(extract, numeric, version, by_bytes)
    order = sorted(range(len(lines)), key=lambda i: ranks[i], reverse=reverse)
    if options.has("u"):
        order = _first_of_each(order, ranks, lines)
    elif not options.has("s"):
        if by_bytes and not (keys and reverse):
            # Lines whose keys are equal are put in order as a whole.
            order = sorted(order, key=lambda i: (ranks[i], _bytes(lines[i])), reverse=reverse)
        else:
            _check_ties(order, ranks, lines)
    elif reverse:
        order = sorted(range(len(lines)), key=lambda i: ranks[i])
        groups = [list(g) for _, g in groupby(order, key=lambda i: ranks[i])]
        order = [i for group in reversed(groups) for i in group]
    return Result(like(joined_lines([lines[i] for i in order]), text))


_Rank = tuple[Fraction | int | str | bytes, ...]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _ranks(keys: list[str], numeric: bool, version: bool, by_bytes: bool) -> list[_Rank]:
    if numeric:
        return [(_numeric(key),) for key in keys]
    if version:
        return [_version(key) for key in keys]
    if by_bytes:
        return [(_bytes(key),) for key in keys]
    if not all(SAFE_ORDER.match(key) for key in keys) and len(set(keys)) > 1:
        raise NotModelled("the order of these characters depends on the locale")
    return [(key,) for key in keys]


def _first_of_each(order: list[int], ranks: list[_Rank], lines: list[str]) -> list[int]:
    """One line of each run of equal keys: the first in the input."""
    kept: list[int] = []
    for _, group in groupby(order, key=lambda i: ranks[i]):
        kept.append(min(group))
    return kept


def _check_ties(order: list[int], ranks: list[_Rank], lines: list[str]) -> None:
    """Equal keys are ordered by the whole lines, which the locale compares."""
    for _, group in groupby(order, key=lambda i: ranks[i]):
        if len({lines[i] for i in group}) > 1:
            raise NotModelled("lines with equal keys are ordered by the locale")


def uniq(call: Call) -> Result:
    options = Options(
        call.argv[1:], "cdu", long={"--count": "c", "--repeated": "d", "--unique": "u"}
    )
    if len(options.operands) > 1:
        raise NotModelled("uniq with an output file")
    text = all_input(call, options.operands)
    output: list[str] = []
    for line, group in groupby(split_lines(known(text))):
        count = len(list(group))
        if (options.has("d") and count == 1) or (options.has("u") and count > 1):
            continue
        output.append(f"{count:7d} {line}" if options.has("c") else line)
    return Result(like(joined_lines(output), text))


def _delimiters(value: str) -> list[str]:
    escapes = {"n": "\n", "t": "\t", "\\": "\\", "0": ""}
    found: list[str] = []
    for match in re.finditer(r"\\(.)|(.)", value, re.DOTALL):
        if match[1] and match[1] not in escapes:
            raise NotModelled("this delimiter of paste")
        found.append(escapes[match[1]] if match[1] else match[2])
    if value.endswith("\\") and len(re.findall(r"\\", value)) % 2:
        raise NotModelled("this delimiter of paste")
    return found or [""]


def paste(call: Call) -> Result:
    options = Options(call.argv[1:], "s", "d", {"--serial": "s", "--delimiters": "d"})
    given = options.value("d")
    delimiters = ["\t"] if given is None else _delimiters(known_ascii(given))
    if sum(name.known == "-" for name in options.operands) > 1 and options.has("s"):
        raise NotModelled("standard input several times")
    names = options.operands
    if sum(name.known == "-" for name in names) > 1:
        texts = [all_input(call, names[:1])]
        if any(name.known != "-" for name in names):
            raise NotModelled("standard input several times")
        lines = split_lines(known(texts[0]))
        rows = [lines[i : i + len(names)] for i in range(0, len(lines), len(names))]
        rows = [row + [""] * (len(names) - len(row)) for row in rows]
    else:
        texts = inputs(call, names)
        columns = [split_lines(known(text)) for text in texts]
        if options.has("s"):
            rows = columns
        else:
            rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    return Result(like(joined_lines([_pasted(row, delimiters) for row in rows]), texts[0]))


def _pasted(row: list[str], delimiters: list[str]) -> str:
    parts = row[:1]
    for index, value in enumerate(row[1:]):
        parts += [delimiters[index % len(delimiters)], value]
    return "".join(parts)


def _positions(value: str) -> list[tuple[int, int | None]]:
    ranges: list[tuple[int, int | None]] = []
    for item in re.split("[, ]", value):
        match = re.fullmatch(r"([1-9][0-9]*)?(-)?([1-9][0-9]*)?", item, re.ASCII)
        if match is None or not (match[1] or match[3]):
            raise NotModelled("this list of cut")
        low = int(match[1] or 1)
        high = (int(match[3]) if match[3] else None) if match[2] else low
        if high is not None and high < low:
            raise NotModelled("a decreasing range")
        ranges.append((low, high))
    return ranges


def cut(call: Call) -> Result:
    options = Options(
        call.argv[1:], "s", "dfcbo",
        {"--delimiter": "d", "--fields": "f", "--characters": "c", "--bytes": "b",
         "--only-delimited": "s", "--output-delimiter": "o"},
    )  # fmt: skip
    text = all_input(call, options.operands)
    kinds = [name for name, _ in options.values if name in "fcb"]
    if len(kinds) != 1:
        raise NotModelled("cut needs one list")
    chosen = options.value(kinds[0])
    assert chosen is not None
    ranges = _positions(known(chosen))
    given = options.value("d")
    delimiter = "\t" if given is None else known_ascii(given)
    if kinds[0] != "f":
        if given is not None or options.has("s") or options.has("o"):
            raise NotModelled("cut of characters with a delimiter")
        rows = [_selected(list(line), ranges) for line in split_lines(known_ascii(text))]
        return Result(like(joined_lines(["".join(row) for row in rows]), text))
    if len(delimiter) != 1:
        raise NotModelled("the delimiter of cut")
    if delimiter == "\n":
        raise NotModelled("cut at newlines")
    between = options.value("o")
    glue = delimiter if between is None else known(between)
    output: list[str] = []
    for line in split_lines(known(text)):
        if delimiter in line:
            output.append(glue.join(_selected(line.split(delimiter), ranges)))
        elif not options.has("s"):
            output.append(line)
    return Result(like(joined_lines(output), text))


def _selected(items: list[str], ranges: list[tuple[int, int | None]]) -> list[str]:
    return [
        item
        for index, item in enumerate(items, 1)
        if any(low <= index and (high is None or index <= high) for low, high in ranges)
    ]


def wc(call: Call) -> Result:
    options = Options(
        call.argv[1:], "lwcm",
        long={"--lines": "l", "--words": "w", "--bytes": "c", "--chars": "m"},
    )  # fmt: skip
    if len(options.operands) > 1:
        raise NotModelled("wc of several files")
    text = all_input(call, options.operands)
    asked = [letter for letter in "lwmc" if options.has(letter)] or ["l", "w", "c"]
    if asked == ["l"]:
        value = known(text)
    else:
        value = known_ascii(text)
    counts = {
        "l": value.count("\n"),
        "w": len(re.findall(r"[^ \t\n\v\f\r]+", value)),
        "m": len(value),
        "c": len(value),
    }
    if len(asked) == 1:
        shown = str(counts[asked[0]])
    elif options.operands:
        raise NotModelled("columns as wide as the file's size asks for")
    else:
        shown = " ".join(f"{counts[letter]:7d}" for letter in asked)
    name = f" {known(options.operands[0])}" if options.operands else ""
    return Result(like(f"{shown}{name}\n", text))


def rev(call: Call) -> Result:
    options = Options(call.argv[1:])
    text = all_input(call, options.operands)
    value = known_ascii(text)
    if value and not value.endswith("\n"):
        raise NotModelled("rev of a last line without an end")
    return Result(like(joined_lines([line[::-1] for line in split_lines(value)]), text))


MODELS: dict[str, Model] = {
    "sort": sort,
    "uniq": uniq,
    "paste": paste,
    "cut": cut,
    "wc": wc,
    "rev": rev,
}
