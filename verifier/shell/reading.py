"""`read` and `mapfile`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from verifier.model.text import EMPTY, Origin, Text, Word, hole
from verifier.shell import redirect, splitting, variables
from verifier.shell.machine import Machine
from verifier.shell.state import Array, State, Var, dense
from verifier.shell.texts import cut, marked

if TYPE_CHECKING:
    from verifier.shell.simple import Plan

_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_TARGET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[.*\])?", re.ASCII | re.DOTALL)


class _Arguments(NamedTuple):
    options: dict[str, str]
    names: list[str]
    known: bool
    """Whether nothing else may be among them."""


def _arguments(plan: Plan, valued: str, flags: str) -> _Arguments:
    """The options (those in `valued` have arguments) and what follows them."""
    words = [None if w.splits else w.text.known or _descriptor(w.text) for w in plan.argv[1:]]
    options: dict[str, str] = {}
    known = None not in words
    position = 0
    while position < len(words):
        word = words[position]
        if word is None or not word.startswith("-") or len(word) < 2:
            break
        position += 1
        if word == "--":
            break
        for index, letter in enumerate(word[1:], 1):
            if letter in valued:
                value: str | None = word[index + 1 :]
                if not value:
                    value = words[position] if position < len(words) else None
                    position += 1
                known = known and value is not None
                options[letter] = value or ""
                break
            known = known and letter in flags
            options[letter] = ""
    return _Arguments(options, [w for w in words[position:] if w is not None], known)


def _descriptor(text: Text) -> str | None:
    """`-u $fd` with a descriptor that bash chose."""
    return "" if text.known == "" else redirect.descriptor_of(text)


def _number(options: dict[str, str], letter: str) -> int | None:
    """The value of an option; None when it is no plain number. 0 without the option."""
    value = options.get(letter, "0")
    return int(value) if _COUNT.fullmatch(value) else None


# --- read ------------------------------------------------------------------------------------


class _Line(NamedTuple):
    text: Text
    rest: Text
    status: int


def read(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin."""
    options, names, known = _arguments(plan, "adinNptu", "ers")
    array = options.get("a")
    if names and not _TARGET.fullmatch(names[0]):
        state.status = 1
        return
    known = known and "t" not in options and all(map(_TARGET.fullmatch, names))
    descriptor = _number(options, "u")
    if known and any(_number(options, letter) is None for letter in options.keys() & set("nNu")):
        state.status = 1
        return
    whole = not names and array is None
    names = names or ["REPLY"]
    text = redirect.stdin(state, descriptor) if descriptor is not None else None
    line = _line(text, options) if text is not None and known else None
    site = m.site(state, start)
    if line is None:
        unknown(m, state, names, array, site, start)
        redirect.set_stdin(state, None, descriptor or 0)
        if text is not None and not text.pieces:
            state.status = 1
        return
    redirect.set_stdin(state, line.rest, descriptor or 0)
    raw = "r" in options
    fields: list[Text] | None
    if whole or "N" in options:
        # One value as it is, blanks at both ends included.
        fields = [line.text] if raw else splitting.split_read(line.text, EMPTY, 1, raw=False)
    else:
        count = None if array is not None else len(names)
        fields = splitting.split_read(line.text, variables.ifs(m, state), count, raw=raw)
    if fields is None:
        unknown(m, state, names, array, site, start)
        state.status = line.status
        return
    state.status = line.status
    span = m.span(state, start)
    if array is not None:
        variables.assign_array(m, state, array, dense(fields), span, False)
        return
    for index, name in enumerate(names):
        value = fields[index] if index < len(fields) else EMPTY
        base, subscript = variables.target(m, state, name)
        how = f"read into {name}"
        variables.assign(m, state, base, value, span, subscript=subscript, how=how)


def _line(text: Text, options: dict[str, str]) -> _Line | None:
    """What one `read` takes; None when that is not known."""
    exact = "N" in options
    most = _number(options, "N" if exact else "n")
    if most is None:
        return None
    if most == 0 and options.keys() & {"n", "N"}:
        return _Line(EMPTY, text, 0)
    delimiter = options.get("d", "\n")[:1] or "\0"
    characters, holes = marked(text)
    position = count = 0
    while position < len(characters):
        if holes >> position & 1:
            return None  # which may hold the delimiter itself
        char = characters[position]
        if char == delimiter and not exact:
            return _Line(cut(text, 0, position), cut(text, position + 1), 0)
        if char == "\\" and "r" not in options:
            position += 1
            # A continued line adds nothing.
            count -= position < len(characters) and characters[position] == "\n"
        position += 1
        count += 1
        if count == most:
            return _Line(cut(text, 0, position), cut(text, position), 0)
    return _Line(text, EMPTY, 1)


def unknown(
    m: Machine, state: State, names: list[str], array: str | None, site: str, start: int
) -> None:
    """Set the variables to what is not known."""
    span = m.span(state, start)
    for name in names if array is None else []:
        base, subscript = variables.target(m, state, name)
        text = hole(f"{name} is read from unknown input", f"read:{site}:{name}", Origin(span))
        variables.assign(m, state, base, text, span, subscript=subscript, how=f"read into {name}")
    if array is not None:
        text = hole(f"{array} is read from unknown input", f"read:{site}:{array}", Origin(span))
        value = Array((Word(text, True),))
        state.set(array, state.vars.get(array, Var())._replace(value=value, array="a"))
    state.status = m.pending(state, start, "`read`")


# --- mapfile ---------------------------------------------------------------------------------


def mapfile(m: Machine, state: State, plan: Plan, start: int) -> None:
    """The builtin."""
    options, names, known = _arguments(plan, "dunsOcC", "t")
    name = names[0] if names else "MAPFILE"
    state.status = 0
    if not variables.NAME.match(name) or variables.is_array_name(state, name) == "A":
        state.status = 1
        return
    if state.vars.get(name, Var()).readonly:
        raise variables.ReadOnly(name)
    numbers = [_number(options, letter) for letter in "unsO"]
    if known and None in numbers:
        state.status = 1
        return
    descriptor, most, skip, origin = (n or 0 for n in numbers)
    text = redirect.stdin(state, descriptor)
    lines = None
    if text is not None and known and "C" not in options:
        delimiter = options.get("d", "\n")[:1] or "\0"
        # No value can hold a NUL.
        lines = _lines(text, delimiter, strip="t" in options or delimiter == "\0")
    if "C" in options:
        what = "what mapfile -C runs for every few lines is not followed"
        m.unresolved(m.span(state, start), what)
    if lines is None:
        redirect.set_stdin(state, None, descriptor)
        word = Word(
            hole(f"{name} is read from unknown input", f"read:{m.site(state, start)}:{name}"), True
        )
        state.set(name, state.vars.get(name, Var())._replace(value=Array((word,)), array="a"))
        return
    end = skip + most if most else len(lines)
    redirect.set_stdin(
        state, Text(p for line in lines[end:] for p in line.whole.pieces), descriptor
    )
    given = [line.value for line in lines[skip:end]]
    value = dense(given)
    if "O" in options:
        old = state.vars.get(variables.follow(m, state, name), Var()).value
        array = (
            old if isinstance(old, Array) else dense([old]) if isinstance(old, Text) else Array()
        )
        if array.vague:
            value = Array((*array.items, *value.items), None, len(given))
        else:
            value = variables.from_pairs({**dict(array.pairs()), **dict(enumerate(given, origin))})
    variables.assign_array(m, state, name, value, m.span(state, start), False)


class _Taken(NamedTuple):
    value: Text
    whole: Text


def _lines(text: Text, delimiter: str, *, strip: bool) -> list[_Taken] | None:
    """The lines with and without what ends them; None when a hole may hold an end."""
    characters, holes = marked(text)
    if holes:
        return None
    lines: list[_Taken] = []
    position = 0
    while position < len(characters):
        found = characters.find(delimiter, position)
        end = len(characters) if found < 0 else found + 1
        stop = end - 1 if strip and found >= 0 else end
        lines.append(_Taken(cut(text, position, stop), cut(text, position, end)))
        position = end
    return lines
