"""Conditions as JSON and as words."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.model.condition import Atom, Condition, Conjunction, InputIs

Json = None | bool | int | float | str | list["Json"] | Mapping[str, "Json"]

MAX_ALTERNATIVES = 3


def as_json(condition: Condition) -> list[Json]:
    """An OR of ANDs; `[[]]` means always, `[]` never."""
    if condition.always:
        return [[]]
    return [[_atom_json(a) for a in _ordered(c)] for c in condition.alternatives]


def as_words(condition: Condition) -> str | None:
    """Such as `EVAL_ONLY is not "true" and $CONC -gt 4`; None when it always holds."""
    if condition.always:
        return None
    if condition.never:
        return "never"
    parts = [
        " and ".join(_atom_words(a) for a in _ordered(c))
        for c in condition.alternatives[:MAX_ALTERNATIVES]
    ]
    left_out = len(condition.alternatives) - MAX_ALTERNATIVES
    if left_out > 0:
        parts.append(f"{left_out} more alternatives")
    return " or ".join(f"({p})" if " and " in p and len(parts) > 1 else p for p in parts)


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


def _atom_words(atom: Atom) -> str:
    if isinstance(atom, InputIs):
        if atom.value is None:
            return f"{atom.name} is {'unset' if atom.holds else 'set'}"
        value = "empty" if atom.value == "" else f'"{atom.value}"'
        return f"{atom.name} is {value}" if atom.holds else f"{atom.name} is not {value}"
    return f"`{atom.text}`" if atom.holds else f"not `{atom.text}`"
