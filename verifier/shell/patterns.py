"""Shell patterns (globs and extended globs) over text that may have holes.

A pattern is a sequence of (text, quoted) pieces as expansion left them: quoted pieces match
themselves. Every operation answers for bash 5.2 in a UTF-8 locale; None means that the holes
leave the answer open. All of them raise TooComplex on hostile input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.model.text import EMPTY, Hole, Lit, Piece, Text, lit
from verifier.shell.globs import (
    Anything,
    Atoms,
    Char,
    Extended,
    Pattern,
    Same,
    Star,
    Subject,
    TooComplex,
    compile_pattern,
    fits,
    reverse,
)
from verifier.shell.texts import cut, derived, join, length

__all__ = [
    "Pattern",
    "Pieces",
    "TooComplex",
    "change_case",
    "compile_pattern",
    "has_glob",
    "match_paths",
    "matches",
    "remove_prefix",
    "remove_suffix",
    "substitute",
]

Pieces = Sequence[tuple[Text, bool]]


def matches(pattern: Pattern, subject: Text) -> bool | None:
    """Whether the whole subject matches (`case`, `[[ == ]]`)."""
    if pattern.unsure:
        return None
    literal = pattern.literal
    if literal is not None and subject.known is not None:
        return literal == subject.known
    prepared = Subject(subject)
    nocase = pattern.nocase
    if prepared.ends(pattern.atoms, 1, sure=True, nocase=nocase) >> prepared.size & 1:
        return True
    possible = prepared.ends(pattern.atoms, 1, sure=False, nocase=nocase)
    if prepared.close(possible) >> prepared.size & 1:
        return None
    return False


def has_glob(pieces: Pieces, *, extglob: bool = False) -> bool | None:
    """Whether pathname expansion applies: an unquoted `*`, `?`, `[…]` or extended glob."""
    if any(text.holes and not quoted for text, quoted in pieces):
        return None
    if not any(c in "*?[+@!" for text, quoted in pieces if not quoted for c in text.known or ""):
        return False
    pattern = compile_pattern(pieces, extglob=extglob)
    return pattern.unsure or any(not isinstance(a, Char | Same) for a in pattern.atoms)


def _components(pieces: Pieces) -> list[list[tuple[Text, bool]]]:
    """The pattern cut at each "/", quoted or not."""
    components: list[list[tuple[Text, bool]]] = [[]]
    for text, quoted in pieces:
        for index, part in enumerate((text.known or "").split("/")):
            if index:
                components.append([])
            components[-1].append((lit(part), quoted))
    return components


def match_paths(
    pieces: Pieces,
    paths: Sequence[str],
    *,
    extglob: bool = False,
    dotglob: bool = False,
    nocase: bool = False,
) -> list[str] | None:
    """The paths among `paths` (relative, "/"-separated) that the glob names, sorted by byte.

    `*` and `?` do not match "/" nor, without `dotglob`, a leading dot. None when the pattern
    has holes or is not decided by these rules.
    """
    if any(text.holes for text, _ in pieces):
        return None
    patterns = [compile_pattern(c, extglob=extglob, nocase=nocase) for c in _components(pieces)]
    if any(p.unsure or (p.atoms and isinstance(p.atoms[0], Extended)) for p in patterns):
        return None
    found = []
    for path in paths:
        names = path.split("/")
        if len(names) == len(patterns) and all(
            _names(pattern, name, dotglob) for pattern, name in zip(patterns, names, strict=True)
        ):
            found.append(path)
    return sorted(found)


def _names(pattern: Pattern, name: str, dotglob: bool) -> bool:
    wildcard = not pattern.atoms or pattern.atoms[0] != Char(".")
    if wildcard and name.startswith(".") and (not dotglob or name in (".", "..")):
        return False
    return matches(pattern, lit(name)) is True


def _extreme(subject: Subject, atoms: Atoms, start: int, nocase: bool, longest: bool) -> int | None:
    """The end of the longest or shortest match from `start`: -1 for none, None when open."""
    possible = subject.ends(atoms, 1 << start, sure=False, nocase=nocase)
    if not possible:
        return -1
    if longest:
        end = possible.bit_length() - 1
    else:
        end = (possible & -possible).bit_length() - 1
    if not subject.holes and not any(isinstance(a, Same | Anything) for a in atoms):
        return end
    sure = subject.ends(atoms, 1 << start, sure=True, nocase=nocase)
    return end if sure >> end & 1 else None


def remove_prefix(text: Text, pattern: Pattern, *, longest: bool) -> Text | None:
    """`${x#p}`, `${x##p}`."""
    if pattern.unsure:
        return None
    subject = Subject(text)
    end = _extreme(subject, pattern.atoms, 0, pattern.nocase, longest)
    if end is None:
        return None
    return cut(text, subject.outer(end)) if end > 0 else text


def remove_suffix(text: Text, pattern: Pattern, *, longest: bool) -> Text | None:
    """`${x%p}`, `${x%%p}`."""
    if pattern.unsure:
        return None
    subject = Subject(text, backwards=True)
    end = _extreme(subject, reverse(pattern.atoms), 0, pattern.nocase, longest)
    if end is None:
        return None
    return cut(text, 0, length(text) - subject.outer(end)) if end > 0 else text


# --- substitution ------------------------------------------------------------------------------


def _replacement(pieces: Pieces) -> list[Text | None] | str:
    """The replacement cut at each active `&` (None in the list); a reason when not decided."""
    parts: list[Text | None] = []
    escaped = False
    for text, quoted in pieces:
        if quoted:
            if escaped and text:
                return "a backslash before quoted text in a replacement"
            parts.append(text)
            continue
        for piece in text.pieces:
            if isinstance(piece, Hole):
                return "an unquoted hole in a replacement may hold an ampersand"
            plain = ""
            for char in piece.value:
                if escaped:
                    plain += char if char in "\\&" else "\\" + char
                    escaped = False
                elif char == "\\":
                    escaped = True
                elif char == "&":
                    parts += [lit(plain, piece.origin), None]
                    plain = ""
                else:
                    plain += char
            parts.append(lit(plain, piece.origin))
    if escaped:
        parts.append(lit("\\"))
    return parts


def substitute(text: Text, pattern: Pattern, replacement: Pieces, *, mode: str) -> Text | None:
    """`${x/p/r}`; `mode` is the operator: `/` first, `//` all, `/#` at the start, `/%` at the end.

    An unquoted `&` in the replacement is the matched text and `\\&` a plain `&`
    (`patsub_replacement`, on by default in 5.2). Quoted means quoted inside the braces: the `$r`
    of `"${x/p/$r}"` is not.
    """
    if pattern.unsure or pattern.odd:
        return None
    parts = _replacement(replacement)

    def insert(matched: Text) -> Text:
        if isinstance(parts, str):
            return derived(parts, "replacement", matched, *(t for t, _ in replacement))
        return join(matched if part is None else part for part in parts)

    if not pattern.atoms:
        if mode == "/#":
            return insert(EMPTY) + text
        return text + insert(EMPTY) if mode == "/%" else text
    anchored_or_empty = (len(mode) == 2 and mode != "//") or not any(
        isinstance(piece, Lit) for piece in text.pieces
    )
    if anchored_or_empty and pattern.atoms != (Star(),) and matches(pattern, EMPTY) is not False:
        return None  # bash's short cuts for empty matches do not follow the pattern
    if mode == "/%":
        subject = Subject(text, backwards=True)
        end = _extreme(subject, reverse(pattern.atoms), 0, pattern.nocase, True)
        if end is None or end < 0:
            return None if end is None else text
        start = length(text) - subject.outer(end)
        return cut(text, 0, start) + insert(cut(text, start))
    subject = Subject(text)
    if mode == "/#":
        end = _extreme(subject, pattern.atoms, 0, pattern.nocase, True)
        if end is None or end < 0:
            return None if end is None else text
        end = subject.outer(end)
        return insert(cut(text, 0, end)) + cut(text, end)
    literal = pattern.literal
    if literal is not None and text.known is not None:
        return _substitute_literal(text, literal, insert, every=mode == "//")
    if subject.holes and mode == "//" and _one_character(pattern.atoms):
        return _substitute_characters(text, pattern, insert)
    return _substitute_search(text, subject, pattern, insert, every=mode == "//")


def _substitute_literal(
    text: Text, literal: str, insert: Callable[[Text], Text], *, every: bool
) -> Text:
    value = text.known or ""
    parts: list[Text] = []
    position = 0
    while (found := value.find(literal, position)) >= 0:
        end = found + len(literal)
        parts += [cut(text, position, found), insert(cut(text, found, end))]
        position = end
        if not every:
            break
    return join([*parts, cut(text, position)]) if parts else text


def _one_character(atoms: Atoms) -> bool:
    return len(atoms) == 1 and not isinstance(atoms[0], Star | Extended | Same | Anything)


def _substitute_characters(text: Text, pattern: Pattern, insert: Callable[[Text], Text]) -> Text:
    """Every match is one character, so a hole changes on its own and the rest is known."""
    atom = pattern.atoms[0]
    parts: list[Text] = []
    for piece in text.pieces:
        if isinstance(piece, Hole):
            name = f"//{atom!r}{insert(lit('.')).key!r}"
            parts.append(derived(piece.reason, name, Text((piece,))))
        else:
            for char in piece.value:
                one = lit(char, piece.origin)
                parts.append(insert(one) if fits(atom, char, pattern.nocase) else one)
    return join(parts)


def _substitute_search(
    text: Text, subject: Subject, pattern: Pattern, insert: Callable[[Text], Text], *, every: bool
) -> Text | None:
    """Leftmost, longest."""
    nocase = pattern.nocase
    backwards = Subject(text, backwards=True)
    everywhere = backwards.everything
    starts = backwards.ends(reverse(pattern.atoms), everywhere, sure=False, nocase=nocase)
    starts = backwards.close(starts)
    size = subject.size
    parts: list[Text] = []
    copied = position = 0
    while position <= size:
        # Bit i of `starts` counts from the end, because it was found backwards.
        remaining = starts & ((1 << (size - position + 1)) - 1)
        if not remaining:
            break
        position = size - remaining.bit_length() + 1
        if position == size and size:
            break  # bash does not look for an empty match at the end
        end = _extreme(subject, pattern.atoms, position, nocase, True)
        if end is None or (subject.holes | subject.inside) >> position & 1:
            return None
        if end < 0:
            position += 1
            continue
        here, there = subject.outer(position), subject.outer(end)
        parts += [cut(text, copied, here), insert(cut(text, here, there))]
        copied = there
        position = max(end, position + 1)
        if not every or position >= size:
            break
    return join([*parts, cut(text, copied)]) if parts else text


# --- case --------------------------------------------------------------------------------------


def change_case(text: Text, operator: str, pattern: Pattern | None) -> Text | None:
    """`${x^p}` and its kin; `@U`, `@u`, `@L` are `^^`, `^`, `,,` without a pattern."""
    operator = {"@U": "^^", "@u": "^", "@L": ",,"}.get(operator, operator)
    if pattern is not None and (
        pattern.unsure or any(isinstance(a, Anything) for a in pattern.atoms)
    ):
        return None
    if pattern is not None and not pattern.atoms and not pattern.odd:
        pattern = None
    only_first = len(operator) == 1
    pieces: list[Piece] = []
    for index, piece in enumerate(text.pieces):
        if only_first and index:
            pieces.append(piece)
        elif isinstance(piece, Lit):
            value = piece.value[:1] if only_first else piece.value
            if any(not c.isascii() and (pattern is None or _may_match(pattern, c)) for c in value):
                return None  # depends on the locale
            changed = "".join(_other_case(c, operator, pattern) for c in value)
            pieces.append(Lit(changed + piece.value[len(value) :], piece.origin))
        elif only_first:
            return None  # an empty hole would make the next character the first
        else:
            name = operator + (repr(pattern.atoms) if pattern else "")
            pieces.extend(derived(piece.reason, name, Text((piece,))).pieces)
    return Text(pieces)


def _may_match(pattern: Pattern, char: str) -> bool:
    return matches(pattern, lit(char)) is not False


def _other_case(char: str, operator: str, pattern: Pattern | None) -> str:
    if pattern is not None and matches(pattern, lit(char)) is not True:
        return char
    if operator[0] == "~":
        return char.swapcase()
    return char.upper() if operator[0] == "^" else char.lower()
