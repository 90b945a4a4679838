"""Lists: the elements of arrays and tables, their number and their keys, and lists in one text."""

from __future__ import annotations

from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Text, Word, hole, lit
from verifier.shell import nodes, questions, variables
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.machine import Case, Machine, ShellError
from verifier.shell.state import Array, State, Table, Value
from verifier.shell.texts import derived, join, symbol

_ORDER = "the order of keys beyond ASCII depends on the machine"


class Elements(NamedTuple):
    """All elements of an array or all positional parameters."""

    items: tuple[Word, ...]
    star: bool


Found = Text | Elements | None


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


def list_separator(m: Machine, state: State) -> Text:
    """What the elements of `$*` are joined by."""
    ifs = variables.ifs(m, state)
    if ifs is None:
        return lit(" ")
    if ifs.known is None:
        return hole("first character of an unknown IFS", f"first({symbol(ifs)})")
    return lit(ifs.known[:1])


def has_empty_ifs(m: Machine, state: State) -> bool:
    """Whether IFS is set to nothing, so that nothing is split."""
    ifs = variables.ifs(m, state)
    return ifs is not None and ifs.known == ""


def odd_ifs(m: Machine, state: State) -> bool:
    """Whether lists may be joined by something else than a blank."""
    ifs = variables.ifs(m, state)
    return ifs is not None and (ifs.known is None or ifs.known[:1] != " ")
