"""Compiling shell patterns, and a matcher that cannot blow up.

The matcher moves sets of positions through the pattern, one bit per position, so a pattern of m
atoms costs m passes over the subject however many stars it has. Source for the corner cases:
bash 5.2, lib/glob/sm_loop.c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Lit, Text

STEP_LIMIT = 4_000_000
"""Machine words moved per operation before giving up."""


class TooComplex(Exception):
    """Deciding the match would take more steps than the limit."""


class Char(NamedTuple):
    """One character."""

    value: str


class Any(NamedTuple):
    """`?`."""


class Star(NamedTuple):
    """`*`."""


class Set(NamedTuple):
    """`[…]`: inclusive ranges and class names."""

    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]
    negated: bool


class Extended(NamedTuple):
    """`?(a|b)` and its kin."""

    operator: str
    alternatives: tuple[Atoms, ...]


class Same(NamedTuple):
    """A quoted hole: it matches its own, unknown characters."""

    symbol: str


class Anything(NamedTuple):
    """An unquoted hole: from here on the pattern is not known."""


Atom = Char | Any | Star | Set | Extended | Same | Anything
Atoms = tuple[Atom, ...]


class Pattern(NamedTuple):
    """A compiled pattern.

    `unsure`: a malformed bracket or group that bash treats its own way. `odd`: a `]` inside a
    bracket, whose length bash misjudges when it substitutes; or `""`, which is not quite the
    empty pattern.
    """

    atoms: Atoms
    nocase: bool = False
    unsure: bool = False
    odd: bool = False

    @property
    def literal(self) -> str | None:
        """The only string that matches, when there is just one."""
        values = [atom.value for atom in self.atoms if isinstance(atom, Char)]
        if self.nocase or self.unsure or len(values) != len(self.atoms):
            return None
        return "".join(values)


# --- parsing -----------------------------------------------------------------------------------


class _Unsure(Exception):
    pass


Token = tuple[str, bool] | Hole
"""A character and whether it is quoted; or a quoted hole."""


def _tokens(pieces: Sequence[tuple[Text, bool]]) -> tuple[list[Token], bool]:
    """Backslash escapes become quoted characters. True: an unquoted hole cuts the pattern short."""
    tokens: list[Token] = []
    escaped = False
    for text, quoted in pieces:
        for piece in text.pieces:
            if isinstance(piece, Lit):
                for char in piece.value:
                    if quoted or escaped:
                        tokens.append((char, True))
                        escaped = False
                    elif char == "\\":
                        escaped = True
                    else:
                        tokens.append((char, False))
            elif quoted:
                tokens.append(piece)
                escaped = False
            else:
                return tokens, True
    if escaped:
        tokens.append(("\\", True))
    return tokens, False


def compile_pattern(
    pieces: Sequence[tuple[Text, bool]], *, extglob: bool = True, nocase: bool = False
) -> Pattern:
    """Compile a pattern. An unclosed `[` is literal, as in bash."""
    tokens, cut_short = _tokens(pieces)
    parser = _Parser(tokens, extglob, cut_short)
    atoms = parser.sequence(0, len(tokens))
    if cut_short:
        # The hole may begin with "(" and turn a `*` or `@` before it into a group.
        if atoms and (not isinstance(atoms[-1], Char) or atoms[-1].value in "+@!"):
            atoms = atoms[:-1]
        atoms = (*atoms, Anything())
    empty = not tokens and any(quoted for _, quoted in pieces)
    return Pattern(atoms, nocase, parser.unsure, parser.odd or empty)


class _Parser:
    def __init__(self, tokens: list[Token], extglob: bool, cut_short: bool) -> None:
        self.tokens = tokens
        self.extglob = extglob
        self.cut_short = cut_short
        self.unsure = False
        self.odd = False

    def plain(self, index: int, end: int) -> str:
        """The unquoted character at `index`, else ""."""
        if index < end:
            token = self.tokens[index]
            if not isinstance(token, Hole) and not token[1]:
                return token[0]
        return ""

    def sequence(self, index: int, end: int) -> Atoms:
        atoms: list[Atom] = []
        while index < end:
            token = self.tokens[index]
            if isinstance(token, Hole):
                atoms.append(Same(token.symbol))
                index += 1
                continue
            char = self.plain(index, end)
            if self.extglob and char and char in "?*+@!" and self.plain(index + 1, end) == "(":
                group, index = self.group(char, index + 2, end)
                atoms.append(group)
                if isinstance(group, Anything):
                    break
                continue
            if char == "[":
                found = self.bracket(index + 1, end)
                if found is not None:
                    atoms.append(found[0])
                    index = found[1]
                    continue
                if self.cut_short and end == len(self.tokens):
                    break  # the hole may close the bracket
            if char == "*":
                if not atoms or not isinstance(atoms[-1], Star):
                    atoms.append(Star())
            else:
                atoms.append(Any() if char == "?" else Char(token[0]))
            index += 1
        return tuple(atoms)

    def group(self, operator: str, index: int, end: int) -> tuple[Extended | Anything, int]:
        bounds = self.group_bounds(index, end)
        if bounds is None:
            self.unsure = self.unsure or not self.cut_short
            return Anything(), end
        alternatives = []
        for start, stop in zip([index, *(b + 1 for b in bounds)], bounds, strict=False):
            alternatives.append(self.sequence(start, stop))
        return Extended(operator, tuple(alternatives)), bounds[-1] + 1

    def group_bounds(self, index: int, end: int) -> list[int] | None:
        """Where each alternative ends (bash's PATSCAN); None when the group is not closed."""
        bounds: list[int] = []
        depth = 0
        while index < end:
            char = self.plain(index, end)
            if char == "[":
                found = self.bracket(index + 1, end)
                if found is None:
                    return None
                index = found[1]
                continue
            if char == "(":
                depth += 1
            elif char == ")":
                if depth == 0:
                    return [*bounds, index]
                depth -= 1
            elif char == "|" and depth == 0:
                bounds.append(index)
            index += 1
        return None

    def bracket(self, index: int, end: int) -> tuple[Atom, int] | None:
        """The set whose inside starts at `index`, and where it ends; None when not closed."""
        negated = self.plain(index, end) in ("!", "^")
        index += negated
        first = index
        ranges: list[tuple[str, str]] = []
        classes: list[str] = []
        hole = False
        while index < end:
            char = self.plain(index, end)
            if char == "]" and index > first:
                if hole:
                    return Anything(), index + 1
                return Set(tuple(ranges), tuple(classes), negated), index + 1
            if char == "[" and self.plain(index + 1, end) in (":", "=", "."):
                name, index = self.named(self.plain(index + 1, end), index + 2, end)
                if self.plain(index, end) == "-" and self.plain(index + 1, end) != "]":
                    self.unsure = True  # a range from it
                if len(name) == 1:
                    ranges.append((name, name))
                else:
                    classes.append(name)
                continue
            token = self.tokens[index]
            if isinstance(token, Hole):
                hole = True
                index += 1
                continue
            low = high = token[0]
            self.odd = self.odd or low == "]"
            if self.plain(index + 1, end) == "-" and self.plain(index + 2, end) != "]":
                if index + 2 >= end:
                    break
                after = self.tokens[index + 2]
                if isinstance(after, Hole):
                    hole = True
                elif after == ("[", False) and self.plain(index + 3, end) in (":", "=", "."):
                    self.unsure = True
                else:
                    high = after[0]
                index += 2
            if low <= high:
                ranges.append((low, high))
            index += 1
        return None

    def named(self, kind: str, index: int, end: int) -> tuple[str, int]:
        """`[:alpha:]`, `[=a=]`, `[.a.]`: the name and where it ends."""
        name = ""
        start = index
        while index < end:
            if self.plain(index, end) == kind and self.plain(index + 1, end) == "]":
                # Bash takes the character after `[=a=]` as it stands, even a `]`.
                known = name in CLASSES if kind == ":" else len(name) == 1 and kind == "."
                self.unsure = self.unsure or not known
                return name, index + 2
            char = self.plain(index, end)
            if not char:
                break
            name += char
            index += 1
        self.unsure = True
        return "[", start


CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "ascii": str.isascii,
    "blank": lambda c: c in " \t",
    "cntrl": lambda c: ord(c) < 32 or 127 <= ord(c) < 160,
    "digit": lambda c: c in "0123456789",
    "graph": lambda c: c.isprintable() and not c.isspace(),
    "lower": str.islower,
    "print": str.isprintable,
    "punct": lambda c: c.isprintable() and not c.isalnum() and not c.isspace(),
    "space": lambda c: c in " \t\n\v\f\r",
    "upper": str.isupper,
    "word": lambda c: c.isalnum() or c == "_",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


def _in_set(atom: Set, char: str) -> bool:
    inside = any(low <= char <= high for low, high in atom.ranges) or any(
        CLASSES[name](char) for name in atom.classes
    )
    return inside != atom.negated


def fits(atom: Atom, char: str, nocase: bool) -> bool:
    """Whether a one-character atom matches `char`."""
    if isinstance(atom, Char):
        return atom.value == char or (nocase and atom.value.lower() == char.lower())
    if isinstance(atom, Set):
        return _in_set(atom, char) or (
            nocase and (_in_set(atom, char.lower()) or _in_set(atom, char.upper()))
        )
    return isinstance(atom, Any)


def reverse(atoms: Atoms) -> Atoms:
    """The pattern that matches the reversed strings."""
    return tuple(
        Extended(atom.operator, tuple(reverse(a) for a in atom.alternatives))
        if isinstance(atom, Extended)
        else atom
        for atom in reversed(atoms)
    )


# --- matching ----------------------------------------------------------------------------------


class Subject:
    """A text prepared for matching; position i is before the i-th symbol.

    A hole takes two symbols: position b is before it, b + 1 inside it (at least one of its
    characters passed), b + 2 after it. `outer` turns a position into one of the text.
    """

    def __init__(self, text: Text, *, backwards: bool = False) -> None:
        pieces = text.pieces[::-1] if backwards else text.pieces
        chars: list[str] = []
        self.size = 0
        self.symbols: list[tuple[int, str]] = []
        for piece in pieces:
            if isinstance(piece, Lit):
                chars.append(piece.value[::-1] if backwards else piece.value)
                self.size += len(piece.value)
            else:
                self.symbols.append((self.size, piece.symbol))
                chars.append("??")
                self.size += 2
        self.chars = "".join(chars)
        self.holes = sum(1 << i for i, _ in self.symbols)
        self.inside = self.holes << 1
        self.everything = (1 << (self.size + 1)) - 1
        self._masks: dict[tuple[Atom, bool], int] = {}
        self._steps = 0

    def outer(self, position: int) -> int:
        """The position as `texts.cut` counts, for one that is not inside a hole."""
        return position - sum(1 for start, _ in self.symbols if start < position)

    def mask(self, atom: Atom, nocase: bool) -> int:
        """The positions whose character a one-character atom matches."""
        found = self._masks.get((atom, nocase))
        if found is None:
            if isinstance(atom, Same):
                found = sum(1 << i for i, s in self.symbols if s == atom.symbol)
            elif self.chars:
                table = {c: "1" if fits(atom, c, nocase) else "0" for c in set(self.chars)}
                found = int("".join(map(table.__getitem__, self.chars[::-1])), 2)
                found &= ~(self.holes | self.inside)
            else:
                found = 0
            self._masks[atom, nocase] = found
        return found

    def ends(self, atoms: Atoms, starts: int, *, sure: bool, nocase: bool) -> int:
        """Where matches that begin in `starts` can end.

        `sure`: whatever the holes are. Otherwise: for some value of the holes; what an empty
        hole or the end of one adds is left to `close`.
        """
        for atom in atoms:
            if not starts:
                break
            starts = self._step(atom, starts, sure, nocase)
        return starts

    def close(self, places: int) -> int:
        """Add the places that are reached when holes are empty, or end."""
        while self.holes:
            more = places | (places & self.holes) << 2 | (places & self.inside) << 1
            if more == places:
                break
            places = more
        return places

    def _step(self, atom: Atom, starts: int, sure: bool, nocase: bool) -> int:
        self._steps += 1 + self.size // 64
        if self._steps > STEP_LIMIT:
            raise TooComplex(f"matching a pattern takes more than {STEP_LIMIT} steps")
        if not sure:
            if isinstance(atom, Star | Same | Anything):
                return self._onwards(starts)
            starts = self.close(starts)
        elif isinstance(atom, Star):
            return self._onwards(starts) & ~self.inside
        elif isinstance(atom, Anything):
            return 0
        if isinstance(atom, Extended):
            return self._extended(atom, starts, sure, nocase)
        if isinstance(atom, Same):
            return (starts & self.mask(atom, nocase)) << 2
        places = (starts & self.mask(atom, nocase)) << 1
        if not sure:
            places |= (starts & self.holes) << 1 | (starts & self.inside)
        return places

    def _onwards(self, starts: int) -> int:
        return self.everything & -(starts & -starts)

    def _either(self, atom: Extended, starts: int, sure: bool, nocase: bool) -> int:
        places = 0
        for alternative in atom.alternatives:
            places |= self.ends(alternative, starts, sure=sure, nocase=nocase)
        return places

    def _extended(self, atom: Extended, starts: int, sure: bool, nocase: bool) -> int:
        if atom.operator == "!":
            return self._none_of(atom, starts, sure, nocase)
        once = self._either(atom, starts, sure, nocase)
        if atom.operator == "@":
            return once
        if atom.operator == "?":
            return starts | once
        reached = new = once
        while new:
            new = self._either(atom, new, sure, nocase) & ~reached
            reached |= new
        return reached | starts if atom.operator == "*" else reached

    def _none_of(self, atom: Extended, starts: int, sure: bool, nocase: bool) -> int:
        places = 0
        for start in _bits(starts):
            reach = self._onwards(1 << start)
            if sure:
                reach &= ~self.close(self._either(atom, 1 << start, False, nocase))
                reach &= ~self.inside
            elif not self.inside >> start & 1:
                reach &= ~self._either(atom, 1 << start, True, nocase)
            places |= reach
            if places == self.everything:
                break
        return places


def _bits(value: int) -> Iterator[int]:
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low
