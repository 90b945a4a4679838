"""`${x@Q}` and the other transformations."""

from __future__ import annotations

from collections.abc import Callable

from verifier.model.text import EMPTY, Text, Word, hole, lit
from verifier.shell import declarations, nodes, patterns, variables
from verifier.shell.elements import Elements, Found, odd_ifs
from verifier.shell.elements import keys as keys_of
from verifier.shell.machine import Machine
from verifier.shell.operators import lift
from verifier.shell.quoting import decode_ansi_c, quote_transform
from verifier.shell.state import UNSET, Array, State, Table, Var
from verifier.shell.texts import derived

Change = Callable[[Text], Text | None]


def transformed(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> Found:
    """The value after the operator."""
    operator = p.operator
    if operator == "@a":
        return _flags(m, state, name, p, found)
    if operator == "@A":
        return _assignment(m, state, name, p, found)
    if found is None:
        return None
    if operator in ("@K", "@k") and isinstance(found, Elements) and not _is_parameters(name):
        value = variables.lookup(m, state, name)
        if isinstance(value, Array | Table):
            return _pairs(m, state, name, operator, value, found)
    if operator == "@P":
        return _prompt(name, found)
    function = _FUNCTIONS[operator]
    reason = f"${{{name}{operator}}} of an unknown text"
    if isinstance(found, Text):
        return lift(m, m.resolve(state, found), function, reason, operator)
    items = tuple(
        Word(derived(reason, operator, w.text), True)
        if w.splits
        else Word(lift(m, m.resolve(state, w.text), function, reason, operator))
        for item in found.items
        for w in m.resolve_word(state, item)
    )
    return Elements(items, found.star)


def _is_parameters(name: str) -> bool:
    return name in ("@", "*")


def _pairs(
    m: Machine, state: State, name: str, operator: str, value: Array | Table, found: Elements
) -> Found:
    if operator == "@k":
        keys = keys_of(m, state, name, found.star).items
        if not any(w.splits for w in (*keys, *found.items)):
            both = zip(keys, found.items, strict=True)
            return Elements(tuple(word for pair in both for word in pair), found.star)
    elif not found.items and not found.star:
        return Elements((), False)
    else:
        shown = declarations.pairs_text(value)
        if shown is not None:
            return lit(shown)
    return _unknown(name, operator, found)


def _prompt(name: str, found: Text | Elements) -> Found:
    if isinstance(found, Elements):
        return _unknown(name, "@P", found)
    known = found.known
    if known is not None and not any(c in known for c in "\\$`!"):
        return found
    return derived(f"${{{name}@P}}", "@P", found)


def _unknown(name: str, operator: str, found: Elements) -> Elements:
    texts = [w.text for w in found.items]
    return Elements((Word(derived(f"${{{name}{operator}}}", operator, *texts), True),), found.star)


# --- attributes and assignments --------------------------------------------------------------


def _variable(m: Machine, state: State, name: str) -> Var | None:
    """The variable; None for one of which the script knows nothing."""
    name = variables.follow(m, state, name)
    var = state.vars.get(name)
    if var is None and m.options.closed and variables.NAME.match(name):
        return None if variables.is_special(name) else UNSET
    return None if var is not None and var.nameref else var


def _flags(m: Machine, state: State, name: str, p: nodes.Parameter, found: Found) -> Found:
    if _is_parameters(name) and isinstance(found, Elements):
        if any(word.splits for word in found.items):
            return _unknown(name, "@a", found)
        return Elements(tuple(Word(EMPTY) for _ in found.items), found.star)
    if not variables.NAME.match(name):
        return EMPTY
    var = _variable(m, state, name)
    flags = None if var is None else declarations.flags(m, var)
    if var is None or flags is None:
        return hole(f"attributes of {name}", f"attributes({name})")
    text = lit(flags)
    if isinstance(found, Elements):
        if var.value is None and var.array:
            return Elements((Word(text),), found.star)
        return Elements(tuple(Word(text, w.splits) for w in found.items), found.star)
    return text if found is not None or text.pieces else None


def _assignment(m: Machine, state: State, name: str, p: nodes.Parameter, found: Found) -> Found:
    """`${x@A}`: the command that assigns the value again."""
    if _is_parameters(name) and isinstance(found, Elements):
        return _parameters(m, state, name, found)
    if not variables.NAME.match(name):
        return EMPTY
    var = _variable(m, state, name)
    flags = None if var is None else declarations.flags(m, var)
    if var is None or flags is None:
        texts = [found] if isinstance(found, Text) else []
        return derived(f"${{{name}@A}}", f"@A({name})", *texts)
    name = variables.follow(m, state, name)
    head = f"declare -{flags} {name}" if flags else name
    if isinstance(found, Elements) and (var.array or isinstance(var.value, Array | Table)):
        shown: str | None = ""
        if isinstance(var.value, Array | Table):
            shown = declarations.list_text(var.value)
            shown = None if shown is None else f"={shown}"
        if shown is None:
            return _unknown(name, "@A", found)
        return _words(m, state, ["declare", f"-{flags}", name + shown], found.star)
    if isinstance(found, Elements):
        if len(found.items) != 1 or found.items[0].splits:
            return _unknown(name, "@A", found) if found.items else found
        found = found.items[0].text
    if found is None:
        return lit(head) if flags else None
    known = m.resolve(state, found).known
    if known is None:
        return derived(f"${{{name}@A}}", f"@A({name})", found)
    return lit(f"{head}={quote_transform(known)}")


def _parameters(m: Machine, state: State, name: str, found: Elements) -> Found:
    words = [w.text.known for w in found.items if not w.splits]
    if len(words) != len(found.items) or None in words:
        return _unknown(name, "@A", found)
    if not words:
        return found
    quoted = [quote_transform(word) for word in words if word is not None]
    return _words(m, state, ["set", "--", *quoted], found.star)


def _words(m: Machine, state: State, words: list[str], star: bool) -> Found:
    """A command in words; it is one text where IFS splits nothing at blanks."""
    joined = lit(" ".join(words))
    if star:
        return joined
    if not odd_ifs(m, state):
        return Elements(tuple(Word(lit(word)) for word in words), False)
    ifs = variables.ifs(m, state)
    if ifs is not None and " " not in (ifs.known or " "):
        return joined
    return Elements((Word(derived("a list under another IFS", "odd@A", joined), True),), False)


def _quote(text: Text) -> Text | None:
    return None if text.known is None else lit(quote_transform(text.known))


def _decode(text: Text) -> Text | None:
    return None if text.known is None else lit(decode_ansi_c(text.known))


_FUNCTIONS: dict[str, Change] = {
    "@Q": _quote,
    "@K": _quote,
    "@k": _quote,
    "@E": _decode,
    "@U": lambda text: patterns.change_case(text, "^^", None),
    "@u": lambda text: patterns.change_case(text, "^", None),
    "@L": lambda text: patterns.change_case(text, ",,", None),
}
