"""Parser of awk programs; it makes functions that run on a Machine.

What POSIX leaves open, or mawk and gawk read differently, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from verifier.shell.commands import NotModelled
from verifier.shell.commands.awk_functions import call, split_into, substituted
from verifier.shell.commands.awk_lexer import FUNCTIONS, Token, tokens
from verifier.shell.commands.awk_machine import (
    UNKNOWN,
    Break,
    Continue,
    Do,
    Exit,
    Get,
    Machine,
    Next,
    Program,
    Target,
    expression,
)
from verifier.shell.commands.awk_values import (
    Value,
    bounded,
    calculate,
    compare,
    formatted,
    to_number,
    to_text,
    truth,
)
from verifier.shell.commands.regular import Expression, translate

_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")
_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "^=")
_TERMINATORS = (";", "newline", "}", "end")


def parse(program: str) -> Program:
    """Parse a whole program. Raises NotModelled."""
    if len(program) > 4000:
        raise NotModelled("a long awk program")
    return _Parser(tokens(program)).program()


def _constant(value: Value) -> Get:
    return lambda machine: value


class _Parser:
    def __init__(self, stream: list[Token]) -> None:
        self.stream = stream
        self.position = 0
        self.targets: dict[int, Target] = {}
        """By identity of its getter: what an expression just parsed can assign to."""
        self.texts: set[int] = set()
        """Getters of constant texts."""
        self.kept: list[Get] = []
        """Every getter above, so that identities stay unique."""
        self.loops = 0

    @property
    def kind(self) -> str:
        return self.stream[self.position].kind

    def take(self, *kinds: str) -> Token | None:
        if self.kind in kinds:
            self.position += 1
            return self.stream[self.position - 1]
        return None

    def expect(self, kind: str) -> Token:
        token = self.take(kind)
        if token is None:
            raise NotModelled("this awk program")
        return token

    def skip(self, *kinds: str) -> None:
        while self.take(*kinds):
            pass

    # --- rules and statements --------------------------------------------------------------------

    def program(self) -> Program:
        result = Program()
        self.skip("newline", ";")
        while not self.take("end"):
            if self.take("BEGIN"):
                result.begin.append(self.block())
            elif self.take("END"):
                result.end.append(self.block())
            else:
                condition = None if self.kind == "{" else self.expression()
                action = self.block() if self.kind == "{" else _print_record
                result.rules.append((condition, action))
            closed = self.stream[self.position - 1].kind == "}"
            if self.kind not in ("newline", ";", "end") and not closed:
                raise NotModelled("this awk program")
            self.skip("newline", ";")
        return result

    def block(self) -> Do:
        self.expect("{")
        statements: list[Do] = []
        self.skip("newline", ";")
        while not self.take("}"):
            statements.append(self.statement())
            self.skip("newline", ";")
        return partial(_sequence, statements)

    def body(self) -> Do:
        """The statement of an `if` or a loop."""
        self.skip("newline")
        if self.kind == ";":
            raise NotModelled("an empty statement of awk")
        return self.statement()

    def statement(self) -> Do:
        if self.kind == "{":
            return self.block()
        if self.take("if"):
            return self.conditional()
        if self.take("while"):
            self.expect("(")
            test = self.expression()
            self.expect(")")
            return partial(_loop, None, test, None, self.loop_body())
        if self.take("for"):
            return self.loop()
        simple = self.simple()
        if self.kind not in _TERMINATORS:
            raise NotModelled("this awk program")
        return simple

    def loop_body(self) -> Do:
        self.loops += 1
        body = self.body()
        self.loops -= 1
        return body

    def conditional(self) -> Do:
        self.expect("(")
        test = self.expression()
        self.expect(")")
        yes = self.body()
        before = self.position
        self.skip("newline", ";")
        if not self.take("else"):
            self.position = before
            return partial(_choose, test, yes, None)
        return partial(_choose, test, yes, self.body())

    def loop(self) -> Do:
        self.expect("(")
        start = None if self.kind == ";" else self.simple()
        self.expect(";")
        test = None if self.kind == ";" else self.expression()
        self.expect(";")
        step = None if self.kind == ")" else self.simple()
        self.expect(")")
        return partial(_loop, start, test, step, self.loop_body())

    def simple(self) -> Do:
        token = self.take("print", "printf", "next", "exit", "break", "continue", "delete")
        if token is None:
            return partial(_evaluate, self.expression())
        if token.kind in ("print", "printf"):
            return self.printing(token.kind)
        if token.kind == "exit":
            return partial(_exit, None if self.kind in _TERMINATORS else self.expression())
        if token.kind == "delete":
            name = self.array_name(self.expect("name"))
            self.expect("[")
            key = self.expression()
            self.expect("]")
            return partial(_delete, name, key)
        if token.kind == "next":
            return _next
        if not self.loops:
            raise NotModelled(f"{token.kind} of awk outside of a loop")
        return _break if token.kind == "break" else _continue

    def printing(self, kind: str) -> Do:
        values = self.printed()
        hidden = False
        if self.take(">"):
            if self.expect("text").value != "/dev/stderr":
                raise NotModelled("awk writes a file")
            hidden = True
        if self.kind not in (*_TERMINATORS, ")"):
            raise NotModelled("this awk program")
        if kind == "printf":
            if not values:
                raise NotModelled("printf of awk without a format")
            return partial(_printf, values, hidden)
        return partial(_print, values, hidden)

    def printed(self) -> list[Get]:
        if self.kind in (*_TERMINATORS, ">"):
            return []
        if self.kind == "(" and self.stream[self.closing()].kind in (*_TERMINATORS, ">"):
            self.expect("(")
            values = self.expressions()
            self.expect(")")
            return values
        return self.expressions(greater=False)

    def closing(self) -> int:
        """The place behind the parenthesis that closes the one here."""
        depth = 0
        for index in range(self.position, len(self.stream)):
            kind = self.stream[index].kind
            depth += (kind in ("(",)) - (kind == ")")
            if depth == 0:
                return index + 1
        raise NotModelled("this awk program")

    def expressions(self, *, greater: bool = True) -> list[Get]:
        values = [self.expression(greater=greater)]
        while self.take(","):
            self.skip("newline")
            values.append(self.expression(greater=greater))
        return values

    # --- expressions -----------------------------------------------------------------------------

    def mark(self, get: Get, target: Target) -> Get:
        self.kept.append(get)
        self.targets[id(get)] = target
        return get

    def expression(self, *, greater: bool = True) -> Get:
        left = self.disjunction(greater)
        if self.take("?"):
            self.skip("newline")
            yes = self.expression(greater=greater)
            self.skip("newline")
            self.expect(":")
            self.skip("newline")
            no = self.expression(greater=greater)
            return lambda m: yes(m) if truth(left(m)) else no(m)
        target = self.targets.get(id(left))
        if target is not None:
            token = self.take(*_ASSIGNMENTS)
            if token is not None:
                self.skip("newline")
                right = self.expression(greater=greater)
                return partial(_assign, target, token.kind[:-1], right)
        return left

    def disjunction(self, greater: bool) -> Get:
        left = self.conjunction(greater)
        while self.take("||"):
            self.skip("newline")
            left = partial(_either, left, self.conjunction(greater))
        return left

    def conjunction(self, greater: bool) -> Get:
        left = self.membership(greater)
        while self.take("&&"):
            self.skip("newline")
            left = partial(_both, left, self.membership(greater))
        return left

    def membership(self, greater: bool) -> Get:
        left = self.matching(greater)
        while self.take("in"):
            left = partial(_member, left, self.array_name(self.expect("name")))
        return left

    def matching(self, greater: bool) -> Get:
        left = self.comparison(greater)
        token = self.take("~", "!~")
        if token is None:
            return left
        wanted = token.kind == "~"
        if self.kind == "regex":
            pattern = translate(self.expect("regex").value, "awk")
            if self.kind not in (*_TERMINATORS, ")", "&&", "||", "{", "?", ":", ","):
                raise NotModelled("this awk program")
            return lambda m: float(pattern.found(to_text(left(m))) is wanted)
        right = self.comparison(greater)
        if self.kind in ("~", "!~"):
            raise NotModelled("a chain of matches in awk")
        return lambda m: float(expression(to_text(right(m))).found(to_text(left(m))) is wanted)

    def comparison(self, greater: bool) -> Get:
        left = self.concatenation()
        operators = _COMPARISONS if greater else tuple(o for o in _COMPARISONS if o != ">")
        token = self.take(*operators)
        if token is None:
            return left
        right = self.concatenation()
        if self.kind in operators:
            raise NotModelled("a chain of comparisons in awk")
        return lambda m: float(compare(left(m), token.kind, right(m)))

    def concatenation(self) -> Get:
        left = self.sum()
        while self.kind in ("number", "text", "name", "$", "(", "++", "--", *FUNCTIONS):
            left = partial(_concatenated, left, self.sum())
        return left

    def sum(self) -> Get:
        left = self.product()
        while token := self.take("+", "-"):
            if id(left) in self.texts:
                raise NotModelled("a text before a sign in awk")
            left = partial(_calculated, left, token.kind, self.product())
        return left

    def product(self) -> Get:
        left = self.unary()
        while token := self.take("*", "/", "%"):
            left = partial(_calculated, left, token.kind, self.unary())
        return left

    def unary(self) -> Get:
        if self.take("!"):
            negated = self.unary()
            if self.kind not in ("&&", "||", ")", "{", "?", ":", ",", *_TERMINATORS):
                raise NotModelled("an operator behind a negation in awk")
            return lambda m: float(not truth(negated(m)))
        if self.take("-"):
            inner = self.unary()
            return lambda m: -to_number(inner(m))
        if self.take("+"):
            plain = self.unary()
            return lambda m: to_number(plain(m))
        return self.power()

    def power(self) -> Get:
        base = self.postfix()
        if not self.take("^"):
            return base
        if self.take("-"):
            exponent = self.power()
            return lambda m: calculate(to_number(base(m)), "^", -to_number(exponent(m)))
        return partial(_calculated, base, "^", self.power())

    def postfix(self) -> Get:
        token = self.take("++", "--")
        inner = self.primary()
        target = self.targets.get(id(inner))
        if token is not None:
            if target is None:
                raise NotModelled("this awk program")
            return partial(_stepped, target, token.kind, False)
        if target is not None:
            token = self.take("++", "--")
            if token is not None:
                return partial(_stepped, target, token.kind, True)
        return inner

    def primary(self) -> Get:
        token = self.stream[self.position]
        self.position += 1
        if token.kind == "number":
            return _constant(float(token.value))
        if token.kind == "text":
            value = _constant(token.value)
            self.kept.append(value)
            self.texts.add(id(value))
            return value
        if token.kind == "regex":
            pattern = translate(token.value, "awk")
            return lambda m: float(pattern.found(to_text(m.get_field(0))))
        if token.kind == "(":
            inner = self.expression()
            self.expect(")")
            return lambda m: inner(m)  # a new function: what is in parentheses is no target
        if token.kind == "$":
            return self.field()
        if token.kind == "name":
            return self.variable(token)
        if token.kind in FUNCTIONS:
            return self.function(token.kind)
        raise NotModelled("this awk program")

    def field(self) -> Get:
        if self.kind in ("++", "--", "-", "+", "!"):
            raise NotModelled("a sign behind $ in awk")
        number = self.primary()

        def get(machine: Machine) -> Value:
            return machine.get_field(_field_number(number(machine)))

        def put(machine: Machine, value: Value) -> None:
            machine.set_field(_field_number(number(machine)), value)

        return self.mark(get, Target(get, put))

    def array_name(self, token: Token) -> str:
        if token.value in UNKNOWN:
            raise NotModelled(f"{token.value} of awk")
        return token.value

    def variable(self, token: Token) -> Get:
        name = self.array_name(token)
        if self.take("["):
            key = self.expression()
            self.expect("]")

            def get(machine: Machine) -> Value:
                return machine.array(name).setdefault(to_text(key(machine)))

            def put(machine: Machine, value: Value) -> None:
                machine.array(name)[to_text(key(machine))] = value

            return self.mark(get, Target(get, put))
        return self.mark(
            lambda m: m.get(name), Target(lambda m: m.get(name), lambda m, v: m.set(name, v))
        )

    def function(self, name: str) -> Get:
        arguments: list[Get] = []
        if name == "length" and self.kind != "(":
            return lambda m: call(m, name, [m.get_field(0)])
        self.expect("(")
        if name in ("sub", "gsub"):
            return self.substitution(name)
        if name == "split":
            return self.splitting()
        if self.kind != ")":
            arguments = self.expressions()
        self.expect(")")
        if name == "length" and not arguments:
            arguments = [lambda m: m.get_field(0)]
        return lambda m: call(m, name, [argument(m) for argument in arguments])

    def substitution(self, name: str) -> Get:
        compiled: Callable[[Machine], Expression]
        if self.kind == "regex":
            compiled = partial(_fixed, translate(self.expect("regex").value, "awk"))
        else:
            compiled = partial(_dynamic, self.expression())
        self.expect(",")
        replacement = self.expression()
        target = Target(lambda m: m.get_field(0), lambda m, v: m.set_field(0, v))
        if self.take(","):
            found = self.targets.get(id(self.expression()))
            if found is None:
                raise NotModelled("this awk program")
            target = found
        self.expect(")")
        everywhere = name == "gsub"
        return lambda m: substituted(m, compiled(m), to_text(replacement(m)), target, everywhere)

    def splitting(self) -> Get:
        value = self.expression()
        self.expect(",")
        name = self.array_name(self.expect("name"))
        separator: Get = lambda m: m.get("FS")  # noqa: E731
        if self.take(","):
            if self.kind == "regex":
                raise NotModelled("split of awk by an expression")
            separator = self.expression()
        self.expect(")")
        return lambda m: split_into(m, to_text(value(m)), name, to_text(separator(m)))


def _fixed(pattern: Expression, machine: Machine) -> Expression:
    return pattern


def _dynamic(source: Get, machine: Machine) -> Expression:
    return expression(to_text(source(machine)))


def _field_number(value: Value) -> int:
    number = to_number(value)
    if number != int(number):
        raise NotModelled("a broken field number of awk")
    return int(number)


def _sequence(statements: Sequence[Do], machine: Machine) -> None:
    for statement in statements:
        machine.tick()
        statement(machine)


def _evaluate(value: Get, machine: Machine) -> None:
    value(machine)


def _choose(test: Get, yes: Do, no: Do | None, machine: Machine) -> None:
    if truth(test(machine)):
        yes(machine)
    elif no is not None:
        no(machine)


def _loop(start: Do | None, test: Get | None, step: Do | None, body: Do, machine: Machine) -> None:
    if start is not None:
        start(machine)
    while test is None or truth(test(machine)):
        machine.tick()
        try:
            body(machine)
        except Break:
            return
        except Continue:
            pass
        if step is not None:
            step(machine)


def _exit(value: Get | None, machine: Machine) -> None:
    if value is not None:
        number = to_number(value(machine))
        if not 0 <= number <= 255 or number != int(number):
            raise NotModelled("this exit status of awk")
        machine.status = int(number)
    raise Exit


def _delete(name: str, key: Get, machine: Machine) -> None:
    machine.array(name).pop(to_text(key(machine)), None)


def _next(machine: Machine) -> None:
    if not machine.reading:
        raise NotModelled("next of awk outside of the rules")
    raise Next


def _break(machine: Machine) -> None:
    raise Break


def _continue(machine: Machine) -> None:
    raise Continue


def _print_record(machine: Machine) -> None:
    _print([], False, machine)


def _print(values: Sequence[Get], hidden: bool, machine: Machine) -> None:
    shown = [to_text(value(machine)) for value in values] or [to_text(machine.get_field(0))]
    line = to_text(machine.get("OFS")).join(shown) + to_text(machine.get("ORS"))
    if not hidden:
        machine.write(line)


def _printf(values: Sequence[Get], hidden: bool, machine: Machine) -> None:
    found = [value(machine) for value in values]
    line = formatted(to_text(found[0]), found[1:])
    if not hidden:
        machine.write(line)


def _assign(target: Target, operator: str, right: Get, machine: Machine) -> Value:
    value = right(machine)
    if operator:
        value = calculate(to_number(target.get(machine)), operator, to_number(value))
    target.set(machine, value)
    return value


def _stepped(target: Target, operator: str, after: bool, machine: Machine) -> Value:
    before = to_number(target.get(machine))
    value = before + (1 if operator == "++" else -1)
    target.set(machine, value)
    return before if after else value


def _either(left: Get, right: Get, machine: Machine) -> Value:
    return float(truth(left(machine)) or truth(right(machine)))


def _both(left: Get, right: Get, machine: Machine) -> Value:
    return float(truth(left(machine)) and truth(right(machine)))


def _member(key: Get, name: str, machine: Machine) -> Value:
    return float(to_text(key(machine)) in machine.array(name))


def _concatenated(left: Get, right: Get, machine: Machine) -> Value:
    first = to_text(left(machine))
    return bounded(first + to_text(right(machine)))


def _calculated(left: Get, operator: str, right: Get, machine: Machine) -> Value:
    first = to_number(left(machine))
    return calculate(first, operator, to_number(right(machine)))
