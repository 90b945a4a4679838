"""POSIX regular expressions of grep and sed in terms of Python's, where both agree.

Whether a line matches is the same in both; how far a match goes is checked to be the longest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.shell.commands import NotModelled

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r" \t\n\r\f\v", "blank": r" \t", "xdigit": "0-9A-Fa-f",
    "punct": r"!-/:-@\[-`{-~",
}  # fmt: skip
_LINE = 4_000
"""Longer lines are not searched: Python's engine backtracks."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression. `groups` have no repetition around them."""

    compiled: re.Pattern[str]
    groups: int

    def search(self, line: str, position: int = 0) -> re.Match[str] | None:
        """The first match, its extent checked. Raises NotModelled when it may differ from POSIX."""
        match = self.matches(line, position)
        if match is None:
            return None
        for end in range(len(line), match.end(), -1):
            # At a later end `$` and `\\b` would be seen too early, so the whole line decides.
            longer = self.compiled.fullmatch(line, match.start(), end)
            if longer is not None:
                raise NotModelled("the longest match of this expression")
        return match

    def matches(self, line: str, position: int = 0) -> re.Match[str] | None:
        """Whether there is a match at all."""
        if len(line) > _LINE or not line.isascii():
            raise NotModelled("a search in a long line, or beyond ASCII")
        return self.compiled.search(line, position)


def compile_posix(text: str, *, extended: bool, nocase: bool = False) -> Expression:
    """Compile a basic or extended expression with GNU's additions. Raises NotModelled."""
    if not text.isascii() or "\n" in text or len(text) > 500:
        raise NotModelled("this regular expression")
    translator = _Translator(text, extended)
    source = translator.run()
    try:
        flags = re.ASCII | re.DOTALL | (re.IGNORECASE if nocase else re.NOFLAG)
        return Expression(re.compile(source, flags), translator.groups)
    except re.error as error:
        raise NotModelled(f"this regular expression: {error}") from error


class _Translator:
    def __init__(self, text: str, extended: bool) -> None:
        self.text = text
        self.extended = extended
        self.position = 0
        self.groups = 0
        self.out: list[str] = []
        self.repeatable = False
        self.repeated = False
        """Right behind a repetition."""
        self.open: list[bool] = []
        """For each open group, whether a repetition is inside."""
        self.closed_with_repeat: bool | None = None
        """The group that just ended, and whether it has a repetition inside."""

    def run(self) -> str:
        while self.position < len(self.text):
            self.step()
        if self.open:
            raise NotModelled("an open group")
        return "".join(self.out)

    def atom(self, source: str) -> None:
        self.out.append(source)
        self.repeatable = True
        self.closed_with_repeat = None

    def step(self) -> None:
        char = self.text[self.position]
        repeated, self.repeated = self.repeated, False
        if repeated and (
            char in "*+?{" or self.text.startswith(("\\+", "\\?", "\\{"), self.position)
        ):
            raise NotModelled("a repetition of a repetition")
        if char == "\\":
            self.escape()
            return
        self.position += 1
        if char == "[":
            self.atom(self.bracket())
        elif char == ".":
            self.atom(".")
        elif char == "*" and (self.repeatable or self.extended):
            self.repeat("*")
        elif char == "^":
            self.anchor("^")
        elif char == "$":
            self.anchor("$")
        elif self.extended and char in "+?":
            self.repeat(char)
        elif self.extended and char == "{":
            self.interval("}")
        elif self.extended and char == "(":
            self.begin()
        elif self.extended and char == ")":
            self.end()
        elif self.extended and char == "|":
            self.alternative()
        else:
            self.atom(re.escape(char))

    def escape(self) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        self.position += 2
        if not following:
            raise NotModelled("a backslash at the end")
        if following in "(){}|+?" and not self.extended:
            actions = {"(": self.begin, ")": self.end, "|": self.alternative}
            if following in actions:
                actions[following]()
            elif following == "{":
                self.interval("\\}")
            elif following in "+?" and self.repeatable:
                self.repeat(following)
            else:
                raise NotModelled(f"\\{following} here")
        elif following == "n":
            self.atom("\\n")
        elif following == "t":
            self.atom("\\t")
        elif following in ".[]*^$/\\+?(){}|-,:;=_@#%&~\"'! <>" and following not in "<>":
            self.atom(re.escape(following))
        else:
            raise NotModelled(f"\\{following} in a regular expression")

    def anchor(self, char: str) -> None:
        """`^` and `$` where they are anchors in every kind of expression; else not modelled."""
        if char == "^":
            if not self.out:
                self.out.append("^")
            elif not self.extended and self.out[-1] not in ("(", "|"):
                self.atom("\\^")
            else:
                raise NotModelled("an anchor inside an expression")
        elif self.position == len(self.text):
            self.out.append("\\Z")
        elif not self.extended and not self.text.startswith(("\\)", "\\|"), self.position):
            self.atom("\\$")
            return
        else:
            raise NotModelled("an anchor inside an expression")
        if char == "^" and self.out == ["^"]:
            self.repeatable = False

    def repeat(self, operator: str) -> None:
        if not self.repeatable:
            raise NotModelled("a repetition of nothing")
        if self.closed_with_repeat is not None:
            # Nested repetitions can take for ever, and groups would capture differently.
            raise NotModelled("a repetition of a group")
        self.out.append(operator)
        self.repeatable = False
        self.repeated = True
        if self.open:
            self.open[-1] = True

    def interval(self, end: str) -> None:
        match = re.compile(r"([0-9]{1,3})(,[0-9]{0,3})?").match(self.text, self.position)
        if match is None or not self.text.startswith(end, match.end()):
            raise NotModelled("this repetition")
        self.position = match.end() + len(end)
        self.repeat(f"{{{match.group()}}}")

    def begin(self) -> None:
        self.out.append("(")
        self.open.append(False)
        self.groups += 1
        self.repeatable = False

    def end(self) -> None:
        if not self.open:
            raise NotModelled("a closing parenthesis alone")
        inside = self.open.pop()
        self.out.append(")")
        self.repeatable = True
        self.closed_with_repeat = inside
        if self.open and inside:
            self.open[-1] = True

    def alternative(self) -> None:
        self.out.append("|")
        self.repeatable = False

    def bracket(self) -> str:
        start = self.position
        negated = self.text.startswith("^", start)
        index = start + negated
        parts: list[str] = []
        first = index
        while True:
            if index >= len(self.text):
                raise NotModelled("an open bracket")
            char = self.text[index]
            if char == "]" and index > first:
                break
            if char == "[" and self.text[index + 1 : index + 2] in (".", "=", ":"):
                match = re.compile(r"\[:([a-z]+):\]").match(self.text, index)
                if match is None or match[1] not in _CLASSES:
                    raise NotModelled("this class")
                parts.append(_CLASSES[match[1]])
                index = match.end()
                continue
            if char == "\\" and self.text[index + 1 : index + 2] in tuple("nt\\]"):
                raise NotModelled("a backslash in a bracket")
            following = self.text[index + 1 : index + 3]
            if len(following) == 2 and following[0] == "-" and following[1] != "]":
                low, high = char, following[1]
                same = any(a <= low <= high <= b for a, b in ("09", "az", "AZ"))
                if not same:
                    raise NotModelled("a range that depends on the locale")
                parts.append(f"{low}-{high}")
                index += 3
                continue
            parts.append(re.escape(char))
            index += 1
        self.position = index + 1
        return f"[{'^' if negated else ''}{''.join(parts)}]"
