"""Conditions as JSON and as words."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.model.condition import Atom, Condition, Conjunction, InputIs, Test
from verifier.reports.escape import shortened

Json = None | bool | int | float | str | list["Json"] | Mapping[str, "Json"]

MAX_ALTERNATIVES = 3
MAX_TEST = 100
MAX_BRIEF = 160
_NOTHING = ("empty", "unset")


def as_json(condition: Condition) -> list[Json]:
    """An OR of ANDs; `[[]]` means always, `[]` never."""
    if condition.always:
        return [[]]
    return [[_atom_json(a) for a in _ordered(c)] for c in condition.alternatives]


def as_words(condition: Condition, brief: bool = False) -> str | None:
    """Such as `EVAL_ONLY is not "true" and $CONC -gt 4`; None when it always holds.

    What all alternatives share comes first, and alternatives that differ in one value are one.
    `brief`: what tells runs apart, in a line or two; that inputs are set at all comes last.
    """
    if condition.always:
        return None
    if condition.never:
        return "never"
    alternatives = _merged([_facts(c) for c in condition.alternatives])
    first, *others = alternatives
    shared = {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}
    own = [[f for k, f in facts.items() if k not in shared] for facts in alternatives]
    if not all(own):
        own = []  # one alternative says no more than what all share
    if not shared and not own:
        return None
    return (_briefly if brief else _in_full)(list(shared.values()), own)


def _in_full(shared: list[_Fact], own: list[list[_Fact]]) -> str:
    alternatives = _or(own)
    if shared and len(own) > 1:
        alternatives = f"({alternatives})"
    return " and ".join(words for words in (_and(shared), alternatives) if words)


def _or(own: list[list[_Fact]]) -> str:
    parts = [_and(facts) for facts in own[:MAX_ALTERNATIVES]]
    if len(own) > MAX_ALTERNATIVES:
        more = len(own) - MAX_ALTERNATIVES
        parts.append(f"{more} more alternative{'s' if more > 1 else ''}")
    return " or ".join(f"({p})" if " and " in p and len(parts) > 1 else p for p in parts)


def _briefly(shared: list[_Fact], own: list[list[_Fact]]) -> str:
    whole = _in_full(shared, own)
    if len(whole) <= MAX_BRIEF:
        return whole
    values = [f for f in shared if f[1] and not set(f[1]) <= set(_NOTHING)]
    kept: list[_Fact] = []
    for fact in [*values, *(f for f in shared if not f[1])]:
        if len(_and([*kept, fact])) <= MAX_BRIEF:
            kept.append(fact)
    if not kept:
        return shortened(whole, MAX_BRIEF)
    alternatives = _in_full(kept, own)
    return f"{alternatives if len(alternatives) <= MAX_BRIEF else _and(kept)} (shortened)"


_Fact = tuple[str, tuple[str, ...], bool]
"""What a conjunction says of one thing: its name, values in words, and whether it is one of these
(else none of them). A test has its text as name, and no values."""
_Facts = dict[tuple[str, ...], _Fact]


def _facts(conjunction: Conjunction) -> _Facts:
    """By subject, in the order of `_ordered`."""
    found: _Facts = {}
    for atom in _ordered(conjunction):
        if isinstance(atom, InputIs):
            before = found.get((atom.name,))
            known = before[1] if before is not None and before[2] == atom.holds else ()
            if before is not None and before[2] and not atom.holds:
                continue  # it is that value, so it is no other
            found[(atom.name,)] = (atom.name, (*known, _value(atom.value)), atom.holds)
        else:
            found["test", atom.key, str(atom.holds)] = (_atom_words(atom), (), True)
    return found


def _merged(alternatives: list[_Facts]) -> list[_Facts]:
    """Fewer alternatives: those that differ in one thing only say `X is a or b`, or nothing of X
    when they say the opposite of it."""
    result: list[_Facts] = []
    for facts in alternatives:
        while (found := _partner(result, facts)) is not None:
            place, facts = found
            del result[place]
        if not any(other.items() <= facts.items() for other in result):
            result = [other for other in result if not facts.items() <= other.items()]
            result.append(facts)
    return result


def _partner(alternatives: list[_Facts], facts: _Facts) -> tuple[int, _Facts] | None:
    """An alternative that makes one with `facts`, and that one."""
    for place, other in enumerate(alternatives):
        mine, theirs = (
            [k for k in one if one[k] != two.get(k)]
            for one, two in ((facts, other), (other, facts))
        )
        if len(mine) != 1 or len(theirs) != 1:
            continue
        rest = {k: v for k, v in facts.items() if k != mine[0]}
        one, two = facts[mine[0]], other[theirs[0]]
        if mine[0][:2] == theirs[0][:2] and set(one[1]) == set(two[1]) and mine != theirs:
            return place, rest  # a test that holds or does not
        if mine != theirs or not one[1]:
            continue
        if one[2] != two[2] and set(one[1]) == set(two[1]):
            return place, rest
        if one[2] and two[2]:
            both = (*two[1], *(value for value in one[1] if value not in two[1]))
            return place, {k: (v[0], both, True) if k == mine[0] else v for k, v in facts.items()}
    return None


def _and(facts: list[_Fact]) -> str:
    """In a row; names of which the same is said share their verb."""
    names: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    words: list[str | tuple[tuple[str, ...], bool]] = []
    for name, values, holds in facts:
        if not values:
            words.append(name)
            continue
        same = (tuple(sorted(values)), holds)
        if same not in names:
            words.append(same)
        names.setdefault(same, []).append(name)
    shown: list[str] = []
    for word in words:
        if isinstance(word, str):
            shown.append(word)
            continue
        plural = len(names[word]) > 1
        shown.append(f"{_list(names[word], 'and')} {'are' if plural else 'is'} {_said(*word)}")
    return " and ".join(shown)


def _said(values: tuple[str, ...], holds: bool) -> str:
    plain = [value for value in values if value not in _NOTHING]
    nothing = [value for value in _NOTHING if value in values]
    if holds:
        return _list([*plain, *nothing], "or")
    if "unset" not in values:
        return f"not {_list([*plain, *nothing], 'or')}"
    return _list(["set", *(f"not {value}" for value in (*nothing[:-1], *plain))], "and")


def _list(items: list[str], last: str) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def _ordered(conjunction: Conjunction) -> list[Atom]:
    """By name, then by line: sets have no order of their own."""
    return sorted(
        conjunction,
        key=lambda a: (
            (0, a.name, str(a.value), a.holds)
            if isinstance(a, InputIs)
            else (1, f"{a.span.line:08}", a.text, a.holds)
        ),
    )


def _atom_json(atom: Atom) -> Json:
    if isinstance(atom, InputIs):
        return {"input": atom.name, "is" if atom.holds else "not": atom.value}
    return {"test": atom.text, "line": atom.span.line, "holds": atom.holds}


def _atom_words(atom: Test) -> str:
    text = shortened(atom.text, MAX_TEST)
    return f"`{text}`" if atom.holds else f"not `{text}`"


def _value(value: str | None) -> str:
    return "unset" if value is None else f'"{shortened(value, MAX_TEST)}"' if value else "empty"
