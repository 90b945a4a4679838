"""Scripts of sed: commands with their addresses. What GNU sed 4.9 reads differently from what is
here is refused."""

from __future__ import annotations

import re

from verifier.model.record import dataclass, replace
from verifier.shell.commands import NotModelled
from verifier.shell.commands.regular import Expression, Flavour, translate

Address = int | str | Expression
"""A line number, "$", an expression, or behind a first address "+3": that many lines more."""

UPPER, LOWER, UPPER_ONE, LOWER_ONE, AS_IT_IS = range(-1, -6, -1)
"""What `\\U`, `\\L`, `\\u`, `\\l` and `\\E` do to the rest of a replacement."""
_CASES = {"U": UPPER, "L": LOWER, "u": UPPER_ONE, "l": LOWER_ONE, "E": AS_IT_IS}
_SIMPLE = "pPdDqQ=nNhHgGx"


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `parts` is a replacement: texts, numbers for `&` (0) and groups, and negative
    ones that change the case of what follows."""

    letter: str
    addresses: tuple[Address, ...]
    negated: bool
    expression: Expression | None = None
    parts: tuple[str | int, ...] = ()
    every: bool = False
    printed: bool = False
    nth: int = 1
    text: str = ""
    """Of `a`, `i` and `c`; the characters that `y` replaces; a label."""
    by: str = ""
    """What `y` puts for them."""
    target: int = -1
    """Where `b`, `t`, `T` and a block that is passed over go on."""


class Script:
    def __init__(self, text: str, extended: bool) -> None:
        self.text = text
        self.extended = extended
        self.position = 0

    def run(self) -> list[Command]:
        if self.text.startswith("#n"):
            raise NotModelled("sed with #n")
        commands: list[Command] = []
        opened: list[int] = []
        while True:
            self.skip(" \t\n;")
            char = self.text[self.position : self.position + 1]
            if not char:
                break
            if char == "#":
                self.comment()
                continue
            if char == "}":
                if not opened:
                    raise NotModelled("sed reports an error")
                self.position += 1
                start = opened.pop()
                commands[start] = replace(commands[start], target=len(commands))
                self.ended("}")
                continue
            commands.append(self.command())
            if commands[-1].letter == "{":
                opened.append(len(commands) - 1)
        if opened:
            raise NotModelled("sed reports an error")
        return _linked(commands)

    def comment(self) -> None:
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end

    def ended(self, letter: str) -> None:
        """Nothing but the end of the command may follow."""
        self.skip(" \t")
        if self.text[self.position : self.position + 1] not in ("", ";", "\n", "}"):
            raise NotModelled(f"what follows {letter!r} in sed")

    def skip(self, characters: str) -> None:
        while self.position < len(self.text) and self.text[self.position] in characters:
            self.position += 1

    def take(self) -> str:
        char = self.text[self.position : self.position + 1]
        self.position += 1
        return char

    def command(self) -> Command:
        addresses: list[Address] = []
        while len(addresses) < 2 and (address := self.address()) is not None:
            addresses.append(address)
            self.skip(" \t")
            if not self.text.startswith(",", self.position):
                break
            self.position += 1
            self.skip(" \t")
        if addresses and isinstance(addresses[0], str) and addresses[0].startswith("+"):
            raise NotModelled("this address of sed")
        if addresses[:1] == [0] and not (
            len(addresses) == 2 and isinstance(addresses[1], Expression)
        ):
            raise NotModelled("this address of sed")
        self.skip(" \t")
        negated = self.text.startswith("!", self.position)
        self.position += negated
        self.skip(" \t")
        letter = self.take()
        if letter == "s":
            return self.substitution(tuple(addresses), negated)
        given = tuple(addresses)
        if letter == "{":
            return Command(letter, given, negated)
        if letter and letter in "aic":
            if letter == "c" and negated and len(given) > 1:
                raise NotModelled("a negated range before `c`")
            return Command(letter, given, negated, text=self.block())
        if letter == "y":
            source, by = self.transliteration()
            return Command(letter, given, negated, text=source, by=by)
        if letter and letter in ":btT":
            if letter == ":" and (given or negated):
                raise NotModelled("sed reports an error")
            return Command(letter, given, negated, text=self.label())
        if not letter or letter not in _SIMPLE or (letter in "qQ" and len(given) > 1):
            raise NotModelled(f"the command {letter!r} of sed")
        self.ended(letter)
        return Command(letter, given, negated)

    def label(self) -> str:
        self.skip(" \t")
        match = re.compile(r"[A-Za-z0-9_]*").match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        self.ended("a label")
        return match.group()

    def block(self) -> str:
        """The text of `a`, `i` or `c`, in one line with the command or below it."""
        self.skip(" \t")
        if self.text.startswith("\\", self.position):
            following = self.text[self.position + 1 : self.position + 2]
            if following not in ("\n", " ", "\t"):
                raise NotModelled("this text of sed")
            self.position += 1 + (following == "\n")
        lines: list[str] = []
        while True:
            end = self.text.find("\n", self.position)
            end = len(self.text) if end < 0 else end
            line = self.text[self.position : end]
            self.position = min(end + 1, len(self.text))
            goes_on = line.endswith("\\")
            lines.append(line[:-1] if goes_on else line)
            if "\\" in lines[-1] or (goes_on and end == len(self.text)):
                raise NotModelled("a backslash in a text of sed")
            if not goes_on:
                break
        if not any(lines):
            raise NotModelled("an empty text of sed")
        return "\n".join(lines)

    def transliteration(self) -> tuple[str, str]:
        delimiter = self.take()
        if not delimiter or delimiter in "\\\n":
            raise NotModelled("this delimiter of sed")
        source, by = self.delimited(delimiter), self.delimited(delimiter)
        if "\\" in source + by or len(source) != len(by) or len(set(source)) != len(source):
            raise NotModelled("these characters of y")
        self.ended("y")
        return source, by

    def address(self) -> Address | None:
        match = re.compile(r"[0-9]{1,9}").match(self.text, self.position)
        if match is not None:
            self.position = match.end()
            if self.text.startswith("~", self.position):
                raise NotModelled("this address of sed")
            return int(match.group())
        if self.text.startswith("$", self.position):
            self.position += 1
            return "$"
        if self.text.startswith("/", self.position):
            self.position += 1
            source = self.delimited("/")
            if not source or self.text[self.position : self.position + 1] in ("I", "M"):
                raise NotModelled("this address of sed")
            return self.expression(source)
        match = re.compile(r"\+[0-9]{1,9}").match(self.text, self.position)
        if match is not None:
            self.position = match.end()
            return match.group()
        if self.text[self.position : self.position + 1] in ("\\", "+", "~"):
            raise NotModelled("this address of sed")
        return None

    def expression(self, source: str, *, nocase: bool = False) -> Expression:
        flavour: Flavour = "extended" if self.extended else "basic"
        return translate(source, flavour, nocase=nocase, controls=True)

    def delimited(self, delimiter: str) -> str:
        """The text up to the delimiter; `\\/` is a plain delimiter."""
        parts: list[str] = []
        bracket = False
        while True:
            char = self.take()
            if not char or char == "\n":
                raise NotModelled("an unfinished command of sed")
            if char == "\\":
                following = self.take()
                if following == delimiter and delimiter not in "/|,:#@!_%;~=-":
                    raise NotModelled("an escaped delimiter")
                if following == delimiter and delimiter == "|" and not bracket:
                    raise NotModelled("an escaped delimiter that is an operator")
                parts.append(following if following == delimiter else char + following)
                continue
            if char == delimiter:
                return "".join(parts)
            parts.append(char)

    def substitution(self, addresses: tuple[Address, ...], negated: bool) -> Command:
        delimiter = self.take()
        if (
            not delimiter
            or delimiter in "\\\n"
            or delimiter.isalnum()
            or delimiter in ".*[]^$+?(){}&"
        ):
            raise NotModelled("this delimiter of sed")
        source = self.delimited(delimiter)
        replacement = self.replacement(delimiter)
        match = re.compile(r"[gpI0-9]*").match(self.text, self.position)
        flags = match.group() if match is not None else ""
        self.position += len(flags)
        self.ended("s")
        digits = re.findall(r"[0-9]+", flags)
        if not source or len(digits) > 1 or digits == ["0"] or (digits and "g" in flags):
            raise NotModelled("this s command")
        expression = self.expression(source, nocase="I" in flags)
        if any(isinstance(p, int) and p > expression.groups for p in replacement):
            raise NotModelled("sed reports an error")
        if not expression.extent and any(isinstance(p, int) and p > 0 for p in replacement):
            raise NotModelled("groups of alternatives")
        return Command(
            "s", addresses, negated, expression, replacement, "g" in flags, "p" in flags,
            int(digits[0]) if digits else 1,
        )  # fmt: skip

    def replacement(self, delimiter: str) -> tuple[str | int, ...]:
        parts: list[str | int] = []
        plain: list[str] = []
        while True:
            char = self.take()
            if not char:
                raise NotModelled("an unfinished command of sed")
            if char == delimiter:
                break
            if char == "&":
                parts += ["".join(plain), 0]
                plain = []
            elif char == "\\":
                following = self.take()
                if following.isdigit():
                    parts += ["".join(plain), int(following)]
                    plain = []
                elif following and following in _CASES:
                    parts += ["".join(plain), _CASES[following]]
                    plain = []
                elif following in ("n", "t"):
                    plain.append({"n": "\n", "t": "\t"}[following])
                elif following and following in "&\\/.*[]|,:#@-\"' $\n" + delimiter:
                    plain.append(following)
                else:
                    raise NotModelled(f"\\{following} in a replacement")
            else:
                plain.append(char)
        parts.append("".join(plain))
        return tuple(p for p in parts if p != "")


def _linked(commands: list[Command]) -> list[Command]:
    """The same with the places that jumps go to."""
    labels = {c.text: place for place, c in enumerate(commands) if c.letter == ":"}
    result: list[Command] = []
    for command in commands:
        if command.letter in ("b", "t", "T"):
            if command.text and command.text not in labels:
                raise NotModelled("sed reports an error")
            command = replace(command, target=labels.get(command.text, len(commands)))
        result.append(command)
    return result
