"""A small reader of Python programs that knows where strings and paths come from."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from checks.engine_paths import FOUND
from verifier.model.record import dataclass, field
from verifier.model.text import UNKNOWN

MAX_STEPS = 20_000
MAX_CALLS = 8
_LOCATORS = ("find_spec", "get_spec", "getsourcefile", "getfile", "files", "distribution")
_SITES = ("getsitepackages", "getusersitepackages", "get_paths", "get_path", "get_python_lib")
_SAME = (
    "Path PurePath PosixPath str fspath abspath realpath normpath expanduser dirname resolve "
    "absolute with_suffix strip rstrip list sorted iter next"
).split()
_DOWNWARD = ("glob", "rglob", "iglob", "iterdir", "joinpath", "with_name", "walk", "listdir")
_COPIES = {"copy", "copy2", "copyfile", "copytree", "move", "rename", "replace", "symlink", "link"}
_SHUTIL = {"copy", "copy2", "copyfile", "copytree", "move"}
_METHODS = {"write_text", "write_bytes", "unlink", "rename", "replace", "symlink_to", "touch"}
_RUNNERS = {"run", "call", "check_call", "check_output", "Popen", "system", "getoutput", "popen"}


@dataclass(frozen=True, slots=True)
class Value:
    """A string or path; `UNKNOWN` marks its unknown stretches."""

    text: str = UNKNOWN
    installed: bool = False
    """It names a place that was found through an installed package."""
    module: str = ""
    """It is this module."""
    items: tuple[Value, ...] = ()
    """Elements, when it is a list or tuple of known ones."""


NOTHING = Value()


def of_marked(text: str) -> Value:
    """The value of a text in which `FOUND` and `UNKNOWN` stand for holes."""
    return Value(text.replace(FOUND, UNKNOWN), FOUND in text)


@dataclass(slots=True)
class Evaluator:
    """Runs a program over `Value`s; branches are all taken, loops once for each known element."""

    arguments: Sequence[Value]
    environment: Mapping[str, Value]
    guarded: Callable[[str], bool]
    """Whether a name with `UNKNOWN` stretches lies in what the image ships."""
    writes: list[tuple[str, Value, int]] = field(default_factory=list)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    opaque: list[int] = field(default_factory=list)
    """Lines of `exec` and `eval`."""
    _names: dict[str, Value] = field(default_factory=dict)
    _functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    _steps: int = 0
    _depth: int = 0

    def run(self, tree: ast.Module) -> None:
        """Follow the whole program."""
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._functions.setdefault(node.name, node)
        self._block(tree.body)

    # --- statements ---

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._steps += 1
            if self._steps > MAX_STEPS:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            old = self._names.get(node.target.id, NOTHING)
            self._names[node.target.id] = _joined(old, self.value(node.value))
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._loop(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                value = self.value(item.context_expr)
                if item.optional_vars is not None:
                    self._assign(item.optional_vars, value)
            self._block(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        else:
            self._others(node)

    def _others(self, node: ast.stmt) -> None:
        """Expressions first, then every body: `if`, `while`, `try`, classes, returns."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                self.value(value)
            elif isinstance(value, list) and name != "decorator_list":
                for part in value:
                    if isinstance(part, ast.stmt):
                        self._block([part])
                    elif isinstance(part, ast.expr):
                        self.value(part)
                    elif isinstance(part, ast.ExceptHandler | ast.match_case):
                        self._block(part.body)

    def _loop(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.value(node.iter)
        for item in iterable.items or (self._inside(iterable),):
            self._assign(node.target, item)
            self._block(node.body)
        self._block(node.orelse)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                module = alias.name if alias.asname else name
            else:
                name = alias.asname or alias.name
                module = f"{node.module or ''}.{alias.name}".strip(".")
            self._names[name] = Value(module=module)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for index, part in enumerate(target.elts):
                item = value.items[index] if index < len(value.items) else self._inside(value)
                self._assign(part, item)

    # --- expressions ---

    def value(self, node: ast.expr | None) -> Value:
        """What an expression is, as far as it matters for paths; records writes on the way."""
        self._steps += 1
        if node is None or self._steps > MAX_STEPS:
            return NOTHING
        if isinstance(node, ast.Constant):
            return of_marked(node.value) if isinstance(node.value, str) else NOTHING
        if isinstance(node, ast.Name):
            return self._names.get(node.id, NOTHING)
        if isinstance(node, ast.JoinedStr):
            parts = [self.value(part) for part in node.values]
            return _joined(*parts) if parts else Value("")
        if isinstance(node, ast.FormattedValue):
            return self.value(node.value)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return Value(items=tuple(self.value(part) for part in node.elts))
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.IfExp | ast.BoolOp):
            options = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
            return self._either([self.value(option) for option in options])
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            for generator in node.generators:
                self._assign(generator.target, self._inside(self.value(generator.iter)))
            return Value(items=(self.value(node.elt),))
        if isinstance(node, ast.NamedExpr):
            value = self.value(node.value)
            self._assign(node.target, value)
            return value
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return NOTHING

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Div):
            return _under(left, right)
        if isinstance(node.op, ast.Add):
            return _joined(left, right)
        if isinstance(node.op, ast.Mod):
            return Value(left.text.replace("%s", UNKNOWN), left.installed or right.installed)
        return NOTHING

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.value(node.value)
        if node.attr in ("__file__", "__path__", "__spec__") and base.module:
            return self._located(base.module)
        if base.module:
            return Value(module=f"{base.module}.{node.attr}")
        if node.attr in ("parent", "origin", "parents", "submodule_search_locations", "name"):
            return base
        return Value(installed=base.installed)

    def _subscript(self, node: ast.Subscript) -> Value:
        base = self.value(node.value)
        index = node.slice
        position = index.value if isinstance(index, ast.Constant) else None
        if base.module == "sys.argv" and isinstance(position, int):
            known = -len(self.arguments) <= position < len(self.arguments)
            return self.arguments[position] if known else NOTHING
        if base.module == "os.environ" and isinstance(position, str):
            return self.environment.get(position, NOTHING)
        if isinstance(position, int) and -len(base.items) <= position < len(base.items):
            return base.items[position]
        return Value(base.text if base.installed else UNKNOWN, base.installed)

    def _located(self, module: str) -> Value:
        """Where a package lies. Packages of the harness are no engine sources."""
        package = module.partition(".")[0]
        guarded = self.guarded(f"/site-packages/{package}/x")
        return Value(f"{UNKNOWN}/site-packages/{package}", installed=guarded)

    def _either(self, values: Sequence[Value]) -> Value:
        """One of several: a place of the engine before any other known one."""
        return min(values, key=self._rank, default=NOTHING)

    def _rank(self, value: Value) -> int:
        if value.installed or value.module:
            return 0
        if value.text == UNKNOWN:
            return 3
        return 1 if self.guarded(value.text) else 2

    def _inside(self, value: Value) -> Value:
        """An element of something whose elements are not listed."""
        if value.items:
            return self._either(value.items)
        place = value.installed or "/" in value.text
        return Value(value.text if place else UNKNOWN, value.installed)

    # --- calls ---

    def _call(self, node: ast.Call) -> Value:
        callee = node.func
        owner = self.value(callee.value) if isinstance(callee, ast.Attribute) else NOTHING
        name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
        arguments = [self.value(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
        keywords = {k.arg: self.value(k.value) for k in node.keywords if k.arg}
        first = arguments[0] if arguments else NOTHING
        self._effects(node, name, owner, arguments, keywords)
        if isinstance(callee, ast.Name) and name in self._functions:
            return self._local(self._functions[name], arguments, keywords)
        if name in _LOCATORS and (first.text.strip(UNKNOWN) or first.module):
            return self._located(first.module or first.text)
        if name == "import_module" and first.text.strip(UNKNOWN):
            return Value(module=first.text)
        if name in _SITES:
            return Value(f"{UNKNOWN}/site-packages", installed=True)
        if name == "join" and owner.module.endswith("path"):
            result = first
            for argument in arguments[1:]:
                result = _under(result, argument)
            return result
        if name in ("get", "getenv") and owner.module in ("os.environ", "os"):
            default = arguments[1] if len(arguments) > 1 else NOTHING
            return self.environment.get(first.text, default)
        return self._passed_through(name, owner, arguments)

    def _passed_through(self, name: str, owner: Value, arguments: Sequence[Value]) -> Value:
        first = arguments[0] if arguments else NOTHING
        subject = owner if owner.text != UNKNOWN or owner.installed else first
        if name in ("Path", "PurePath", "PosixPath") and arguments:
            result = first
            for argument in arguments[1:]:
                result = _under(result, argument)
            return result
        if name in _SAME:
            return subject
        if name in _DOWNWARD:
            base = owner if owner.text != UNKNOWN or owner.installed else first
            return _under(base, first if base is owner and arguments else NOTHING)
        if name in ("replace", "format", "removesuffix", "lower"):
            return Value(owner.text, owner.installed)
        return Value(installed=owner.installed and name in ("read", "group"))

    def _local(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
    ) -> Value:
        if self._depth >= MAX_CALLS:
            return NOTHING
        outer = dict(self._names)
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        defaults = function.args.defaults
        for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            self._names[name] = self.value(default)
        self._names.update(zip(names, arguments, strict=False))
        self._names.update(keywords)
        self._depth += 1
        self._block(function.body)
        returned = [
            self.value(part.value) for part in ast.walk(function) if isinstance(part, ast.Return)
        ]
        self._depth -= 1
        self._names = outer
        return self._either(returned)

    def _effects(
        self,
        node: ast.Call,
        name: str,
        owner: Value,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
    ) -> None:
        line = node.lineno
        first = arguments[0] if arguments else NOTHING
        second = arguments[1] if len(arguments) > 1 else keywords.get("dst", NOTHING)
        if name == "open":
            self._open(line, owner, arguments, keywords)
        elif (name in _COPIES and owner.module in ("shutil", "os")) or (
            name in _SHUTIL and len(arguments) > 1
        ):
            self.writes.append((f"Python's `{name}` writes", second, line))
        elif name in ("remove", "unlink", "rmtree", "truncate") and owner.module in (
            "os",
            "shutil",
        ):
            self.writes.append((f"Python's `{name}` removes", first, line))
        elif name in _METHODS and not owner.module and (owner.text != UNKNOWN or owner.installed):
            if name != "replace" or len(arguments) == 1:
                target = first if name in ("rename", "replace") else owner
                self.writes.append((f"Python's `{name}` changes", target, line))
        elif name in ("write_text", "write_bytes"):
            self.writes.append((f"Python's `{name}` changes", owner, line))
        elif name == "input" and owner.module == "fileinput" and "inplace" in keywords:
            self.writes.append(("Python's `fileinput` edits", first, line))
        elif name in _RUNNERS and owner.module in ("subprocess", "os"):
            self._runs(first)
        elif name in ("exec", "eval") and not owner.module:
            self.opaque.append(line)

    def _open(
        self,
        line: int,
        owner: Value,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
    ) -> None:
        method = not owner.module and (owner.text != UNKNOWN or owner.installed)
        target = owner if method else (arguments[0] if arguments else NOTHING)
        rest = arguments if method else arguments[1:]
        mode = keywords.get("mode", rest[0] if rest else Value("r"))
        if any(letter in mode.text for letter in "wax+") or mode.text == UNKNOWN:
            self.writes.append(("Python's `open` writes", target, line))

    def _runs(self, command: Value) -> None:
        words = command.items or tuple(Value(word) for word in command.text.split())
        if words:
            self.commands.append(tuple(word.text for word in words))


def _joined(*parts: Value) -> Value:
    return Value("".join(part.text for part in parts), any(part.installed for part in parts))


def _under(folder: Value, name: Value) -> Value:
    if name.text.startswith("/"):
        return name
    return Value(f"{folder.text.rstrip('/')}/{name.text}", folder.installed or name.installed)
