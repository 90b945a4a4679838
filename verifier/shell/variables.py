"""Reading and assigning shell variables: scopes, attributes, name references, special ones."""

from __future__ import annotations

import re

from verifier.model.text import EMPTY, Hole, Lit, Span, Text, Word, hole, lit
from verifier.shell import lines, scopes
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.files import CALLED_FROM
from verifier.shell.machine import Machine, ShellError, defaulted, input_text, with_step
from verifier.shell.nodes import Source
from verifier.shell.state import (
    UNSET,
    Array,
    Frame,
    State,
    Table,
    Value,
    Var,
    dense,
    is_own_input,
    scalar,
    words_array,
)
from verifier.shell.texts import join, symbol

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# Bash sets these itself; their values differ from run to run or from machine to machine.
VOLATILE = frozenset(
    """RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME BASHPID PPID HOSTNAME HOSTTYPE MACHTYPE
    OSTYPE UID EUID GROUPS BASH BASH_VERSION BASH_VERSINFO BASHOPTS SHELLOPTS SHLVL LINENO _
    BASH_COMMAND DIRSTACK HISTCMD TERM PATH SHELL PWD OLDPWD COLUMNS LINES BASH_LOADABLES_PATH
    BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_MONOSECONDS""".split()
)
_CHANGING = frozenset(
    "RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME BASHPID LINENO _ BASH_COMMAND".split()
)
_NUMBERS = frozenset(
    "RANDOM SRANDOM SECONDS EPOCHSECONDS BASHPID PPID UID EUID LINENO SHLVL".split()
)
_LISTS = frozenset("GROUPS DIRSTACK BASH_VERSINFO BASH_ARGC BASH_ARGV".split())
# Bash takes no notice of what is assigned to these, or makes something else of it.
_OWN = _CHANGING | frozenset("FUNCNAME GROUPS DIRSTACK BASH_SOURCE BASH_LINENO".split())
_READ_ONLY = frozenset("UID EUID PPID BASHOPTS SHELLOPTS BASH_VERSINFO".split())
# Always set, but also given by the environment: an input in an open world, a hole in a closed one.
_ENVIRONMENT = frozenset(("PATH", "TERM", "SHELL", "SHLVL", "PWD", "OLDPWD", "_"))


def lookup(m: Machine, state: State, name: str) -> Value:
    """The value of a variable: None when unset, a hole when it is an input."""
    name = follow(m, state, name)
    var = state.vars.get(name)
    if var is not None:
        if var.nameref and isinstance(var.value, Text):
            if var.value.known == name:
                outer = scopes.seen(state, name, scopes.GLOBAL)
                return outer.value if outer is not None else None
            return _referred(m, state, name, var.value)
        if var.value is None and var.array == "A":
            return Table()  # its subscripts are keys, also while it has no elements
        return var.value
    special = _special(m, state, name)
    if special is not None:
        return special
    if m.options.closed:
        return None
    return input_text(name)


def _referred(m: Machine, state: State, name: str, target: Text) -> Value:
    """The value of a reference to an element or to an unknown variable."""
    from verifier.shell import elements

    base, bracket, rest = (target.known or "").partition("[")
    if NAME.match(base) and bracket and rest.endswith("]") and rest[:-1] not in ("@", "*"):
        value = lookup(m, state, base)
        if isinstance(value, Table):
            return elements.table_element(m, base, value, lit(rest[:-1]))
        return elements.array_element(m, state, base, value, lit(rest[:-1]))
    return hole(f"{name} refers to an unknown variable", f"reference({name},{symbol(target)})")


def _element_target(m: Machine, target: Text, name: str, span: Span) -> tuple[str, Text]:
    """The array and the subscript that a reference names. Raises ShellError."""
    base, bracket, rest = (target.known or "").partition("[")
    if not NAME.match(base) or not bracket or not rest.endswith("]"):
        if target.known is None:
            m.unresolved(span, f"{name} refers to an unknown variable")
        message = f"{name}: invalid variable name for name reference"
        raise ShellError(message, fatal=target.known is None)
    return base, lit(rest[:-1])


def target(m: Machine, state: State, name: str) -> tuple[str, Text | None]:
    """`name` or `name[subscript]` in two parts, as builtins read them: they expand the subscript
    once more. Raises ShellError."""
    base, bracket, rest = name.partition("[")
    if not bracket or not rest.endswith("]"):
        return base, None
    return base, subscript(m, state, base, rest[:-1])


def subscript(m: Machine, state: State, base: str, known: str) -> Text:
    """A subscript of an array, expanded once more. Raises ShellError."""
    if not any(character in known for character in "\\'\"$`"):
        return lit(known)
    from verifier.shell import expand

    key = is_array_name(state, follow(m, state, base)) == "A"
    return expand.subscript_again(m, state, lit(known), key)


def is_array_name(state: State, name: str) -> str:
    """ "A", "a" or "" for an associative array, an indexed one, or neither."""
    var = state.vars.get(name)
    if var is None:
        return ""
    if isinstance(var.value, Table):
        return "A"
    if isinstance(var.value, Array):
        return "a"
    return var.array


def follow(m: Machine, state: State, name: str) -> str:
    """The name that a chain of name references ends at."""
    for _ in range(8):
        var = state.vars.get(name)
        if var is None or not var.nameref or not isinstance(var.value, Text):
            return name
        target = var.value.known
        if target is None or not NAME.match(target):
            return name
        name = target
    return name


def referred_scope(state: State, name: str) -> tuple[str, int]:
    """The name that a chain of references ends at, and the scope from which it is looked up.

    Global references mean whatever is visible, and one to its own name the global variable.
    """
    scope = len(state.locals)
    for _ in range(8):
        var = scopes.seen(state, name, scope)
        if var is None or not var.nameref or not isinstance(var.value, Text):
            break
        target = var.value.known
        if target is None or not NAME.match(target):
            break
        if target == name:
            return name, scopes.GLOBAL
        own = max((d for d, s in enumerate(state.locals[: scope + 1]) if name in s), default=-1)
        scope = len(state.locals) if own == scopes.GLOBAL else own
        name = target
    return name, scope


def text_of_value(value: Value) -> Text | None:
    """`$name` of a value."""
    return scalar(Var(value))


def _special(m: Machine, state: State, name: str) -> Value:
    if name == "FUNCNAME":
        return _funcname(state)
    if name == "BASH_SOURCE":
        return _bash_source(state)
    if name == "BASH_LINENO":
        return _bash_lineno(state)
    if name == "IFS":
        return lit(" \t\n")
    if name in ("OPTIND", "OPTERR"):
        return lit("1")
    if name == "LINENO":
        line = lines.current(m, state)
        if line is not None:
            return lit(str(line))
    if name == "PS4":
        return lit("+ ")
    if name == "BASH_VERSINFO":
        return _version()
    if name == "BASH_SUBSHELL":
        return lit(str(state.subshell))
    if name == "PIPESTATUS":
        return dense([status_text(m, state)])
    if name == "PWD" and state.cwd is not None:
        return state.cwd
    if name in VOLATILE:
        if name in _ENVIRONMENT and not m.options.closed:
            return input_text(name)
        kind = "number:" if name in _NUMBERS else "special:"
        where = f":{m.site(state, m.place[1])}" if name in _CHANGING and m.place else ""
        value = hole(f"${name} differs from run to run", f"{kind}{name}{where}")
        return Array((Word(value, True),)) if name in _LISTS else value
    return None


def _version() -> Array:
    """The version of bash whose rules these are."""
    unknown = (("patch level", "number:patch"), ("build", "number:build"))
    machine = ("the machine that bash was built for", "special:machine")
    items = [lit("5"), lit("2"), *(hole(f"bash's {r}", s) for r, s in unknown), lit("release")]
    return dense([*items, hole(*machine)])


def calls(state: State) -> list[Frame]:
    """The frames that FUNCNAME and its kin list, the innermost first: not those of texts."""
    frames: list[Frame] = []
    for frame in reversed(state.frames):
        if frame.kind != "eval" and not frame.string:
            frames.append(frame)
        if frame.kind == "script":
            break
    return frames


_STAYS = " FUNCNAME"
"""Set while FUNCNAME can be seen outside functions."""


def after_outermost(state: State) -> None:
    """Behind a function that the script itself calls: one that an error leaves does not hide
    FUNCNAME again, and the next one that ends does."""
    left = state.flow is not None and state.flow.kind == "discard"
    if left:
        state.set(_STAYS, UNSET)
    elif _STAYS in state.vars:
        state.drop(_STAYS)


def _funcname(state: State) -> Value:
    functions = calls(state)
    if not any(f.kind == "function" for f in functions) and _STAYS not in state.vars:
        return None
    return dense([lit(f.name) for f in functions])


def _bash_source(state: State) -> Value:
    texts = {id(f.source) for f in state.frames if f.string}
    paths = (lit("environment") if id(f.source) in texts else f.path for f in calls(state))
    return dense(list(paths))


def _bash_lineno(state: State) -> Value:
    numbers: list[Text] = []
    for frame in calls(state):
        line = 0 if frame.kind == "script" else frame.line
        text = (
            hole("the line of a call", f"number:call:{frame.site}")
            if line is None
            else lit(str(line))
        )
        numbers.append(text)
    return dense(numbers)


def status_text(m: Machine, state: State) -> Text:
    """`$?`."""
    status = state.status
    if isinstance(status, int):
        return lit(str(status))
    success = m.success(state)
    yes, no = m.logic.split(state.cond, success)
    if no == 0:
        return lit("0")
    from verifier.shell.state import Formula

    code = status.code if isinstance(status, Formula) else None
    if code is None:
        failure = hole("exit status of a command", f"number:status({success})")
    else:
        failure = lit(str(code))
    if yes == 0:
        return failure
    return m.case(success, lit("0"), failure, "exit status of a command")


# --- assigning -------------------------------------------------------------------------------


def assign(
    m: Machine,
    state: State,
    name: str,
    value: Text,
    span: Span,
    *,
    subscript: Text | None = None,
    append: bool = False,
    how: str | None = None,
) -> None:
    """`name=value`, `name+=value`, `name[subscript]=value`. Raises ShellError (readonly)."""
    var = state.vars.get(name, UNSET)
    if var.nameref:
        if subscript is None and state.locals:
            target, scope = referred_scope(state, name)
            if scopes.hides(state, target, scope):
                # A reference of a function means the variable that its own scope sees.
                with scopes.seen_from(state, target, scope):
                    assign(m, state, target, value, span, append=append, how=how)
                return
        name = follow(m, state, name)
        var = state.vars.get(name, UNSET)
    if var.nameref and isinstance(var.value, Text):
        base, index = _element_target(m, var.value, name, span)
        assign(m, state, base, value, span, subscript=index, append=append, how=how)
        return
    if append:
        var = existing(m, state, name)
    if var.readonly:
        raise ReadOnly(name)
    if _keeps_its_value(state, name):
        return
    value = bounded(m, value)
    value = with_step(value, span, how or f"assigned to {name}")
    if subscript is not None or isinstance(var.value, Array | Table) or var.array:
        new = _set_element(m, state, name, var, subscript, value, append)
    else:
        old = _certain(m, state, name, var.value) if append else None
        new = given(m, name, transform(m, state, var, value, old if append else None))
    _check_size(m, new)
    state.set(name, var._replace(value=new, exported=_exports(m, state, var), inherited=False))
    after_assignment(m, state, name)


def given(m: Machine, name: str, value: Text) -> Text:
    """A value that a variable is set to: where that is the variable's own input it is set now, be
    it to nothing."""
    only = only_hole(value)
    if only is None:
        return value
    if is_own_input(name, value):
        return defaulted(name, "", False, only.origin)
    case = m.cases.get(only.symbol)
    if case is None or not len(case.yes) == len(case.no) == 1:
        return value
    one, two = case.yes[0].text, case.no[0].text
    yes, no = given(m, name, one), given(m, name, two)
    if yes is one and no is two:
        return value
    return m.case(case.test, yes, no, only.reason, only.origin)


def _certain(m: Machine, state: State, name: str, value: Value) -> Text | None:
    """What is appended to: nothing where only some paths have set it and this is another."""
    from verifier.shell.elements import maybe

    if not isinstance(value, Text):
        return None
    unset, text = maybe(m, state, value)
    reason = f"{name} is set in some branches only"
    return m.case(unset, EMPTY, EMPTY if text is None else text, reason)


def _keeps_its_value(state: State, name: str) -> bool:
    """Whether bash, not the script, gives the variable its values. Raises ReadOnly."""
    if (name not in VOLATILE and name not in _OWN) or name in state.vars:
        return False
    if is_read_only(state, name):
        raise ReadOnly(name)
    return name in _OWN


def is_read_only(state: State, name: str) -> bool:
    """Whether it is one of the variables that bash makes readonly."""
    return name in _READ_ONLY and name not in state.vars


def is_special(name: str) -> bool:
    """Whether bash itself sets the variable, so that the script need not have done so."""
    return name in VOLATILE or name in _OWN or name in ("IFS", "OPTIND", "OPTERR", "PS4")


def existing(m: Machine, state: State, name: str) -> Var:
    """The variable as `+=` sees it: one that the script has not set is an input."""
    if name not in state.vars and not m.options.closed:
        return Var(input_text(name), inherited=True)
    return state.vars.get(name, UNSET)


def _exports(m: Machine, state: State, var: Var) -> bool:
    return var.exported or state.opt("allexport")


def assign_array(
    m: Machine, state: State, name: str, value: Array | Table, span: Span, append: bool
) -> None:
    """`name=( … )`, `name+=( … )` with the elements expanded already."""
    name = follow(m, state, name)
    var = state.vars.get(name, UNSET)
    if var.readonly:
        raise ReadOnly(name)
    if _keeps_its_value(state, name):
        return
    error = None
    if var.integer or var.case:
        value, error = _transformed(m, state, var, value)
    if append:
        value = _appended(m, state, name, var, value)
    if isinstance(value, Array):
        if len(value.items) > m.limits.words:
            value = Array((Word(hole(f"{name} has too many elements", f"many:{id(value)}"), True),))
        items = tuple(
            Word(with_step(w.text, span, f"element of {name}"), w.splits, w.alternatives)
            for w in value.items
        )
        value = value._replace(items=items)
    kind = "A" if isinstance(value, Table) else "a"
    state.set(
        name,
        var._replace(value=value, array=kind, exported=_exports(m, state, var), inherited=False),
    )
    if error is not None:
        raise error


def _transformed(
    m: Machine, state: State, var: Var, value: Array | Table
) -> tuple[Array | Table, NoNumber | None]:
    """The elements as the attributes of the variable make them, up to one that fails."""
    if isinstance(value, Array) and value.vague:
        reason = "elements that an attribute changes"
        return Array((Word(hole(reason, f"changed:{m.steps}"), True),)), None
    given = value.items if isinstance(value, Table) else value.pairs()
    texts: list[Text] = []
    error = None
    for _, text in given:
        try:
            texts.append(transform(m, state, var, text, None))
        except NoNumber as raised:
            error = raised
            break
    if isinstance(value, Table):
        return Table(tuple((k, t) for (k, _), t in zip(value.items, texts, strict=False))), error
    indices = None if value.indices is None else value.indices[: len(texts)]
    return Array(tuple(Word(text) for text in texts), indices), error


def _appended(m: Machine, state: State, name: str, var: Var, value: Array | Table) -> Array | Table:
    old = var.value
    if isinstance(value, Table):
        if not isinstance(old, Table):
            return value
        merged = dict(old.items)
        for key, text in value.items:
            merged[key] = text
        return Table(tuple(merged.items()), old.vague or value.vague)
    if name not in state.vars and not m.options.closed:
        old = input_text(name)
    if isinstance(old, Text):
        from verifier.shell.elements import only_element

        old = words_array(only_element(m, state, name, old))
    if not isinstance(old, Array):
        return value
    if old.indices is None and value.indices is None:
        return Array(old.items + value.items, None, old.least + value.least)
    if old.vague or value.vague:
        return Array(old.items + value.items, None, old.least + value.least)
    pairs = dict(old.pairs())
    following = max(pairs, default=-1) + 1
    if value.indices is None:
        for offset, word in enumerate(value.items):
            pairs[following + offset] = word.text
    else:
        pairs.update(value.pairs())
    return from_pairs(pairs)


def from_pairs(pairs: dict[int, Text]) -> Array:
    """An array with these elements."""
    ordered = sorted(pairs.items())
    items = tuple(Word(text) for _, text in ordered)
    indices = tuple(index for index, _ in ordered)
    return Array(items, None if indices == tuple(range(len(items))) else indices)


def _set_element(
    m: Machine,
    state: State,
    name: str,
    var: Var,
    subscript: Text | None,
    value: Text,
    append: bool,
) -> Value:
    old = var.value
    if isinstance(old, Table) or (old is None and var.array == "A"):
        if subscript is not None and subscript.known == "":
            raise AssignmentError(f"{name}: bad array subscript")
        table = old if isinstance(old, Table) else Table()
        key = lit("0") if subscript is None else subscript
        if key.known is None:
            return Table(table.items, f"{name} has an element under an unknown key")
        before = table.get(key.known) if append else None
        new = transform(m, state, var, value, before)
        items = dict(table.items)
        items[key.known] = new
        return Table(tuple(items.items()), table.vague)
    array = old if isinstance(old, Array) else Array() if old is None else dense([old])
    index = 0 if subscript is None else _index(m, state, subscript, array)
    if index is None or array.vague:
        if not array.vague and subscript is None:
            index = 0
        else:
            reason = f"{name} has an element at an unknown place"
            key_text = subscript if subscript is not None else EMPTY
            name_ = f"elements({name},{symbol(key_text)},{symbol(value)},{m.steps})"
            return Array((Word(hole(reason, name_), True),))
    pairs = dict(array.pairs())
    pairs[index] = transform(m, state, var, value, pairs.get(index) if append else None)
    return from_pairs(pairs)


def _index(m: Machine, state: State, subscript: Text, array: Array) -> int | None:
    index = index_value(m, state, subscript)
    if index is None:
        return None
    if index < 0:
        if array.vague:
            return None
        pairs = array.pairs()
        index += (pairs[-1][0] if pairs else -1) + 1
        if index < 0:
            raise AssignmentError("bad array subscript")
    return index


def arithmetic_value(m: Machine, state: State, expression: Text) -> int | None:
    """The value of an arithmetic expression, None when unknown. Raises ShellError."""
    from verifier.shell import sums

    result = sums.evaluate(m, state, expression)
    return None if result.value.known is None else int(result.value.known)


def index_value(m: Machine, state: State, subscript: Text) -> int | None:
    """The value of a subscript, None when unknown. Raises ShellError."""
    value = _number(m, state, subscript).known
    return None if value is None else int(value)


def _number(m: Machine, state: State, expression: Text) -> Text:
    from verifier.shell import sums

    try:
        return sums.evaluate(m, state, expression).value
    except ShellError as error:
        if error.fatal:
            raise
        raise NoNumber(str(error)) from error


def summed(left: Text, right: Text) -> Text:
    """The expression that adds two expressions; an empty one counts as 0."""
    if not left.pieces or not right.pieces:
        return left if left.pieces else right
    return join([lit("("), left, lit(")+("), right, lit(")")])


def transform(m: Machine, state: State, var: Var, value: Text, before: Text | None) -> Text:
    """The value after the attributes of the variable have had their say."""
    if var.integer:
        result = _number(m, state, value)
        if before is None:
            return result
        return _number(m, state, summed(_number(m, state, before), result))
    if before is not None:
        value = before + value
    if var.case:
        from verifier.shell.patterns import change_case
        from verifier.shell.texts import derived

        operator = "^^" if var.case == "u" else ",,"
        changed = change_case(value, operator, None)
        if changed is not None and var.case == "c":
            changed = change_case(changed, "^", None)
        value = (
            changed if changed is not None else derived("case of an unknown text", operator, value)
        )
    return value


def after_assignment(m: Machine, state: State, name: str) -> None:
    """What else an assignment to a special variable does."""
    if name == "OPTIND" and state.getopts != 1:
        from verifier.shell import getopts

        state.getopts = getopts.position_after(text_of_value(state.vars[name].value))


def _check_size(m: Machine, value: Value) -> None:
    if isinstance(value, Text) and value.known is not None:
        if len(value.known) > m.limits.characters:
            raise LimitExceeded


class AssignmentError(ShellError):
    """An assignment fails: bash leaves what is around it, and under `set -e` the shell."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reported=True)


class NoNumber(ShellError):
    """What should be a number is none: bash leaves even functions and what `eval` runs."""


class ReadOnly(AssignmentError):
    """An assignment to a readonly variable; a builtin or a loop only fails."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: readonly variable")


class LimitExceeded(ShellError):
    """A value is longer than the limit."""

    def __init__(self) -> None:
        super().__init__("value too long")


def bounded(m: Machine, text: Text) -> Text:
    """The text in few pieces, or a hole for one of too many: values that double grow fast."""
    if len(text.pieces) <= _MANY_PIECES:
        return text
    text = compact(text)
    if len(text.pieces) > m.limits.pieces:
        return hole("a text of too many parts (limit: pieces)", f"long:{m.steps}")
    return text


_MANY_PIECES = 200


def compact(text: Text) -> Text:
    """The same text in fewer pieces; the later ones lose their own origins."""
    from verifier.model.text import Lit, Piece

    pieces: list[Piece] = []
    for piece in text.pieces:
        last = pieces[-1] if pieces else None
        if isinstance(piece, Lit) and isinstance(last, Lit):
            pieces[-1] = Lit(last.value + piece.value, last.origin)
        else:
            pieces.append(piece)
    return Text(pieces)


def unset(m: Machine, state: State, name: str, *, reference: bool = False) -> None:
    """`unset name`; `reference`: `unset -n`. Raises ShellError for a readonly one."""
    name = name if reference else follow(m, state, name)
    var = state.vars.get(name)
    if var.readonly if var is not None else name in _READ_ONLY:
        raise ShellError(f"{name}: cannot unset: readonly variable")
    if reference and (var is None or not var.nameref):
        return
    if name == "OPTIND":
        state.getopts = 1
    if not state.locals or scopes.of(state, name) == scopes.GLOBAL:
        if var is not None and var.temporary:
            reason = f"{name} is what it was before the command that set it for its run"
            state.set(name, Var(hole(reason, f"outer:{name}:{m.steps}"), temporary=True))
        elif m.options.closed and name not in VOLATILE and _special(m, state, name) is None:
            state.drop(name)
        else:
            state.set(name, UNSET)
    elif not scopes.uncover(state, name):
        # A local variable unset in its own scope stays local.
        state.set(name, Var())


def names_with_prefix(m: Machine, state: State, prefix: str) -> list[str] | None:
    """`${!prefix@}`; None in an open world, where inputs may match."""
    if not m.options.closed:
        return None
    if any(name.startswith(prefix) for name in VOLATILE | {"IFS", "OPTIND", "OPTERR", "PS4"}):
        return None
    # A local variable without a value does not keep an outer one from being listed.
    found = {n for n, v in state.vars.items() if v.value is not None}
    for frame in state.locals:
        found.update(n for n, v in frame.items() if v is not None and v.value is not None)
    return sorted(n for n in found if n.startswith(prefix))


def ifs(m: Machine, state: State) -> Text | None:
    """The value of IFS; None when unset."""
    value = text_of_value(lookup(m, state, "IFS"))
    return value


def unset_where(m: Machine, name: str, text: Text) -> int:
    """The formula that says that a variable with this value is not set at all.

    A path may have left it to the environment, where it may be missing, or have unset it.
    """
    from verifier.shell import questions

    only = only_hole(text)
    if only is None:
        return FALSE
    case = m.cases.get(only.symbol)
    if case is not None:
        yes, no = (
            unset_where(m, name, words[0].text) if words else TRUE for words in (case.yes, case.no)
        )
        return m.logic.choose(case.test, yes, no)
    if only.default is None and only.input is not None and only.input == name:
        return questions.input_null(m, name, False)
    return FALSE


def only_hole(text: Text) -> Hole | None:
    """The hole that is all of the text, or None."""
    if len(text.pieces) == 1 and isinstance(text.pieces[0], Hole):
        return text.pieces[0]
    return None


def source_text(source: Source) -> Text:
    """BASH_SOURCE of a file of the tree."""
    return Text((Hole("the folder that the script is called from", CALLED_FROM), Lit(source.path)))
