"""The value of a parameter before any operator."""

from __future__ import annotations

from verifier.model.text import Hole, Text, hole, lit
from verifier.shell import nodes, variables
from verifier.shell.diagrams import FALSE
from verifier.shell.elements import (
    Elements,
    Found,
    array_element,
    count,
    element,
    elements_of,
    maybe,
    only_element,
    table_element,
)
from verifier.shell.machine import Machine, ShellError
from verifier.shell.state import State, Table, Var
from verifier.shell.texts import derived


def fetch(m: Machine, state: State, name: str, subscript: nodes.Word | str | None) -> Found:
    """The value of a parameter; None when unset."""
    special = _special(m, state, name)
    if special is not None:
        return special[0]
    value = variables.lookup(m, state, name)
    if subscript is None:
        return variables.text_of_value(value)
    if subscript == "@" and isinstance(value, Text):
        return Elements(only_element(m, state, name, value), False)
    if subscript in ("@", "*"):
        return Elements(elements_of(m, name, value), subscript == "*")
    assert isinstance(subscript, nodes.Word)
    return element(m, state, name, value, subscript)


def _special(m: Machine, state: State, name: str) -> tuple[Found] | None:
    if name in ("@", "*"):
        return (Elements(state.args, name == "*"),)
    if name == "#":
        return (count(m, state.args),)
    if name == "?":
        return (variables.status_text(m, state),)
    if name == "0":
        return (script_name(state),)
    if name.isdigit():
        return (_positional(m, state, int(name)),)
    if name == "$":
        return (hole("process id of the shell", "number:pid"),)
    if name == "!":
        return (variables.text_of_value(state.vars.get("!", Var()).value),)
    if name == "-":
        from verifier.shell import describe

        return (describe.flags(state),)
    return None


def script_name(state: State) -> Text:
    """`$0`."""
    return next(f.path for f in reversed(state.frames) if f.kind == "script")


def _positional(m: Machine, state: State, number: int) -> Text | None:
    for position, word in enumerate(state.args, 1):
        if word.splits:
            only = variables.only_hole(word.text)
            if only is not None and only.symbol == "arguments":
                return Text(
                    (
                        Hole(
                            f"argument {number} of the script", f"input:{number}", input=str(number)
                        ),
                    )
                )
            return derived(f"argument {number}", f"argument{number}", *(w.text for w in state.args))
        if position == number:
            return word.text
    return None


def arithmetic_value(m: Machine, state: State, name: str, subscript: Text | None) -> Text | None:
    """What arithmetic reads for a variable. Unset is None."""
    value = variables.lookup(m, state, name)
    if subscript is None:
        text = variables.text_of_value(value)
    elif isinstance(value, Table):
        text = table_element(m, name, value, m.resolve(state, subscript))
    else:
        text = array_element(m, state, name, value, subscript)
    if text is not None:
        unset, text = maybe(m, state, text)
        if text is not None and unset != FALSE:
            text = m.case(unset, lit("0"), text, f"{name} is set in some branches only")
    if text is None:
        # Of an array only all of it counts.
        if state.opt("nounset") and (subscript is None or value is None):
            raise ShellError(f"{name}: unbound variable", fatal=True, reported=True)
        return None
    return m.resolve(state, text)
