"""python -c and here-documents that only compute and print.

A small evaluator of the syntax tree: numbers, texts, lists and dictionaries, `json`, `math` and
`sys`. Nothing is ever executed; what is not listed here, or would raise, is not modelled.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Sequence

from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import known, known_ascii, like, standard_input
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

_STEPS = 5_000
_PROGRAM = 2_000
_MODULES = {
    "math": ("ceil", "floor", "trunc", "sqrt", "gcd", "fabs", "pi", "log2"),
    "json": ("dumps", "loads", "load"),
    "sys": ("argv", "exit", "stdin", "stdout", "stderr"),
}
_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class _Exit(Exception):
    """`sys.exit(status)`."""


def python(call: Call) -> Result:
    arguments = list(call.argv[1:])
    while arguments and arguments[0].known in ("-u", "-B", "-I", "-s", "-E"):
        del arguments[0]
    first = arguments[0].known if arguments else ""
    if first == "-c" and len(arguments) > 1:
        source, arguments, input_used = arguments[1], arguments[2:], False
        names = ["-c"]
    elif first == "-" or not arguments:
        source, arguments, input_used = standard_input(call), arguments[1:], True
        names = [first or ""]
    else:
        raise NotModelled("this python command")
    program = known_ascii(source)
    if len(program) > _PROGRAM or "\r" in program or "\0" in program:
        raise NotModelled("a long python program")
    run = _Run(call, names, arguments, input_used)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(program)
        run.program = program
        status = run.all(tree)
        output = "".join(run.output)
    except (SyntaxError, *_ERRORS) as error:
        raise NotModelled("a python program that stops with an error") from error
    if not output.isascii():
        raise NotModelled("python output whose encoding depends on the locale")
    return Result(like(output, source), status)


class _Run:
    def __init__(
        self, call: Call, names: list[str], arguments: Sequence[Text], input_used: bool
    ) -> None:
        self.call = call
        self.arguments: list[str | Text] = [*names, *arguments]
        self.input_used = input_used
        """Whether nothing is left to read on standard input."""
        self.program = ""
        self.imported: dict[str, tuple[str, str]] = {}
        """Local names of modules ("json", "") and of what is in them ("math", "ceil")."""
        self.variables: dict[str, Value] = {}
        self.output: list[str] = []
        self.steps = 0

    def all(self, tree: ast.Module) -> int:
        try:
            self.statements(tree.body)
        except _Exit as found:
            status = found.args[0]
            assert isinstance(status, int)
            return status
        return 0

    def tick(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise NotModelled("a python program that runs too long")

    # --- statements ------------------------------------------------------------------------------

    def statements(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.tick()
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.importing(alias.name, "", alias.asname or alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                self.importing(node.module, alias.name, alias.asname or alias.name)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.assign(node.targets[0], self.value(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            before = self.name(node.target.id)
            if isinstance(before, (list, dict)):
                raise NotModelled("a list that changes in python")
            self.assign(node.target, self.operation(node.op, before, self.value(node.value)))
        elif isinstance(node, ast.If):
            self.statements(node.body if self.value(node.test) else node.orelse)
        elif isinstance(node, ast.For) and not node.orelse:
            for element in self.elements(node.iter):
                self.assign(node.target, element)
                self.statements(node.body)
        elif isinstance(node, ast.Pass):
            pass
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.effect(node.value)
        else:
            raise NotModelled("this python program")

    def importing(self, module: str, name: str, local: str) -> None:
        if module not in _MODULES or (name and name not in _MODULES[module]):
            raise NotModelled(f"python imports {module}")
        if local in self.variables or local in FUNCTIONS or local == "print":
            raise NotModelled("a python name with two meanings")
        self.imported[local] = (module, name)

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, (list, tuple)):
            if len(target.elts) != len(value):
                raise NotModelled("a python program that stops with an error")
            for part, element in zip(target.elts, value, strict=True):
                self.assign(part, element)
            return
        if not isinstance(target, ast.Name):
            raise NotModelled("this assignment of python")
        name = target.id
        if name in FUNCTIONS or name in self.imported or name in ("print", "open", "exit"):
            raise NotModelled("a python name with two meanings")
        self.variables[name] = value

    def effect(self, node: ast.Call) -> None:
        """A call whose value is not used: print, write or exit."""
        function = node.func
        if isinstance(function, ast.Name) and function.id == "print":
            self.printing(node)
        elif (
            isinstance(function, ast.Attribute)
            and function.attr == "write"
            and self.member(function.value) in (("sys", "stdout"), ("sys", "stderr"))
            and len(node.args) == 1
            and not node.keywords
        ):
            text = self.value(node.args[0])
            if not isinstance(text, str):
                raise NotModelled("python writes something other than text")
            if self.member(function.value) == ("sys", "stdout"):
                self.output.append(text)
        elif self.member(function) == ("sys", "exit") or (
            isinstance(function, ast.Name) and function.id == "exit"
        ):
            self.leave(node)
        else:
            raise NotModelled("this python call")

    def leave(self, node: ast.Call) -> None:
        value = self.value(node.args[0]) if node.args else None
        status = 0 if value is None else value
        if not isinstance(status, int) or not 0 <= status <= 255 or len(node.args) > 1:
            raise NotModelled("this exit status of python")
        raise _Exit(int(status))

    def printing(self, node: ast.Call) -> None:
        separator, end, hidden = " ", "\n", False
        for keyword in node.keywords:
            if keyword.arg == "file" and self.member(keyword.value) == ("sys", "stderr"):
                hidden = True
                continue
            if keyword.arg == "flush":
                self.value(keyword.value)
                continue
            value = self.value(keyword.value)
            if keyword.arg not in ("sep", "end") or not isinstance(value, str):
                raise NotModelled("this print of python")
            separator, end = (value, end) if keyword.arg == "sep" else (separator, value)
        parts: list[str] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                parts += map(str, self.elements(argument.value))
            else:
                parts.append(str(self.value(argument)))
        if not hidden:
            self.output.append(str(bounded(separator.join(parts) + end)))

    # --- expressions -----------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        self.tick()
        return bounded(self.expression(node))

    def expression(self, node: ast.expr) -> Value:
        found = _EXPRESSIONS.get(type(node))
        if found is None:
            raise NotModelled("this python expression")
        return found(self, node)

    def name(self, name: str) -> Value:
        if name not in self.variables:
            raise NotModelled(f"the python name {name}")
        return self.variables[name]

    def member(self, node: ast.expr) -> tuple[str, str] | None:
        """What an imported name or `module.name` stands for."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.imported.get(node.value.id)
            if module is not None and not module[1] and node.attr in _MODULES[module[0]]:
                return module[0], node.attr
        return None

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
        source = ast.get_source_segment(self.program, node) or ""
        quote = source[-1:]
        if source.count(quote) != 2 or "\\" in source or "\n" in source:
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

    # --- calls -----------------------------------------------------------------------------------

    def calling(self, node: ast.Call) -> Value:
        function = node.func
        member = self.member(function)
        if member is not None and member[0] == "json":
            return self.json(member[1], node)
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
        found = METHODS.get((type(owner), function.attr))
        if found is None:
            raise NotModelled(f"the python method {function.attr}")
        arguments = consumed(function.attr, arguments)
        return found(owner, *arguments, **keywords)

    def read(self, node: ast.expr) -> str:
        """`sys.stdin.read()` or `open(name).read()`."""
        return known_ascii(self.file(node))

    def file(self, node: ast.expr) -> Text:
        if self.member(node) == ("sys", "stdin"):
            if self.input_used:
                raise NotModelled("what python reads behind its program")
            self.input_used = True
            return standard_input(self.call)
        opened = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if not opened or not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            raise NotModelled("this file of python")
        name = node.args[0]
        if not isinstance(node.func, ast.Name) or node.func.id != "open":
            raise NotModelled("this file of python")
        path = self.value(name)
        if not isinstance(path, str):
            raise NotModelled("this file of python")
        content = self.call.read(like(path, self.call.argv[0]))
        if content is None:
            raise NotModelled(f"the content of {path} is not known")
        return content

    def json(self, name: str, node: ast.Call) -> Value:
        if name == "load":
            if len(node.args) != 1 or node.keywords:
                raise NotModelled("this json.load of python")
            return _loaded(known_ascii(self.file(node.args[0])))
        if name == "loads":
            if len(node.args) != 1 or node.keywords:
                raise NotModelled("this json.loads of python")
            text = self.value(node.args[0])
            if not isinstance(text, str):
                raise NotModelled("this json.loads of python")
            return _loaded(text)
        return self.dumps(node)

    def dumps(self, node: ast.Call) -> str:
        options = {keyword.arg: self.value(keyword.value) for keyword in node.keywords}
        if len(node.args) != 1 or set(options) - {"indent", "separators", "sort_keys"}:
            raise NotModelled("this json.dumps of python")
        indent, separators = options.get("indent"), options.get("separators")
        if indent is not None and (not isinstance(indent, int) or not 0 <= indent <= 16):
            raise NotModelled("this json.dumps of python")
        pair: tuple[str, str] | None = None
        if separators is not None:
            if not isinstance(separators, (tuple, list)) or len(separators) != 2:
                raise NotModelled("this json.dumps of python")
            pair = str(separators[0]), str(separators[1])
        return json.dumps(
            self.value(node.args[0]),
            indent=indent,
            separators=pair,
            sort_keys=bool(options.get("sort_keys")),
        )


def _loaded(text: str) -> Value:
    if re.search(r"NaN|Infinity|[0-9]{400}", text):
        raise NotModelled("these numbers of JSON")
    value: Value = json.loads(text)
    return bounded(value)


def _constant(run: _Run, node: ast.Constant) -> Value:
    value = node.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise NotModelled("this python constant")


def _compare(run: _Run, node: ast.Compare) -> Value:
    left = run.value(node.left)
    for operator, part in zip(node.ops, node.comparators, strict=True):
        right = run.value(part)
        if not compared(operator, left, right):
            return False
        left = right
    return True


def _boolean(run: _Run, node: ast.BoolOp) -> Value:
    value: Value = None
    for part in node.values:
        value = run.value(part)
        if bool(value) is isinstance(node.op, ast.Or):
            return value
    return value


def _dictionary(run: _Run, node: ast.Dict) -> Value:
    result: dict[Value, Value] = {}
    for key, part in zip(node.keys, node.values, strict=True):
        if key is None:
            raise NotModelled("this dictionary of python")
        result[run.value(key)] = run.value(part)
    return result


def _many(run: _Run, nodes: Sequence[ast.expr]) -> list[Value]:
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

MODELS: dict[str, Model] = {"python": python, "python3": python}
