"""Parser of jq programs; it makes functions from one value to many."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial

from verifier.shell.commands import NotModelled
from verifier.shell.commands.jq_functions import PLAIN, WITH_ARGUMENTS, Filter, Scope, single
from verifier.shell.commands.jq_values import (
    Mistake,
    Value,
    calculate,
    computed,
    cut,
    each,
    index,
    kind,
    limited,
    number,
    order,
    text,
    truth,
)

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+)
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<field>\.[A-Za-z_][A-Za-z0-9_]*)
    |(?P<variable>\$[A-Za-z_][A-Za-z0-9_]*)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<operator>\.\.|//|\?//|==|!=|<=|>=|\|=|\+=|[-.|,+*/%<>=?:;()\[\]{}])
    """,
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    """if then elif else end as def reduce foreach try catch label import include and or
    __loc__""".split()
)
_COMPARISONS = {
    "==": lambda found: found == 0,
    "!=": lambda found: found != 0,
    "<": lambda found: found < 0,
    "<=": lambda found: found <= 0,
    ">": lambda found: found > 0,
    ">=": lambda found: found >= 0,
}
Path = list["str | float"]


def parse(source: str) -> Filter:
    """Parse a whole program. Raises NotModelled."""
    if len(source) > 4000:
        raise NotModelled("a long jq program")
    parser = _Parser(source)
    result = parser.pipe()
    if parser.kind != "eof":
        raise NotModelled("this jq program")
    return result


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.kind = ""
        self.value = ""
        self.paths: dict[int, Path] = {}
        """By identity: the path of a filter that is one."""
        self.kept: list[Filter] = []
        self.loose: list[Filter] = []
        """`if … end`, which is no term in jq 1.6."""
        self.advance()

    # --- tokens ----------------------------------------------------------------------------------

    def advance(self) -> None:
        """Read the next token. A text stays unread behind its quote: it can hold filters."""
        while True:
            if self.position >= len(self.source):
                self.kind, self.value = "eof", ""
                return
            if self.source[self.position] == '"':
                self.kind, self.value = "text", '"'
                self.position += 1
                return
            match = _TOKEN.match(self.source, self.position)
            if match is None:
                raise NotModelled("this jq program")
            self.position = match.end()
            if match.lastgroup != "blank":
                break
        self.kind, self.value = match.lastgroup or "", match.group()
        if self.kind == "operator" or (self.kind == "name" and self.value in _KEYWORDS):
            self.kind = self.value

    def take(self, *kinds: str) -> str | None:
        if self.kind not in kinds:
            return None
        found = self.value
        self.advance()
        return found

    def expect(self, kind: str) -> str:
        found = self.take(kind)
        if found is None:
            raise NotModelled("this jq program")
        return found

    # --- operators, the loosest first ------------------------------------------------------------

    def pipe(self) -> Filter:
        left = self.comma()
        if self.take("|"):
            return partial(_pipe, left, self.pipe())
        return left

    def comma(self) -> Filter:
        left = self.alternative()
        while self.take(","):
            left = partial(_comma, left, self.alternative())
        return left

    def assignment(self) -> Filter:
        left = self.disjunction()
        operator = self.take("=", "|=", "+=")
        if operator is None:
            return left
        path = self.paths.get(id(left))
        if path is None:
            raise NotModelled("an assignment of jq to other than a plain path")
        right = self.disjunction()
        if self.kind in ("=", "|=", "+="):
            raise NotModelled("this jq program")
        return partial(_assign, path, operator, right)

    def alternative(self) -> Filter:
        left = self.assignment()
        if self.take("//"):
            return partial(_alternative, left, self.alternative())
        return left

    def disjunction(self) -> Filter:
        left = self.conjunction()
        while self.take("or"):
            left = partial(_logic, True, left, self.conjunction())
        return left

    def conjunction(self) -> Filter:
        left = self.comparison()
        while self.take("and"):
            left = partial(_logic, False, left, self.comparison())
        return left

    def comparison(self) -> Filter:
        left = self.sum()
        operator = self.take(*_COMPARISONS)
        if operator is None:
            return left
        right = self.sum()
        if self.kind in _COMPARISONS:
            raise NotModelled("this jq program")
        return partial(_binary, operator, left, right)

    def sum(self) -> Filter:
        left = self.product()
        while operator := self.take("+", "-"):
            left = partial(_binary, operator, left, self.product())
        return left

    def product(self) -> Filter:
        left = self.unary()
        while operator := self.take("*", "/", "%"):
            left = partial(_binary, operator, left, self.unary())
        return left

    def unary(self) -> Filter:
        if self.take("-"):
            return partial(_negated, self.postfix())
        return self.postfix()

    # --- terms -----------------------------------------------------------------------------------

    def marked(self, run: Filter, path: Path | None) -> Filter:
        if path is not None:
            self.kept.append(run)
            self.paths[id(run)] = path
        return run

    def postfix(self) -> Filter:
        left = self.term()
        while True:
            path = self.paths.get(id(left))
            if self.kind == "field":
                name = self.value[1:]
                self.advance()
                left = self.marked(
                    partial(_index, left, _literal(name)), None if path is None else [*path, name]
                )
            elif self.kind == "." and self.source.startswith('"', self.position):
                self.advance()
                left = partial(_index, left, self.string())
            elif self.kind == "[":
                left = self.subscript(left, path)
            elif self.take("?"):
                left = self.optional(left)
            elif self.take("as"):
                variable = self.expect("variable")
                self.expect("|")
                return partial(_bound, left, variable, self.pipe())
            else:
                return left

    def optional(self, left: Filter) -> Filter:
        """`left?` behind an index."""
        if isinstance(left, partial) and left.func in (_index, _each, _cut):
            if "lenient" in left.keywords:
                raise NotModelled("this jq program")
            return partial(left.func, *left.args, lenient=True)
        raise NotModelled("a question mark that is looser than other operators in jq 1.6")

    def subscript(self, left: Filter, path: Path | None) -> Filter:
        self.expect("[")
        if self.take("]"):
            return partial(_each, left)
        start = None if self.kind == ":" else self.pipe()
        if self.take(":"):
            end = None if self.kind == "]" else self.pipe()
            self.expect("]")
            return partial(_cut, left, start, end)
        self.expect("]")
        assert start is not None
        constant = start.args[0] if isinstance(start, partial) and start.func is _constant else None
        whole = isinstance(constant, (str, float)) and not isinstance(constant, bool)
        found = partial(_index, left, start)
        if path is None or constant is None or not whole:
            return found
        return self.marked(found, [*path, constant])

    def term(self) -> Filter:
        if self.kind == "number":
            return _literal(number(self.take("number") or ""))
        if self.kind == "text":
            return self.string()
        if self.kind == "variable":
            return partial(_variable, self.take("variable") or "")
        if self.kind == "field":
            return self.marked(_identity, [])
        if self.take(".."):
            return partial(WITH_ARGUMENTS["recurse", 0], [])
        if self.take("."):
            if self.kind == "text":
                return partial(_index, _identity, self.string())
            return self.marked(_identity, [])
        if self.take("("):
            inner = self.pipe()
            self.expect(")")
            return partial(_pipe, inner, _identity)
        if self.take("["):
            if self.take("]"):
                return partial(_array, None)
            inner = self.pipe()
            self.expect("]")
            return partial(_array, inner)
        if self.take("{"):
            return self.object()
        if self.take("if"):
            return self.conditional()
        if self.kind == "name":
            return self.call()
        raise NotModelled("this jq program")

    def conditional(self) -> Filter:
        test = self.pipe()
        self.expect("then")
        yes = self.pipe()
        if self.take("elif"):
            found = partial(_choose, test, yes, self.conditional())
            self.loose.append(found)
            return found
        if self.take("else") is None:
            raise NotModelled("an if of jq without else")
        no = self.pipe()
        self.expect("end")
        if self.kind in ("field", "[", "as", "?", "."):
            raise NotModelled("an if of jq that is used as a term")
        found = partial(_choose, test, yes, no)
        self.loose.append(found)
        return found

    def call(self) -> Filter:
        name = self.take("name") or ""
        constants: dict[str, Value] = {"null": None, "true": True, "false": False}
        if name in constants:
            return _literal(constants[name])
        if name == "del":
            return self.deletion()
        arguments: list[Filter] = []
        if self.take("("):
            arguments.append(self.pipe())
            while self.take(";"):
                arguments.append(self.pipe())
            self.expect(")")
        if not arguments and name in PLAIN:
            return partial(_plain, name)
        found = WITH_ARGUMENTS.get((name, len(arguments)))
        if found is None:
            raise NotModelled(f"the jq function {name}")
        return partial(found, arguments)

    def deletion(self) -> Filter:
        self.expect("(")
        path = self.paths.get(id(self.postfix()))
        self.expect(")")
        if not path or not isinstance(path[-1], str):
            raise NotModelled("del of jq on other than a plain path")
        return partial(_delete, path)

    def object(self) -> Filter:
        entries: list[tuple[Filter, Filter]] = []
        if not self.take("}"):
            entries.append(self.entry())
            while self.take(","):
                entries.append(self.entry())
            self.expect("}")
        return partial(_object, entries)

    def entry(self) -> tuple[Filter, Filter]:
        if self.kind == "variable":
            variable = self.take("variable") or ""
            return _literal(variable[1:]), partial(_variable, variable)
        if self.take("("):
            key = self.pipe()
            self.expect(")")
            self.expect(":")
            return key, self.unary()
        if self.kind == "text":
            key = self.string()
        elif self.kind == "name":
            key = _literal(self.take("name"))
        else:
            raise NotModelled("this object of jq")
        if not self.take(":"):
            return key, partial(_index, _identity, key)
        value = self.unary()
        if self.kind not in (",", "}") or any(value is loose for loose in self.loose):
            raise NotModelled("an expression in an object of jq")
        return key, value

    def string(self) -> Filter:
        """A text whose opening quote is the current token."""
        parts: list[Filter] = []
        plain: list[str] = []
        while True:
            char = self.source[self.position : self.position + 1]
            if not char:
                raise NotModelled("this jq program")
            self.position += 1
            if char == '"':
                break
            if char != "\\":
                plain.append(char)
                continue
            if self.source[self.position : self.position + 1] == "(":
                self.position += 1
                self.advance()
                parts += [_literal(_unescaped("".join(plain))), self.pipe()]
                plain = []
                if self.kind != ")":
                    raise NotModelled("this jq program")
                continue
            plain.append(char + self.source[self.position : self.position + 1])
            self.position += 1
        self.advance()
        last = _literal(_unescaped("".join(plain)))
        return partial(_interpolated, [*parts, last]) if parts else last


def _unescaped(value: str) -> str:
    try:
        found: str = json.loads('"' + value.replace("\n", "\\n").replace("\t", "\\t") + '"')
    except ValueError as error:
        raise NotModelled("this text of jq") from error
    return found


# --- what the filters do -------------------------------------------------------------------------


def _constant(constant: Value, value: Value, scope: Scope) -> Iterator[Value]:
    yield constant


def _literal(constant: Value) -> Filter:
    return partial(_constant, constant)


def _identity(value: Value, scope: Scope) -> Iterator[Value]:
    yield value


def _pipe(left: Filter, right: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    for found in left(value, scope):
        scope.tick()
        yield from right(found, scope)


def _comma(left: Filter, right: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    yield from left(value, scope)
    yield from right(value, scope)


def _alternative(left: Filter, right: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    """An error of the left side is not caught here, as it is not in jq 1.6."""
    some = False
    for found in left(value, scope):
        if truth(found):
            some = True
            yield found
    if not some:
        yield from right(value, scope)


def _logic(stop: bool, left: Filter, right: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    for first in left(value, scope):
        scope.tick()
        if truth(first) is stop:
            yield stop
        else:
            for second in right(value, scope):
                yield truth(second)


def _binary(
    operator: str, left: Filter, right: Filter, value: Value, scope: Scope
) -> Iterator[Value]:
    """The right side is the outer loop."""
    for second in right(value, scope):
        for first in left(value, scope):
            scope.tick()
            if operator in _COMPARISONS:
                yield _COMPARISONS[operator](order(first, second))
            else:
                yield calculate(first, operator, second)


def _negated(inner: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    for found in inner(value, scope):
        if kind(found) != "number":
            raise Mistake
        yield computed(-found)


def _index(
    left: Filter, key: Filter, value: Value, scope: Scope, lenient: bool = False
) -> Iterator[Value]:
    """`lenient`: what has no such element is passed over, as `?` asks for."""
    keys = list(key(value, scope))
    if len(keys) != 1:
        raise NotModelled("an index of jq with several values")
    for found in left(value, scope):
        try:
            item = index(found, keys[0])
        except Mistake:
            if not lenient:
                raise
            continue
        yield item


def _each(left: Filter, value: Value, scope: Scope, lenient: bool = False) -> Iterator[Value]:
    for found in left(value, scope):
        if lenient and not isinstance(found, (list, dict)):
            continue
        for item in each(found):
            scope.tick()
            yield item


def _cut(
    left: Filter,
    start: Filter | None,
    end: Filter | None,
    value: Value,
    scope: Scope,
    lenient: bool = False,
) -> Iterator[Value]:
    bounds = [None if bound is None else single(bound, value, scope) for bound in (start, end)]
    for found in left(value, scope):
        if not lenient or found is None or isinstance(found, (str, list)):
            yield cut(found, *bounds)


def _bound(
    source: Filter, variable: str, body: Filter, value: Value, scope: Scope
) -> Iterator[Value]:
    for found in source(value, scope):
        yield from body(value, scope.having(variable, found))


def _variable(name: str, value: Value, scope: Scope) -> Iterator[Value]:
    if name not in scope.variables:
        raise NotModelled(f"the jq variable {name}")
    yield scope.variables[name]


def _array(inner: Filter | None, value: Value, scope: Scope) -> Iterator[Value]:
    yield [] if inner is None else limited(list(inner(value, scope)))


def _object(entries: list[tuple[Filter, Filter]], value: Value, scope: Scope) -> Iterator[Value]:
    result: dict[str, Value] = {}
    for key, item in entries:
        name, found = single(key, value, scope), list(item(value, scope))
        if len(found) != 1:
            raise NotModelled("an object of jq with several values")
        if not isinstance(name, str):
            raise Mistake
        result[name] = found[0]
    yield result


def _choose(test: Filter, yes: Filter, no: Filter, value: Value, scope: Scope) -> Iterator[Value]:
    for found in test(value, scope):
        yield from (yes if truth(found) else no)(value, scope)


def _plain(name: str, value: Value, scope: Scope) -> Iterator[Value]:
    scope.tick()
    yield limited(PLAIN[name](value))


def _interpolated(parts: list[Filter], value: Value, scope: Scope) -> Iterator[Value]:
    yield limited("".join(text(single(part, value, scope)) for part in parts))


def _assign(
    path: Path, operator: str, right: Filter, value: Value, scope: Scope
) -> Iterator[Value]:
    before = value
    for key in path:
        before = index(before, key)
    new = single(right, before if operator == "|=" else value, scope)
    if operator == "+=":
        new = calculate(before, "+", new)
    yield _changed(value, path, new)


def _changed(value: Value, path: Path, new: Value) -> Value:
    if not path:
        return new
    key, rest = path[0], path[1:]
    inner = _changed(index(value, key), rest, new)
    if isinstance(key, str):
        return {**(value or {}), key: inner}
    place = int(key)
    if value is None or not 0 <= place < len(value):
        raise NotModelled("a new element of a jq array")
    return [*value[:place], inner, *value[place + 1 :]]


def _delete(path: Path, value: Value, scope: Scope) -> Iterator[Value]:
    holder = value
    for key in path[:-1]:
        holder = index(holder, key)
    if holder is None or (isinstance(holder, dict) and path[-1] not in holder):
        yield value
    elif isinstance(holder, dict):
        kept = {name: item for name, item in holder.items() if name != path[-1]}
        yield _changed(value, path[:-1], kept)
    else:
        raise Mistake
