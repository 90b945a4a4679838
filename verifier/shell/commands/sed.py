"""sed: `s`, `p`, `d`, `q`, `=`-less scripts with simple addresses."""

from __future__ import annotations

import re

from verifier.model.record import dataclass
from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result, Write
from verifier.shell.commands.common import Options, all_input, content, known, like
from verifier.shell.commands.regular import Expression, Flavour, translate

Address = int | str | Expression
"""A line number, "$", or an expression."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `parts` is a replacement: texts, and numbers for `&` (0) and groups."""

    letter: str
    addresses: tuple[Address, ...]
    negated: bool
    expression: Expression | None = None
    parts: tuple[str | int, ...] = ()
    every: bool = False
    printed: bool = False
    nth: int = 1


class _Script:
    def __init__(self, text: str, extended: bool) -> None:
        self.text = text
        self.extended = extended
        self.position = 0

    def run(self) -> list[Command]:
        commands: list[Command] = []
        while True:
            self.skip(" \t\n;")
            if self.position >= len(self.text):
                return commands
            commands.append(self.command())

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
        self.skip(" \t")
        negated = self.text.startswith("!", self.position)
        self.position += negated
        self.skip(" \t")
        letter = self.take()
        if letter == "s":
            return self.substitution(tuple(addresses), negated)
        if letter not in ("p", "d", "q") or (letter == "q" and len(addresses) > 1):
            raise NotModelled(f"the command {letter!r} of sed")
        self.skip(" \t")
        if self.text[self.position : self.position + 1] not in ("", ";", "\n"):
            raise NotModelled(f"what follows {letter!r} in sed")
        return Command(letter, tuple(addresses), negated)

    def address(self) -> Address | None:
        match = re.compile(r"[0-9]{1,9}").match(self.text, self.position)
        if match is not None:
            self.position = match.end()
            if match.group() == "0" or self.text.startswith("~", self.position):
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
        self.skip(" \t")
        if self.text[self.position : self.position + 1] not in ("", ";", "\n"):
            raise NotModelled("the flags of s")
        digits = re.findall(r"[0-9]+", flags)
        if not source or len(digits) > 1 or digits == ["0"] or (digits and "g" in flags):
            raise NotModelled("this s command")
        expression = self.expression(source, nocase="I" in flags)
        if any(isinstance(p, int) and p > expression.groups for p in replacement):
            raise NotModelled("sed reports an error")
        if not expression.extent and any(isinstance(p, int) and p for p in replacement):
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


_IN_PLACE = re.compile(r"-[nErs]*i\Z|--in-place\Z")


def sed(call: Call) -> Result:
    arguments = list(call.argv[1:])
    places = [n for n, a in enumerate(arguments) if _IN_PLACE.match(a.known or "")]
    for place in places:
        # In a row of letters the rest behind `i` would be a suffix of backups.
        value = (arguments[place].known or "").removesuffix("i")
        arguments[place] = like(value if len(value) > 1 and value[1] != "-" else "-s", call.argv[0])
    options = Options(
        arguments, "nErs", "e",
        {"--quiet": "n", "--silent": "n", "--regexp-extended": "E", "--expression": "e",
         "--separate": "s"},
    )  # fmt: skip
    operands = list(options.operands)
    scripts = [known(value) for letter, value in options.values if letter == "e"]
    if not scripts:
        if not operands:
            raise NotModelled("sed without a script")
        scripts = [known(operands.pop(0))]
    extended = options.has("E") or options.has("r")
    commands = [c for script in scripts for c in _Script(script, extended).run()]
    if places:
        if not operands:
            raise NotModelled("sed -i without a file")
        changed = [_edited(commands, content(call, name), options.has("n")) for name in operands]
        pairs = zip(operands, changed, strict=True)
        return Result(writes=tuple(Write(name, text) for name, text in pairs))
    if options.has("s") and len(operands) > 1:
        raise NotModelled("sed of separate files")
    return Result(_edited(commands, all_input(call, operands), options.has("n")))


def _edited(commands: list[Command], text: Text, quiet: bool) -> Text:
    value = known(text)
    lines = value.split("\n")
    ended = not lines[-1]
    if ended:
        lines.pop()
    elif any(command.letter == "q" for command in commands):
        raise NotModelled("sed q with a last line without an end")
    output = _Run(commands, lines, quiet).run()
    if not ended and output and output[-1][1] == len(lines) - 1:
        return like("\n".join(line for line, _ in output), text)
    return like("".join(line + "\n" for line, _ in output), text)


class _Run:
    def __init__(self, commands: list[Command], lines: list[str], quiet: bool) -> None:
        self.commands = commands
        self.lines = lines
        self.quiet = quiet
        self.output: list[tuple[str, int]] = []
        self.inside: dict[int, bool] = {}

    def run(self) -> list[tuple[str, int]]:
        """Lines printed, with the number of the input line each came from."""
        for number, line in enumerate(self.lines):
            if not self.cycle(number, line):
                break
        return self.output

    def cycle(self, number: int, line: str) -> bool:
        for index, command in enumerate(self.commands):
            if self.selected(index, command, number, line) == command.negated:
                continue
            if command.letter == "d":
                return True
            if command.letter == "p":
                self.output.append((line, number))
            elif command.letter == "q":
                if not self.quiet:
                    self.output.append((line, number))
                return False
            elif command.letter == "s":
                changed = _substitute(command, line)
                if changed is not None:
                    line = changed
                    if command.printed:
                        self.output.append((line, number))
        if not self.quiet:
            self.output.append((line, number))
        return True

    def at(self, address: Address, number: int, line: str) -> bool:
        if isinstance(address, Expression):
            return address.found(line)
        return number + 1 == (len(self.lines) if address == "$" else address)

    def selected(self, index: int, command: Command, number: int, line: str) -> bool:
        addresses = command.addresses
        if not addresses:
            return True
        if len(addresses) == 1:
            return self.at(addresses[0], number, line)
        last = addresses[1]
        if self.inside.get(index):
            if isinstance(last, int):
                self.inside[index] = number + 1 < last
                return number + 1 <= last or self.at(addresses[0], number, line)
            self.inside[index] = not self.at(last, number, line)
            return True
        if not self.at(addresses[0], number, line):
            return False
        self.inside[index] = not (isinstance(last, int) and last <= number + 1) and not (
            last == "$" and number + 1 == len(self.lines)
        )
        return True


def _substitute(command: Command, line: str) -> str | None:
    expression = command.expression
    assert expression is not None
    parts: list[str] = []
    position = copied = count = 0
    before = -1
    while position <= len(line):
        match = expression.match(line, position)
        if match is None:
            break
        empty = match.end() == match.start()
        position = match.end() + empty
        if empty and match.start() == before:
            continue  # no empty match right behind another match
        before = match.end()
        count += 1
        if count >= command.nth:
            parts.append(line[copied : match.start()])
            parts += [p if isinstance(p, str) else (match.group(p) or "") for p in command.parts]
            copied = match.end()
            if not command.every:
                break
    return None if count < command.nth else "".join(parts) + line[copied:]


MODELS: dict[str, Model] = {"sed": sed}
