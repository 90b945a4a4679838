"""Field splitting by IFS."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Lit, Piece, Text, lit
from verifier.shell.texts import derived

DEFAULT_IFS = lit(" \t\n")


class Fragment(NamedTuple):
    """A stretch of an expanded word.

    `quoted` fragments keep their characters and make a field even when empty. `splits` marks
    the result of an unquoted expansion, the only thing that IFS splits; unquoted literal
    characters have neither. `breaks`: it is another element of `$@` (or of `$*`, an array)
    than the fragment before it.
    """

    text: Text
    quoted: bool = False
    splits: bool = False
    breaks: bool = False


class Field(NamedTuple):
    """One word, with its quoting kept for pathname expansion.

    `many`: the field holds an unquoted hole that may split, so it stands for any number of
    words, none included.
    """

    fragments: tuple[Fragment, ...]
    many: bool = False

    @property
    def text(self) -> Text:
        """The characters, quotes gone."""
        return Text(piece for fragment in self.fragments for piece in fragment.text.pieces)


_BLANKS = " \t\n"


class _Splitter:
    """Collects fields from fragments, by the rules of POSIX 2.6.5 and bash's list_string."""

    def __init__(self, ifs: Text | None) -> None:
        known = DEFAULT_IFS.known if ifs is None else ifs.known
        self.separators = known or ""
        self.unknown = known is None
        run = f"[^{re.escape(self.separators)}]+|." if self.separators else ".+"
        self.runs = re.compile(run, re.DOTALL)
        self.fields: list[Field] = []
        self.current: list[Fragment] = []
        self.started = False
        self.many = False
        self.after_blank = False
        """The last field ended at a blank, so one other separator still belongs to that end."""

    def finish(self) -> None:
        if self.started:
            self.fields.append(Field(tuple(self.current), self.many))
        self.current = []
        self.started = self.many = False

    def add(self, fragment: Fragment) -> None:
        if fragment.breaks and fragment.splits and self.separators:
            # Bash joins unquoted elements with the first separator, and then splits.
            self.split(Lit(self.separators[0]))
        elif fragment.breaks:
            self.finish()
            self.after_blank = False
        if fragment.splits and not fragment.quoted:
            for piece in fragment.text.pieces:
                self.split(piece)
        elif fragment.text or fragment.quoted:
            self.keep(fragment._replace(breaks=False) if fragment.breaks else fragment)

    def keep(self, fragment: Fragment) -> None:
        self.current.append(fragment)
        self.started = True
        self.after_blank = False

    def split(self, piece: Piece) -> None:
        if isinstance(piece, Hole):
            self.many = self.many or not self.one_word(piece)
            self.keep(Fragment(Text((piece,)), splits=True))
            return
        if self.unknown:
            self.many = True
            self.keep(Fragment(Text((piece,)), splits=True))
            return
        for match in self.runs.finditer(piece.value):
            run = match.group()
            if run[0] not in self.separators:
                self.keep(Fragment(lit(run, piece.origin), splits=True))
            elif run in _BLANKS:
                if self.started:
                    self.finish()
                    self.after_blank = True
            elif self.started or not self.after_blank:
                self.started = True
                self.finish()
            else:
                self.after_blank = False

    def one_word(self, hole: Hole) -> bool:
        """Whether the hole has no separator in it and is not empty."""
        if self.unknown:
            return False
        if hole.choices is not None:
            return all(c and not set(c) & set(self.separators) for c in hole.choices)
        from verifier.shell.questions import NUMBERS

        return hole.symbol.startswith(NUMBERS) and not set("-0123456789") & set(self.separators)


def split_fields(fragments: Iterable[Fragment], ifs: Text | None) -> list[Field]:
    """The fields of one word. `ifs` is the value of IFS, None when unset (the default one).

    An unquoted expansion to nothing makes no field; `""` makes one.
    """
    splitter = _Splitter(ifs)
    for fragment in fragments:
        splitter.add(fragment)
    splitter.finish()
    return splitter.fields


def split_read(line: Text, ifs: Text | None, count: int | None, *, raw: bool) -> list[Text] | None:
    """The fields that `read` assigns to `count` names (None: `read -a`, all of them).

    With fewer names than fields the last one gets the rest of the line, its separators kept.
    `raw` is `read -r`. The list may be shorter than `count`. None when holes leave it open.
    A name whose value depends on a hole gets a hole of its own.
    """
    if ifs is not None and ifs.known is None:
        return None
    separators = (DEFAULT_IFS if ifs is None else ifs).known or ""
    known, rest = _up_to_hole(line)
    chars = _unescaped(known, raw)
    if chars is None:
        return None
    if count is None:
        if rest:
            return None
        fragments = [Fragment(lit(c), quoted=q, splits=not q) for c, q in chars]
        return [field.text for field in split_fields(fragments, ifs)]
    return _assign(chars, rest, line, separators, count)


def _up_to_hole(line: Text) -> tuple[str, bool]:
    values: list[str] = []
    for piece in line.pieces:
        if isinstance(piece, Hole):
            return "".join(values), True
        values.append(piece.value)
    return "".join(values), False


def _unescaped(value: str, raw: bool) -> list[tuple[str, bool]] | None:
    """Characters and whether a backslash protects them."""
    chars: list[tuple[str, bool]] = []
    position = 0
    while position < len(value):
        if value[position] == "\\" and not raw:
            position += 1
            if position == len(value):
                break
            if value[position] != "\n":
                chars.append((value[position], True))
        else:
            chars.append((value[position], False))
        position += 1
    return chars


def _assign(
    chars: list[tuple[str, bool]], hole: bool, line: Text, separators: str, count: int
) -> list[Text]:
    size = len(chars)

    def separator(index: int, blank: bool | None = None) -> bool:
        char, quoted = chars[index]
        return not quoted and char in separators and blank in (None, char in _BLANKS)

    def is_blank(index: int) -> bool:
        return chars[index][0] in _BLANKS

    def skip_blanks(index: int) -> int:
        while index < size and separator(index, True):
            index += 1
        return index

    def word(index: int) -> tuple[int, int]:
        """Where the word from `index` ends, and where the next one begins."""
        end = index
        while end < size and not separator(end):
            end += 1
        after = end
        if after < size:
            blank = separator(after, True)
            after = skip_blanks(after + 1)
            if blank and after < size and separator(after, False):
                after = skip_blanks(after + 1)
        return end, after

    def value(start: int, end: int) -> Text:
        return lit("".join(c for c, _ in chars[start:end]))

    fields: list[Text] = []
    position = skip_blanks(0)
    while len(fields) < count and (position < size or hole):
        end, after = word(position)
        # Up to a hole nothing is decided but words that end before it.
        if hole and after == size:
            break
        if len(fields) == count - 1:
            if hole:
                break
            if after < size:
                end = size
                # Here even blanks behind a backslash go.
                while end > position and chars[end - 1][0] in separators and is_blank(end - 1):
                    end -= 1
        fields.append(value(position, end))
        position = after
    if hole:
        reason = line.holes[0].reason
        for index in range(len(fields), count):
            fields.append(derived(reason, f"read:{index}/{count}:{separators!r}", line))
    return fields
