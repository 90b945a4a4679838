"""What a running awk program has: variables, the record and its fields, output."""

from __future__ import annotations

from collections.abc import Callable

from verifier.model.record import dataclass, field
from verifier.shell.commands import NotModelled
from verifier.shell.commands.awk_values import Field, Value, bounded, to_text
from verifier.shell.commands.regular import Expression, translate

STEPS = 50_000


class Next(Exception):
    """`next`."""


class Exit(Exception):
    """`exit`."""


class Break(Exception):
    """`break`."""


class Continue(Exception):
    """`continue`."""


class Machine:
    """The state of one run."""

    def __init__(self) -> None:
        self.variables: dict[str, Value] = {"OFS": " ", "ORS": "\n", "FS": " "}
        self.arrays: dict[str, dict[str, Value]] = {}
        self.output: list[str] = []
        self.status = 0
        self.records = 0
        self.steps = 0
        self.written = 0
        self.reading = False
        self._record = ""
        self._fields: list[Value] | None = []

    def tick(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise NotModelled("an awk program that runs too long")

    def write(self, value: str) -> None:
        self.written += len(value)
        if self.written > 1_000_000:
            raise NotModelled("an awk program that prints too much")
        self.output.append(value)

    # --- the record ------------------------------------------------------------------------------

    def start(self, record: str) -> None:
        self._record = record
        self._fields = None

    def fields(self) -> list[Value]:
        if self._fields is None:
            parts = split(self._record, to_text(self.variables["FS"]))
            self._fields = [Field(part) for part in parts]
        return self._fields

    def get_field(self, number: int) -> Value:
        if number == 0:
            return Field(self._record)
        fields = self.fields()
        if not 0 < number <= len(fields):
            if number < 0:
                raise NotModelled("a negative field of awk")
            return None
        return fields[number - 1]

    def set_field(self, number: int, value: Value) -> None:
        if number == 0:
            self.start(to_text(value))
            return
        fields = self.fields()
        if not 0 < number <= 1000:
            raise NotModelled("this field of awk")
        while len(fields) < number:
            fields.append(None)
        fields[number - 1] = value
        separator = to_text(self.variables["OFS"])
        self._record = bounded(separator.join(map(to_text, fields)))

    # --- variables -------------------------------------------------------------------------------

    def get(self, name: str) -> Value:
        if name == "NF":
            return float(len(self.fields()))
        if name in ("NR", "FNR"):
            return float(self.records)
        if name in self.arrays:
            raise NotModelled(f"{name} is an array")
        return self.variables.get(name)

    def set(self, name: str, value: Value) -> None:
        if name in _FIXED or name in self.arrays or (name == "FS" and self.reading):
            raise NotModelled(f"an assignment to {name} in awk")
        if isinstance(value, str):
            bounded(value)
        self.variables[name] = value

    def array(self, name: str) -> dict[str, Value]:
        if name in self.variables or name in SPECIAL:
            raise NotModelled(f"{name} is not an array")
        return self.arrays.setdefault(name, {})


_FIXED = frozenset("NF NR FNR RS".split())
SPECIAL = frozenset("NF NR FNR FS OFS ORS".split())
UNKNOWN = frozenset(
    """ARGC ARGV ARGIND BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FPAT FUNCTAB IGNORECASE
    LINT OFMT PREC PROCINFO ROUNDMODE RLENGTH RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN""".split()
)
"""Variables with a meaning that is not modelled, here or in gawk."""


def split(value: str, separator: str) -> list[str]:
    """The fields of a record by FS."""
    if separator == " ":
        blanks = value.replace("\t", " ").replace("\n", " ")
        return [part for part in blanks.split(" ") if part]
    if not value:
        return []
    if len(separator) == 1 and separator not in "\\^$[":
        return value.split(separator)
    return list(_pieces(value, expression(separator)))


def _pieces(value: str, pattern: Expression) -> list[str]:
    if pattern.found(""):
        raise NotModelled("a separator of awk that may be empty")
    if pattern.pattern.pattern.startswith("^"):
        raise NotModelled("an anchored separator of awk")
    parts: list[str] = []
    position = 0
    while (match := pattern.match(value, position)) is not None:
        parts.append(value[position : match.start()])
        position = match.end()
    return [*parts, value[position:]]


def expression(value: str) -> Expression:
    """A text used as an expression, where escapes would count twice."""
    if "\\" in value:
        raise NotModelled("a backslash in a text that awk uses as an expression")
    return translate(value, "awk")


Get = Callable[[Machine], Value]
Do = Callable[[Machine], None]


@dataclass(frozen=True, slots=True)
class Target:
    """Something that can be assigned to."""

    get: Get
    set: Callable[[Machine, Value], None]


@dataclass(slots=True)
class Program:
    """`BEGIN` actions, pattern-action rules in order, `END` actions."""

    begin: list[Do] = field(default_factory=list)
    rules: list[tuple[Get | None, Do]] = field(default_factory=list)
    end: list[Do] = field(default_factory=list)
