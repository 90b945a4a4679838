"""awk, where mawk and gawk agree."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.awk_machine import SPECIAL, UNKNOWN, Exit, Machine, Next, Program
from verifier.shell.commands.awk_syntax import parse
from verifier.shell.commands.awk_values import Field, truth
from verifier.shell.commands.common import inputs, known, like, split_lines


def _value(text: Text) -> str:
    """The value of a `-v`; escapes are left to the shell."""
    value = known(text)
    if "\\" in value or "\n" in value:
        raise NotModelled("a backslash in a value of awk")
    return value


def _separator(text: Text) -> str:
    value = known(text)
    if value == "\\t":
        return "\t"
    if not value or value == "t" or "\\" in value or "\n" in value:
        raise NotModelled("this separator of awk")
    return value


def _options(arguments: Sequence[Text], machine: Machine) -> list[Text]:
    """Set what the options say; the program and the operands are left."""
    rest = list(arguments)
    while rest:
        option = known(rest[0])
        if option == "--":
            return rest[1:]
        if not option.startswith("-") or option == "-":
            return rest
        letter, value = option[1], rest[0]
        if letter not in "vF":
            raise NotModelled(f"the option {option} of awk")
        if len(option) > 2:
            value = like(option[2:], rest[0])
            del rest[0]
        else:
            if len(rest) < 2:
                raise NotModelled(f"{option} needs a value")
            value = rest[1]
            del rest[:2]
        if letter == "F":
            machine.variables["FS"] = _separator(value)
            continue
        name, equals, content = _value(value).partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII):
            raise NotModelled("this variable of awk")
        if name in SPECIAL - {"OFS", "ORS"} or name in UNKNOWN:
            raise NotModelled(f"{name} of awk")
        machine.variables[name] = Field(content)
    raise NotModelled("awk without a program")


def awk(call: Call) -> Result:
    machine = Machine()
    rest = _options(call.argv[1:], machine)
    if not rest:
        raise NotModelled("awk without a program")
    source = known(rest[0])
    if not source.isascii():
        raise NotModelled("an awk program with other than ASCII characters")
    try:
        program = parse(source)
        _run(program, machine, call, rest[1:])
    except RecursionError as error:
        raise NotModelled("an awk program that is nested too deeply") from error
    return Result(like("".join(machine.output), rest[0]), machine.status)


def _run(program: Program, machine: Machine, call: Call, operands: Sequence[Text]) -> None:
    try:
        for action in program.begin:
            action(machine)
        if program.rules or program.end:
            _records(program, machine, call, operands)
    except Exit:
        # `exit` ends the input, not the END actions.
        pass
    machine.reading = False
    try:
        for action in program.end:
            action(machine)
    except Exit:
        pass


def _records(program: Program, machine: Machine, call: Call, operands: Sequence[Text]) -> None:
    for name in operands:
        if "=" in known(name):
            raise NotModelled("an assignment among the files of awk")
    if len(operands) > 1:
        raise NotModelled("awk of several files")
    lines = split_lines(known(inputs(call, operands)[0]))
    machine.reading = True
    for line in lines:
        machine.records += 1
        machine.tick()
        machine.start(line)
        try:
            for condition, action in program.rules:
                if condition is None or truth(condition(machine)):
                    action(machine)
        except Next:
            continue


MODELS: dict[str, Model] = {"awk": awk, "mawk": awk, "gawk": awk}
