"""python -c and here-documents that only compute and print.

A small evaluator of the syntax tree: numbers, texts, lists and dictionaries, `json`, `math` and
`sys`. Nothing is ever executed; what is not listed here, or would raise, is not modelled.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import like, standard_input
from verifier.shell.commands.python_expressions import NAMES, Expressions
from verifier.shell.commands.python_files import MODULES
from verifier.shell.commands.python_values import FUNCTIONS, Value, bounded
from verifier.shell.commands.python_world import Partly, marked

_PROGRAM = 20_000
_CALLS = 20
"""Functions of a program inside each other."""
_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_RAISED: dict[str, type[Exception]] = {
    "ValueError": ValueError,
    "KeyError": KeyError,
    "IndexError": IndexError,
    "LookupError": LookupError,
    "ZeroDivisionError": ZeroDivisionError,
    "ArithmeticError": ArithmeticError,
    "TypeError": TypeError,
    "Exception": Exception,
}
"""Exceptions that a program may catch."""
_MODELLED = (ValueError, KeyError, IndexError, ZeroDivisionError)
"""Those that are raised here exactly when Python raises them."""


class _Exit(Exception):
    """`sys.exit(status)`."""


class _Return(Exception):
    """`return value`."""


class _Leave(Exception):
    """`break` or `continue`."""


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
    program, places = marked(source)
    if len(program) > _PROGRAM or "\r" in program or "\0" in program:
        raise NotModelled("a long python program")
    run = _Run(call, names, arguments, input_used)
    run.places = places
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(program)
        run.program = program
        status = run.all(tree)
        output = "".join(run.output)
    except (SyntaxError, _Return, _Leave, *_ERRORS) as error:
        raise NotModelled("a python program that stops with an error") from error
    if not output.isascii():
        raise NotModelled("python output whose encoding depends on the locale")
    return Result(like(output, source), status)


class _Run(Expressions):
    """Statements."""

    def all(self, tree: ast.Module) -> int:
        try:
            self.statements(tree.body)
        except _Exit as found:
            status = found.args[0]
            assert isinstance(status, int)
            return status
        return 0

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
            self.loop(node)
        elif isinstance(node, ast.FunctionDef):
            self.define(node)
        elif isinstance(node, ast.Return):
            raise _Return(None if node.value is None else self.value(node.value))
        elif isinstance(node, (ast.Break, ast.Continue)):
            raise _Leave(isinstance(node, ast.Break))
        elif isinstance(node, ast.With) and len(node.items) == 1:
            self.with_file(node)
        elif isinstance(node, ast.Try) and not node.finalbody:
            self.attempt(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            pass  # a docstring
        elif isinstance(node, ast.Pass):
            pass
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.effect(node.value)
        else:
            raise NotModelled("this python program")

    def loop(self, node: ast.For) -> None:
        elements = self.looped(node)
        before = len(self.busy)
        seen = {**self.globals, **self.variables}
        names = (n.id for n in ast.walk(node.iter) if isinstance(n, ast.Name))
        self.busy += [v for n in names if isinstance(v := seen.get(n), dict)]
        for element in elements:
            self.assign(node.target, element)
            try:
                self.statements(node.body)
            except _Leave as found:
                if found.args[0]:
                    break
        del self.busy[before:]

    def looped(self, node: ast.For) -> list[Value]:
        """What a loop goes through."""
        over = node.iter
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute):
            if over.func.attr == "items" and not over.args and not over.keywords:
                owner = self.value(over.func.value)
                if isinstance(owner, Partly):
                    return self.some(node, owner)
        return self.elements(over)

    def some(self, node: ast.For, owner: Partly) -> list[Value]:
        """A loop over entries of which not all are known: it may only fill a dictionary by their
        keys, of which then not all entries are known either."""
        key = node.target.elts[0] if isinstance(node.target, ast.Tuple) else None
        filled = _only_fills(node.body, key.id if isinstance(key, ast.Name) else "")
        if filled is None or not isinstance(self.variables.get(filled), dict):
            raise NotModelled("a python loop over an environment that is not known")
        partly = Partly(self.variables[filled])
        self.variables[filled] = partly
        self.made.append(partly)
        return list(owner.known())

    def define(self, node: ast.FunctionDef) -> None:
        found = node.args
        simple = not (node.decorator_list or found.vararg or found.kwarg or found.kwonlyargs)
        if not simple or found.posonlyargs or node.name in self.variables or self.depth:
            raise NotModelled("this python function")
        self.unused(node.name)
        self.functions[node.name] = node

    def own(self, node: ast.FunctionDef, given: list[Value], named: dict[str, Value]) -> Value:
        """A call of a function of the program."""
        names = [argument.arg for argument in node.args.args]
        defaults = node.args.defaults
        if any(not isinstance(default, ast.Constant) for default in defaults):
            raise NotModelled("this python function")
        local = {
            name: self.value(default)
            for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True)
        }
        local.update(zip(names, given, strict=False))
        if len(given) > len(names) or set(named) - set(names[len(given) :]):
            raise NotModelled("a python program that stops with an error")
        local.update(named)
        if set(local) != set(names) or self.depth >= _CALLS:
            raise NotModelled("a python program that stops with an error")
        for name in names:
            self.unused(name)
        assigned = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_stored(n)}
        assigned |= {n.name for n in ast.walk(node) if isinstance(n, ast.ExceptHandler) and n.name}
        if any(isinstance(n, (ast.Global, ast.Nonlocal, ast.Lambda)) for n in ast.walk(node)):
            raise NotModelled("this python function")
        outer, outer_hidden = self.variables, self.hidden
        self.variables, self.hidden = local, frozenset(assigned)
        self.depth += 1
        try:
            self.statements(node.body)
        except _Return as found:
            return found.args[0]
        finally:
            self.depth -= 1
            self.variables, self.hidden = outer, outer_hidden
        return None

    def with_file(self, node: ast.With) -> None:
        given = node.items[0]
        if not isinstance(given.optional_vars, ast.Name):
            raise NotModelled("this with of python")
        name = given.optional_vars.id
        self.unused(name)
        self.opened[name] = self.file(given.context_expr)
        self.variables.pop(name, None)
        try:
            self.statements(node.body)
        finally:
            self.opened.pop(name, None)

    def attempt(self, node: ast.Try) -> None:
        try:
            self.statements(node.body)
        except _MODELLED as error:
            for handler in node.handlers:
                if isinstance(error, self.caught(handler.type)):
                    if handler.name:  # the exception itself is not modelled
                        self.variables.pop(handler.name, None)
                        self.hidden |= {handler.name}
                    self.statements(handler.body)
                    return
            raise
        self.statements(node.orelse)

    def caught(self, node: ast.expr | None) -> tuple[type[Exception], ...]:
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        found: list[type[Exception]] = []
        for one in nodes:
            name = one.id if isinstance(one, ast.Name) else "Exception" if one is None else ""
            if name not in _RAISED:
                raise NotModelled("this except of python")
            found.append(_RAISED[name])
        return tuple(found)

    def unused(self, name: str) -> None:
        if name in FUNCTIONS or name in self.imported or name in NAMES:
            raise NotModelled("a python name with two meanings")

    def importing(self, module: str, name: str, local: str) -> None:
        if module not in MODULES or (name and name not in MODULES[module]):
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
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            container = self.name(target.value.id)
            if not any(container is made for made in self.made):
                raise NotModelled("this assignment of python")
            key = self.value(target.slice)
            if any(container is busy for busy in self.busy) and key not in container:
                raise NotModelled("a dictionary that grows while python goes through it")
            container[key] = value
            bounded(container)
            return
        if not isinstance(target, ast.Name):
            raise NotModelled("this assignment of python")
        name = target.id
        self.unused(name)
        if name in self.functions:
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


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _only_fills(body: Sequence[ast.stmt], key: str) -> str | None:
    """The name of the one dictionary that the statements fill under `key`, when they do no more."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=at))]
            ):
                if at != key:
                    return None
                found.add(name)
            case ast.Try(orelse=[], finalbody=[], handlers=handlers):
                parts = [statement.body, *(handler.body for handler in handlers)]
                inner = [_only_fills(part, key) for part in parts]
                if inner[0] is None or any(name is None for name in inner):
                    return None
                found.update(name for name in inner if name)
            case ast.Pass():
                pass
            case _:
                return None
    return found.pop() if len(found) == 1 else "" if not found else None


MODELS: dict[str, Model] = {"python": python, "python3": python}
