"""Files, YAML and JSON in Python programs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence

from verifier.model.text import Hole, Text
from verifier.shell.commands import Call, NotModelled
from verifier.shell.commands.common import known, known_ascii, like, standard_input
from verifier.shell.commands.python_values import Value, bounded
from verifier.shell.commands.python_world import Place, yaml_value

MODULES = {
    "math": ("ceil", "floor", "trunc", "sqrt", "gcd", "fabs", "pi", "log2"),
    "json": ("dumps", "loads", "load"),
    "sys": ("argv", "exit", "stdin", "stdout", "stderr"),
    "os": ("environ", "getenv"),
    "yaml": ("safe_load", "load", "SafeLoader", "CSafeLoader"),
}


class Files:
    """What a program reads. Expressions are evaluated by the class that builds on this one."""

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
        self.globals = self.variables
        """The same, outside of functions."""
        self.functions: dict[str, ast.FunctionDef] = {}
        self.opened: dict[str, Text] = {}
        """Contents of files by the name that `with` gives them."""
        self.places: dict[str, Hole] = {}
        self.depth = 0
        self.made: list[Value] = []
        """Dictionaries that the program made itself: those it may change."""
        self.busy: list[Value] = []
        """Dictionaries that a running loop may be going through."""
        self.hidden: frozenset[str] = frozenset()
        """Names that the running function assigns: there they are not the outer ones."""
        self.output: list[str] = []
        self.steps = 0

    def value(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def member(self, node: ast.expr) -> tuple[str, str] | None:
        """What an imported name or `module.name` stands for."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.imported.get(node.value.id)
            if module is not None and not module[1] and node.attr in MODULES[module[0]]:
                return module[0], node.attr
        return None

    def read(self, node: ast.expr) -> str:
        """`sys.stdin.read()` or `open(name).read()`."""
        return known_ascii(self.file(node))

    def file(self, node: ast.expr) -> Text:
        if self.member(node) == ("sys", "stdin"):
            if self.input_used:
                raise NotModelled("what python reads behind its program")
            self.input_used = True
            return standard_input(self.call)
        if isinstance(node, ast.Name) and node.id in self.opened:
            return self.opened.pop(node.id)  # what is read once is gone
        if not isinstance(node, ast.Call) or not node.args or len(node.args) > 2:
            raise NotModelled("this file of python")
        modes = [self.value(argument) for argument in node.args[1:]]
        modes += [self.value(keyword.value) for keyword in node.keywords]
        usual = all(k.arg in ("mode", "encoding") for k in node.keywords)
        if not usual or any(mode not in ("r", "rt", "utf-8", "utf8") for mode in modes):
            raise NotModelled("this file of python")
        if not isinstance(node.func, ast.Name) or node.func.id != "open":
            raise NotModelled("this file of python")
        path = self.value(node.args[0])
        if not isinstance(path, (str, Place)):
            raise NotModelled("this file of python")
        name = path.text if isinstance(path, Place) else like(path, self.call.argv[0])
        content = self.call.read(name)
        if content is None:
            raise NotModelled(f"the content of {name.display()} is not known")
        return content

    def yaml(self, name: str, node: ast.Call) -> Value:
        """`yaml.safe_load(file or text)`, `yaml.load(…, Loader=yaml.SafeLoader)`."""
        loaders = [keyword.value for keyword in node.keywords if keyword.arg == "Loader"]
        loaders += node.args[1:]
        wanted = ("yaml", "SafeLoader"), ("yaml", "CSafeLoader")
        safe = not loaders if name == "safe_load" else len(loaders) == 1
        if name not in ("safe_load", "load") or not safe or len(node.keywords) > len(loaders):
            raise NotModelled("this call of python's yaml")
        if any(self.member(loader) not in wanted for loader in loaders) or not node.args:
            raise NotModelled("this call of python's yaml")
        return bounded(yaml_value(self.content(node.args[0])))

    def content(self, node: ast.expr) -> str:
        """The text of a file, or of a string."""
        if self.is_file(node):
            return known(self.file(node))
        text = self.value(node)
        if not isinstance(text, str):
            raise NotModelled("this call of python's yaml")
        return text

    def is_file(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "open"
        named = isinstance(node, ast.Name) and node.id in self.opened
        return named or self.member(node) == ("sys", "stdin")

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
