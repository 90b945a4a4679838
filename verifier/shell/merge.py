"""Joins paths that agree on everything that can still matter, and, at a limit, the closest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from verifier.model.text import EMPTY, Lit, Text, Word, hole
from verifier.shell.logic import INPUT
from verifier.shell.machine import Case, Machine
from verifier.shell.options import IMPORTANT
from verifier.shell.state import Array, Formula, State, Stream, Table, Value, Var
from verifier.shell.texts import symbol

Matters = Callable[[str], bool]
_MANY_NAMES = 32
"""With more variables that differ and matter, few paths are kept apart."""
_SOME = "set in some branches only"


def merge(m: Machine, states: list[State], matters: Matters) -> list[State]:
    """The same paths, fewer of them. All have the same flow and the same frames."""
    if len(states) < 2:
        return states
    names = differing(states)
    significant = frozenset(n for n in names if matters(n) or _is_exported(states, n))
    result = _grouped(m, states, significant, {}, matters)
    if len(result) > 1 and m.in_library(result[0]):
        return by_importance(m, result, significant)
    # Each further path then costs a join of all these values at every command.
    economy = m.steps > m.limits.exact_steps or len(significant) > _MANY_NAMES
    if len(result) > (1 if economy else m.limits.local_states) and result[0].locals:
        local = significant & result[0].locals[-1].keys()
        if local:
            shapes = dict.fromkeys(local, _shape)
            result = _grouped(m, result, significant - local, shapes, matters)
        result = settle(m, result, significant - local)
    if len(result) > (2 if economy else m.limits.plain_states):
        result = _force(m, result, significant, economy)
    return result


def differing(states: list[State]) -> set[str]:
    """The variables that the paths do not agree on."""
    first = states[0].vars
    names: set[str] = set()
    for state in states[1:]:
        if state.vars is first:
            continue
        for name, var in state.vars.items():
            if first.get(name) is not var:
                names.add(name)
        if len(state.vars) < len(first) or names:
            names.update(name for name in first if name not in state.vars)
    return names


def _is_exported(states: list[State], name: str) -> bool:
    return any((var := s.vars.get(name)) is not None and var.exported for s in states)


_REST = ("args", "options", "cwd", "files", "fds", "streams", "locals", "subshell", "getopts")


def _rest(states: list[State], matters: Matters) -> list[tuple[object, ...]]:
    """For each state everything but the variables, as far as they are not all the same."""
    first = states[0]
    parts: list[list[object]] = []
    for attribute in _REST:
        value = getattr(first, attribute)
        if any(getattr(state, attribute) is not value for state in states):
            parts.append([_frozen(getattr(state, attribute)) for state in states])
    if any(state.functions is not first.functions for state in states):
        parts.append(
            [
                frozenset((n, id(b.node)) for n, b in state.functions.items() if matters(n))
                for state in states
            ]
        )
    return list(zip(*parts, strict=True)) if parts else [()] * len(states)


def _frozen(value: object) -> object:
    """Something to compare by."""
    if isinstance(value, dict):
        return tuple(sorted(value.items(), key=_first))
    if isinstance(value, tuple) and any(isinstance(part, dict) for part in value):
        return tuple(_frozen(part) for part in value)
    return value


def _first(item: tuple[object, object]) -> Any:
    return item[0]


def _grouped(
    m: Machine,
    states: list[State],
    significant: Iterable[str],
    shapes: Mapping[str, Callable[[Var | None], object]],
    matters: Matters,
) -> list[State]:
    """Join the states that agree on `significant`, and roughly on the names in `shapes`."""
    names = sorted(significant)
    groups: dict[tuple[object, ...], list[State]] = {}
    for state, rest in zip(states, _rest(states, matters), strict=True):
        key = (
            rest,
            *(state.vars.get(name) for name in names),
            *(shape(state.vars.get(name)) for name, shape in shapes.items()),
        )
        groups.setdefault(key, []).append(state)
    return [group[0] if len(group) == 1 else join(m, group) for group in groups.values()]


def _shape(var: Var | None) -> object:
    """Whether a variable is set, empty or full: what a later test may ask of it."""
    value = var.value if var is not None else None
    if isinstance(value, Array | Table):
        return bool(value.items)
    if isinstance(value, Text):
        return bool(value.pieces)
    return None if var is None else 0


def join(m: Machine, group: list[State]) -> State:
    """One state for several paths. Where they differ, the value depends on the path."""
    result = group[0].copy()
    for other in group[1:]:
        _join_into(m, result, other)
    return result


def _join_into(m: Machine, one: State, two: State) -> None:
    """Make `one` stand for both paths."""
    test = one.cond
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
    one.status = _join_status(m, one, two)
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
    one.options = one.options & two.options if one.options != two.options else one.options
    one.step = max(one.step, two.step)
    one.cond = m.logic.either(one.cond, two.cond)


def _join_status(m: Machine, one: State, two: State) -> int | Formula:
    if isinstance(one.status, int) and one.status == two.status:
        return one.status
    success = m.logic.either(
        m.logic.both(one.cond, m.success(one)), m.logic.both(two.cond, m.success(two))
    )
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
    if a.exported != b.exported:
        value = _opaque(m, name, value, test)
    return Var(
        value,
        a.exported or b.exported,
        a.readonly and b.readonly,
        a.integer and b.integer,
        a.case if a.case == b.case else "",
        a.nameref and b.nameref,
        a.array if a.array == b.array else "",
    )


def _absent(m: Machine, name: str) -> Var:
    from verifier.shell.machine import input_text

    return Var() if m.options.closed else Var(input_text(name))


def _opaque(m: Machine, name: str, value: Value, test: int) -> Value:
    text = hole(f"{name} is exported in some branches only", f"branch:{name}:{test}:{m.steps}")
    return text if not isinstance(value, Array | Table) else value


def _join_value(m: Machine, test: int, name: str, one: Value, two: Value) -> Value:
    if one == two:
        return one
    reason = f"{name} differs between branches"
    if isinstance(one, Text) and isinstance(two, Text):
        return m.case(test, one, two, reason)
    if isinstance(one, Array) and isinstance(two, Array):
        if one.indices is None and two.indices is None:
            words = _join_words(m, test, name, one.items, two.items)
            least = min(_least(one), _least(two))
            return Array(words, None, least)
    elif (isinstance(one, Text) and two is None) or (one is None and isinstance(two, Text)):
        return _maybe(m, test, name, one, two)
    if isinstance(one, Table) and isinstance(two, Table):
        return Table((), f"{reason} ({test})")
    if isinstance(one, Array | Table) or isinstance(two, Array | Table):
        return Array((Word(hole(reason, f"branch:{name}:{test}:{m.steps}"), True),))
    return hole(reason, f"branch:{name}:{test}:{m.steps}")


def _least(array: Array) -> int:
    return array.least if array.vague else len(array.items)


def _maybe(m: Machine, test: int, name: str, one: Value, two: Value) -> Text:
    yes = (Word(one),) if isinstance(one, Text) else ()
    no = (Word(two),) if isinstance(two, Text) else ()
    key = m.case_name("maybe", test, ([w.text.key for w in yes], [w.text.key for w in no]))
    m.cases[key] = Case(test, yes, no)
    return hole(f"{name} is {_SOME}", key)


def _join_words(
    m: Machine, test: int, name: str, one: tuple[Word, ...], two: tuple[Word, ...]
) -> tuple[Word, ...]:
    """Common words stay; a stretch that differs is one element of unknown number."""
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
            result.extend(left)
        elif len(left) == len(right) and not any(w.splits for w in (*left, *right)):
            result.extend(
                Word(m.case(test, a.text, b.text, reason)) for a, b in zip(left, right, strict=True)
            )
        else:
            result.append(m.case_words(test, left, right, reason))
    return tuple(result)


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
        if a is not None and b is not None:
            result[name] = m.case(test, a, b, reason)
        else:
            result[name] = hole(reason, f"file:{name}:{test}:{m.steps}")
    return result


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


# --- at the limit ----------------------------------------------------------------------------


def _force(m: Machine, states: list[State], names: frozenset[str], economy: bool) -> list[State]:
    """Join the paths that differ in the least important decisions."""
    if economy:
        states = by_importance(m, states, names)
    goal = 1 if economy else max(m.limits.plain_states // 2, 1)
    known: dict[tuple[int, int], int | None] = {}
    kept = list(states)
    while len(states) > goal:
        smaller = _without_one_decision(m, states, names, 0) or _closest(m, states, names, known)
        kept.extend(smaller or ())
        if smaller is None:
            break
        states = smaller
    if len(states) <= m.limits.states:
        return states
    goal = max(m.limits.states // 2, 1)
    if m.place is not None:
        m.unresolved(
            m.place[0].span(m.place[1]),
            f"more than {m.limits.states} paths differ here (limit: states); "
            "some values are given as alternatives",
        )
    while len(states) > goal:
        smaller = _without_one_decision(m, states, names, None)
        if smaller is None:
            return [join(m, states)] if goal == 1 else _halves(m, states, goal)
        states = smaller
    return states


def settle(m: Machine, states: list[State], names: frozenset[str] | None = None) -> list[State]:
    """In and after a function: few paths, as far as speculative decoding does not differ."""
    depth = len(states[0].locals) if states else 0
    goal = m.limits.local_states if depth <= 1 else max(m.limits.local_states // 2, 1)
    if m.steps > m.limits.exact_steps or (states and m.in_library(states[0])):
        goal = 1
    return by_importance(m, states, names) if len(states) > goal else states


def by_importance(m: Machine, states: list[State], names: frozenset[str] | None) -> list[State]:
    """Join all paths that agree on everything about speculative decoding."""
    about = [
        name
        for name in sorted(differing(states))
        if (names is None or name in names)
        and important(name, [state.vars.get(name) for state in states])
    ]
    groups: dict[tuple[Var | None, ...], list[State]] = {}
    for state in states:
        groups.setdefault(tuple(state.vars.get(name) for name in about), []).append(state)
    return [group[0] if len(group) == 1 else join(m, group) for group in groups.values()]


def _closest(
    m: Machine,
    states: list[State],
    names: frozenset[str] | None,
    known: dict[tuple[int, int], int | None],
) -> list[State] | None:
    """Join the two paths that differ in the fewest variables and in nothing important.

    `known` keeps what was found for pairs of states, which live as long as it does.
    """
    best: tuple[int, int, int] | None = None
    for one in range(len(states)):
        for two in range(one + 1, len(states)):
            pair = [states[one], states[two]]
            key = (id(pair[0]), id(pair[1]))
            if key not in known:
                known[key] = None if _loss(pair, names) else len(differing(pair))
            size = known[key]
            if size is None:
                continue
            if best is None or size < best[0]:
                best = (size, one, two)
    if best is None:
        return None
    _, one, two = best
    rest = [state for index, state in enumerate(states) if index not in (one, two)]
    return [join(m, [states[one], states[two]]), *rest]


def _halves(m: Machine, states: list[State], goal: int) -> list[State]:
    size = -(-len(states) // goal)
    return [join(m, states[i : i + size]) for i in range(0, len(states), size)]


def _without_one_decision(
    m: Machine, states: list[State], names: frozenset[str] | None, most: int | None
) -> list[State] | None:
    """Forget the one decision whose loss hides the least, and at most `most`."""
    best: tuple[tuple[int, int, int], list[list[State]]] | None = None
    for position, bits in enumerate(_decisions(m, states)):
        groups: dict[int, list[State]] = {}
        for state in states:
            groups.setdefault(m.logic.forget(state.cond, bits), []).append(state)
        if len(groups) == len(states):
            continue
        loss = sum(_loss(group, names) for group in groups.values() if len(group) > 1)
        rank = (loss, position, len(groups))
        if best is None or rank < best[0]:
            best = (rank, list(groups.values()))
            if loss == 0:
                break
    if best is None or (most is not None and best[0][0] > most):
        return None
    return [group[0] if len(group) == 1 else join(m, group) for group in best[1]]


def _decisions(m: Machine, states: list[State]) -> list[int]:
    """Bit sets of the atoms that conditions differ in, one per unknown value, oldest first."""
    bits = m.logic.distinguishing([state.cond for state in states])
    by_subject: dict[str, int] = {}
    for index, predicate in enumerate(m.logic.predicates):
        if bits >> index & 1:
            subject = predicate.subject
            by_subject[subject] = by_subject.get(subject, 0) | 1 << index
    return list(by_subject.values())


def _loss(group: list[State], names: frozenset[str] | None) -> int:
    """How many important texts differ inside the group."""
    return sum(
        1
        for name in differing(group)
        if (names is None or name in names)
        and important(name, [state.vars.get(name) for state in group])
    )


def important(name: str, found: list[Var | None]) -> bool:
    """Whether what differs speaks of speculative decoding."""
    if all(var == found[0] for var in found):
        return False
    if any(mark in name for mark in IMPORTANT):
        return True
    parts: set[str] = set()
    common: set[str] | None = None
    for var in found:
        value = var.value if var is not None else None
        mine: set[str] = set()
        if isinstance(value, Text):
            mine = {symbol(value)}
        elif isinstance(value, Array):
            mine = {symbol(w.text) for w in value.items}
        parts |= mine
        common = mine if common is None else common & mine
    different = parts - (common or set())
    return any(mark in text for text in different for mark in IMPORTANT)


__all__ = ["EMPTY", "INPUT", "by_importance", "differing", "important", "join", "merge"]
