"""`${…}`: names, subscripts and the operators behind them."""

from __future__ import annotations

import re

from verifier.shell.nodes import BadPart, Literal, Parameter, Part, Word
from verifier.shell.syntax_words import (
    DEFAULT_RUN,
    PATTERN_RUN,
    REPLACED_RUN,
    Words,
    merged,
)

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_LENGTH = re.compile(rf"#(?:({_NAME})(?=[}}\[])|([0-9]+|[*@#?$!-])(?=}}))")
_PREFIX = re.compile(rf"!({_NAME})([*@])}}")
_INDIRECT = re.compile(r"!(?=[A-Za-z0-9_]|[@*#?][^}]*})")
_HEAD = re.compile(rf"({_NAME})|[0-9]+|[*@#?$!-]")
_OPERATOR = re.compile(r"@[QEPAKakUuL](?=\})|:[-=?+]|##?|%%?|//?|\^\^?|,,?|~~?|[-=?+:]")
_ALL = re.compile(r"\[([@*])\]")
_OFFSET_RUN = re.compile(r"[^:?()}\"'$`\\\0]+")

_UNFINISHED = frozenset(("%", "=", "+", "/", "^", ","))
"""Operators that `$#` does not take alone."""
_DEFAULTS = frozenset(("-", "=", "?", "+", ":-", ":=", ":?", ":+"))


class Parameters(Words):
    """Reads `${…}`, the position being behind the brace."""

    def braced(self, start: int, quoted: bool, document: bool) -> Part:
        part = self._parameter(start, quoted, document)
        return part if part is not None else self._bad_substitution(start, quoted, document)

    def _bad_substitution(self, start: int, quoted: bool, document: bool) -> BadPart:
        """Pass the rest: bash complains about the form when it expands it, not when it reads it."""
        self._default(quoted, document)
        self._close(start)
        text = self.text[start : self.pos]
        shown = text if len(text) < 60 else text[:57] + "..."
        return BadPart(f"{shown}: bad substitution", start, self.pos)

    def _close(self, start: int) -> None:
        if self.text[self.pos] != "}":
            self.unclosed("}", start)
        self.pos += 1

    def _parameter(self, start: int, quoted: bool, document: bool) -> Parameter | None:
        text = self.text
        indirect = length = False
        match = _LENGTH.match(text, self.pos)
        if match is not None:
            length = True
            self.pos = match.end()
            name = match[1] or match[2]
            plain = match[1] is not None
        else:
            match = _PREFIX.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                return Parameter(
                    match[1], None, "", None, None, False, True, match[2], start, self.pos
                )
            match = _INDIRECT.match(text, self.pos)
            if match is not None:
                indirect = True
                self.pos = match.end()
            match = _HEAD.match(text, self.pos)
            if match is None:
                return None
            self.pos = match.end()
            name = match[0]
            plain = match[1] is not None
            if text[self.pos] == "\\" and text[self.pos + 1] == "\n":
                name = self._continued(name)
        subscript: Word | str | None = None
        if plain and text[self.pos] == "[":
            everything = _ALL.match(text, self.pos)
            if everything is not None:
                subscript = everything[1]
                self.pos = everything.end()
            else:
                subscript = self.subscript()
        operator = ""
        argument: Word | None = None
        argument2: Word | None = None
        if text[self.pos] != "}":
            match = None if length else _OPERATOR.match(text, self.pos)
            if match is None:
                return None
            operator = match[0]
            self.pos = match.end()
            if name == "#" and operator in _UNFINISHED and text[self.pos] == "}":
                return None
            if operator[0] == "@":
                pass
            elif operator in _DEFAULTS:
                argument = self._default(quoted, document)
            elif operator == ":":
                argument = self._offset()
                if text[self.pos] == ":":
                    self.pos += 1
                    argument2 = self._offset()
                if not argument.parts and argument2 is None:
                    return None
            elif operator[0] == "/":
                operator, argument, argument2 = self._replacement(operator)
            else:
                argument = self._pattern(PATTERN_RUN, "}")
        self._close(start)
        return Parameter(
            name, subscript, operator, argument, argument2, length, indirect, "", start, self.pos
        )

    def _continued(self, name: str) -> str:
        """A name with line continuations inside."""
        while (after := self.after_continuations(self.pos)) > self.pos:
            self.pos = after
            match = re.compile(r"[A-Za-z0-9_]+").match(self.text, after)
            if match is not None:
                name += match[0]
                self.pos = match.end()
        return name

    def _default(self, quoted: bool, document: bool) -> Word:
        begin = self.pos
        if not quoted:
            return self._pattern(PATTERN_RUN, "}")
        parts: list[Part] = []
        self.loose(parts, DEFAULT_RUN, "}", strip=True, ansi=not document)
        return Word(tuple(parts), begin, self.pos)

    def _pattern(self, run: re.Pattern[str], stops: str) -> Word:
        begin = self.pos
        parts = self.parts(run, stops)
        return Word(merged(parts), begin, self.pos)

    def _replacement(self, operator: str) -> tuple[str, Word, Word | None]:
        """`/pattern/text`; `/#` and `/%` anchor the pattern."""
        if operator == "/" and self.text[self.pos] in "#%":
            operator += self.text[self.pos]
            self.pos += 1
        begin = self.pos
        slash: list[Part] = []
        if operator == "//" and self.text[begin] == "/":
            # A slash right behind the operator begins the pattern.
            self.pos += 1
            slash = [Literal("/", False, begin, self.pos)]
        parts = self.parts(REPLACED_RUN, "/}")
        pattern = Word(merged([*slash, *parts]), begin, self.pos)
        if self.text[self.pos] != "/":
            return operator, pattern, None
        self.pos += 1
        return operator, pattern, self._pattern(PATTERN_RUN, "}")

    def _offset(self) -> Word:
        """One side of `${x:offset:length}`; `?:` and parentheses hide colons."""
        begin = self.pos
        parts: list[Part] = []
        hidden = depth = 0
        while True:
            self.loose(parts, _OFFSET_RUN, "?:()}")
            char = self.text[self.pos]
            if char == "}" or (char == ":" and not hidden and not depth):
                return Word(tuple(parts), begin, self.pos)
            hidden += 1 if char == "?" else -1 if char == ":" and hidden else 0
            depth += 1 if char == "(" else -1 if char == ")" and depth else 0
            self.pos += 1
            parts.append(Literal(char, True, self.pos - 1, self.pos))
