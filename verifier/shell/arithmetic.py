"""Shell arithmetic: `$(( ))`, `(( ))`, `let`, subscripts, `[[ a -lt b ]]`.

64-bit signed integers that wrap around, C operators, and variables whose values are expressions
themselves. An operand that is a hole gives a hole, named after the whole expression
("arith:(2*input:CONC)"), unless the result provably does not depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Protocol

from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Lit, Text, lit
from verifier.shell.texts import cut, symbol

PREFIX = "arith:"
"""Symbols of holes that are results of arithmetic begin with it."""


class ExpressionError(Exception):
    """Bash would print this message and the command would fail with status 1."""


class Variables(Protocol):
    """What arithmetic needs of the shell's variables."""

    def get(self, name: str, subscript: Text | None) -> Text | None:
        """The value, None when unset. A subscript of an indexed array is a decimal number."""

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        """Assign; `value` is a decimal number or a hole."""

    def is_associative(self, name: str) -> bool:
        """Whether subscripts of `name` are strings and not expressions."""

    def expanded(self, subscript: Text, key: bool) -> Text:
        """A subscript with quotes or `$` in it, as bash expands it; `key`: of a table."""


class Comparison(NamedTuple):
    """An undecided comparison of two integers.

    `operator` is one of `== != < <= > >=`; `left` is never a known number when `right` is not
    (`20 >= CONC` reads `CONC <= 20`). A bare hole `x` reads `x != 0`.
    """

    operator: str
    left: Text
    right: Text


class Junction(NamedTuple):
    """`&&` ("and") or `||` ("or") of undecided parts; decided parts are gone already."""

    operator: str
    parts: tuple[Truth, ...]


Truth = bool | Comparison | Junction


class Result(NamedTuple):
    """`value` is a decimal number or one hole; `truth` says whether it is not zero."""

    value: Text
    truth: Truth


class _Unknown(NamedTuple):
    """An integer that is not known. `name` says which one; `text` is the operand when it is one."""

    name: str
    hole: Hole
    text: Text | None = None
    truth: Truth | None = None


_Value = int | _Unknown

_PRECEDENCE = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<=", ">=", "<", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVELS = {operator: level for level, row in enumerate(_PRECEDENCE) for operator in row}
_ASSIGNMENTS = ("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=")
_OPERATORS = {*_ASSIGNMENTS, *_LEVELS, "**", "++", "--", "!", "~", "(", ")", "?", ":", ","}
_OPERATOR = re.compile("|".join(map(re.escape, sorted(_OPERATORS, key=len, reverse=True))))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CHANGED = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:\+\+|--|(?:[-+*/%&^|]|<<|>>)?=(?!=))"
    r"|(?:\+\+|--)\s*([A-Za-z_][A-Za-z0-9_]*)"
)
_PLAIN = re.compile(r"0|[1-9][0-9]{0,17}")
"""A number that bash reads as it stands."""
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"[0-9A-Za-z_@#]+")
_BRACKETS = re.compile(r"""\\.|'[^']*'|"(?:[^"\\]|\\.)*"|\[|\]""", re.DOTALL)
"""The brackets around a subscript, and quoted text that may hold others."""
_QUOTING = frozenset("\\'\"$`")
_DEPTH = 40
"""Parentheses and variables naming variables inside each other. Bash allows 1024 of the latter."""
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TEST_OPERATORS = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}


def _wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _divide(operator: str, left: int, right: int) -> int:
    if right == 0:
        raise ExpressionError("division by 0")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return _wrap(quotient) if operator == "/" else left - quotient * right


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ExpressionError("exponent less than 0")
    return _wrap(pow(base, exponent, 1 << 64))


def _shift(operator: str, left: int, right: int) -> int:
    # The count is taken modulo 64 by the processors that bash runs on.
    count = right & 63
    return _wrap(left << count) if operator == "<<" else left >> count


_COMPUTE: dict[str, Callable[[int, int], int]] = {
    "|": int.__or__,
    "^": int.__xor__,
    "&": int.__and__,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<<": lambda a, b: _shift("<<", a, b),
    ">>": lambda a, b: _shift(">>", a, b),
    "+": lambda a, b: _wrap(a + b),
    "-": lambda a, b: _wrap(a - b),
    "*": lambda a, b: _wrap(a * b),
    "/": lambda a, b: _divide("/", a, b),
    "%": lambda a, b: _divide("%", a, b),
    "**": _power,
}


def _name(value: _Value) -> str:
    return str(value) if isinstance(value, int) else value.name


def _text(value: _Value) -> Text:
    if isinstance(value, int):
        return lit(str(value))
    if not value.name.startswith("("):
        return Text((Hole(value.hole.reason, f"{PREFIX}({value.name})", value.hole.origin),))
    return Text((Hole(_reason(value), PREFIX + value.name, value.hole.origin),))


_COMPUTED = "computed from "
_OTHERS = "an unknown number: "
_INPUTS = re.compile(r"input:([A-Za-z_][A-Za-z0-9_]*)")


def _reason(value: _Unknown) -> str:
    """Which inputs it depends on, or what else is unknown in it."""
    names = list(dict.fromkeys(_INPUTS.findall(value.name)))
    if names and len(names) <= _FEW_NAMES and not _CALLS.search(value.name):
        return _COMPUTED + (f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0])
    reason = value.hole.reason
    return reason if reason.startswith(_COMPUTED) else f"{_COMPUTED}{_OTHERS}{reason}"


_FEW_NAMES = 4
_CALLS = re.compile(r"[A-Za-z_]\(|output:|loop:")
"""What stands in a name that is made of more than inputs and operators."""


def _operand(value: _Value) -> Text:
    if isinstance(value, int) or value.text is None:
        return _text(value)
    return value.text


def _truth(value: _Value) -> Truth:
    if isinstance(value, int):
        return value != 0
    return value.truth if value.truth is not None else Comparison("!=", _operand(value), lit("0"))


def _comparison(operator: str, left: _Value, right: _Value) -> Comparison:
    if isinstance(left, int):
        left, right, operator = right, left, _MIRRORED[operator]
    return Comparison(operator, _operand(left), _operand(right))


def _junction(operator: str, *parts: Truth) -> Truth:
    decided = operator == "or"
    kept: list[Truth] = []
    for part in parts:
        if isinstance(part, bool):
            if part is decided:
                return decided
        elif isinstance(part, Junction) and part.operator == operator:
            kept += part.parts
        else:
            kept.append(part)
    if not kept:
        return not decided
    return kept[0] if len(kept) == 1 else Junction(operator, tuple(kept))


def _number(token: str) -> int:
    """An integer constant as bash reads it."""
    base, digits = 10, token
    if "#" in token:
        prefix, _, digits = token.partition("#")
        if not prefix.isdigit() or prefix.startswith("0") or not 2 <= int(prefix) <= 64:
            raise ExpressionError(f"{token}: invalid arithmetic base")
        base = int(prefix)
        if not digits:
            raise ExpressionError(f"{token}: invalid integer constant")
    elif token[:2] in ("0x", "0X"):
        base, digits = 16, token[2:]
    elif token.startswith("0"):
        base, digits = 8, token[1:]
    value = 0
    for digit in digits:
        place = _DIGITS.find(digit.lower() if base <= 36 else digit)
        if place < 0 or place >= base:
            kind = "invalid number" if digit == "#" else "value too great for base"
            raise ExpressionError(f"{token}: {kind}")
        value = value * base + place
    return _wrap(value)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"


class _Overlay:
    """Assignments of a branch that may not run."""

    def __init__(self, under: Variables) -> None:
        self.under = under
        self.writes: dict[tuple[str, Text | None], Text] = {}

    def get(self, name: str, subscript: Text | None) -> Text | None:
        found = self.writes.get((name, subscript))
        return self.under.get(name, subscript) if found is None else found

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        self.writes[name, subscript] = value

    def is_associative(self, name: str) -> bool:
        return self.under.is_associative(name)

    def expanded(self, subscript: Text, key: bool) -> Text:
        return self.under.expanded(subscript, key)


class _Evaluator:
    """Recursive descent that evaluates as it reads, as bash's expr.c does."""

    def __init__(
        self, expression: Text, variables: Variables, outer: _Evaluator | None = None
    ) -> None:
        self.variables = variables
        self.depth: int = outer.depth if outer is not None else 0
        self.reading: tuple[tuple[str, Text | None, int], ...] = outer.reading if outer else ()
        """The variables whose values hold this expression, and how many assignments came before."""
        self.writes: list[int] = outer.writes if outer is not None else [0]
        """How many assignments there were so far, shared by all evaluators of one expression."""
        self.skipping = 0
        self.opened: Hole | None = None
        """A hole in the expression itself, which may hold operators."""
        self.expression = expression
        self.source, self.holes = _marked(expression)
        self.position = 0
        self.token = ""
        self.reference: tuple[str, Text | None] | None = None
        """The variable just read, while an assignment to it may follow."""

    # --- tokens --------------------------------------------------------------------------------

    def run(self) -> _Value:
        try:
            value = self.whole()
        except ExpressionError:
            opened = self.opened or next(
                (h for h in self.expression.holes if not is_integer(h)), None
            )
            if opened is None:
                raise
            return self.unreadable(opened)  # with an operator in the hole it may be well-formed
        if self.opened is not None and isinstance(value, int):
            return self.unreadable(self.opened)
        return value

    def whole(self) -> _Value:
        self.advance()
        if not self.token and self.position >= len(self.source):
            return 0
        value = self.comma()
        if self.token or self.position < len(self.source):
            raise ExpressionError("syntax error in expression")
        return value

    def unreadable(self, opened: Hole) -> _Unknown:
        """Unknown operators: named after the text and the variables it mentions."""
        names = sorted(set(_NAME.findall(self.source)))
        values = (self.variables.get(name, None) for name in names)
        given = ",".join(
            f"{n}={symbol(v)}" for n, v in zip(names, values, strict=True) if v is not None
        )
        where = next(_fresh) if "[" in self.source or given else 0
        value = _Unknown(f"({symbol(self.expression)};{given};{where})", opened)
        self.skipping = 0
        for match in _CHANGED.finditer(self.source):
            name = match.group(1) or match.group(2)
            changed = f"({name} after {value.name})"
            self.assign((name, None), value._replace(name=changed))
        return value

    def advance(self) -> None:
        """Read the next operator, or leave `token` empty before an operand or the end."""
        match = _BLANK.match(self.source, self.position)
        self.position = match.end() if match else self.position
        self.token = ""
        found = _OPERATOR.match(self.source, self.position)
        if found is None:
            return
        operator = found.group()
        if operator in ("++", "--") and not self.steps(operator):
            operator = operator[0]
        elif operator == "**" and self.source.startswith("**=", self.position):
            raise ExpressionError("syntax error: operand expected")
        self.token = operator
        self.position += len(operator)

    def steps(self, operator: str) -> bool:
        """Whether `++` here is an increment and not two signs."""
        if self.reference is not None:
            return True
        match = _BLANK.match(self.source, self.position + 2)
        return bool(match and _NAME.match(self.source, match.end()))

    def follow(self) -> None:
        """Read what comes behind an operand; what can be no operator is an error here already."""
        self.advance()
        if self.token or self.position >= len(self.source) or self.at_hole():
            return
        # Bash reads even a misplaced operand before it carries out an assignment.
        start = self.position
        target = self.variable()
        if target is not None:
            if not self.at_hole():
                self.load(target)
        elif (match := _NUMBER.match(self.source, start)) is None:
            raise ExpressionError("syntax error: invalid arithmetic operator")
        elif match.end() not in self.holes:
            _number(match.group())
        self.position = start

    # --- levels --------------------------------------------------------------------------------

    def comma(self) -> _Value:
        value = self.assignment()
        while self.token == ",":
            self.reference = None
            self.advance()
            value = self.assignment()
        return value

    def assignment(self) -> _Value:
        value = self.conditional()
        if self.token not in _ASSIGNMENTS:
            return value
        target, operator = self.reference, self.token
        if target is None:
            raise ExpressionError("attempted assignment to non-variable")
        self.reference = None
        self.advance()
        right = self.assignment()
        if operator != "=":
            right = self.compute(operator[:-1], value, right)
        elif target[1] is not None:
            # Only now: in `a[n] = ++n` the subscript is the new n.
            target = target[0], self.subscript(target[0], target[1])
        self.assign(target, right)
        self.reference = None
        return right

    def assign(self, target: tuple[str, Text | None], value: _Value) -> None:
        if not self.skipping:
            self.writes[0] += 1
            self.variables.set(target[0], target[1], _text(value))

    def conditional(self) -> _Value:
        condition = self.binary(0)
        if self.token != "?":
            return condition
        self.reference = None
        self.advance()
        yes, one = self.branch(self.comma, condition, 0)
        if self.token != ":":
            raise ExpressionError("`:' expected for conditional expression")
        self.reference = None
        self.advance()
        no, two = self.branch(self.conditional, condition, 1)
        self.reference = None
        if isinstance(condition, int):
            return yes if condition else no
        self.merge(condition, one, two)
        if yes == no:
            return yes
        truth = _junction(
            "or",
            _junction("and", _truth(condition), _truth(yes)),
            _junction("and", negate(_truth(condition)), _truth(no)),
        )
        name = f"({_name(condition)}?{_name(yes)}:{_name(no)})"
        return _Unknown(name, condition.hole, None, truth)

    def branch(
        self, parse: Callable[[], _Value], condition: _Value, skip_when: int
    ) -> tuple[_Value, _Overlay | None]:
        """Run a part that depends on `condition`, apart when that is not known."""
        if isinstance(condition, int):
            skipped = (condition != 0) == bool(skip_when)
            self.skipping += skipped
            value = parse()
            self.skipping -= skipped
            return value, None
        saved, overlay = self.variables, _Overlay(self.variables)
        self.variables = overlay
        try:
            return parse(), overlay
        finally:
            self.variables = saved

    def merge(self, condition: _Unknown, *overlays: _Overlay | None) -> None:
        """What variables hold after branches of which one ran."""
        if self.skipping:
            return
        one, two = (o.writes if o is not None else {} for o in overlays)
        for key in {**one, **two}:
            old = self.variables.get(*key) or EMPTY
            values = one.get(key, old), two.get(key, old)
            value = values[0]
            if values[0] != values[1]:
                name = f"({condition.name}?{symbol(values[0])}:{symbol(values[1])})"
                value = Text((Hole(condition.hole.reason, PREFIX + name, condition.hole.origin),))
            self.variables.set(*key, value)

    def binary(self, lowest: int) -> _Value:
        left = self.power()
        while (level := _LEVELS.get(self.token, -1)) >= lowest:
            operator = self.token
            self.reference = None
            self.advance()
            if operator in ("&&", "||"):
                left = self.logic(operator, left, level + 1)
            else:
                left = self.compute(operator, left, self.binary(level + 1))
            self.reference = None
        return left

    def logic(self, operator: str, left: _Value, level: int) -> _Value:
        right, overlay = self.branch(lambda: self.binary(level), left, int(operator == "||"))
        if isinstance(left, int):
            if bool(left) == (operator == "||"):
                return int(bool(left))
            if isinstance(right, int):
                return int(bool(right))
            return _Unknown(f"({right.name}!=0)", right.hole, None, _truth(right))
        empty = _Overlay(self.variables)
        self.merge(left, *((overlay, empty) if operator == "&&" else (empty, overlay)))
        truth = _junction("and" if operator == "&&" else "or", _truth(left), _truth(right))
        if isinstance(truth, bool):
            return int(truth)
        return _Unknown(f"({left.name}{operator}{_name(right)})", left.hole, None, truth)

    def compute(self, operator: str, left: _Value, right: _Value) -> _Value:
        if self.skipping:
            # Bash computes here too, and lets only a division by zero pass.
            if not isinstance(left, int) or not isinstance(right, int):
                return 0
            right = right or 1 if operator in ("/", "%") else right
        if isinstance(left, int) and isinstance(right, int):
            return _COMPUTE[operator](left, right)
        if right == 0 and operator in ("/", "%"):
            raise ExpressionError("division by 0")
        hole = left.hole if not isinstance(left, int) else right.hole  # type: ignore[union-attr]
        truth = _comparison(operator, left, right) if operator in _MIRRORED else None
        return _Unknown(f"({_name(left)}{operator}{_name(right)})", hole, None, truth)

    def power(self) -> _Value:
        base = self.unary()
        if self.token != "**":
            return base
        self.reference = None
        self.advance()
        value = self.compute("**", base, self.power())
        self.reference = None
        return value

    def unary(self) -> _Value:
        operator = self.token
        if operator not in ("!", "~", "-", "+"):
            return self.primary()
        self.deeper()
        self.reference = None
        self.advance()
        value = self.unary()
        self.reference = None
        self.depth -= 1
        if isinstance(value, int):
            return {"!": int(not value), "~": ~value, "-": _wrap(-value), "+": value}[operator]
        truth = negate(_truth(value)) if operator == "!" else None
        return _Unknown(f"({operator}{value.name})", value.hole, None, truth)

    def primary(self) -> _Value:
        if self.token in ("++", "--"):
            step = self.token
            self.token = ""
            match = _BLANK.match(self.source, self.position)
            self.position = match.end() if match else self.position
            target = self.variable()
            if target is None:
                raise ExpressionError("syntax error: operand expected")
            value = self.compute(step[0], self.load(target), 1)
            position = self.position
            self.skipping += 1
            self.follow()
            self.skipping -= 1
            self.position = position
            self.assign(target, value)
            self.follow()
            return value
        if self.token == "(":
            self.deeper()
            self.reference = None
            self.advance()
            value = self.comma()
            self.depth -= 1
            if self.token != ")":
                raise ExpressionError("missing `)'")
            self.reference = None
            self.follow()
            return value
        if self.token:
            raise ExpressionError("syntax error: operand expected")
        return self.operand()

    # --- operands ------------------------------------------------------------------------------

    def operand(self) -> _Value:
        start = self.position
        named = self.named()
        if named is not None and not self.at_hole():
            self.reference = named
            self.follow()
            if self.token == "=":
                return 0  # about to be assigned: bash does not look at it
            name, inside = named
            target = name, None if inside is None else self.subscript(name, inside)
            self.reference = target
            value = self.load(target)
            if self.token in ("++", "--"):
                self.assign(target, self.compute(self.token[0], value, 1))
                self.reference = None
                self.follow()
            return value
        end = start
        while end in self.holes or _NUMBER.match(self.source, end):
            match = _NUMBER.match(self.source, end)
            end = end + 1 if end in self.holes else match.end() if match else end
        if end == start:
            raise ExpressionError("syntax error: operand expected")
        self.position = end
        self.reference = None
        text = cut(self.expression, start, end)
        number = _number(text.known) if text.known is not None else self.unknown(text)
        self.follow()
        return number

    def at_hole(self) -> bool:
        return self.position in self.holes

    def unknown(self, text: Text) -> _Unknown:
        """An operand that is a hole, or that has one in it."""
        first = text.holes[0]
        if len(text.pieces) == 1 and is_integer(first):
            return _Unknown(first.symbol.removeprefix(PREFIX), first, text)
        self.opened = self.opened or first
        return _Unknown("$" + symbol(text), first, text)

    def variable(self) -> tuple[str, Text | None] | None:
        """The name and subscript here, read; None when there is no name."""
        named = self.named()
        if named is None or named[1] is None:
            return named
        return named[0], self.subscript(named[0], named[1])

    def named(self) -> tuple[str, Text | None] | None:
        """The same with the subscript as it is written."""
        match = _NAME.match(self.source, self.position)
        if match is None:
            return None
        self.position = match.end()
        if not self.source.startswith("[", self.position) or self.at_hole():
            return match.group(), None
        end = self.closing_bracket()
        inside = cut(self.expression, self.position + 1, end)
        self.position = end + 1
        return match.group(), inside

    def closing_bracket(self) -> int:
        depth = 0
        for match in _BRACKETS.finditer(self.source, self.position):
            depth += (match.group() == "[") - (match.group() == "]")
            if depth == 0:
                return match.start()
        raise ExpressionError("bad array subscript")

    def subscript(self, name: str, inside: Text) -> Text:
        if self.skipping:
            return inside
        key = self.variables.is_associative(name)
        if any(not _QUOTING.isdisjoint(p.value) for p in inside.pieces if isinstance(p, Lit)):
            inside = self.variables.expanded(inside, key)
        if key:
            return inside
        if not (inside.known or "x").strip():
            raise ExpressionError("bad array subscript")
        self.deeper()
        value = _Evaluator(inside, self.variables, self).run()
        self.depth -= 1
        return _text(value)

    def load(self, target: tuple[str, Text | None]) -> _Value:
        if self.skipping:
            return 0
        text = self.variables.get(*target)
        if text is None:
            return 0
        if len(text.pieces) == 1 and isinstance(text.pieces[0], Hole):
            hole = text.pieces[0]
            return _Unknown(hole.symbol.removeprefix(PREFIX), hole, text)
        if text.known is not None and text.known.isdigit() and not text.known.startswith("0"):
            return _wrap(int(text.known))
        self.deeper()
        inner = _Evaluator(text, self.variables, self)
        here = (*target, self.writes[0])
        if here in self.reading and not isinstance(self.variables, _Overlay):
            # It is its own value, and nothing has changed since it was read first.
            raise ExpressionError("expression recursion level exceeded")
        inner.reading = (*self.reading, here)
        value = inner.run()
        self.depth -= 1
        return value

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise _TooDeep


class _TooDeep(Exception):
    pass


_fresh = count(1)


def _marked(expression: Text) -> tuple[str, frozenset[int]]:
    """The characters, a NUL for each hole, and where the holes are."""
    values: list[str] = []
    holes: set[int] = set()
    size = 0
    for piece in expression.pieces:
        if isinstance(piece, Lit):
            values.append(piece.value)
            size += len(piece.value)
        else:
            holes.add(size)
            values.append("\0")
            size += 1
    return "".join(values), frozenset(holes)


def evaluate(expression: Text, variables: Variables) -> Result:
    """Evaluate an expression (after parameter expansion and quote removal).

    Assignments go to `variables` in order. Raises ExpressionError.
    """
    value = _run(expression, variables)
    return Result(_text(value), _truth(value))


def _run(expression: Text, variables: Variables) -> _Value:
    if expression.known is not None and _PLAIN.fullmatch(expression.known):
        return int(expression.known)
    evaluator = _Evaluator(expression, variables)
    try:
        return evaluator.run()
    except _TooDeep:
        reason = f"an expression nested more than {_DEPTH} levels deep"
        return evaluator.unreadable(Hole(reason, f"deep:{symbol(expression)}"))


def compare(operator: str, left: Text, right: Text, variables: Variables) -> Truth:
    """`[[ left -lt right ]]`: `operator` is one of `-eq -ne -lt -le -gt -ge`."""
    one = _run(left, variables)
    two = _run(right, variables)
    operator = _TEST_OPERATORS[operator]
    if isinstance(one, int) and isinstance(two, int):
        return bool(_COMPUTE[operator](one, two))
    return _comparison(operator, one, two)


def test_integer(text: Text) -> int | None:
    """An operand of `[ a -lt b ]`: decimal only, blanks around it allowed.

    None when it is a hole; raises ExpressionError ("integer expression expected") otherwise.
    """
    if text.known is None:
        return None
    value = text.known.strip(" \t\n\v\f\r")
    if not re.fullmatch(r"[+-]?[0-9]+", value, re.ASCII) or not -(1 << 63) <= int(value) < 1 << 63:
        raise ExpressionError(f"{text.known}: integer expression expected")
    return int(value)


def negate(truth: Truth) -> Truth:
    """`! truth`, with the comparisons turned round."""
    if isinstance(truth, bool):
        return not truth
    if isinstance(truth, Comparison):
        return truth._replace(operator=_OPPOSITE[truth.operator])
    operator = "or" if truth.operator == "and" else "and"
    return Junction(operator, tuple(negate(part) for part in truth.parts))


def is_integer(hole: Hole) -> bool:
    """Whether the hole is the result of arithmetic: digits with or without a minus sign."""
    return hole.symbol.startswith(PREFIX)
