"""seq, expr and bc."""

from __future__ import annotations

import re
from fractions import Fraction

from verifier.shell import floats
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import joined_lines, known, like

_TERMS = 100_000


def _decimal(value: str) -> tuple[Fraction, int]:
    """A plain decimal number and its digits behind the point."""
    if not re.fullmatch(r"[-+]?[0-9]{1,15}(\.[0-9]{1,9})?", value, re.ASCII):
        raise NotModelled(f"{value!r} is not a plain decimal number")
    return Fraction(value), len(value.partition(".")[2])


def seq(call: Call) -> Result:
    arguments = list(call.argv[1:])
    separator, equal_width, form = "\n", False, None
    while arguments:
        option = known(arguments[0])
        if option == "--":
            del arguments[0]
            break
        if not re.match(r"-[^0-9.]", option):
            break
        if option in ("-w", "--equal-width"):
            equal_width = True
        elif option[:2] in ("-s", "-f"):
            value = option[2:]
            if not value:
                if len(arguments) < 2:
                    raise NotModelled(f"{option} needs a value")
                value = known(arguments.pop(1))
            if option[1] == "s":
                separator = value
            else:
                form = value
        elif option.startswith("--separator="):
            separator = option.partition("=")[2]
        elif option.startswith("--format="):
            form = option.partition("=")[2]
        else:
            raise NotModelled(f"the option {option} of seq")
        del arguments[0]
    if not 1 <= len(arguments) <= 3:
        raise NotModelled("the number of operands of seq")
    values = [known(argument) for argument in arguments]
    terms = _terms(values, equal_width, form)
    output = separator.join(terms) + "\n" if terms else ""
    return Result(like(output, arguments[-1]))


def _terms(values: list[str], equal_width: bool, form: str | None) -> list[str]:
    first, first_places = _decimal(values[0]) if len(values) > 1 else (Fraction(1), 0)
    step, step_places = _decimal(values[1]) if len(values) > 2 else (Fraction(1), 0)
    last, last_places = _decimal(values[-1])
    if step == 0:
        raise NotModelled("seq fails with a step of 0")
    count = max((last - first) // step + 1, 0)
    if count > _TERMS:
        raise NotModelled(f"seq makes more than {_TERMS} numbers")
    places = max(first_places, step_places)
    numbers = [first + index * step for index in range(count)]
    if form is not None:
        return [_formatted(form, number) for number in numbers]
    if any(value.startswith(("+", "-0")) for value in values) and equal_width:
        raise NotModelled("signs of zero with -w")
    if any(n == 0 for n in numbers[:1]) and values[0].startswith("-"):
        raise NotModelled("a negative zero")
    terms = [floats.show(number, number < 0, "f", "", 0, places) for number in numbers]
    if equal_width:
        if last_places > places or any(
            v[:2] in ("00", "-0") or (v[:1] == "0" and len(v) > 1 and v[1] != ".") for v in values
        ):
            raise NotModelled("this padding of seq")
        width = max(len(floats.show(n, n < 0, "f", "", 0, places)) for n in (first, last))
        terms = [floats.show(n, n < 0, "f", "0", width, places) for n in numbers]
    return terms


def _formatted(form: str, number: Fraction) -> str:
    match = re.fullmatch(r"([^%]*)%([-+ #0]*)([0-9]{0,3})(?:\.([0-9]{1,2}))?([gfe])([^%]*)", form)
    if match is None:
        raise NotModelled(f"the format {form!r} of seq")
    flags, width, places, kind = match[2], int(match[3] or 0), int(match[4] or 6), match[5]
    shown = {
        floats.show(floats.rounded(number, bits), number < 0, kind, flags, width, places)
        for bits in (floats.X87, floats.QUAD)
    }
    if len(shown) != 1:
        raise NotModelled("the result depends on the processor")
    return match[1] + shown.pop() + match[6]


# --- expr --------------------------------------------------------------------------------------

_EXPR_LEVELS = (
    ("|",),
    ("&",),
    ("<", "<=", "=", "==", "!=", ">=", ">"),
    ("+", "-"),
    ("*", "/", "%"),
)


class _Expr:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.position = 0

    def run(self) -> str:
        value = self.level(0)
        if self.position != len(self.tokens):
            raise NotModelled("expr reports a syntax error")
        return value

    def peek(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def level(self, index: int) -> str:
        if index == len(_EXPR_LEVELS):
            return self.operand()
        value = self.level(index + 1)
        while (operator := self.peek()) in _EXPR_LEVELS[index] and operator is not None:
            self.position += 1
            value = _expr_apply(operator, value, self.level(index + 1))
        return value

    def operand(self) -> str:
        token = self.peek()
        if token is None:
            raise NotModelled("expr reports a syntax error")
        self.position += 1
        if token == "(":
            value = self.level(0)
            if self.peek() != ")":
                raise NotModelled("expr reports a syntax error")
            self.position += 1
        elif token == "length":
            value = self.operand()
            if not value.isascii():
                raise NotModelled("a length depends on the locale")
            value = str(len(value))
        elif token == "substr":
            text, start, size = self.operand_alone(), self.operand_alone(), self.operand_alone()
            if not text.isascii() or not (start.isdigit() and size.isdigit()):
                raise NotModelled("this part of a text")
            first = int(start) - 1
            value = text[first : first + int(size)] if first >= 0 else ""
        elif token in ("match", "index", "+", ")"):
            raise NotModelled(f"{token} of expr")
        else:
            value = token
        while self.peek() == ":":
            self.position += 1
            value = _matched(value, self.operand_alone())
        return value

    def operand_alone(self) -> str:
        token = self.peek()
        if token is None or token in ("(", ")", "length", "match", "substr", "index", "+"):
            raise NotModelled("this expression of expr")
        self.position += 1
        return token


def _matched(value: str, source: str) -> str:
    """`text : expression`, which is anchored at the start."""
    from verifier.shell.commands.regular import translate

    if source[:1] in ("*", "^", ""):
        raise NotModelled("this regular expression of expr")
    expression = translate("^" + source, "basic")
    if not expression.extent:
        raise NotModelled("alternatives of expr")
    match = expression.match(value)
    if expression.groups:
        return "" if match is None else match.group(1) or ""
    return "0" if match is None else str(match.end())


def _integer(value: str) -> int | None:
    return int(value) if re.fullmatch(r"-?[0-9]{1,300}", value, re.ASCII) else None


def _null(value: str) -> bool:
    return not value or bool(re.fullmatch(r"-?0+", value))


def _expr_apply(operator: str, left: str, right: str) -> str:
    if operator == "|":
        return left if not _null(left) else right if not _null(right) else "0"
    if operator == "&":
        return "0" if _null(left) or _null(right) else left
    one, two = _integer(left), _integer(right)
    if operator in ("+", "-", "*", "/", "%"):
        if one is None or two is None or (two == 0 and operator in "/%"):
            raise NotModelled("expr reports an error")
        if operator in "/%":
            quotient = abs(one) // abs(two) * (1 if (one < 0) == (two < 0) else -1)
            return str(quotient if operator == "/" else one - quotient * two)
        return str(one + two if operator == "+" else one - two if operator == "-" else one * two)
    if one is None or two is None:
        if operator not in ("=", "==", "!="):
            raise NotModelled("the order of strings depends on the locale")
        return str(int((left == right) == (operator != "!=")))
    results = {"<": one < two, "<=": one <= two, "=": one == two, "==": one == two,
               "!=": one != two, ">=": one >= two, ">": one > two}  # fmt: skip
    return str(int(results[operator]))


def expr(call: Call) -> Result:
    tokens = [known(text) for text in call.argv[1:]]
    if not tokens or tokens[0].startswith("--"):
        raise NotModelled("this use of expr")
    value = _Expr(tokens).run()
    return Result(like(value + "\n", call.argv[1]), 1 if _null(value) else 0)


# --- bc ----------------------------------------------------------------------------------------

_BC_TOKEN = re.compile(r"\s*(?:([0-9]+\.?[0-9]*|\.[0-9]+)|([-+*/%^()]))")


class _Bc:
    """bc's numbers: a value and its scale; every operation cuts digits off."""

    def __init__(self, source: str, scale: int) -> None:
        self.scale = scale
        self.tokens: list[str] = []
        position = 0
        source = source.rstrip()
        while position < len(source):
            match = _BC_TOKEN.match(source, position)
            if match is None:
                raise NotModelled("this expression of bc")
            self.tokens.append(match[1] or match[2])
            position = match.end()
        self.position = 0

    def run(self) -> tuple[Fraction, int]:
        value = self.sum()
        if self.position != len(self.tokens):
            raise NotModelled("this expression of bc")
        return value

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def sum(self) -> tuple[Fraction, int]:
        value, scale = self.product()
        while (operator := self.peek()) in ("+", "-"):
            self.position += 1
            other, places = self.product()
            value = value + other if operator == "+" else value - other
            scale = max(scale, places)
        return value, scale

    def product(self) -> tuple[Fraction, int]:
        value, scale = self.power()
        while (operator := self.peek()) in ("*", "/"):
            self.position += 1
            other, places = self.power()
            if operator == "*":
                scale = min(scale + places, max(self.scale, scale, places))
                value *= other
            else:
                if other == 0:
                    raise NotModelled("bc divides by zero")
                scale = self.scale
                value /= other
            value = _cut(value, scale)
        return value, scale

    def power(self) -> tuple[Fraction, int]:
        if self.peek() == "-":
            self.position += 1
            value, scale = self.atom()
            return -value, scale
        return self.atom()

    def atom(self) -> tuple[Fraction, int]:
        token = self.peek()
        self.position += 1
        if token == "(":
            value = self.sum()
            if self.peek() != ")":
                raise NotModelled("this expression of bc")
            self.position += 1
            return value
        if not token or token in "+-*/%^()" or len(token) > 200:
            raise NotModelled("this expression of bc")
        return Fraction(token.rstrip(".")), len(token.partition(".")[2])


def _cut(value: Fraction, scale: int) -> Fraction:
    factor = 10**scale
    whole = abs(value) * factor
    result = Fraction(whole.numerator // whole.denominator, factor)
    return result if value >= 0 else -result


def bc(call: Call) -> Result:
    if len(call.argv) > 1 or call.stdin is None:
        raise NotModelled("options or files of bc")
    scale = 0
    output: list[str] = []
    source = known(call.stdin)
    if source and not source.endswith("\n"):
        raise NotModelled("bc wants the last line to end")
    for statement in re.split(r"[;\n]", source):
        match = re.fullmatch(r"\s*scale\s*=\s*([0-9]{1,3})\s*", statement)
        if match is not None:
            scale = int(match[1])
        elif statement.strip():
            output.append(_bc_shown(*_Bc(statement, scale).run()))
    return Result(like(joined_lines(output), call.stdin))


def _bc_shown(value: Fraction, scale: int) -> str:
    shown = floats.show(value, value < 0, "f", "", 0, scale)
    if value == 0:
        shown = "0"
    elif abs(value) < 1:
        shown = shown.replace("0.", ".", 1)
    if len(shown) > 68:
        raise NotModelled("bc breaks long numbers")
    return shown


MODELS: dict[str, Model] = {"seq": seq, "expr": expr, "bc": bc}
