"""How `declare -p`, `${x@A}` and `${x@K}` write variables.

Source: bash 5.2, variables.c, array.c and assoc.c.
"""

from __future__ import annotations

import re

from verifier.model.text import Text
from verifier.shell.elements import table_order
from verifier.shell.machine import Machine
from verifier.shell.quoting import quote_transform
from verifier.shell.state import Array, Table, Value, Var

_SPECIAL = re.compile(r'([$`"\\])')
_KEY = re.compile(r"[ \t\n'\"\\|&;()<>!{}*\[\]?^$`]|(?:^|[=:])~|^#")


def flags(m: Machine, var: Var) -> str | None:
    """The attributes as letters, in bash's order; None where they depend on the path, or on
    whether the variable came with the environment."""
    if var.mixed or not (var.exported or m.options.closed):
        return None
    array = var.array or {Array: "a", Table: "A"}.get(type(var.value), "")
    given = (
        array,
        "i" if var.integer else "",
        "n" if var.nameref else "",
        "r" if var.readonly else "",
        "x" if var.exported else "",
        var.case,
    )
    return "".join(sorted("".join(given), key="aAinrxtcul".index))


def double(value: str) -> str:
    """A value between double quotes, or as `$'…'` where it holds control characters."""
    quoted = quote_transform(value)
    return quoted if quoted.startswith("$'") else f'"{_SPECIAL.sub(_escaped, value)}"'


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match[1]


def _key(key: str) -> str:
    quoted = quote_transform(key)
    if quoted.startswith("$'"):
        return quoted
    return double(key) if key == "@" or _KEY.search(key) else key


def elements(value: Value) -> list[tuple[str, str]] | None:
    """Keys and values of an array in bash's order, both quoted; None where one is not known."""
    pairs: list[tuple[str, Text]]
    if isinstance(value, Table):
        if value.vague is not None:
            return None
        ordered = table_order(value)
        if ordered is None:
            return None
        pairs = [(_key(key), text) for key, text in ordered]
    elif isinstance(value, Array):
        if value.vague:
            return None
        pairs = [(str(index), text) for index, text in value.pairs()]
    else:
        return None
    result: list[tuple[str, str]] = []
    for key, text in pairs:
        known = text.known
        if known is None:
            return None
        result.append((key, double(known)))
    return result


def list_text(value: Array | Table) -> str | None:
    """`([0]="a" [1]="b")`; None where something in it is not known."""
    found = elements(value)
    if found is None:
        return None
    end = " " if found and isinstance(value, Table) else ""
    return "(" + " ".join(f"[{key}]={text}" for key, text in found) + end + ")"


def pairs_text(value: Array | Table) -> str | None:
    """`0 "a" 1 "b"`; None where something in it is not known."""
    found = elements(value)
    if found is None:
        return None
    end = " " if found and isinstance(value, Table) else ""
    return " ".join(f"{key} {text}" for key, text in found) + end


def declaration(m: Machine, name: str, var: Var) -> str | None:
    """What `declare -p` prints; None where something in it is not known."""
    value, letters = var.value, flags(m, var)
    if letters is None:
        return None
    head = f"declare -{letters or '-'} {name}"
    if value is None:
        return head
    if isinstance(value, Text):
        return None if value.known is None else f"{head}={double(value.known)}"
    shown = list_text(value)
    return None if shown is None else f"{head}={shown}"
