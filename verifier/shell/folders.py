"""`cd`, `pwd`, `pushd`, `popd`: the working directory, as far as the tree shows it."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from verifier.model.files import file_key, is_start
from verifier.model.text import Hole, Lit, Text, Word, hole, lit
from verifier.shell import redirect, variables
from verifier.shell.files import (
    CALLED_FOLDER,
    CALLED_FROM,
    TREE_ROOT,
    normal_tree_path,
    place,
    tree_path,
)
from verifier.shell.machine import Machine
from verifier.shell.state import Array, State, Var, dense

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

START = hole("the folder that the script is started in", "start:")


def current(m: Machine, state: State) -> Text:
    """The working directory."""
    if state.cwd is not None:
        return state.cwd
    value = variables.text_of_value(variables.lookup(m, state, "PWD"))
    return value if value is not None else START


def in_tree(path: str) -> Text:
    """The absolute name of a folder of the tree."""
    root = Hole("the folder that the tree is checked out in", TREE_ROOT)
    return Text((root, Lit("/" + path))) if path else Text((root,))


def change(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`cd`."""
    words = [w for w in plan.argv[1:] if w.splits or w.text.known not in ("-P", "-L", "-e", "--")]
    if not words:
        home = variables.text_of_value(variables.lookup(m, state, "HOME"))
        target = home if home is not None else lit("")
    else:
        target = m.resolve(state, words[0].text)
    before = current(m, state)
    if words and words[0].splits:
        state.cwd = hole("a folder of unknown name", f"cwd:{m.site(state, start)}")
        state.status = m.pending(state, start, "`cd`")
    elif target.known == "-":
        old = variables.text_of_value(variables.lookup(m, state, "OLDPWD"))
        state.cwd = old if old is not None else before
        state.status = 0
        redirect.emit(m, state, 1, (state.cwd or before) + lit("\n"))
    else:
        _go(m, state, target, start)
    if state.cwd is not None and is_start(state.cwd):
        state.cwd = None
    state.set("OLDPWD", Var(before))
    state.drop("PWD")


def _go(m: Machine, state: State, target: Text, start: int) -> None:
    inside = tree_path(target)
    if inside is None and target.known is not None and not target.known.startswith("/"):
        base = None if state.cwd is None else tree_path(state.cwd)
        if base is not None:
            inside = normal_tree_path(posixpath.join(base, target.known))
    if inside is not None:
        state.cwd = in_tree(inside)
        state.status = 0
        if not m.tree.is_dir(inside):
            state.status = m.pending(state, start, f"`cd {inside}`")
        return
    state.cwd = _joined(current(m, state), target)
    made = state.files.get(f"{place(state.files, file_key(current(m, state)))}/") is not None
    state.status = 0 if made or target.known == "/" else m.pending(state, start, "`cd`")


def _joined(base: Text, target: Text) -> Text:
    if not target.pieces:
        return base
    first = target.pieces[0]
    if isinstance(first, Hole):
        return target
    if first.value.startswith("/"):
        known = target.known
        return target if known is None else lit(posixpath.normpath(known))
    joined = base + lit("/") + target
    last = joined.pieces[-1]
    if target.known is not None and isinstance(last, Lit):
        return _normal(base, target.known)
    return joined


def _normal(base: Text, relative: str) -> Text:
    """`base/relative` without `.` and `..`."""
    pieces = list(base.pieces)
    last = pieces[-1] if pieces else None
    tail = ""
    if isinstance(last, Lit):
        tail = last.value
        pieces.pop()
        glued, slash, rest = tail.partition("/")
        if pieces and glued:
            # What stands right behind a hole is part of a name.
            pieces.append(Lit(glued, last.origin))
            tail = slash + rest
    known = posixpath.normpath(f"{tail.rstrip('/')}/{relative}" if tail else relative)
    if known.startswith("..") or (known == "." and not tail):
        if known == ".":
            return base
        shown = base + lit("/" + relative)
        return hole("a folder above an unknown one", f"folder({shown.key!r})")
    if pieces and tail and known == "/":
        return Text(pieces)
    if pieces and not known.startswith("/"):
        known = "/" + known
    return Text((*pieces, Lit(known)))


def show(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`pwd`."""
    redirect.emit(m, state, 1, current(m, state) + lit("\n"))
    state.status = 0


_STACK = " DIRSTACK"
"""What holds the folders below the current one on the stack, the next one first."""


def push(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`pushd`: to a folder, or back to the last one in exchange for the current one."""
    stack = _stack(state)
    arguments = [word.text.known for word in plan.argv[1:]]
    if (not arguments and not stack) or stack is None or arguments[:1] == ["-n"]:
        _lost(m, state, start, "pushd")
        return
    before = current(m, state)
    if not arguments:
        target, *rest = stack
        plan = plan._replace(argv=[*plan.argv, Word(target)])
        change(m, state, plan, start)
        state.set(_STACK, Var(dense([before, *rest])))
    elif re.fullmatch("[-+][0-9]+", arguments[0] or ""):
        _lost(m, state, start, "pushd")
        return
    else:
        change(m, state, plan, start)
        state.set(_STACK, Var(dense([before, *stack])))
    if redirect.is_captured(state):
        redirect.emit(m, state, 1, hole("stack of folders", f"output:{m.site(state, start)}"))


def pop(m: Machine, state: State, plan: Plan, start: int) -> None:
    """`popd`: back to the last folder of the stack."""
    stack = _stack(state)
    if stack is None or len(plan.argv) > 1:
        _lost(m, state, start, "popd")
        return
    if not stack:
        state.status = 1
        return
    target, *rest = stack
    before = current(m, state)
    state.cwd = None if is_start(target) else target
    state.set("OLDPWD", Var(before))
    state.drop("PWD")
    state.set(_STACK, Var(dense(rest)))
    state.status = 0
    if redirect.is_captured(state):
        redirect.emit(m, state, 1, hole("stack of folders", f"output:{m.site(state, start)}"))


def _stack(state: State) -> list[Text] | None:
    """The folders below the current one; None when they are not known."""
    var = state.vars.get(_STACK)
    if var is None:
        return []
    if not isinstance(var.value, Array) or var.value.vague:
        return None
    return [item.text for item in var.value.items]


def _lost(m: Machine, state: State, start: int, name: str) -> None:
    """Somewhere else, and nobody knows where."""
    site = m.site(state, start)
    state.set("OLDPWD", Var(current(m, state)))
    state.drop("PWD")
    state.cwd = hole("another folder", f"cwd:{site}")
    state.set(_STACK, Var(Array((Word(hole("stack of folders", f"dirs:{site}"), True),))))
    state.status = m.pending(state, start, f"`{name}`")


def path_command(m: Machine, state: State, name: str, argv: list[Word]) -> Text | None:
    """`dirname`, `realpath` and `readlink -f` of a path that stands for a place in the tree."""
    words = [word.text for word in argv[1:] if not word.splits]
    if len(words) != len(argv) - 1:
        return None
    if words and words[0].known == "--":
        words = words[1:]
    if name == "dirname" and len(words) == 1:
        return _dirname(words[0])
    options = {"realpath": ((), ("-e",), ("-m",)), "readlink": (("-f",), ("-e",), ("-m",))}
    if name not in options or not words:
        return None
    if tuple(word.known for word in words[:-1]) not in options[name]:
        return None
    inside = tree_path(words[-1])
    return None if inside is None else in_tree(inside)


def _dirname(path: Text) -> Text | None:
    if tree_path(path) is None:
        return None
    first, rest = path.pieces[0], Text(path.pieces[1:]).known
    assert isinstance(first, Hole)
    if rest is None:
        return None
    head, slash, _ = rest.rstrip("/").rpartition("/")
    if first.symbol == TREE_ROOT:
        return Text((first, Lit(head))) if slash else None
    if slash:
        return Text((first, Lit(head.rstrip("/")))) if head.rstrip("/") else None
    if first.symbol == CALLED_FROM and rest:
        return Text((Hole(first.reason, CALLED_FOLDER, first.origin),))
    return None
