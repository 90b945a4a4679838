"""jq, where versions 1.6 and 1.7 agree."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.model.record import dataclass, field
from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import all_input, known, like
from verifier.shell.commands.jq_functions import Scope
from verifier.shell.commands.jq_syntax import parse as parse_program
from verifier.shell.commands.jq_values import Mistake, Value, dump, truth
from verifier.shell.commands.jq_values import parse as parse_values

_LONG = {
    "--raw-output": "r", "--compact-output": "c", "--null-input": "n", "--exit-status": "e",
    "--slurp": "s", "--sort-keys": "S", "--join-output": "j", "--monochrome-output": "M",
}  # fmt: skip


@dataclass(slots=True)
class _Options:
    letters: set[str] = field(default_factory=set)
    variables: dict[str, Value] = field(default_factory=dict)
    operands: list[Text] = field(default_factory=list)


def _options(arguments: Sequence[Text]) -> _Options:
    options = _Options()
    rest = list(arguments)
    while rest:
        text = rest.pop(0)
        option = known(text)
        if option in ("--arg", "--argjson"):
            if len(rest) < 2:
                raise NotModelled(f"{option} needs two values")
            name, value = known(rest[0]), known(rest[1])
            del rest[:2]
            if f"${name}" in options.variables:
                raise NotModelled("a jq variable given twice")
            if option == "--argjson":
                values = parse_values(value)
                if len(values) != 1:
                    raise NotModelled("this value of --argjson")
                options.variables[f"${name}"] = values[0]
            else:
                options.variables[f"${name}"] = value
        elif option in _LONG:
            options.letters.add(_LONG[option])
        elif option.startswith("-") and len(option) > 1:
            if not set(option[1:]) <= set(_LONG.values()):
                raise NotModelled(f"the option {option} of jq")
            options.letters |= set(option[1:])
        else:
            options.operands.append(text)
    return options


def jq(call: Call) -> Result:
    options = _options(call.argv[1:])
    letters = options.letters
    if not options.operands:
        raise NotModelled("jq without a program")
    program, files = options.operands[0], options.operands[1:]
    try:
        run = parse_program(known(program))
        if "n" in letters:
            values: list[Value] = [None]
            if "s" in letters:
                raise NotModelled("jq with both -n and -s")
        else:
            values = parse_values(known(all_input(call, files)))
            if "s" in letters:
                values = [values]
        scope = Scope(options.variables)
        found = [output for value in values for output in run(value, scope)]
        shown = "".join(_shown(output, letters) for output in found)
    except (Mistake, RecursionError) as error:
        raise NotModelled("jq stops with an error") from error
    if len(shown) > 1_000_000:
        raise NotModelled("jq prints too much")
    status = 0
    if "e" in letters:
        if not found:
            raise NotModelled("versions of jq end differently without any output")
        status = int(not truth(found[-1]))
    return Result(like(shown, program), status)


def _shown(value: Value, letters: set[str]) -> str:
    raw = bool(letters & {"r", "j"}) and isinstance(value, str)
    pretty = "c" not in letters
    shown = value if raw else dump(value, pretty=pretty, ordered="S" in letters)
    if raw:
        dump(value)  # refuses characters that are not known to be printed
        if "\0" in value:
            raise NotModelled("a zero byte in jq")
    return shown if "j" in letters else f"{shown}\n"


MODELS: dict[str, Model] = {"jq": jq}
