"""Bash's builtin printf.

Source for the corner cases: bash 5.2, builtins/printf.def, and measurements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Lit, Origin, Piece, Text, lit
from verifier.shell import floats
from verifier.shell.arithmetic import is_integer
from verifier.shell.quoting import decode_escape, quote_printf
from verifier.shell.texts import derived

OUTPUT_LIMIT = 1_000_000
"""Characters of padding or output before the result is left unknown."""


_SECONDS = re.compile(r"|-?[0-9]{1,18}", re.ASCII)
_moments = count(1)


class Printed(NamedTuple):
    """What printf wrote and its exit status (None when holes leave it open)."""

    output: Text
    status: int | None


class _Conversion(NamedTuple):
    """`%-5.2f`: `width` and `precision` are digits, `*`, or None."""

    flags: str
    width: str | None
    precision: str | None
    kind: str


class _Fault(NamedTuple):
    """A place where bash stops with an error."""


_Part = str | _Conversion | _Fault

_SPEC = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|[0-9]+)?(?:\.(?P<precision>\*|-?[0-9]*))?[hjlLtz]*"
    r"(?:\((?P<time>[^)]*)\)(?=T))?(?P<kind>.)",
    re.DOTALL,
)
_KINDS = "sdiuxXocbqQfFeEgGaAnT"


def _parse(template: str) -> list[_Part]:
    parts: list[_Part] = []
    plain: list[str] = []
    position = 0
    while position < len(template):
        char = template[position]
        if char == "\\":
            text, position = decode_escape(template, position, "format")
            plain.append(text)
            continue
        if char != "%":
            plain.append(char)
            position += 1
            continue
        if template.startswith("%%", position):
            plain.append("%")
            position += 2
            continue
        if plain:
            parts.append("".join(plain))
            plain = []
        match = _SPEC.match(template, position)
        if match is None or match["kind"] not in _KINDS:
            return [*parts, _Fault()]
        position = match.end()
        precision = match["precision"]
        parts.append(_Conversion(match["flags"], match["width"], precision, match["kind"]))
    if plain:
        parts.append("".join(plain))
    return parts


def printf(template: Text, arguments: Sequence[Text]) -> Printed:
    """`printf template arguments…` (without options; `-v` is the caller's).

    Holes flow through `%s`; a numeric conversion of a hole is a hole. A template with holes
    gives one hole.
    """
    if template.known is None:
        output = derived("the format of printf is not known", "printf", template, *arguments)
        return Printed(output, None)
    origin = template.pieces[0].origin if template.pieces else None
    return _Printer(arguments, origin).run(_parse(template.known))


class _Printer:
    def __init__(self, arguments: Sequence[Text], origin: Origin | None) -> None:
        self.arguments = arguments
        self.origin = origin
        self.position = 0
        self.status: int | None = 0
        self.pieces: list[Piece] = []
        self.size = 0

    def run(self, parts: list[_Part]) -> Printed:
        while True:
            before = self.position
            for part in parts:
                if isinstance(part, _Fault):
                    return Printed(Text(self.pieces), 1)
                if isinstance(part, str):
                    self.write(lit(part, self.origin))
                elif not self.convert(part):
                    return Printed(Text(self.pieces), self.status)
            if self.position >= len(self.arguments) or self.position == before:
                return Printed(Text(self.pieces), self.status)
            if self.size > OUTPUT_LIMIT:
                everything = derived("the output of printf is too long", "printf", *self.arguments)
                return Printed(everything, None)

    def write(self, text: Text) -> None:
        self.pieces += text.pieces
        self.size += sum(len(p.value) for p in text.pieces if isinstance(p, Lit))

    def argument(self) -> Text | None:
        if self.position < len(self.arguments):
            self.position += 1
            return self.arguments[self.position - 1]
        return None

    def failed(self) -> None:
        self.status = 1 if self.status is not None else None

    def number(self, given: str | None) -> int | None:
        """A width or precision; -1 when there is none, None when it is a hole."""
        if given is None:
            return -1
        if given != "*":
            return int(given or 0)
        text = self.argument()
        if text is None:
            return 0
        if text.known is None:
            return None
        return self.integer(text.known)

    def convert(self, conversion: _Conversion) -> bool:
        """Write one conversion; False when `\\c` ends all output."""
        flags, kind = conversion.flags, conversion.kind
        width = self.number(conversion.width)
        precision = self.number(conversion.precision)
        text = self.argument()
        if width is not None and conversion.width == "*" and width < 0:
            flags, width = flags + "-", -width
        name = f"printf:%{flags}{conversion.width or ''}.{conversion.precision}{kind}"
        if kind == "T" and width is not None and precision is not None:
            self.time(name, text)
            return True
        if width is None or precision is None or kind in "naA" or max(width, precision) > 4096:
            self.unknown(name, text)
            return True
        if precision < -1:
            precision = -1
        if kind in "sbqQc":
            return self.string(kind, flags, width, precision, text, name)
        if text is not None and text.known is None:
            whole = len(text.pieces) == 1 and isinstance(text.pieces[0], Hole)
            plain = kind in "di" and not flags and width < 0 and precision < 0
            if whole and plain and is_integer(text.holes[0]):
                self.write(text)
            else:
                self.unknown(name, text)
            return True
        value = "" if text is None else text.known or ""
        shown = None
        if len(value) < 1000:
            shown = self.numeric(kind, flags, width, precision, value)
        if shown is None:
            self.unknown(name, text)
        else:
            self.write(self.like(shown, text))
        return True

    def unknown(self, name: str, text: Text | None) -> None:
        reason = text.holes[0].reason if text is not None and text.holes else "printf of a number"
        self.write(derived(reason, name, EMPTY if text is None else text))
        self.status = None

    def time(self, name: str, text: Text | None) -> None:
        """`%(…)T`: the time zone is not known, and mostly it is the time of the run."""
        known = "" if text is None else text.known
        if known is not None and not _SECONDS.fullmatch(known):
            self.unknown(name, text)
            return
        # Two of them are not taken for equal: time goes on.
        name = f"{name}#{next(_moments)}"
        status = self.status if known is not None else None
        self.write(derived("a time", name, EMPTY if text is None else text))
        self.status = status

    def like(self, value: str, text: Text | None) -> Text:
        """A text that comes from where the argument came from."""
        origin = text.pieces[0].origin if text is not None and text.pieces else None
        return lit(value, origin)

    # --- strings -------------------------------------------------------------------------------

    def string(
        self, kind: str, flags: str, width: int, precision: int, text: Text | None, name: str
    ) -> bool:
        value = EMPTY if text is None else text
        plain = width <= 0 and precision < 0
        if kind == "s" and plain:
            self.write(value)
            return True
        known = value.known
        if known is None or (kind == "c" and not known[:1].isascii()):
            status = self.status
            self.unknown(name, text)
            self.status = status
            return True
        goes_on = True
        if kind == "c":
            known = known[:1] or "\0"
        elif kind == "b":
            known, goes_on = _expand_b(known)
        elif kind in "qQ":
            if not known.isascii() or precision >= 0:
                self.unknown(name, text)  # what is printable depends on the locale
                return True
            known = quote_printf(known)
        if not plain and not known.isascii():
            self.unknown(name, text)  # bytes or characters, by locale
            return goes_on
        if precision >= 0 and kind != "c":
            known = known[:precision]
        if known == value.known and width <= len(known):
            self.write(value)
        else:
            padded = known.ljust(width) if "-" in flags else known.rjust(width)
            self.write(self.like(padded, text))
        return goes_on

    # --- numbers -------------------------------------------------------------------------------

    def numeric(self, kind: str, flags: str, width: int, precision: int, value: str) -> str | None:
        if kind in "diuxXo":
            number = self.integer(value)
            if "'" in flags and abs(number) >= 1000:
                return None
            return _integer(kind, flags, width, precision, number)
        return self.floating(kind, flags, width, precision, value)

    def integer(self, value: str) -> int:
        """C's strtoimax with base 0; sets the status when something is left over."""
        if value[:1] in ("'", '"'):
            return ord(value[1]) if len(value) > 1 else 0
        match = re.match(
            r"[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[0-9]+)", value, re.ASCII
        )
        if match is None:
            if value:
                self.failed()
            return 0
        digits = match[2]
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
        number = int(digits[2:] if base == 16 else digits, base)
        if match.end() < len(value):
            self.failed()
        return -number if match[1] == "-" else number

    def floating(self, kind: str, flags: str, width: int, precision: int, value: str) -> str | None:
        match = re.match(
            r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)",
            value,
            re.ASCII,
        )
        if match is None:
            if not re.fullmatch(r"[A-Zac-hj-mo-z_/:=,-]?|[^-+0-9.iInN'\" \t].*", value, re.DOTALL):
                return None  # inf, nan, a character, a blank: rare, and not worth a rule
            if value:
                self.failed()
            text = "0"
        else:
            text = match[1]
            if value[match.end() :][:1] in ("x", "X", "p", "P"):
                return None
            if match.end() < len(value):
                self.failed()
        exact = floats.parse(text)
        if exact is None or "'" in flags:
            return None
        shown = {
            floats.show(
                floats.rounded(exact, bits), text[0] == "-", kind, flags, max(width, 0), precision
            )
            for bits in (floats.X87, floats.QUAD)
        }
        return shown.pop() if len(shown) == 1 else None  # else it depends on the processor


def _integer(kind: str, flags: str, width: int, precision: int, number: int) -> str:
    low, high = -(1 << 63), (1 << 63) - 1
    if kind in "di":
        number = min(max(number, low), high)
        sign = "-" if number < 0 else "+" if "+" in flags else " " if " " in flags else ""
        digits = str(abs(number))
    else:
        number = min(number, (1 << 64) - 1) if number >= -(1 << 64) else (1 << 64) - 1
        number %= 1 << 64
        sign = ""
        digits = format(number, {"u": "d"}.get(kind, kind))
    if precision >= 0:
        digits = "" if precision == 0 and number == 0 else digits.rjust(precision, "0")
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if "#" in flags and kind in "xX" and number:
        sign = "0" + kind
    if "-" in flags:
        return (sign + digits).ljust(width)
    if "0" in flags and precision < 0:
        return sign + digits.rjust(width - len(sign), "0")
    return (sign + digits).rjust(width)


def _expand_b(value: str) -> tuple[str, bool]:
    """The escapes of `%b`; False when `\\c` ends the output."""
    parts: list[str] = []
    position = 0
    while position < len(value):
        if value[position] != "\\":
            parts.append(value[position])
            position += 1
            continue
        if value.startswith("\\c", position):
            return _joined(parts), False
        text, position = decode_escape(value, position, "b")
        parts.append(text)
    return _joined(parts), True


def _joined(parts: list[str]) -> str:
    """Bytes written one by one may make up characters."""
    return "".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
