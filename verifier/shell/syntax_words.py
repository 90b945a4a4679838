"""Words: quoting, substitutions and the pieces between them."""

from __future__ import annotations

import re

from verifier.shell.lexer import END, C, Fault, Lexer
from verifier.shell.nodes import (
    ArithmeticSubstitution,
    BadPart,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Script,
    Word,
)
from verifier.shell.syntax_ansi import decode
from verifier.shell.syntax_relocate import relocate

WORD_RUN = re.compile(r"[^ \t\n;&|<>()$`'\"\\\0]+")
PATTERN_RUN = re.compile(r"[^}$`'\"\\<>\0]+")
REPLACED_RUN = re.compile(r"[^/}$`'\"\\<>\0]+")
SUBSCRIPT_RUN = re.compile(r"[^\[\]$`'\"\\<>\0]+")
PAREN_RUN = re.compile(r"[^()$`'\"\\<>\0]+")
REGEX_RUN = re.compile(r"[^ \t\n;&<>()$`'\"\\\0]+")
DOUBLE_RUN = re.compile(r"[^\"$`\\\0]+")
DEFAULT_RUN = re.compile(r"[^}\"'$`\\\0]+")
ARITHMETIC_RUN = re.compile(r"[^()\"'$`\\\0]+")

WORD_STOPS = " \t\n;&|<>()" + END

_SIMPLE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*|[0-9*@#?$!-])|\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[*@#?$!-])\}"
)
_SPLIT_NAME = re.compile(r"[A-Za-z_](?:\\\n|[A-Za-z0-9_])*")
_BACKQUOTED = re.compile(r"`([^`\\\0]*(?:\\[^\0][^`\\\0]*)*)`")
_ESCAPED = re.compile(r"\\([$`\\\n])")
_ESCAPED_IN_QUOTES = re.compile(r"\\([$`\\\n\"])")
_ANSI = re.compile(r"'([^'\\\0]*(?:\\[^\0][^'\\\0]*)*)'")
_PROCESS = re.compile(rf"[<>]{C}\(")


def merged(parts: list[Part]) -> tuple[Part, ...]:
    """The parts with neighbouring unquoted literals joined."""
    if len(parts) < 2:
        return tuple(parts)
    result: list[Part] = []
    run: list[Literal] = []
    for part in parts:
        if isinstance(part, Literal) and not part.quoted:
            run.append(part)
            continue
        if run:
            result.append(_joined(run))
            run = []
        result.append(part)
    if run:
        result.append(_joined(run))
    return tuple(result)


def _joined(run: list[Literal]) -> Literal:
    if len(run) == 1:
        return run[0]
    return Literal("".join([part.value for part in run]), False, run[0].start, run[-1].end)


class Words(Lexer):
    """Reads words and everything that can stand in one."""

    # --- unquoted text -----------------------------------------------------------------------

    def word(self) -> Word | None:
        """The word at the position, or None where no word can begin."""
        start = self.pos
        parts = self.parts(WORD_RUN, WORD_STOPS)
        if self.pos == start:
            return None
        return Word(merged(parts), start, self.pos)

    def parts(self, run: re.Pattern[str], stops: str) -> list[Part]:
        """Parts up to an unquoted character of `stops`; other characters stand for themselves."""
        text = self.text
        parts: list[Part] = []
        while True:
            pos = self.pos
            match = run.match(text, pos)
            if match is not None:
                self.pos = end = match.end()
                parts.append(Literal(match[0], False, pos, end))
                pos = end
            char = text[pos]
            if char == "$":
                parts.append(self.dollar(False))
            elif char == '"':
                parts.append(self.double_quoted(pos))
            elif char == "'":
                parts.append(self.single_quoted())
            elif char == "\\":
                self.escape(parts)
            elif char == "`":
                parts.append(self.backquoted(False))
            elif char in "<>" and _PROCESS.match(text, pos):
                parts.append(self.process_substitution())
            elif char == "(" and self._opens_extglob(pos, stops):
                self._extglob(parts)
            elif char in stops:
                return parts
            elif char == END:
                self.fault("syntax error: unexpected end of file")
            else:
                self.pos = pos + 1
                parts.append(Literal(char, False, pos, pos + 1))

    def balanced(self, run: re.Pattern[str], opener: str, closer: str) -> list[Part]:
        """Parts between the bracket at the position and its partner, which is passed too."""
        opened = self.pos
        self.pos += 1
        stops = opener + closer + END
        parts: list[Part] = []
        depth = 1
        while True:
            parts += self.parts(run, stops)
            char = self.text[self.pos]
            if char == END:
                self.unclosed(closer, opened)
            depth += 1 if char == opener else -1
            self.pos += 1
            if not depth:
                return parts
            parts.append(Literal(char, False, self.pos - 1, self.pos))

    def subscript(self) -> Word:
        """The word between the `[` at the position and its `]`."""
        start = self.pos + 1
        self.deeper()
        parts = self.balanced(SUBSCRIPT_RUN, "[", "]")
        self.depth -= 1
        return Word(merged(parts), start, self.pos - 1)

    def grouped(self, parts: list[Part]) -> None:
        """`( … )` of a pattern or regular expression, brackets included, as part of a word."""
        start = self.pos
        inner = self.balanced(PAREN_RUN, "(", ")")
        parts.append(Literal("(", False, start, start + 1))
        parts += inner
        parts.append(Literal(")", False, self.pos - 1, self.pos))

    def _opens_extglob(self, pos: int, stops: str) -> bool:
        return self.extglob and stops is WORD_STOPS and self.text[pos - 1] in "?*+@!"

    def _extglob(self, parts: list[Part]) -> None:
        before = parts[-1] if parts else None
        if not isinstance(before, Literal) or before.quoted:
            self.unexpected()
        self.grouped(parts)

    def escape(self, parts: list[Part]) -> None:
        """A backslash outside quotes."""
        pos = self.pos
        char = self.text[pos + 1]
        self.pos = pos + 2
        if char == "\n":
            return
        if char == END:
            self.pos = pos + 1
            char = "\\"
        parts.append(Literal(char, True, pos, self.pos))

    def single_quoted(self) -> Literal:
        start = self.pos
        close = self.text.find("'", start + 1)
        if close < 0:
            self.unclosed("'", start)
        self.pos = close + 1
        return Literal(self.text[start + 1 : close], True, start, close + 1)

    # --- double quotes -----------------------------------------------------------------------

    def double_quoted(self, start: int) -> DoubleQuoted:
        """`"…"`, the position being at the first quote; `start` is before a leading `$`."""
        text = self.text
        opened = self.pos
        self.pos += 1
        parts: list[Part] = []
        values: list[str] = []
        begin = self.pos
        while True:
            pos = self.pos
            match = DOUBLE_RUN.match(text, pos)
            if match is not None:
                values.append(match[0])
                self.pos = pos = match.end()
            char = text[pos]
            if char == "\\":
                following = text[pos + 1]
                self.pos = pos + 2
                if following in '$`"\\':
                    values.append(following)
                elif following == END:
                    self.unclosed('"', opened)
                elif following != "\n":
                    values.append("\\" + following)
                continue
            if char == END:
                self.unclosed('"', opened)
            if values and char != "$":
                parts.append(Literal("".join(values), True, begin, pos))
                values = []
            if char == '"':
                self.pos = pos + 1
                return DoubleQuoted(tuple(parts), start, pos + 1)
            part = self.dollar(True) if char == "$" else self.backquoted(True)
            if isinstance(part, Literal):
                values.append("$")
                continue
            if values:
                parts.append(Literal("".join(values), True, begin, pos))
                values = []
            parts.append(part)
            begin = self.pos

    def loose(
        self,
        parts: list[Part],
        run: re.Pattern[str],
        stops: str,
        *,
        strip: bool = False,
        ansi: bool = False,
        quotes: bool = True,
    ) -> None:
        """Text that expands as inside double quotes although its double quotes are removed:
        arithmetic, and with `strip` the default of `"${x:-…}"`.

        Ends before a character of `stops` outside quotes. Single quotes stay, and hide `stops`
        between them. `ansi`: `$'…'` is decoded. `quotes` False: a here-document, where double
        and single quotes are ordinary and the text ends with the lexer's.
        """
        text = self.text
        embedded = False
        opened = self.pos
        guard = -1
        while True:
            pos = self.pos
            match = run.match(text, pos)
            if match is not None:
                self.pos = end = match.end()
                parts.append(Literal(match[0], True, pos, end))
                pos = end
            char = text[pos]
            if char == END:
                if quotes:
                    self.unclosed(stops[-1], opened)
                return
            if char == "\\":
                self._loose_escape(parts, strip, embedded, quotes)
            elif char == "$":
                if ansi and not embedded and pos > guard and text[pos + 1] == "'":
                    parts.append(self._ansi_in_quotes())
                elif ansi and not embedded and pos > guard and text[pos + 1] == '"':
                    self.pos = pos + 1  # a text to be translated
                else:
                    part = self.dollar(True, document=not quotes)
                    parts.append(
                        Literal("$", True, pos, pos + 1) if isinstance(part, Literal) else part
                    )
            elif char == "`":
                parts.append(self.backquoted(quotes))
            elif char == '"' and quotes:
                self.pos = pos + 1
                if not strip and pos < guard:
                    parts.append(BadPart("double quote inside single quotes", pos, pos + 1))
                embedded = not embedded
            elif char in stops and not embedded and pos > guard:
                return
            else:
                if char == "'" and not embedded and pos > guard:
                    guard = text.find("'", pos + 1)
                    if guard < 0:
                        self.unclosed("'", pos)
                self.pos = pos + 1
                parts.append(Literal(char, True, pos, pos + 1))
            if pos < guard < self.pos - 1:
                parts.append(BadPart("expansion across single quotes", pos, self.pos))
                guard = -1

    def _loose_escape(self, parts: list[Part], strip: bool, embedded: bool, quotes: bool) -> None:
        pos = self.pos
        char = self.text[pos + 1]
        self.pos = pos + 2
        if char == "\n":
            return
        if char == END:
            self.pos = pos + 1
            parts.append(Literal("\\", True, pos, pos + 1))
            return
        removed = char in "$`\\" or (char == '"' and quotes) or (strip and char == "}")
        if not removed and not (strip and embedded):
            char = "\\" + char
        parts.append(Literal(char, True, pos, pos + 2))

    def _ansi_in_quotes(self) -> Part:
        """`$'…'` in the default of a double-quoted `${…}`: decoded, then expanded once more."""
        part = self._ansi(self.pos)
        if isinstance(part, Literal) and any(char in part.value for char in "$`\\\"'}"):
            return BadPart("$'…' inside a double-quoted ${…}", part.start, part.end)
        return part

    def _ansi(self, start: int) -> Part:
        match = _ANSI.match(self.text, start + 1)
        if match is None:
            self.unclosed("'", start)
        self.pos = match.end()
        return Literal(decode(match[1]), True, start, self.pos)

    # --- substitutions -----------------------------------------------------------------------

    def dollar(self, quoted: bool, document: bool = False) -> Part:
        """What the `$` at the position introduces; a literal when it is a mere dollar sign.

        `quoted`: inside double quotes or a here-document (`document`).
        """
        start = self.pos
        text = self.text
        after = start + 1
        if text[after] == "\\" and text[after + 1] == "\n":
            after = self.after_continuations(after)
        match = _SIMPLE.match(text, after)
        if match is not None:
            end = match.end()
            name = match[match.lastindex or 1]
            if text[end] == "\\" and text[end + 1] == "\n" and match.lastindex == 1:
                split = _SPLIT_NAME.match(text, after)
                if split is not None:
                    end = split.end()
                    name = split[0].replace("\\\n", "")
            self.pos = end
            return Parameter(name, None, "", None, None, False, False, "", start, end)
        char = text[after]
        if char == "{":
            self.pos = after + 1
            self.deeper()
            part = self.braced(start, quoted, document)
            self.depth -= 1
            return part
        if char == "(":
            return self._parenthesised(start, after)
        if char == "[":
            return self._bracketed(start, after)
        if not quoted:
            if char == "'" and after == start + 1:
                return self._ansi(start)
            if char == '"':
                self.pos = after
                return self.double_quoted(start)
        self.pos = start + 1
        return Literal("$", False, start, start + 1)

    def braced(self, start: int, quoted: bool, document: bool) -> Part:
        raise NotImplementedError

    def _parenthesised(self, start: int, opener: int) -> Part:
        """`$( … )` or `$(( … ))`; `opener` is the offset of the first parenthesis."""
        known = self.read.get(start)
        if known is not None:
            self.pos = known[1]
            return known[0]
        inner = self.after_continuations(opener + 1)
        if self.text[inner] == "(":
            part = self._arithmetic(start, inner) or self._nested_subshell(start, opener)
        else:
            script = self.substitution(start, opener + 1)
            part = CommandSubstitution(script, start, self.pos)
        self.read[start] = part, self.pos
        return part

    def _arithmetic(self, start: int, opener: int) -> ArithmeticSubstitution | None:
        """`$(( … ))`, or None when the parentheses close apart from one another."""
        self.pos = opener
        self.deeper()
        expression = self.arithmetic()
        self.depth -= 1
        close = self.after_continuations(self.pos)
        if self.text[close] != ")":
            return None
        self.pos = close + 1
        return ArithmeticSubstitution(expression, start, close + 1)

    def _nested_subshell(self, start: int, opener: int) -> Part:
        """`$(( … ) … )`: bash parses it only when it runs it."""
        try:
            script = self.substitution(start, opener + 1)
        except Fault as fault:
            self.fault(f"ambiguous `$((': {fault.reason}", fault.offset)
        return CommandSubstitution(script, start, self.pos)

    def arithmetic(self) -> Word:
        """The expression in the parentheses at the position, which are passed."""
        start = self.pos + 1
        parts = self.expression("(", ")", ARITHMETIC_RUN)
        return Word(tuple(parts), start, self.pos - 1)

    def expression(self, opener: str, closer: str, run: re.Pattern[str]) -> list[Part]:
        """Arithmetic between the bracket at the position and its partner, which is passed."""
        self.pos += 1
        parts: list[Part] = []
        depth = 1
        while True:
            self.loose(parts, run, opener + closer)
            depth += 1 if self.text[self.pos] == opener else -1
            self.pos += 1
            if not depth:
                return parts
            parts.append(Literal(self.text[self.pos - 1], True, self.pos - 1, self.pos))

    def _bracketed(self, start: int, opener: int) -> Part:
        """`$[ … ]`, the old form of `$(( … ))`."""
        self.pos = opener
        self.deeper()
        parts = self.expression("[", "]", _BRACKET_RUN)
        self.depth -= 1
        expression = Word(tuple(parts), opener + 1, self.pos - 1)
        return ArithmeticSubstitution(expression, start, self.pos)

    def process_substitution(self) -> Part:
        start = self.pos
        known = self.read.get(start)
        if known is not None:
            self.pos = known[1]
            return known[0]
        opener = self.after_continuations(start + 1)
        script = self.substitution(start, opener + 1)
        part = ProcessSubstitution(self.text[start], script, start, self.pos)
        self.read[start] = part, self.pos
        return part

    def backquoted(self, quoted: bool) -> Part:
        """`` `…` ``: its text loses one level of backslashes, then it is a script of its own."""
        start = self.pos
        match = _BACKQUOTED.match(self.text, start)
        if match is None:
            self.unclosed("`", start)
        self.pos = match.end()
        body = match[1]
        places: range | list[int] = range(start + 1, self.pos)
        if "\\" in body:
            body, places = _unescaped(body, start + 1, quoted)
        return CommandSubstitution(relocate(self.apart(body), places), start, self.pos)

    def apart(self, body: str) -> Script:
        """`body` parsed as a script of its own, with its own offsets."""
        raise NotImplementedError


_BRACKET_RUN = re.compile(r"[^\[\]\"'$`\\\0]+")


def _unescaped(body: str, start: int, quoted: bool) -> tuple[str, list[int]]:
    """The text of a backquoted command, and where each of its characters stands."""
    pieces: list[str] = []
    places: list[int] = []
    position = 0
    for match in (_ESCAPED_IN_QUOTES if quoted else _ESCAPED).finditer(body):
        pieces.append(body[position : match.start()])
        places.extend(range(start + position, start + match.start()))
        position = match.end()
        if match[1] != "\n":
            pieces.append(match[1])
            places.append(start + position - 1)
    pieces.append(body[position:])
    places.extend(range(start + position, start + len(body) + 1))
    return "".join(pieces), places
