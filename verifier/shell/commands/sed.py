"""sed: what GNU sed 4.9 makes of lines whose text is known."""

from __future__ import annotations

import re

from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result, Write
from verifier.shell.commands.common import Options, all_input, content, known, like
from verifier.shell.commands.regular import Expression
from verifier.shell.commands.sed_syntax import (
    AS_IT_IS,
    LOWER,
    LOWER_ONE,
    UPPER,
    UPPER_ONE,
    Address,
    Command,
    Script,
)

_STEPS = 100_000
"""Commands that are run before the result is left unknown."""

_IN_PLACE = re.compile(r"(-[nErs]*)i(.*)|--in-place(?:=(.*))?")


def sed(call: Call) -> Result:
    arguments = list(call.argv[1:])
    suffixes: list[str] = []
    for place, argument in enumerate(arguments):
        match = _IN_PLACE.fullmatch(argument.known or "")
        if match is not None:
            suffixes.append(match[2] or match[3] or "")
            rest = match[1] or "-"
            arguments[place] = like(rest if len(rest) > 1 else "-s", call.argv[0])
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
    commands = Script("\n".join(scripts), extended).run()
    if suffixes:
        if not operands:
            raise NotModelled("sed -i without a file")
        suffix = suffixes[-1]
        if "*" in suffix or "/" in suffix:
            raise NotModelled("sed -i with this suffix")
        writes: list[Write] = []
        for name in operands:
            before = content(call, name)
            if suffix:
                writes.append(Write(name + like(suffix, name), before))
            writes.append(Write(name, _edited(commands, before, options.has("n"))))
        return Result(writes=tuple(writes))
    if options.has("s") and len(operands) > 1:
        raise NotModelled("sed of separate files")
    return Result(_edited(commands, all_input(call, operands), options.has("n")))


def _edited(commands: list[Command], text: Text, quiet: bool) -> Text:
    value = known(text)
    lines = value.split("\n")
    ended = not lines[-1]
    if ended:
        lines.pop()
    elif any(command.letter in "gGxhHPDnNcqQ" for command in commands):
        raise NotModelled("a last line without an end in this script of sed")
    output = _Run(commands, lines, ended, quiet).run()
    if output and not output[-1][1]:
        return like("\n".join(line for line, _ in output), text)
    return like("".join(line + "\n" for line, _ in output), text)


class _Run:
    def __init__(self, commands: list[Command], lines: list[str], ended: bool, quiet: bool) -> None:
        self.commands = commands
        self.lines = lines
        self.ended = ended
        self.quiet = quiet
        self.output: list[tuple[str, bool]] = []
        """Texts, and whether a newline follows even at the very end."""
        self.inside: dict[int, bool] = {
            index: True for index, c in enumerate(commands) if c.addresses[:1] == (0,)
        }
        self.begun = set(self.inside)
        """Ranges from a line that have begun."""
        self.until: dict[int, int] = {}
        """The last line of each open range that ends a number of lines behind its first."""
        self.space = self.hold = ""
        self.number = -1
        """Of the line read last, counted from 0."""
        self.queue: list[str] = []
        self.replaced = False
        self.steps = 0

    def run(self) -> list[tuple[str, bool]]:
        """What is printed."""
        again = False
        while again or self.more():
            if not again:
                self.space = self.read()
            end = self.cycle()
            if end in ("print", "quit") and not self.quiet:
                self.print(self.space)
            self.flush()
            if end in ("quit", "stop"):
                break
            again = end == "again"
        return self.output

    def more(self) -> bool:
        return self.number + 1 < len(self.lines)

    def read(self) -> str:
        self.flush()
        self.number += 1
        self.replaced = False
        return self.lines[self.number]

    def print(self, text: str) -> None:
        self.output.append((text, self.ended or self.more()))

    def flush(self) -> None:
        self.output += [(text, True) for text in self.queue]
        self.queue = []

    def cycle(self) -> str:
        """Run the script on the pattern space; how the cycle ends: print, delete, again, quit, or
        stop (without printing)."""
        place = 0
        while place < len(self.commands):
            self.steps += 1
            if self.steps > _STEPS:
                raise NotModelled("a long run of sed")
            command = self.commands[place]
            chosen = self.selected(place, command) != command.negated
            place += 1
            if not chosen:
                place = command.target if command.letter == "{" else place
                continue
            if command.letter in ("b", "t", "T"):
                jumps = command.letter == "b" or self.replaced == (command.letter == "t")
                self.replaced = self.replaced and command.letter == "b"
                place = command.target if jumps else place
                continue
            end = self.execute(place - 1, command)
            if end:
                return end
        return "print"

    def execute(self, place: int, command: Command) -> str:
        """Run a command; how it ends the cycle, or nothing."""
        letter = command.letter
        if letter == "s":
            changed = _substitute(command, self.space)
            if changed is not None:
                self.space = changed
                self.replaced = True
                if command.printed:
                    self.print(self.space)
        elif letter == "y":
            self.space = self.space.translate(str.maketrans(command.text, command.by))
        elif letter == "p":
            self.print(self.space)
        elif letter == "P":
            first, newline, _ = self.space.partition("\n")
            self.output.append((first, bool(newline) or self.ended or self.more()))
        elif letter == "=":
            self.output.append((str(self.number + 1), True))
        elif letter == "a":
            self.queue.append(command.text)
        elif letter == "i":
            self.output.append((command.text, True))
        elif letter == "h":
            self.hold = self.space
        elif letter == "H":
            self.hold += "\n" + self.space
        elif letter == "g":
            self.space = self.hold
        elif letter == "G":
            self.space += "\n" + self.hold
        elif letter == "x":
            self.space, self.hold = self.hold, self.space
        elif letter in ("n", "N"):
            return self.next(letter)
        return self.leave(place, command)

    def next(self, letter: str) -> str:
        if not self.more():
            return "print"
        if letter == "N":
            self.space += "\n" + self.read()
            return ""
        if not self.quiet:
            self.print(self.space)
        self.space = self.read()
        return ""

    def leave(self, place: int, command: Command) -> str:
        if command.letter == "c":
            if len(command.addresses) < 2 or not self.inside.get(place):
                self.output.append((command.text, True))
            return "delete"
        if command.letter == "D" and "\n" in self.space:
            self.space = self.space.partition("\n")[2]
            return "again"
        return {"d": "delete", "D": "delete", "q": "quit", "Q": "stop"}.get(command.letter, "")

    def at(self, address: Address) -> bool:
        if isinstance(address, Expression):
            return address.found(self.space)
        return self.number + 1 == (len(self.lines) if address == "$" else address)

    def selected(self, index: int, command: Command) -> bool:
        addresses = command.addresses
        if not addresses:
            return True
        if len(addresses) == 1:
            return self.at(addresses[0])
        last: Address = addresses[1]
        line = self.number + 1
        counted = False
        if isinstance(last, str) and last.startswith("+"):
            counted = True
            if not self.inside.get(index):
                self.until[index] = line + int(last)
            last = self.until[index]
        if self.inside.get(index):
            if isinstance(last, int):
                self.inside[index] = line < last
                return (
                    counted
                    or line <= last
                    or (not isinstance(addresses[0], int) and self.at(addresses[0]))
                )
            self.inside[index] = not self.at(last)
            return True
        first = addresses[0]
        if isinstance(first, int):
            # A range from a line begins behind it too, when nothing asked before, but only once.
            if line < first or index in self.begun:
                return False
            self.begun.add(index)
            if isinstance(last, int) and last < line != first:
                return False
        elif not self.at(first):
            return False
        self.inside[index] = not (isinstance(last, int) and last <= line) and not (
            last == "$" and line == len(self.lines)
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
            parts += _replaced(command.parts, match)
            copied = match.end()
            if not command.every:
                break
    return None if count < command.nth else "".join(parts) + line[copied:]


def _replaced(given: tuple[str | int, ...], match: re.Match[str]) -> list[str]:
    parts: list[str] = []
    case = AS_IT_IS
    once = 0
    for part in given:
        if isinstance(part, int) and part < 0:
            if part in (UPPER_ONE, LOWER_ONE):
                once = part
            else:
                case, once = part, 0
            continue
        text = part if isinstance(part, str) else match.group(part) or ""
        if (once or case != AS_IT_IS) and not text.isascii():
            raise NotModelled("capitals other than ASCII")
        text = {UPPER: text.upper(), LOWER: text.lower()}.get(case, text)
        if once and text:
            text = (text[0].upper() if once == UPPER_ONE else text[0].lower()) + text[1:]
            once = 0
        parts.append(text)
    return parts


MODELS: dict[str, Model] = {"sed": sed}
