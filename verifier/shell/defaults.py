"""`${x:-y}`, `${x:=y}`, `${x:?y}` and `${x:+y}`."""

from __future__ import annotations

from verifier.model.text import EMPTY, Text, hole, lit
from verifier.shell import nodes, questions, variables
from verifier.shell.elements import (
    Elements,
    Found,
    count,
    has_empty_ifs,
    join_words,
    list_separator,
    odd_ifs,
)
from verifier.shell.logic import Predicate
from verifier.shell.machine import Machine, ShellError, defaulted
from verifier.shell.splitting import Fragment
from verifier.shell.spread import VagueFragment, fragments_of
from verifier.shell.state import State


def with_default(
    m: Machine,
    state: State,
    p: nodes.Parameter,
    name: str,
    found: Found,
    quoted: bool,
    single: bool,
    unset: int,
) -> list[Fragment]:
    """What `${x:-y}` and its kin expand to. `unset`: that some path has unset the variable."""
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
        return fragments_of(m, state, p, found, quoted, single)
    if kind == "?":
        if m.decide(state, null):
            raise ShellError(f"{name}: parameter null or not set", fatal=True, reported=True)
        return fragments_of(m, state, p, found, quoted, single)
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
    return fragments_of(m, state, p, value, quoted, single)


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
            return questions.is_empty(m, join_words(m, items, list_separator(m, state)))
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
    listed = any(expand.is_list(part) for part in p.argument.parts) and not has_empty_ifs(m, state)
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
    return fragments_of(m, state, p, text, quoted, single)
