"""Parameter expansion: `$x`, `${x:-y}`, `${a[@]}`, `${x%p}` and the rest."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.model.record import NamedTuple, replace
from verifier.model.text import EMPTY, Hole, Lit, Text, Word, hole, lit
from verifier.shell import nodes, patterns, questions, sums, variables
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.files import CALLED_FROM, PLACES
from verifier.shell.logic import Predicate
from verifier.shell.machine import Case, Machine, ShellError, defaulted, with_step
from verifier.shell.splitting import Fragment
from verifier.shell.state import Array, State, Table, Value, Var
from verifier.shell.texts import cut, derived, join, symbol

_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?\Z", re.DOTALL)
_DEFAULTS = ("-", ":-", "=", ":=", "?", ":?", "+", ":+")


class Elements(NamedTuple):
    """All elements of an array or all positional parameters."""

    items: tuple[Word, ...]
    star: bool


Found = Text | Elements | None


class Undecided(Exception):
    """An operator fails for one of the values that a text may have: those where `test` decides."""

    def __init__(self, test: int) -> None:
        super().__init__()
        self.test = test


class VagueFragment(Fragment):
    """An element that stands for any number of elements."""

    alternatives: tuple[tuple[Word, ...], ...] | None = None


def fragments(
    m: Machine, state: State, p: nodes.Parameter, *, quoted: bool, single: bool
) -> list[Fragment]:
    """What a parameter expands to. `single`: no splitting here, elements are joined."""
    found, name = _fetch(m, state, p)
    unset = FALSE
    if isinstance(found, Text):
        unset, found = maybe(m, state, found)
    if p.operator in _DEFAULTS and not p.length:
        return _default(m, state, p, name, found, quoted, single, unset)
    if unset != FALSE and isinstance(found, Text):
        # To most operators an unset variable is an empty one.
        differs = state.opt("nounset") or p.operator.startswith("@")
        found = (
            None
            if differs and m.decide(state, unset)
            else m.case(unset, EMPTY, found, f"{name} is set in some branches only")
        )
    found = _checked(m, state, p, name, found)
    if p.length:
        if found is None and isinstance(p.subscript, nodes.Word):
            _checked_subscript(m, state, p.subscript)
        result: Found = _length(m, state, p, found)
    elif p.operator:
        result = _operate(m, state, p, name, found)
    else:
        result = found
    return _fragments_of(m, state, p, result, quoted, single)


def _checked_subscript(m: Machine, state: State, subscript: nodes.Word) -> None:
    """`${#a[-9]}` of an element too far back is an error."""
    from verifier.shell import expand

    if (expand.subscript_text(m, state, subscript).known or "").startswith("-"):
        raise ShellError("bad array subscript", reported=True)


def maybe(m: Machine, state: State, found: Text) -> tuple[int, Text | None]:
    """When the variable is unset, and its value otherwise, for one that only some paths set."""
    only = variables.only_hole(found)
    if only is None or only.symbol not in m.cases:
        return FALSE, found
    unset, text = _perhaps_unset(m, found)
    if unset == FALSE:
        return FALSE, found
    yes, no = m.logic.split(state.cond, unset)
    if not no:
        return FALSE, None
    return (unset if yes else FALSE), text


def _perhaps_unset(m: Machine, found: Text) -> tuple[int, Text | None]:
    only = variables.only_hole(found)
    case = m.cases.get(only.symbol) if only is not None else None
    if only is None or case is None or len(case.yes) > 1 or len(case.no) > 1:
        return FALSE, found
    known = m.perhaps_unset.get(only.symbol)
    if known is None:
        known = m.perhaps_unset[only.symbol] = _sides(m, found, case)
    return known


def _sides(m: Machine, found: Text, case: Case) -> tuple[int, Text | None]:
    sides = [
        _perhaps_unset(m, words[0].text) if words else (TRUE, None) for words in (case.yes, case.no)
    ]
    (one, yes), (two, no) = sides
    if one == two == FALSE:
        return FALSE, found
    unset = m.logic.choose(case.test, one, two)
    if yes is None or no is None:
        return unset, no if yes is None else yes
    return unset, m.case(case.test, yes, no, "the value differs between branches")


def _fragments_of(
    m: Machine, state: State, p: nodes.Parameter, found: Found, quoted: bool, single: bool
) -> list[Fragment]:
    span = m.span(state, p.start, p.end)
    how = f"expanded from ${p.name}"
    if found is None:
        found = EMPTY
    if isinstance(found, Text):
        text = with_step(m.resolve(state, found), span, how)
        if quoted or single:
            return [Fragment(text, quoted=True)]
        return [splitting(m, state, text)]
    words = [word for item in found.items for word in m.resolve_word(state, item)]
    if single or (quoted and found.star):
        separator = _separator(m, state) if found.star else lit(" ")
        text = join_words(m, words, separator)
        if not found.star and (p.operator or p.indirect) and len(words) > 1 and odd_ifs(m, state):
            # Bash takes a blank or the first character of IFS, by the operator and the place.
            text = derived("a list joined under another IFS", f"odd{p.operator}", text)
        return [Fragment(with_step(text, span, how), quoted=True)]
    result: list[Fragment] = []
    odd = p.operator or p.indirect or (found.star and m.substituting)
    if not quoted and len(words) > 1 and odd and _empty_ifs(m, state):
        # Some of these are one word, and some are not: `$*` is one where a command is substituted
        # in an assignment.
        text = derived("a list under an empty IFS", f"odd{p.operator}", *(w.text for w in words))
        return [VagueFragment(text, False, True)]
    for index, word in enumerate(words):
        text = with_step(word.text, span, how)
        if word.splits:
            vague = VagueFragment(text, False, True, index > 0)
            vague.alternatives = word.alternatives
            result.append(vague)
        elif quoted:
            result.append(Fragment(text, True, False, index > 0))
        else:
            result.append(splitting(m, state, text)._replace(breaks=index > 0))
    return result


def splitting(m: Machine, state: State, text: Text) -> Fragment:
    """An unquoted result; one that is a number for certain is one word whatever its digits, and
    so is a path by assumption."""
    if text.known is None and all(
        isinstance(p, Lit) or p.symbol.startswith((*questions.NUMBERS, *PLACES))
        for p in text.pieces
    ):
        ifs = variables.ifs(m, state)
        known = " \t\n" if ifs is None else ifs.known
        if known is not None and not any(c in known for c in "-0123456789"):
            literal = "".join(p.value for p in text.pieces if isinstance(p, Lit))
            if not any(c in known or c in "*?[\\" for c in literal):
                if any(p.symbol.startswith(PLACES) for p in text.holes) and m.place:
                    reason = "the folders around the script have no blanks in their names"
                    m.assume(m.place[0].span(m.place[1]), reason)
                return Fragment(text, quoted=True)
    return Fragment(text, splits=True)


def join_words(m: Machine, words: list[Word], separator: Text) -> Text:
    """The words in one text."""
    if not any(word.splits for word in words):
        return join([word.text for word in words], separator)
    texts: list[Text] = []
    for index, word in enumerate(words):
        if not word.splits:
            texts.append(word.text)
            continue
        only = word.text.pieces[0] if len(word.text.pieces) == 1 else None
        case = m.cases.get(only.symbol) if isinstance(only, Hole) else None
        if case is not None:
            before, after = words[:index], words[index + 1 :]
            return m.case(
                case.test,
                join_words(m, [*before, *case.yes, *after], separator),
                join_words(m, [*before, *case.no, *after], separator),
                "elements differ between branches",
            )
        return derived(
            "elements of unknown number joined",
            "joined",
            separator,
            *(w.text for w in words),
        )
    return join(texts, separator)


def _empty_ifs(m: Machine, state: State) -> bool:
    ifs = variables.ifs(m, state)
    return ifs is not None and ifs.known == ""


def odd_ifs(m: Machine, state: State) -> bool:
    """Whether lists may be joined by something else than a blank."""
    ifs = variables.ifs(m, state)
    return ifs is not None and (ifs.known is None or ifs.known[:1] != " ")


def _separator(m: Machine, state: State) -> Text:
    ifs = variables.ifs(m, state)
    if ifs is None:
        return lit(" ")
    if ifs.known is None:
        return hole("first character of an unknown IFS", f"first({symbol(ifs)})")
    return lit(ifs.known[:1])


# --- fetching --------------------------------------------------------------------------------


def _fetch(m: Machine, state: State, p: nodes.Parameter) -> tuple[Found, str]:
    """The value before any operator, and the name it belongs to."""
    name, subscript = p.name, p.subscript
    if p.indirect:
        if p.prefix:
            names = variables.names_with_prefix(m, state, name)
            star = p.prefix == "*"
            if names is None:
                text = hole(f"names of variables that begin with {name}", f"names({name})")
                return Elements((Word(text, True),), star), name
            return Elements(tuple(Word(lit(n)) for n in names), star), name
        if subscript in ("@", "*") and not p.operator:
            return keys(m, state, name, subscript == "*"), name
        return _indirect(m, state, p)
    return fetch(m, state, name, subscript), name


def _indirect(m: Machine, state: State, p: nodes.Parameter) -> tuple[Found, str]:
    var = state.vars.get(p.name)
    if var is not None and var.nameref and isinstance(var.value, Text):
        return var.value, p.name
    target = fetch(m, state, p.name, p.subscript)
    if target is None:
        missing = variables.NAME.match(p.name) and p.name not in state.vars
        if missing or state.opt("nounset") or p.operator not in _DEFAULTS:
            raise ShellError(f"{p.name}: invalid indirect expansion", reported=True)
        return None, p.name
    if isinstance(target, Elements) and not any(w.splits for w in target.items):
        target = join([word.text for word in target.items], lit(" "))
    if isinstance(target, Elements):
        name = f"indirect:{m.site(state, p.start)}"
        word = Word(hole("indirect expansion of an array", name), True)
        return Elements((word,), False), ""
    target = m.resolve(state, target)
    if target.known is None:
        where = f"value:{m.site(state, p.start)}"
        return derived("the variable's name is not known", where, target), ""
    match = _TARGET.match(target.known)
    if match:
        subscript: nodes.Word | str | None = None
        inner = match.group(2)
        if inner in ("@", "*"):
            subscript = inner
        elif inner is not None:
            literal = nodes.Literal(inner, False, p.start, p.end)
            subscript = nodes.Word((literal,), p.start, p.end)
        return fetch(m, state, match.group(1), subscript), match.group(1)
    if target.known.isdigit() or target.known in ("@", "*", "#", "?", "-", "$", "!"):
        return fetch(m, state, target.known, None), target.known
    raise ShellError(f"{target.known}: invalid variable name", reported=True)


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


def only_element(m: Machine, state: State, name: str, value: Text) -> tuple[Word, ...]:
    """`${name[@]}` of a scalar: one element, or none where it is unset."""
    unset = variables.unset_where(m, name, value)
    _, found = maybe(m, state, value)
    if found is None:
        return ()
    yes, no = m.logic.split(state.cond, unset)
    if not yes:
        return (Word(found),)
    if not no:
        return ()
    return (m.case_words(unset, (), (Word(found),), f"{name} may be unset"),)


def elements_of(m: Machine, name: str, value: Value) -> tuple[Word, ...]:
    """All elements, in bash's order."""
    if value is None:
        return ()
    if isinstance(value, Text):
        return (Word(value),)
    if isinstance(value, Array):
        return value.items
    if value.vague is not None:
        return (Word(hole(value.vague, f"elements({name},{value.vague})"), True),)
    ordered = table_order(value)
    if ordered is None:
        return (Word(hole(_ORDER, f"elements({name},{symbol_of(value)})"), True),)
    return tuple(Word(text) for _, text in ordered)


def symbol_of(table: Table) -> str:
    """What tells the content of a table apart from others."""
    return ",".join(f"{key!r}:{symbol(text)}" for key, text in table.items)


def table_order(table: Table) -> list[tuple[str, Text]] | None:
    """Elements in the order in which bash's hash table lists them (FNV-1, 1024 buckets).

    None where that depends on the machine: characters beyond ASCII are negative on some.
    """
    first = _bucket_order(table, 0)
    if all(key.isascii() for key, _ in table.items):
        return first
    second = _bucket_order(table, 0xFFFFFF00)
    return first if [key for key, _ in first] == [key for key, _ in second] else None


def _bucket_order(table: Table, sign: int) -> list[tuple[str, Text]]:
    buckets: dict[int, list[tuple[str, Text]]] = {}
    for key, text in table.items:
        number = 2166136261
        for byte in key.encode("utf-8", "surrogateescape"):
            number = (number * 16777619 & 0xFFFFFFFF) ^ (byte | sign if byte > 127 else byte)
        buckets.setdefault(number & 1023, []).insert(0, (key, text))
    return [item for bucket in sorted(buckets) for item in buckets[bucket]]


_ORDER = "the order of keys beyond ASCII depends on the machine"


def element(
    m: Machine, state: State, name: str, value: Value, subscript: nodes.Word
) -> Text | None:
    """`${name[subscript]}`."""
    from verifier.shell import expand

    if isinstance(value, Table):
        key = m.resolve(state, expand.subscript_text(m, state, subscript))
        return table_element(m, name, value, key)
    expand.check_index(state, name, subscript, ("'", "\\"))
    index = expand.subscript_text(m, state, subscript)
    return array_element(m, state, name, value, index)


def table_element(m: Machine, name: str, table: Table, key: Text) -> Text | None:
    """The element of an associative array under a key that may be unknown."""
    if key.known is not None and table.vague is None:
        return table.get(key.known)
    if key.known is None and table.vague is None:
        result: Text | None = None
        reason = f"element of {name} under an unknown key"
        for known, text in reversed(table.items):
            test = questions.equals(m, key, known)
            if result is None:
                result = m.case_words(test, (Word(text),), (), reason).text
            else:
                result = m.case(test, text, result, reason)
        return result
    return derived(f"element of {name}", f"element:{name}:{table.vague}", key)


def array_element(m: Machine, state: State, name: str, value: Value, index: Text) -> Text | None:
    """The element of an indexed array; a scalar is its element 0."""
    number = variables.index_value(m, state, index)
    array = value if isinstance(value, Array) else None
    if array is None:
        if value is None:
            if number is not None and number < 0:
                _too_far_back(state, name)
            return None
        assert isinstance(value, Text)
        if number is not None and number < -1:
            _too_far_back(state, name)
        if number is None:
            return derived(f"element of {name}", "element", value, m.resolve(state, index))
        return value if number in (0, -1) else None
    if number is None:
        return derived(
            f"element of {name} at an unknown place",
            "element",
            *(w.text for w in array.items),
            m.resolve(state, index),
        )
    if array.vague:
        return _vague_element(m, name, array, number)
    pairs = dict(array.pairs())
    if number < 0:
        number += max(pairs, default=-1) + 1
        if number < 0:
            _too_far_back(state, name)
    return pairs.get(number)


def _too_far_back(state: State, name: str) -> None:
    """Bash complains, and reads the element as unset."""
    if state.opt("errexit"):
        raise ShellError(f"{name}: bad array subscript", reported=True)


def _vague_element(m: Machine, name: str, array: Array, number: int) -> Text | None:
    items = array.items if number >= 0 else array.items[::-1]
    position = number if number >= 0 else -number - 1
    for offset, word in enumerate(items):
        if word.splits:
            break
        if offset == position and array.indices is None:
            return word.text
    return derived(
        f"element of {name}, whose length is not known",
        f"element{number}",
        *(w.text for w in array.items),
    )


def keys(m: Machine, state: State, name: str, star: bool) -> Elements:
    value = variables.lookup(m, state, name)
    if isinstance(value, Table):
        if value.vague is not None:
            return Elements((Word(hole(value.vague, f"keys({name},{value.vague})"), True),), star)
        ordered = table_order(value)
        if ordered is None:
            return Elements((Word(hole(_ORDER, f"keys({name},{symbol_of(value)})"), True),), star)
        return Elements(tuple(Word(lit(key)) for key, _ in ordered), star)
    if isinstance(value, Array):
        if value.vague:
            text = hole(f"indices of {name}", f"keys({symbol(value.items[0].text)})")
            return Elements((Word(text, True),), star)
        return Elements(tuple(Word(lit(str(i))) for i, _ in value.pairs()), star)
    if value is None:
        return Elements((), star)
    return Elements((Word(lit("0")),), star)


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


def count(m: Machine, items: tuple[Word, ...]) -> Text:
    """How many words there are."""
    ways = _total(m, items, TRUE)
    if not ways:
        return derived("number of elements", "count", *(w.text for w in items))
    *others, last = ways
    result = lit(str(last))
    for number in reversed(others):
        reason = "number of elements differs between branches"
        result = m.case(ways[number], lit(str(number)), result, reason)
    return result


def _sizes(m: Machine, item: Word) -> dict[int, int]:
    """How many words one may stand for, each with its condition; empty when that is unknown."""
    if not item.splits:
        return {1: TRUE}
    only = variables.only_hole(item.text)
    case = m.cases.get(only.symbol) if only is not None else None
    if case is None:
        return {}
    result: dict[int, int] = {}
    for words, test in ((case.yes, case.test), (case.no, m.logic.no(case.test))):
        ways = _total(m, words, test)
        if not ways and test:
            return {}
        for number, so_far in ways.items():
            result[number] = m.logic.either(result.get(number, FALSE), so_far)
    return result


def _total(m: Machine, words: tuple[Word, ...], condition: int) -> dict[int, int]:
    """The numbers of words that all these may be, each with its condition."""
    ways = {0: condition} if condition else {}
    for word in words:
        following: dict[int, int] = {}
        for size, test in _sizes(m, word).items():
            for number, so_far in ways.items():
                both = m.logic.both(so_far, test)
                if both:
                    total = number + size
                    following[total] = m.logic.either(following.get(total, FALSE), both)
        ways = following
        if len(ways) > m.limits.choices:
            return {}
    return ways


# --- operators -------------------------------------------------------------------------------


def _checked(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> Found:
    unset = found is None and p.operator not in ("@a",)
    if p.length and p.subscript is not None and state.opt("nounset"):
        # Only arrays count that have been assigned, be it to nothing.
        var = state.vars.get(variables.follow(m, state, name))
        value = var.value if var is not None else variables.lookup(m, state, name)
        if not isinstance(value, Array | Table):
            raise ShellError(f"{name}: unbound variable", reported=True)
        return found
    if unset and state.opt("nounset"):
        raise ShellError(f"{name}: unbound variable", fatal=True, reported=True)
    return found


def _length(m: Machine, state: State, p: nodes.Parameter, found: Found) -> Text:
    if isinstance(found, Elements):
        return count(m, found.items)
    if found is None:
        return lit("0")

    def measure(text: Text) -> Text | None:
        return None if text.known is None else lit(str(len(text.known)))

    return lift(m, m.resolve(state, found), measure, "length of an unknown text", "count")


def lift(
    m: Machine,
    text: Text,
    function: Callable[[Text], Text | None],
    reason: str,
    operation: str,
    *operands: Text,
) -> Text:
    """`function` of a text that may be unknown; cases and defaults are taken apart."""
    if len(text.holes) == 1 and text.holes[0].choices is not None:
        same = _same_for_all(text, text.holes[0].choices, function)
        if same is not None:
            return same
    result = function(text)
    if result is not None:
        return result
    for index, piece in enumerate(text.pieces):
        if not isinstance(piece, Hole):
            continue
        before, after = text.pieces[:index], text.pieces[index + 1 :]
        case = m.cases.get(piece.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            test, yes, no = case.test, case.yes[0].text.pieces, case.no[0].text.pieces
        elif piece.input is not None and piece.default is not None:
            test = questions.input_null(m, piece.input, piece.or_empty)
            yes = lit(piece.default, piece.origin).pieces
            plain = Hole(
                f"{piece.input} is an input",
                f"input:{piece.input}",
                piece.origin,
                input=piece.input,
            )
            no = (plain,)
        else:
            continue
        try:
            one = lift(m, Text((*before, *yes, *after)), function, reason, operation, *operands)
            two = lift(m, Text((*before, *no, *after)), function, reason, operation, *operands)
        except ShellError as error:
            raise Undecided(test) from error
        return m.case(test, one, two, reason)
    return derived(reason, operation, text, *operands)


def _same_for_all(
    text: Text, choices: tuple[str, ...], function: Callable[[Text], Text | None]
) -> Text | None:
    """The result when it does not depend on which of its values the hole has."""
    results = [
        function(Text(Lit(c) if isinstance(p, Hole) else p for p in text.pieces)) for c in choices
    ]
    first = results[0] if results else None
    return first if first is not None and all(one == first for one in results) else None


def _operate(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> Found:
    operator = p.operator
    if operator == ":":
        return _slice(m, state, p, found)
    if operator.startswith("@"):
        from verifier.shell import transformations

        return transformations.transformed(m, state, p, name, found)
    if found is None:
        return None
    change, described = _changer(m, state, p)
    reason = f"${{{name}{operator}…}} of an unknown text"

    def one(text: Text) -> Text:
        return lift(m, m.resolve(state, text), change, reason, f"change{operator}", *described)

    if isinstance(found, Text):
        return one(found)
    words = [w for item in found.items for w in m.resolve_word(state, item)]
    items = tuple(
        Word(derived(reason, f"each{operator}", w.text, *described), True)
        if w.splits
        else Word(one(w.text))
        for w in words
    )
    return Elements(items, found.star)


def _changer(
    m: Machine, state: State, p: nodes.Parameter
) -> tuple[Callable[[Text], Text | None], tuple[Text, ...]]:
    from verifier.shell import expand

    operator = p.operator
    pieces = expand.pattern_of(m, state, p.argument) if p.argument is not None else ()
    described = [Text(q for text, _ in pieces for q in text.pieces)]
    extended = state.opt("extglob")
    pattern = None
    if p.argument is not None:
        nocase = p.operator.startswith("/") and state.opt("nocasematch")
        pattern = patterns.compile_pattern(pieces, extglob=extended, nocase=nocase)
    if operator in ("#", "##", "%", "%%"):
        remove = patterns.remove_prefix if operator[0] == "#" else patterns.remove_suffix
        longest = len(operator) == 2
        assert pattern is not None
        chosen = pattern
        folders = operator == "##" and [(t.known, quoted) for t, quoted in pieces] == [
            ("*/", False)
        ]

        def strip(text: Text) -> Text | None:
            found = remove(text, chosen, longest=longest)
            return _behind_folder(text) if found is None and folders else found

        return strip, tuple(described)
    if operator in ("^", "^^", ",", ",,", "~", "~~"):
        return (lambda text: patterns.change_case(text, operator, pattern)), tuple(described)
    replacement = expand.pattern_of(m, state, p.argument2) if p.argument2 is not None else ()
    if not state.opt("patsub_replacement"):
        replacement = tuple((text, True) for text, _ in replacement)
    described.append(Text(q for text, _ in replacement for q in text.pieces))
    compiled = pattern if pattern is not None else patterns.compile_pattern(())
    return (lambda text: patterns.substitute(text, compiled, replacement, mode=operator)), tuple(
        described
    )


def _behind_folder(text: Text) -> Text | None:
    """`${0##*/}`: before the script's own path stands nothing, or a folder and a slash."""
    first = text.pieces[0]
    rest = Text(text.pieces[1:])
    if isinstance(first, Hole) and first.symbol == CALLED_FROM and "/" not in (rest.known or "/"):
        return rest
    return None


def _slice(m: Machine, state: State, p: nodes.Parameter, found: Found) -> Found:
    from verifier.shell import expand

    assert p.argument is not None
    texts = [expand.text_of(m, state, w) for w in (p.argument, p.argument2) if w is not None]
    offset = variables.arithmetic_value(m, state, texts[0])
    length = None if p.argument2 is None else variables.arithmetic_value(m, state, texts[1])
    unknown = offset is None or (p.argument2 is not None and length is None)
    if found is None:
        return None
    if isinstance(found, Text):
        text = m.resolve(state, found)
        where = lit(f"{offset}:{'' if p.argument2 is None else length}")
        if unknown:
            places = [sums.evaluate(m, state, t).value for t in texts]
            return derived("part of a text at an unknown place", "part", text, *places)
        reason = "part of an unknown text"
        _long_enough(m, state, text, offset or 0, length)
        try:
            return lift(
                m, text, lambda t: _substring(t, offset or 0, length), reason, "part", where
            )
        except Undecided as error:
            m.decide(state, error.test)
            return derived(reason, "part", text, where)
    if p.subscript is not None and isinstance(variables.lookup(m, state, p.name), Text):
        # Of a scalar, `${x[@]:1}` is a part of its text.
        return _slice(m, state, replace(p, subscript=None), found.items[0].text)
    if unknown or any(w.splits for w in found.items):
        return _vague_slice(m, state, p, found, None if unknown else offset, length)
    return Elements(_slice_items(m, state, p, found, offset or 0, length), found.star)


def _long_enough(m: Machine, state: State, text: Text, offset: int, length: int | None) -> None:
    """Tell apart an unknown text too short for a negative length, which is an error."""
    if length is None or length >= 0 or offset < 0 or text.known is not None:
        return
    least = offset - length
    known = sum(len(piece.value) for piece in text.pieces if isinstance(piece, Lit))
    if known >= least:
        return
    shown = f"{questions.shown_text(text)} has {least} characters or more"

    def decide(value: str | None) -> bool:
        return len(value or "") >= least

    if not m.decide(state, questions.ask(m, text, f"length:{least}", shown, decide)):
        raise ShellError(f"{length}: substring expression < 0")


def _vague_slice(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    found: Elements,
    offset: int | None,
    length: int | None,
) -> Elements:
    items = found.items
    skip = offset - 1 if offset is not None and p.name in ("@", "*") else offset
    if length is None and skip is not None and 0 <= skip <= len(items):
        if not any(w.splits for w in items[:skip]):
            return Elements(items[skip:], found.star)
    where = m.site(state, p.start) if offset is None else ""
    name = f"slice{offset}:{length}:{where}"
    word = Word(derived("part of a list of unknown length", name, *(w.text for w in items)), True)
    return Elements((word,), found.star)


def _slice_items(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    found: Elements,
    offset: int,
    length: int | None,
) -> tuple[Word, ...]:
    items = found.items
    if p.name in ("@", "*"):
        zero = script_name(state)
        if offset < 0:
            offset += len(items) + 1
            if offset < 0:
                return ()
        numbered = (
            [(0, Word(zero)), *enumerate(items, 1)] if offset == 0 else list(enumerate(items, 1))
        )
    else:
        value = variables.lookup(m, state, p.name)
        indices = value.indices if isinstance(value, Array) and value.indices else None
        numbered = list(zip(indices or range(len(items)), items, strict=True))
        if offset < 0:
            offset += (numbered[-1][0] + 1) if numbered else 0
            if offset < 0:
                return ()
    rest = [word for number, word in numbered if number >= offset]
    if length is None:
        return tuple(rest)
    if length < 0:
        raise ShellError(f"{length}: substring expression < 0")
    return tuple(rest[:length])


def _substring(text: Text, offset: int, length: int | None) -> Text | None:
    known = text.known
    if known is None:
        first = text.pieces[0]
        head = len(first.value) if isinstance(first, Lit) else 0
        if 0 <= offset <= head and length is None:
            return cut(text, offset)
        if offset >= 0 and length is not None and length >= 0 and offset + length <= head:
            return cut(text, offset, offset + length)
        return None
    size = len(known)
    start = offset if offset >= 0 else size + offset
    if start < 0 or start > size:
        return EMPTY
    if length is None:
        return cut(text, start)
    end = start + length if length >= 0 else size + length
    if end < start:
        raise ShellError(f"{length}: substring expression < 0")
    return cut(text, start, min(end, size))


# --- defaults --------------------------------------------------------------------------------


def _default(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    name: str,
    found: Found,
    quoted: bool,
    single: bool,
    unset: int,
) -> list[Fragment]:
    null = m.logic.either(unset, _null(m, state, p, name, found))
    yes, no = m.logic.split(state.cond, null)
    kind = p.operator[-1]
    if kind == "+":
        if no == 0:
            # Without any element there is not even an empty word.
            vanishes = isinstance(found, Elements) and not found.items and not found.star
            return [Fragment(EMPTY, quoted=True)] if quoted and not vanishes else []
        if yes == 0:
            return _argument(m, state, p, quoted, single)
        if quoted or single:
            text = _argument_text(m, state, p)
            return [Fragment(m.case(null, EMPTY, text, f"depends on {name}"), quoted=True)]
        m.decide(state, null)
    if yes == 0:
        return _fragments_of(m, state, p, found, quoted, single)
    if kind == "?":
        if m.decide(state, null):
            raise ShellError(f"{name}: parameter null or not set", fatal=True, reported=True)
        return _fragments_of(m, state, p, found, quoted, single)
    if no == 0:
        if kind == "-":
            return _argument(m, state, p, quoted, single)
        return _assign_default(m, state, p, name, quoted, single)
    if not isinstance(found, Text):
        m.decide(state, null)
    assert isinstance(found, Text)
    return _either_default(m, state, p, name, found, (unset, null), quoted, single)


def _either_default(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    name: str,
    found: Text,
    tests: tuple[int, int],
    quoted: bool,
    single: bool,
) -> list[Fragment]:
    """`tests`: that some path has unset it, and that it is unset or empty for any reason."""
    unset, null = tests
    kind = p.operator[-1]
    if _has_effects(p.argument):
        m.decide(state, null)
    if not quoted and not single and not _is_plain(p.argument):
        m.decide(state, null)
    text = _argument_text(m, state, p)
    only = variables.only_hole(found)
    if (
        only is not None
        and only.input is not None
        and only.default is None
        and text.known is not None
    ):
        or_empty = p.operator.startswith(":")
        value = defaulted(only.input, text.known, or_empty, only.origin)
        value = m.case(unset, text, value, f"{name} is not known")
    else:
        value = m.case(null, text, found, f"{name} is not known")
    if kind == "=":
        variables.assign(m, state, name, value, m.span(state, p.start, p.end))
        var = state.vars.get(variables.follow(m, state, name))
        if var is not None and (var.integer or var.case):
            value = variables.transform(m, state, var, value, None)
    return _fragments_of(m, state, p, value, quoted, single)


def _is_plain(word: nodes.Word | None) -> bool:
    """Whether splitting a result does not care which part of the word was quoted."""
    if word is None:
        return True
    parts = word.parts
    if len(parts) != 1:
        return all(isinstance(part, nodes.Literal) and not part.quoted for part in parts)
    return isinstance(parts[0], nodes.Literal | nodes.Parameter)


def _has_effects(word: nodes.Word | None) -> bool:
    if word is None:
        return False
    for part in word.parts:
        if isinstance(part, nodes.CommandSubstitution | nodes.ArithmeticSubstitution):
            return True
        if isinstance(part, nodes.DoubleQuoted) and _has_effects(nodes.Word(part.parts, 0, 0)):
            return True
        if isinstance(part, nodes.Parameter) and part.operator in ("=", ":=", "?", ":?"):
            return True
    return False


def _null(m: Machine, state: State, p: nodes.Parameter, name: str, found: Found) -> int:
    or_empty = p.operator.startswith(":")
    if found is None:
        return 1
    if isinstance(found, Elements):
        items = [w for item in found.items for w in m.resolve_word(state, item)]
        if not items:
            return 1
        if len(items) == 1 and not items[0].splits and or_empty:
            return questions.is_empty(m, items[0].text)
        if found.star and or_empty and not any(word.splits for word in items):
            # Joined by an empty IFS they can still be nothing.
            return questions.is_empty(m, join_words(m, items, _separator(m, state)))
        if any(not w.splits for w in items):
            return 0
        return questions.equals(m, count(m, tuple(items)), "0")
    if or_empty:
        return questions.is_empty(m, found)
    only = variables.only_hole(found)
    if only is not None and only.symbol.startswith("element"):
        # Whether an element is there whose place or array is not known.
        shown = f"{name} has no such element"
        span = found.span or m.span(state, p.start, p.end)
        return m.logic.atom(Predicate(f"unset:{only.symbol}", "holds", None, shown, span))
    return variables.unset_where(m, name, found)


def _argument(
    m: Machine, state: State, p: nodes.Parameter, quoted: bool, single: bool
) -> list[Fragment]:
    from verifier.shell import expand

    if p.argument is None:
        return [Fragment(EMPTY, quoted=True)] if quoted or single else []
    if single:
        return [Fragment(_argument_text(m, state, p), quoted=True)]
    inner = expand.fragments(m, state, p.argument.parts, quoted=quoted, single=False, tilde=True)
    if quoted:
        return inner or [Fragment(EMPTY, quoted=True)]
    result: list[Fragment] = []
    blank = Fragment(lit(" "), splits=True)
    listed = any(expand.is_list(part) for part in p.argument.parts) and not _empty_ifs(m, state)
    for f in inner:
        if listed and f.breaks and not f.quoted and not isinstance(f, VagueFragment):
            # `$@` is one text here, which IFS splits again.
            result.append(blank)
            f = f._replace(breaks=False)
        result.append(f if f.quoted else f._replace(splits=True))
    return result


def _argument_text(m: Machine, state: State, p: nodes.Parameter) -> Text:
    from verifier.shell import expand

    if p.argument is None:
        return EMPTY
    if any(map(expand.is_joined, p.argument.parts)) and odd_ifs(m, state):
        return hole("a list joined under another IFS", f"odd:{m.site(state, p.start)}")
    return expand.text_of(m, state, p.argument)


def _assign_default(
    m: Machine, state: State, p: nodes.Parameter, name: str, quoted: bool, single: bool
) -> list[Fragment]:
    if not variables.NAME.match(name):
        raise ShellError(f"${name}: cannot assign in this way", reported=True)
    text = _argument_text(m, state, p)
    subscript = None
    if isinstance(p.subscript, nodes.Word):
        from verifier.shell import expand

        subscript = expand.subscript_text(m, state, p.subscript)
    variables.assign(m, state, name, text, m.span(state, p.start, p.end), subscript=subscript)
    var = state.vars.get(variables.follow(m, state, name))
    if var is not None and (var.integer or var.case):
        # Attributes may have made something else of it.
        text = variables.transform(m, state, var, text, None)
    return _fragments_of(m, state, p, text, quoted, single)


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


__all__ = ["Elements", "arithmetic_value", "elements_of", "fetch", "fragments", "sums"]
