"""echo, printf, true, false, `:` and yes."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.model.text import EMPTY, Lit, Text, lit
from verifier.shell.arithmetic import is_integer
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import head
from verifier.shell.printf import printf
from verifier.shell.quoting import decode_escape
from verifier.shell.texts import derived, join


def echo(call: Call) -> Result:
    """Bash's builtin without `xpg_echo`."""
    arguments = list(call.argv[1:])
    newline, escapes = True, False
    while arguments:
        text = arguments[0]
        option = text.known
        if option is None and _may_be_option(text):
            output = derived(text.holes[0].reason, "echo", lit(str(escapes)), *arguments)
            if not escapes:
                output += lit("\n")
            # An option would also take the newline away, or turn escapes on.
            return Result(derived(text.holes[0].reason, "echo", output))
        if option is None or len(option) < 2 or option[0] != "-" or set(option[1:]) - set("neE"):
            break
        for letter in option[1:]:
            newline = newline and letter != "n"
            escapes = letter == "e" if letter in "eE" else escapes
        del arguments[0]
    output = join(arguments, lit(" "))
    if escapes:
        output, stopped = _unescape(output)
        newline = newline and not stopped
    return Result(output + lit("\n") if newline else output)


def _may_be_option(text: Text) -> bool:
    known_part = "".join(p.value for p in text.pieces if isinstance(p, Lit))
    if set(known_part) - set("-neE") or (head(text) and not head(text).startswith("-")):
        return False
    for hole in text.holes:
        if is_integer(hole):
            return False
        if hole.choices is not None and not any(set(c) <= set("-neE") and c for c in hole.choices):
            return False
    return True


def _unescape(text: Text) -> tuple[Text, bool]:
    """Escapes of `echo -e`; true when `\\c` ends the output."""
    if text.holes and any(isinstance(p, Lit) and "\\" in p.value[-10:] for p in text.pieces[:-1]):
        raise NotModelled("an escape may go on in a hole")
    output = EMPTY
    for piece in text.pieces:
        if not isinstance(piece, Lit):
            output += derived(piece.reason, "echo -e", Text((piece,)))
            continue
        parts: list[str] = []
        position = 0
        while position < len(piece.value):
            if piece.value[position] != "\\":
                parts.append(piece.value[position])
                position += 1
            elif piece.value.startswith("\\c", position):
                return output + lit(_bytes(parts), piece.origin), True
            else:
                decoded, position = decode_escape(piece.value, position, "echo")
                parts.append(decoded)
        output += lit(_bytes(parts), piece.origin)
    return output, False


def _bytes(parts: Sequence[str]) -> str:
    return "".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def printf_command(call: Call) -> Result:
    """printf without `-v`."""
    arguments = call.argv[1:]
    if arguments and arguments[0].known == "--":
        arguments = arguments[1:]
    elif arguments and (arguments[0].known is None or arguments[0].known.startswith("-")):
        raise NotModelled("options of printf")
    if not arguments:
        raise NotModelled("printf without a format")
    printed = printf(arguments[0], arguments[1:])
    return Result(printed.output, printed.status)


def succeed(call: Call) -> Result:
    return Result()


def fail(call: Call) -> Result:
    return Result(status=1)


def yes(call: Call) -> Result:
    raise NotModelled("yes prints without end")


MODELS: dict[str, Model] = {
    "echo": echo,
    "printf": printf_command,
    "true": succeed,
    "false": fail,
    ":": succeed,
    "yes": yes,
}
