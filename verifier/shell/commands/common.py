"""What the models share: known texts, options, input."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.model.text import EMPTY, Hole, Lit, Origin, Text, lit
from verifier.shell.commands import Call, NotModelled
from verifier.shell.files import SUBSTITUTED

SAFE_ORDER = re.compile(r"[0-9a-z]*\Z")
"""Lines of these characters sort the same way in every usual locale."""


def known(text: Text) -> str:
    """The characters; raises NotModelled when there are holes."""
    if text.known is None:
        raise NotModelled(f"{text.holes[0].reason}")
    return text.known


def known_ascii(text: Text) -> str:
    """The characters, when it does not matter whether the command counts bytes."""
    value = known(text)
    if not value.isascii():
        raise NotModelled("what are characters depends on the locale")
    return value


def origin(text: Text) -> Origin | None:
    """Where the first piece came from."""
    return text.pieces[0].origin if text.pieces else None


def like(value: str, text: Text) -> Text:
    """A result that comes from where `text` came from."""
    return lit(value, origin(text))


def head(text: Text) -> str:
    """The known characters before the first hole."""
    values: list[str] = []
    for piece in text.pieces:
        if not isinstance(piece, Lit):
            break
        values.append(piece.value)
    return "".join(values)


def _is_path(text: Text) -> bool:
    """Whether it holds a slash, which no option does."""
    first = text.pieces[0]
    if isinstance(first, Hole) and first.symbol.startswith(SUBSTITUTED):
        return True
    return any(isinstance(piece, Lit) and "/" in piece.value for piece in text.pieces)


class Options:
    """Options and operands of a command line, read as GNU getopt does (operands in between)."""

    def __init__(
        self,
        arguments: Sequence[Text],
        flags: str = "",
        valued: str = "",
        long: dict[str, str] | None = None,
        *,
        permute: bool = True,
    ) -> None:
        """`long` maps `--name` to the letter it means."""
        self.values: list[tuple[str, Text]] = []
        self.operands: list[Text] = []
        names = long or {}
        index = 0
        while index < len(arguments):
            text = arguments[index]
            index += 1
            start = head(text)
            if not start and text.holes and not _is_path(text):
                # What comes from outside could be an option here.
                raise NotModelled(f"{text.display()} may be an option")
            if start == "--" and not text.holes:
                self.operands += arguments[index:]
                return
            if len(start) < 2 or start[0] != "-":
                self.operands.append(text)
                if not permute:
                    self.operands += arguments[index:]
                    return
                continue
            option = known(text)
            if option.startswith("--"):
                name, equals, value = option.partition("=")
                letter = names.get(name)
                if letter is None:
                    raise NotModelled(f"the option {name} is not modelled")
                if letter in valued and not equals:
                    if index == len(arguments):
                        raise NotModelled(f"{name} needs a value")
                    self.values.append((letter, arguments[index]))
                    index += 1
                else:
                    self.values.append((letter, like(value, text)))
                continue
            place = 1
            while place < len(option):
                letter = option[place]
                place += 1
                if letter in valued:
                    if place < len(option):
                        self.values.append((letter, like(option[place:], text)))
                    elif index < len(arguments):
                        self.values.append((letter, arguments[index]))
                        index += 1
                    else:
                        raise NotModelled(f"-{letter} needs a value")
                    break
                if letter not in flags:
                    raise NotModelled(f"the option -{letter} is not modelled")
                self.values.append((letter, EMPTY))

    def has(self, letter: str) -> bool:
        return any(name == letter for name, _ in self.values)

    def value(self, letter: str) -> Text | None:
        """The last value given."""
        return next((value for name, value in reversed(self.values) if name == letter), None)


def content(call: Call, name: Text) -> Text:
    """A file's content, or standard input for `-`."""
    if name.known == "-":
        return standard_input(call)
    found = call.read(name)
    if found is None:
        raise NotModelled(f"the content of {name.display()} is not known")
    return found


def standard_input(call: Call) -> Text:
    if call.stdin is None:
        raise NotModelled("standard input is not known")
    return call.stdin


def inputs(call: Call, operands: Sequence[Text]) -> list[Text]:
    """The contents of the operands, or standard input when there are none."""
    return [content(call, name) for name in operands] if operands else [standard_input(call)]


def all_input(call: Call, operands: Sequence[Text]) -> Text:
    """Everything, one after the other."""
    texts = inputs(call, operands)
    result = texts[0]
    for text in texts[1:]:
        result += text
    return result


def split_lines(value: str) -> list[str]:
    """Lines without their newlines; a last one without a newline counts."""
    lines = value.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def joined_lines(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def number(text: Text) -> int:
    """A plain decimal count."""
    value = known(text)
    if not re.fullmatch(r"[0-9]{1,15}", value, re.ASCII):
        raise NotModelled(f"{value!r} is not a plain number")
    return int(value)
