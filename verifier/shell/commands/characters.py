"""tr, for ASCII text."""

from __future__ import annotations

import re
import string

from verifier.model.text import Hole, Lit, Piece, Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import Options, known_ascii, standard_input
from verifier.shell.texts import derived

_ALL = [chr(code) for code in range(128)]
_CLASSES = {
    "alnum": string.digits + string.ascii_uppercase + string.ascii_lowercase,
    "alpha": string.ascii_uppercase + string.ascii_lowercase,
    "blank": "\t ",
    "cntrl": "".join(map(chr, [*range(32), 127])),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": "".join(c for c in map(chr, range(33, 127)) if not c.isalnum()),
    "space": "\t\n\v\f\r ",
    "upper": string.ascii_uppercase,
    "xdigit": string.digits + "ABCDEFabcdef",
}
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_TOKEN = re.compile(
    r"\[:(?P<class>[a-z]+):\]|\\(?P<octal>[0-7]{1,3})|\\(?P<escape>.)|(?P<end>\\$)|(?P<plain>.)",
    re.DOTALL,
)


def expand(text: str) -> list[str]:
    """The characters of a set. `[=c=]` and `[c*n]` are not modelled."""
    if re.search(r"\[=.=\]|\[.\*[0-9]*\]", text, re.DOTALL):
        raise NotModelled("equivalence classes and repetitions of tr")
    tokens: list[tuple[str, bool]] = []
    """Characters, and whether it is a class (which makes no range)."""
    for match in _TOKEN.finditer(text):
        if match["class"]:
            if match["class"] not in _CLASSES:
                raise NotModelled(f"the class {match['class']}")
            tokens.append((_CLASSES[match["class"]], True))
        elif match["octal"]:
            tokens.append((chr(int(match["octal"], 8)), False))
        elif match["escape"]:
            tokens.append((_ESCAPES.get(match["escape"], match["escape"]), False))
        else:
            tokens.append((match["plain"] or "\\", False))
    result: list[str] = []
    index = 0
    while index < len(tokens):
        value, whole = tokens[index]
        is_range = index + 2 < len(tokens) and tokens[index + 1] == ("-", False)
        if not whole and is_range and not tokens[index + 2][1]:
            low, high = ord(value), ord(tokens[index + 2][0])
            if low > high:
                raise NotModelled("a range of tr in reverse order")
            result += map(chr, range(low, high + 1))
            index += 3
        else:
            result += value
            index += 1
    return result


def tr(call: Call) -> Result:
    options = Options(
        call.argv[1:], "dscCt", long={"--delete": "d", "--squeeze-repeats": "s",
                                      "--complement": "c", "--truncate-set1": "t"},
        permute=False,
    )  # fmt: skip
    sets = [known_ascii(operand) for operand in options.operands]
    complement = options.has("c") or options.has("C")
    delete, squeeze = options.has("d"), options.has("s")
    allowed = {(False, False): (2,), (True, False): (1,), (False, True): (1, 2), (True, True): (2,)}
    if len(sets) not in allowed[delete, squeeze]:
        raise NotModelled("the number of sets of tr")
    if any(ord(c) > 127 for s in sets for c in expand(s)):
        raise NotModelled("bytes beyond ASCII")
    first = expand(sets[0])
    second = expand(sets[1]) if len(sets) == 2 else []
    chosen = [c for c in _ALL if c not in set(first)] if complement else first
    table: dict[str, str] = {}
    if delete:
        table = dict.fromkeys(chosen, "")
    elif second:
        table = _mapping(sets, chosen, second, complement, options.has("t"))
    elif len(sets) == 2:
        raise NotModelled("an empty second set")
    squeezed = set(second if len(sets) == 2 else chosen) if squeeze else set()
    return Result(_apply(standard_input(call), table, squeezed))


def _mapping(
    sets: list[str], first: list[str], second: list[str], complement: bool, truncate: bool
) -> dict[str, str]:
    classes = re.findall(r"\[:([a-z]+):\]", sets[1])
    if set(classes) - {"upper", "lower"} or (classes and complement):
        raise NotModelled("classes in the second set of tr")
    if classes and not {sets[0], sets[1]} <= {"[:upper:]", "[:lower:]"}:
        raise NotModelled("classes beside characters in the second set of tr")
    if complement and len(set(second)) > 1:
        raise NotModelled("a complement against several characters")
    if truncate:
        first = first[: len(second)]
    table: dict[str, str] = {}
    for index, char in enumerate(first):
        table[char] = second[min(index, len(second) - 1)]
    return table


def _apply(text: Text, table: dict[str, str], squeezed: set[str]) -> Text:
    if squeezed and text.holes:
        raise NotModelled(text.holes[0].reason)
    pieces: list[Piece] = []
    for piece in text.pieces:
        if isinstance(piece, Hole):
            name = "tr:" + ",".join(f"{a!r}{b!r}" for a, b in sorted(table.items()))
            pieces += derived(piece.reason, name, Text((piece,))).pieces
            continue
        if not piece.value.isascii():
            raise NotModelled("tr changes bytes, not characters")
        pieces.append(Lit("".join(table.get(c, c) for c in piece.value), piece.origin))
    if not squeezed:
        return Text(pieces)
    result: list[Piece] = []
    last = ""
    for piece in Text(pieces).pieces:
        assert isinstance(piece, Lit)
        kept: list[str] = []
        for char in piece.value:
            if char != last or char not in squeezed:
                kept.append(char)
            last = char
        result.append(Lit("".join(kept), piece.origin))
    return Text(result)


MODELS: dict[str, Model] = {"tr": tr}
