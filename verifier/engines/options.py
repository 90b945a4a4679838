"""A command line as Python's argparse reads it, for parsers given as data.

Source: CPython 3.11 `Lib/argparse.py` (`_parse_optional`, `_get_option_tuples`,
`consume_optional`). Reading goes on after an error, so that the checks still see what was meant;
the first error is the refusal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.engines.log import Log
from verifier.engines.numbers import human_int, python_float, python_int
from verifier.engines.pieces import Arg, drop, hole_name, partition, prefix, reason, value_of
from verifier.engines.tables import Option, Table
from verifier.engines.versions import Version, parse
from verifier.model.launch import Setting, Value
from verifier.model.record import NamedTuple, dataclass, field
from verifier.model.text import Span, Text

_NEGATIVE_NUMBER = re.compile(r"-\d+|-\d*\.\d+")
_SPECULATIVE = re.compile(r"spec|draft|accept|mtp|eagle|ngram|num.?steps|topk", re.IGNORECASE)


class Given(NamedTuple):
    """One option as it was given."""

    option: Option
    name: str
    """The full spelling that the parser matched."""
    spelled: str
    """As written."""
    values: tuple[Arg, ...]
    span: Span | None


@dataclass(slots=True)
class Parsed:
    """A command line taken apart."""

    given: list[Given] = field(default_factory=list)
    unknown: list[tuple[str, tuple[Arg, ...], Span | None]] = field(default_factory=list)
    """Options that the table does not have."""
    positionals: list[Arg] = field(default_factory=list)

    def last(self, dest: str) -> Given | None:
        """The one that wins."""
        return next((g for g in reversed(self.given) if g.option.dest == dest), None)

    def all(self, dest: str) -> list[Given]:
        return [g for g in self.given if g.option.dest == dest]


class _Shape(NamedTuple):
    """What one argument is: an operand (no name), or an option with its explicit value."""

    name: str | None = None
    option: Option | None = None
    explicit: Text | None = None


_OPERAND = _Shape()


class Reader:
    """Reads arguments by one table. `positionals` is how many operands the parser takes."""

    def __init__(
        self,
        table: Table,
        log: Log,
        *,
        positionals: int = 0,
        abbreviations: bool = True,
        version: Version | None = None,
        partial: bool = False,
    ) -> None:
        """`version`: the engine's, None when it is not known. `partial`: unknown arguments go to
        another parser (argparse's parse_known_args)."""
        self.table = table
        self.log = log
        self.positionals = positionals
        self.abbreviations = abbreviations
        self.version = version
        self.partial = partial
        self.rest: list[Arg] = []
        """What a `partial` reader left over, in order."""
        self.vague = False
        """Whether arguments of unknown number were passed over."""

    def read(self, args: Sequence[Arg]) -> Parsed:
        parsed = Parsed()
        index = 0
        only_operands = False
        while index < len(args):
            arg = args[index]
            index += 1
            if only_operands:
                self.operand(arg, parsed)
                continue
            if arg.known == "--":
                only_operands = True
                continue
            shape = self.shape(arg)
            if shape.name is None:
                self.operand(arg, parsed)
            elif shape.option is None:
                index = self.unknown(arg, shape, args, index, parsed)
            else:
                index = self.optional(arg, shape, args, index, parsed)
        return parsed

    # What one argument is

    def shape(self, arg: Arg) -> _Shape:
        start = prefix(arg.text)
        known = arg.known
        if not start.startswith("-") or start == "-" or known == "--":
            return _OPERAND
        if known is not None and known in self.table.options:
            return _Shape(known, self.table.options[known])
        parts = partition(arg.text, "=")
        name = start if parts is None else prefix(parts[0])
        explicit = None if parts is None else parts[1]
        if parts is None and known is None:
            self.log.unknown(
                f"the option {hole_name(arg.text)} is not known in full: {reason(arg.text)}",
                arg.span,
            )
            return _Shape(start, None)
        if explicit is not None and name in self.table.options:
            return _Shape(name, self.table.options[name], explicit)
        older = self.older(name)
        if older is not None:
            return _Shape(name, older, explicit)
        found = self.abbreviated(arg.text, name, explicit)
        if found is not None:
            return found
        if _NEGATIVE_NUMBER.fullmatch(start) or (known is not None and " " in known):
            return _OPERAND
        return _Shape(name, None, explicit)

    def is_newest(self) -> bool:
        """Whether the engine is the release that the table was taken from."""
        return self.version is not None and self.version == parse(self.table.version)

    def older(self, name: str) -> Option | None:
        """An option that only earlier releases have, when this may be one."""
        found = self.table.older.get(name)
        if found is None:
            return None
        last = parse(found[1])
        gone = self.version is not None and last is not None and self.version > last
        return None if gone else found[0]

    def abbreviated(self, text: Text, name: str, explicit: Text | None) -> _Shape | None:
        if name.startswith("--"):
            matches = self.table.prefixed(name) if self.abbreviations else ()
            found = [_Shape(match, self.table.options[match], explicit) for match in matches]
        else:
            found = []
            short = name[:2]
            whole = prefix(text) if text.known is None else text.known
            for match, option in self.table.options.items():
                if match == short:
                    found.append(_Shape(match, option, drop(text, 2)))
                elif match.startswith(whole) and self.abbreviations:
                    found.append(_Shape(match, option))
        if len(found) > 1:
            names = ", ".join(sorted(str(shape.name) for shape in found)[:6])
            self.log.refuse(
                f"{self.table.engine} stops at {name}: it is short for several options ({names})",
                text.span,
            )
            return _Shape(name, None, explicit)
        return found[0] if found else None

    # Consuming

    def operand(self, arg: Arg, parsed: Parsed) -> None:
        if self.partial:
            self.rest.append(arg)
        elif len(parsed.positionals) < self.positionals:
            parsed.positionals.append(self.value(arg))
        elif arg.open or (arg.known is None and not prefix(arg.text)):
            self.vague = True
            self.log.any_arguments(arg)
        elif self.vague:
            self.log.unknown(
                f"what `{arg.text.display()}` belongs to depends on the arguments before it",
                arg.span,
            )
        else:
            self.log.refuse(
                f"{self.table.engine} does not recognise the argument `{arg.text.display()}`",
                arg.span,
            )

    def value_follows(self, args: Sequence[Arg], index: int) -> bool:
        """Whether the next argument can be a value of the option before it."""
        if index >= len(args) or args[index].known == "--":
            return False
        return self.shape(args[index]).name is None

    def optional(
        self, arg: Arg, shape: _Shape, args: Sequence[Arg], index: int, parsed: Parsed
    ) -> int:
        option, name = shape.option, shape.name
        assert option is not None and name is not None
        values: list[Arg] = []
        if arg.open:
            self.log.one_word(arg)
        if option.kind in ("flag", "pair", "help"):
            if shape.explicit is not None:
                self.log.refuse(
                    f"{self.table.engine} takes no value for {name} "
                    f"(got `{shape.explicit.display()}`)",
                    arg.span,
                )
        elif shape.explicit is not None:
            values.append(Arg(shape.explicit))
        elif option.single or option.kind == "maybe":
            if self.value_follows(args, index):
                values.append(self.value(args[index]))
                index += 1
            elif option.single:
                self.missing(arg, name)
                return index
        else:
            while self.value_follows(args, index):
                values.append(args[index])
                index += 1
            if not values and option.kind != "list0":
                self.missing(arg, name)
                return index
        if name not in self.table.options:
            self.log.assume(
                f"{name} is an option of {self.table.engine} up to {self.table.older[name][1]}; "
                "newer releases refuse it",
                arg.span,
            )
        spelled = prefix(arg.text) if shape.explicit is None else prefix(arg.text).split("=")[0]
        parsed.given.append(Given(option, name, spelled, tuple(values), arg.span))
        return index

    def value(self, arg: Arg) -> Arg:
        """The one value of an option; an open word may bring other arguments with it."""
        self.vague = self.vague or (arg.open and arg.listed)
        return self.log.one_value(arg)

    def missing(self, arg: Arg, name: str) -> None:
        self.log.refuse(f"{self.table.engine} needs a value after {name}", arg.span)

    def unknown(
        self, arg: Arg, shape: _Shape, args: Sequence[Arg], index: int, parsed: Parsed
    ) -> int:
        """An option that the table lacks: a newer one, a removed one, or a mistake."""
        name = shape.name or ""
        if self.partial:
            self.rest.append(arg)
            return index
        values: tuple[Arg, ...] = () if shape.explicit is None else (Arg(shape.explicit),)
        if shape.explicit is None and self.value_follows(args, index) and not args[index].open:
            values = (args[index],)
            index += 1
        parsed.unknown.append((name, values, arg.span))
        if arg.known is None and shape.explicit is None:
            return index
        meant = self.misspelled(name) or self.glued(name)
        if meant is not None:
            self.log.refuse(
                f"{self.table.engine} has no option {name}; the option is {meant}", arg.span
            )
        elif self.table.open and not self.table.prefixed(name):
            self.newer(name, arg)
        elif self.is_newest() or _SPECULATIVE.search(name):
            self.log.refuse(
                f"{self.table.engine} {self.table.version} has no option {name}", arg.span
            )
        else:
            self.log.assume(
                f"{name} is not an option of {self.table.engine} {self.table.version}; "
                "it is taken for one of another version that changes no setting judged here",
                arg.span,
            )
        return index

    def newer(self, name: str, arg: Arg) -> None:
        """An option of an engine whose other builds are not known here."""
        if _SPECULATIVE.search(name):
            self.log.unknown(
                f"{name} is not known of {self.table.engine}; its name says that it may change "
                "speculation",
                arg.span,
            )
        else:
            self.log.assume(
                f"{name} is not known of {self.table.engine}; it is taken for an option that "
                "changes no setting judged here",
                arg.span,
            )

    def misspelled(self, name: str) -> str | None:
        """The option that was meant when only dashes and underscores differ."""
        bare = name.lstrip("-").replace("_", "-")
        for candidate in (f"--{bare}", "--" + bare.replace("-", "_")):
            if candidate != name and candidate in self.table.options:
                return candidate
        return None

    def glued(self, name: str) -> str | None:
        """The short option that a value was glued to, which only one-letter options allow."""
        if name.startswith("--"):
            return None
        return next(
            (o for o in self.table.options if not o.startswith("--") and name.startswith(o)), None
        )


def setting_of(given: Given, log: Log, engine: str) -> Setting:
    """The value of an option as its type converts it; a text that cannot be one is a refusal."""
    option = given.option
    span = given.span
    if option.kind in ("flag", "pair", "help"):
        return Setting(value=not option.negative, span=span, spelling=given.spelled)
    if option.kind in ("list", "list0"):
        values = tuple(value_of(arg.text) for arg in given.values)
        return Setting(value=values, span=span, spelling=given.spelled)
    if not given.values:
        return Setting(value=True, span=span, spelling=given.spelled)
    text = given.values[0].text
    return Setting(
        value=convert(text, option.kind, given.name, log, engine, span),
        span=text.span or span,
        spelling=given.spelled,
    )


def convert(
    text: Text, kind: str, name: str, log: Log, engine: str, span: Span | None = None
) -> Value:
    """One option value by its kind. JSON is the caller's business and stays text."""
    known = text.known
    if known is None:
        return text
    if kind.startswith("opt:"):
        if known in ("", "None"):
            return None
        kind = kind[4:]
    value: Value
    if kind == "int":
        value, wanted = python_int(known), "an integer"
    elif kind == "float":
        value, wanted = python_float(known), "a number"
    elif kind == "human":
        value, wanted = human_int(known), "an integer such as 8192 or 8k"
    elif kind == "human_auto":
        low = known.strip().lower()
        value, wanted = (-1 if low in ("-1", "auto") else human_int(known)), "an integer or auto"
    else:
        return known
    if value is None:
        shown = f"`{known}`" if known else "an empty text"
        log.refuse(f"{engine} needs {wanted} for {name}, not {shown}", text.span or span)
        return known
    return value
