"""Expressions and calls of Python programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from verifier.shell.commands import NotModelled
from verifier.shell.commands.common import known
from verifier.shell.commands.python_files import Files
from verifier.shell.commands.python_values import (
    FUNCTIONS,
    METHODS,
    OPERATORS,
    Stream,
    Value,
    bounded,
    compared,
    consumed,
    formatted,
    item,
    unary,
)
from verifier.shell.commands.python_world import Partly, Place, environment, placed

_STEPS = 20_000
NAMES = ("print", "open", "exit", "eval", "isinstance")
"""Functions with a meaning of their own here."""
_TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (int, float, str, bool, list, dict, tuple)
}


class Expressions(Files):
    """Values. Statements are run by the class that builds on this one."""

    def assign(self, target: ast.expr, value: Value) -> None:
        raise NotImplementedError

    def own(self, node: ast.FunctionDef, given: list[Value], named: dict[str, Value]) -> Value:
        raise NotImplementedError

    def tick(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise NotModelled("a python program that runs too long")

    def value(self, node: ast.expr) -> Value:
        self.tick()
        return bounded(self.expression(node))

    def expression(self, node: ast.expr) -> Value:
        found = _EXPRESSIONS.get(type(node))
        if found is None:
            raise NotModelled("this python expression")
        return found(self, node)

    def name(self, name: str) -> Value:
        if name in self.variables:
            return self.variables[name]
        if name in self.globals and name not in self.hidden:
            return self.globals[name]
        raise NotModelled(f"the python name {name}")

    def operation(self, operator: ast.operator, left: Value, right: Value) -> Value:
        function = OPERATORS.get(type(operator))
        if function is None:
            raise NotModelled("this python operator")
        return bounded(function(left, right))

    def elements(self, node: ast.expr) -> list[Value]:
        """What a loop over the value goes through."""
        value = self.generated(node)
        if isinstance(value, Stream):
            return value.items
        if isinstance(value, (list, tuple, dict, str)):
            return list(value)
        raise NotModelled("this python loop")

    def argument(self, index: int) -> str:
        found = self.arguments[index]
        return found if isinstance(found, str) else known(found)

    def attribute(self, node: ast.Attribute) -> Value:
        if self.member(node) == ("math", "pi"):
            import math

            return math.pi
        if self.member(node) == ("os", "environ"):
            return environment(self.call.env())
        if self.member(node) == ("sys", "argv"):
            return [self.argument(index) for index in range(len(self.arguments))]
        raise NotModelled("this python attribute")

    def subscript(self, node: ast.Subscript) -> Value:
        key = node.slice
        if self.member(node.value) == ("sys", "argv") and not isinstance(key, ast.Slice):
            index = self.value(key)
            if not isinstance(index, int):
                raise NotModelled("this index of python")
            return self.argument(index)
        container = self.value(node.value)
        if isinstance(key, ast.Slice):
            parts = [None if p is None else self.value(p) for p in (key.lower, key.upper, key.step)]
            if not isinstance(container, (str, list, tuple)):
                raise NotModelled("this slice of python")
            bounds: list[int | None] = []
            for part in parts:
                if part is not None and not isinstance(part, int):
                    raise NotModelled("this slice of python")
                bounds.append(part)
            return container[slice(*bounds)]
        return item(container, self.value(key))

    def joined(self, node: ast.JoinedStr) -> Value:
        """An f-string. One that has its own quote inside is an error before Python 3.12."""
        if node.end_lineno != node.lineno or "\r" in self.program or "\f" in self.program:
            raise NotModelled("this f-string of python")
        # `ast.get_source_segment` splits the program anew for each.
        line = self.program.split("\n", node.lineno)[node.lineno - 1].encode()
        source = line[node.col_offset : node.end_col_offset].decode()
        quote = source[-1:]
        if source.count(quote) != 2 or "\\" in source:
            raise NotModelled("this f-string of python")
        return "".join(map(self.part, node.values))

    def part(self, node: ast.expr) -> str:
        if not isinstance(node, ast.FormattedValue):
            return str(self.value(node))
        value = self.value(node.value)
        if node.conversion == ord("r"):
            value = repr(value)
        elif node.conversion == ord("s"):
            value = str(value)
        elif node.conversion != -1:
            raise NotModelled("this f-string of python")
        spec = "" if node.format_spec is None else self.spec(node.format_spec)
        return formatted(value, spec)

    def spec(self, node: ast.expr) -> str:
        if not isinstance(node, ast.JoinedStr):
            raise NotModelled("this f-string of python")
        return "".join(map(self.part, node.values))

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> list[Value]:
        if len(node.generators) != 1 or node.generators[0].is_async:
            raise NotModelled("this comprehension of python")
        generator = node.generators[0]
        outer = dict(self.variables)
        result: list[Value] = []
        for element in self.elements(generator.iter):
            self.assign(generator.target, element)
            if all(self.value(test) for test in generator.ifs):
                result.append(self.value(node.elt))
        self.variables = outer
        return result

    def calling(self, node: ast.Call) -> Value:
        function = node.func
        member = self.member(function)
        if member is not None and member[0] == "json":
            return self.json(member[1], node)
        if member is not None and member[0] == "yaml":
            return self.yaml(member[1], node)
        if isinstance(function, ast.Name) and function.id == "eval":
            return self.evaluated(node)
        if isinstance(function, ast.Name) and function.id == "isinstance":
            return self.is_instance(node)
        if isinstance(function, ast.Attribute) and function.attr == "read" and not node.args:
            return self.read(function.value)
        arguments = [self.generated(argument) for argument in node.args]
        keywords = {k.arg: self.value(k.value) for k in node.keywords if k.arg is not None}
        if len(keywords) != len(node.keywords):
            raise NotModelled("this python call")
        if member is not None:
            name = f"{member[0]}.{member[1]}"
        elif isinstance(function, ast.Name):
            name = function.id
            if name in self.variables or name in self.hidden:
                raise NotModelled("a python name with two meanings")
            if name in self.functions:
                return self.own(self.functions[name], consumed(name, arguments), keywords)
        else:
            return self.method(function, arguments, keywords)
        found = FUNCTIONS.get(name)
        if found is None:
            raise NotModelled(f"the python function {name}")
        arguments = consumed(name, arguments)
        return found(*arguments, **keywords)

    def generated(self, node: ast.expr) -> Value:
        """A value, or a stream that is used at once."""
        self.tick()
        if isinstance(node, ast.GeneratorExp):
            return Stream(self.comprehension(node))
        value = self.expression(node)
        return value if isinstance(value, Stream) else bounded(value)

    def method(
        self, function: ast.expr, arguments: list[Value], keywords: dict[str, Value]
    ) -> Value:
        if not isinstance(function, ast.Attribute):
            raise NotModelled("this python call")
        owner = self.value(function.value)
        if isinstance(owner, Partly) and function.attr == "get" and arguments:
            return owner[arguments[0]]
        found = METHODS.get((type(owner), function.attr))
        if found is None:
            raise NotModelled(f"the python method {function.attr}")
        arguments = consumed(function.attr, arguments)
        return found(owner, *arguments, **keywords)

    def is_instance(self, node: ast.Call) -> bool:
        if len(node.args) != 2 or node.keywords:
            raise NotModelled("this isinstance of python")
        value, kinds = self.value(node.args[0]), node.args[1]
        names = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        found = [_TYPES.get(name.id) if isinstance(name, ast.Name) else None for name in names]
        if None in found or isinstance(value, (Partly, Place)):
            raise NotModelled("this isinstance of python")
        return isinstance(value, tuple(kind for kind in found if kind is not None))

    def evaluated(self, node: ast.Call) -> Value:
        """`eval(text, {"__builtins__": {}}, names)` of plain arithmetic over integers."""
        given = [self.value(argument) for argument in node.args]
        nothing: Value = {"__builtins__": {}}
        if len(given) != 3 or node.keywords or given[1] != nothing or not isinstance(given[0], str):
            raise NotModelled("this eval of python")
        names = given[2]
        if not isinstance(names, dict):
            raise NotModelled("this eval of python")
        tree = ast.parse(given[0].strip(), mode="eval").body
        return self.formula(tree, names)

    def formula(self, node: ast.expr, names: dict[Value, Value]) -> Value:
        self.tick()
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return bounded(node.value)
        if isinstance(node, ast.Name):
            if node.id not in names:
                raise NotModelled(f"the python name {node.id}")
            return names[node.id]
        if isinstance(node, ast.BinOp):
            left, right = self.formula(node.left, names), self.formula(node.right, names)
            return self.operation(node.op, left, right)
        if isinstance(node, ast.UnaryOp):
            return bounded(unary(node.op, self.formula(node.operand, names)))
        raise NotModelled("this eval of python")


def _constant(run: Expressions, node: ast.Constant) -> Value:
    value = node.value
    if isinstance(value, str) and run.places:
        return placed(value, run.places)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise NotModelled("this python constant")


def _compare(run: Expressions, node: ast.Compare) -> Value:
    left = run.value(node.left)
    for operator, part in zip(node.ops, node.comparators, strict=True):
        right = run.value(part)
        if not compared(operator, left, right):
            return False
        left = right
    return True


def _boolean(run: Expressions, node: ast.BoolOp) -> Value:
    value: Value = None
    for part in node.values:
        value = run.value(part)
        if bool(value) is isinstance(node.op, ast.Or):
            return value
    return value


def _dictionary(run: Expressions, node: ast.Dict) -> Value:
    result: dict[Value, Value] = {}
    for key, part in zip(node.keys, node.values, strict=True):
        if key is None:
            raise NotModelled("this dictionary of python")
        result[run.value(key)] = run.value(part)
    run.made.append(result)
    return result


def _many(run: Expressions, nodes: Sequence[ast.expr]) -> list[Value]:
    return [run.value(node) for node in nodes]


# Each entry only ever gets nodes of the type it is found by.
_EXPRESSIONS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: lambda run, node: run.name(node.id),
    ast.BinOp: lambda run, node: run.operation(
        node.op, run.value(node.left), run.value(node.right)
    ),
    ast.UnaryOp: lambda run, node: unary(node.op, run.value(node.operand)),
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: lambda run, node: run.value(node.body if run.value(node.test) else node.orelse),
    ast.Call: lambda run, node: run.calling(node),
    ast.Attribute: lambda run, node: run.attribute(node),
    ast.Subscript: lambda run, node: run.subscript(node),
    ast.JoinedStr: lambda run, node: run.joined(node),
    ast.List: lambda run, node: _many(run, node.elts),
    ast.Tuple: lambda run, node: tuple(_many(run, node.elts)),
    ast.Dict: _dictionary,
    ast.ListComp: lambda run, node: run.comprehension(node),
}
