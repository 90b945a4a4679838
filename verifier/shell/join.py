"""One state for several paths. Where they differ, a value depends on the path: see `Case`."""

from __future__ import annotations

from itertools import compress
from operator import is_not

from verifier.model.text import Hole, Lit, Text, Word, hole, single
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.files import is_sure, perhaps
from verifier.shell.machine import Case, Machine, input_text
from verifier.shell.state import (
    Array,
    Formula,
    State,
    Stream,
    Table,
    Value,
    Var,
    is_own_input,
)


def differing(states: list[State]) -> set[str]:
    """The variables that the paths do not agree on."""
    first = states[0].vars
    names: set[str] = set()
    for state in states[1:]:
        found = state.vars
        if found is first:
            continue
        # All of it in C: a path has a hundred variables, and few of them differ.
        names.update(compress(found, map(is_not, map(first.get, found), found.values())))
        if len(found) < len(first) or names:
            names.update(first.keys() - found.keys())
    return names


def join(m: Machine, group: list[State]) -> State:
    """One state for several paths. Where they differ, the value depends on the path."""
    result = group[0].copy()
    for other in group[1:]:
        _join_into(m, result, other)
    return result


def _join_into(m: Machine, one: State, two: State) -> None:
    """Make `one` stand for both paths."""
    union = m.logic.either(one.cond, two.cond)
    test = m.logic.short(m.logic.restrict(one.cond, union))
    if one.vars is not two.vars:
        names = differing([one, two])
        changed = {
            name: _join_var(m, test, name, one.vars.get(name), two.vars.get(name)) for name in names
        }
        variables = {**one.vars}
        for name, var in changed.items():
            if var is None:
                variables.pop(name, None)
            else:
                variables[name] = var
        one.vars = variables
    one.status = _join_status(m, test, one, two)
    if one.files is not two.files:
        one.files = _join_files(m, test, one.files, two.files)
    if one.streams != two.streams:
        one.streams = _join_streams(m, test, one.streams, two.streams)
    if one.args != two.args:
        one.args = _join_words(m, test, "the arguments", one.args, two.args)
    if one.cwd != two.cwd:
        one.cwd = _join_cwd(m, test, one.cwd, two.cwd)
    if one.locals != two.locals:
        one.locals = tuple(
            _join_frame(m, test, a, b) for a, b in zip(one.locals, two.locals, strict=True)
        )
    if one.functions is not two.functions:
        one.functions = {**two.functions, **one.functions}
    one.cond = union


def _join_status(m: Machine, test: int, one: State, two: State) -> int | Formula:
    if isinstance(one.status, int) and one.status == two.status:
        return one.status
    success = m.logic.short(m.logic.choose(test, m.success(one), m.success(two)))
    codes = set()
    for status in (one.status, two.status):
        if status == 0:
            continue
        codes.add(status if isinstance(status, int) else getattr(status, "code", None))
    code = codes.pop() if len(codes) == 1 else None
    return Formula(success, code)


def _join_var(m: Machine, test: int, name: str, one: Var | None, two: Var | None) -> Var | None:
    if one == two:
        return one
    a = one if one is not None else _absent(m, name)
    b = two if two is not None else _absent(m, name)
    value = _join_value(m, test, name, a.value, b.value)
    if a.exported != b.exported and not is_unset(name, a if b.exported else b):
        value = _opaque(m, name, value, test)
    return Var(
        value,
        a.exported or b.exported,
        a.readonly and b.readonly,
        a.integer and b.integer,
        a.case if a.case == b.case else "",
        a.nameref and b.nameref,
        a.array if a.array == b.array else "",
        mixed=a.mixed or b.mixed or a[1:7] != b[1:7],
    )


def _absent(m: Machine, name: str) -> Var:
    return Var() if m.options.closed else Var(input_text(name))


def is_unset(name: str, var: Var) -> bool:
    """Whether exporting the variable would make no difference to the environment."""
    return var.value is None or is_own_input(name, var.value)


def _opaque(m: Machine, name: str, value: Value, test: int) -> Value:
    text = hole(f"{name} is exported in some branches only", f"branch:{name}:{test}:{m.steps}")
    return text if not isinstance(value, Array | Table) else value


def _join_value(m: Machine, test: int, name: str, one: Value, two: Value) -> Value:
    if one == two:
        return one
    reason = f"{name} differs between branches"
    if (one is None or isinstance(one, Text)) and (two is None or isinstance(two, Text)):
        return _join_texts(m, test, name, one, two)
    if isinstance(one, Array) and isinstance(two, Array):
        if one.indices is None and two.indices is None:
            words = _join_words(m, test, name, one.items, two.items)
            least = min(_least(one), _least(two))
            return Array(words, None, least)
    if isinstance(one, Table) and isinstance(two, Table):
        return Table((), f"{reason} ({test})")
    left, right = _as_words(one), _as_words(two)
    if left is not None and right is not None:
        return Array((m.case_words(test, left, right, reason),), None, 0)
    if isinstance(one, Array | Table) or isinstance(two, Array | Table):
        return Array((Word(hole(reason, f"branch:{name}:{test}:{m.steps}"), True),))
    return hole(reason, f"branch:{name}:{test}:{m.steps}")


def _as_words(value: Value) -> tuple[Word, ...] | None:
    """The elements of a list; a text is one, or none where it may be unset."""
    if value is None:
        return ()
    if isinstance(value, Array):
        return value.items if value.indices is None else None
    return (Word(value, value.known is None),) if isinstance(value, Text) else None


def _least(array: Array) -> int:
    return array.least if array.vague else len(array.items)


def _join_texts(m: Machine, test: int, name: str, one: Text | None, two: Text | None) -> Value:
    """Texts that may be unset each; that one of them is stays the outermost question."""
    (unset_one, left), (unset_two, right) = (_taken_apart(m, value) for value in (one, two))
    if left is None or right is None:
        text = right if left is None else left
    else:
        text = m.case(test, left, right, f"{name} differs between branches")
    unset = m.logic.choose(test, unset_one, unset_two)
    if text is None or unset == FALSE:
        return text
    key = m.case_name("maybe", unset, text.key)
    m.cases[key] = Case(unset, (), (Word(text),))
    return hole(f"{name} is set in some branches only", key)


def _taken_apart(m: Machine, value: Text | None) -> tuple[int, Text | None]:
    """Where a value is unset, and what it is elsewhere."""
    unset = FALSE
    while value is not None and len(value.pieces) == 1 and isinstance(value.pieces[0], Hole):
        case = m.cases.get(value.pieces[0].symbol)
        if case is None or case.yes or len(case.no) != 1:
            return unset, value
        unset = m.logic.either(unset, case.test)
        value = case.no[0].text
    return (TRUE, None) if value is None else (unset, value)


def _join_words(
    m: Machine, test: int, name: str, one: tuple[Word, ...], two: tuple[Word, ...]
) -> tuple[Word, ...]:
    """Common words stay; a stretch that differs is one element of unknown number."""
    from difflib import SequenceMatcher

    reason = f"elements of {name} differ between branches"
    result: list[Word] = []
    units = [_units(words) for words in (one, two)]
    keys = [[tuple((w.text.key, w.splits) for w in unit) for unit in side] for side in units]
    for tag, i1, i2, j1, j2 in SequenceMatcher(
        None, keys[0], keys[1], autojunk=False
    ).get_opcodes():
        left = tuple(word for unit in units[0][i1:i2] for word in unit)
        right = tuple(word for unit in units[1][j1:j2] for word in unit)
        if tag == "equal":
            result.extend(_of_both(a, b) for a, b in zip(left, right, strict=True))
        elif _is_wordwise(left, right):
            result.extend(
                _of_both(a, b) if a.text == b.text else Word(m.case(test, a.text, b.text, reason))
                for a, b in zip(left, right, strict=True)
            )
        else:
            result.append(m.case_words(test, left, right, reason))
    return tuple(result)


def _of_both(one: Word, two: Word) -> Word:
    """The word, with a note in its history that it comes from elsewhere on other paths."""
    a, b = (w.text.pieces[0].origin if w.text.pieces else None for w in (one, two))
    if a is None or b is None or a.span == b.span or len(one.text.pieces) > 1:
        return one
    other = f" (on another path on line {b.span.line})"
    if other in a.how or len(a.how) > _LONG_HISTORY:
        return one
    piece = one.text.pieces[0]._replace(origin=a._replace(how=a.how + other))
    return one._replace(text=single(piece))


_LONG_HISTORY = 120


def _is_wordwise(left: tuple[Word, ...], right: tuple[Word, ...]) -> bool:
    """Whether each word has one counterpart: as many of them, and no other flag with its value."""
    if len(left) != len(right) or any(word.splits for word in (*left, *right)):
        return False
    return not any(
        a != b and (_is_flag(a) or _is_flag(b)) for a, b in zip(left, right, strict=True)
    )


def _units(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """A flag and its values belong together: the same value after another flag is no match."""
    units: list[list[Word]] = []
    for word in words:
        if _is_flag(word):
            units.append([word])
        elif units and _is_flag(units[-1][0]) and not word.splits:
            units[-1].append(word)
        else:
            units.append([word])
    return [tuple(unit) for unit in units]


def _is_flag(word: Word) -> bool:
    first = word.text.pieces[0] if word.text.pieces else None
    return isinstance(first, Lit) and first.value.startswith("-")


def _join_files(
    m: Machine, test: int, one: dict[str, Text | None], two: dict[str, Text | None]
) -> dict[str, Text | None]:
    result = dict(one)
    for name in {**one, **two}:
        a, b = one.get(name), two.get(name)
        if name in one and name in two and a == b:
            continue
        reason = f"content of {name} differs between branches"
        if a is not None and b is not None and is_sure(a) and is_sure(b):
            result[name] = m.case(test, a, b, reason)
        elif a is None and b is None:
            # Removed on one way only; nothing is known of it on the other.
            result.pop(name, None)
        elif name.endswith("/"):
            # Of a folder only whether it is there matters.
            result[name] = perhaps(name, reason, f"{test}:{m.steps}")
        else:
            result[name] = _perhaps_case(m, test, name, reason, (a, b))
    return result


def _perhaps_case(
    m: Machine, test: int, name: str, reason: str, contents: tuple[Text | None, Text | None]
) -> Text:
    """The content of a file that one way has not written, or has removed: only where it is known
    which way was taken is it sure again."""
    yes, no = (
        perhaps(name, f"earlier content of {name}", "") if c is None else c for c in contents
    )
    unsure = perhaps(name, reason, m.case_name("case", test, (yes.key, no.key)))
    m.cases[unsure.holes[0].symbol] = Case(test, (Word(yes),), (Word(no),))
    return unsure


def _join_streams(
    m: Machine, test: int, one: dict[int, Stream], two: dict[int, Stream]
) -> dict[int, Stream]:
    result = {**two, **one}
    for number, stream in one.items():
        other = two.get(number)
        if other is None or other == stream:
            continue
        if stream.text is None or other.text is None:
            result[number] = stream._replace(text=None)
        else:
            text = m.case(test, stream.text, other.text, "output differs between branches")
            result[number] = stream._replace(text=text)
    return result


def _join_cwd(m: Machine, test: int, one: Text | None, two: Text | None) -> Text:
    reason = "the folder differs between branches"
    if one is not None and two is not None:
        return m.case(test, one, two, reason)
    return hole(reason, f"branch:cwd:{test}:{m.steps}")


def _join_frame(
    m: Machine, test: int, one: dict[str, Var | None], two: dict[str, Var | None]
) -> dict[str, Var | None]:
    result = {**two, **one}
    for name, var in one.items():
        if name in two and two[name] != var:
            result[name] = _join_var(m, test, name, var, two[name])
    return result
