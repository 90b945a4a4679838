"""Words to arguments, in bash's order: braces, tilde, parameters, commands, arithmetic, splitting,
file names, quote removal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.model.record import replace
from verifier.model.text import EMPTY, Hole, Lit, Origin, Piece, Text, Word, hole, lit
from verifier.shell import (
    braces,
    elements,
    nodes,
    parameters,
    patterns,
    splitting,
    spread,
    sums,
    variables,
)
from verifier.shell.files import SUBSTITUTED, normal_tree_path, tree_path
from verifier.shell.logic import Predicate
from verifier.shell.machine import Case, LimitReached, Machine, ShellError, with_step
from verifier.shell.questions import NUMBERS
from verifier.shell.splitting import Field, Fragment
from verifier.shell.spread import VagueFragment
from verifier.shell.state import State, Stream, Var
from verifier.shell.texts import derived, join, marked, symbol

Pieces = tuple[tuple[Text, bool], ...]


def words(
    m: Machine, state: State, given: Iterable[nodes.Word], *, listed: bool = False
) -> list[Word]:
    """The arguments, or the elements of an array (`listed`), that words expand to."""
    result: list[Word] = []
    for word in given:
        quick = _literal(m, state, word)
        if quick is not None:
            result.append(quick)
            continue
        if len(word.parts) == 1 and type(word.parts[0]) is nodes.DoubleQuoted:
            result.extend(_quoted_word(m, state, word, word.parts[0]))
            continue
        for one in _braced(state, word):
            result.extend(_word(m, state, one, listed))
    m.words += len(result)
    if len(result) > m.limits.words:
        raise LimitReached("words")
    if m.words > m.limits.all_words:
        raise LimitReached("all_words")
    return result


def _braced(state: State, word: nodes.Word) -> tuple[nodes.Word, ...]:
    if not state.opt("braceexpand"):
        return (word,)
    try:
        return braces.expand_braces(word)
    except braces.TooMany as error:
        raise LimitReached("words") from error


def braced_assignment(state: State, node: nodes.Assignment) -> Iterable[nodes.Assignment]:
    """`declare x={a,b}` declares `x=a` and then `x=b`."""
    if isinstance(node.value, nodes.ArrayValue):
        return (node,)
    values = _braced(state, node.value)
    return (node,) if len(values) == 1 else (replace(node, value=value) for value in values)


_SPECIAL = frozenset("*?[]{}~\\+@!\ue000")


_ASSIGNING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=")
"""How a word that looks like an assignment begins: tildes in it count as in a real one."""


class _Tilde(nodes.Literal):
    """An unquoted literal whose `~` is where an assignment expands it."""


def _literal(m: Machine, state: State, word: nodes.Word) -> Word | None:
    """The word when it is plain characters, which most are."""
    if len(word.parts) != 1:
        return None
    part = word.parts[0]
    if type(part) is nodes.Literal and (
        (part.quoted and not m.holes) or _SPECIAL.isdisjoint(part.value)
    ):
        if not part.value and not part.quoted:
            return None
        return Word(lit(part.value, Origin(m.span(state, part.start, part.end))))
    return None


def _quoted_word(
    m: Machine, state: State, word: nodes.Word, part: nodes.DoubleQuoted
) -> list[Word]:
    """A word that is all in double quotes: neither braces nor files, and no splitting of texts."""
    given = _double_quoted(m, state, part, False)
    if any(f.breaks or not f.quoted or type(f) is not Fragment for f in given) or not given:
        return _fields_by_case(m, state, given, word, m.limits.forks)
    text = given[0].text if len(given) == 1 else Text(p for f in given for p in f.text.pieces)
    return [Word(variables.bounded(m, text))]


def _word(m: Machine, state: State, word: nodes.Word, listed: bool) -> list[Word]:
    parts = word.parts
    first = parts[0] if parts else None
    if isinstance(first, nodes.Literal) and not first.quoted and not listed:
        start = _ASSIGNING.match(first.value)
        if start is not None:
            parts = _assignment_tildes(parts, start.end())
    given = fragments(m, state, parts, quoted=False, single=False, tilde=True)
    return _fields_by_case(m, state, given, word, m.limits.forks)


def _fields_by_case(
    m: Machine, state: State, given: list[Fragment], word: nodes.Word, most: int
) -> list[Word]:
    """The fields; where a text that is split depends on the path, so do they.

    `most`: how many ways are spelled out; beyond that the text may be any number of words.
    """
    found = _first_case(m, given) if most > 1 and m.cases else None
    if found is None:
        return _fields(m, state, given, word)
    index, case, before, after = found
    sides = []
    for words_then in (case.yes, case.no):
        text = Text((*before, *words_then[0].text.pieces, *after))
        then = [*given[:index], given[index]._replace(text=text), *given[index + 1 :]]
        sides.append(_fields_by_case(m, state, then, word, most // 2))
    yes, no = sides
    if yes == no:
        return yes
    written = state.frames[-1].source.text[word.start : word.end]
    shown = written if len(written) <= _LONG and "\n" not in written else "it"
    reason = f"what {shown} splits into differs between branches"
    origin = Origin(m.span(state, word.start, word.end))
    start, end = _common(yes, no)
    if start or end:
        front, back = yes[:start], yes[len(yes) - end :]
        yes, no = yes[start : len(yes) - end], no[start : len(no) - end]
        middle = m.case_words(case.test, tuple(yes), tuple(no), reason, origin)
        return [*front, middle, *back]
    if _one_value(yes) and _one_value(no):
        said = getattr(given[index].text.pieces[len(before)], "reason", reason)
        return [Word(m.case(case.test, yes[0].text, no[0].text, said, origin))]
    return [m.case_words(case.test, tuple(yes), tuple(no), reason, origin)]


_LONG = 60


def _common(one: list[Word], two: list[Word]) -> tuple[int, int]:
    """How many words are the same at the start and at the end."""
    most = min(len(one), len(two))
    start = 0
    while start < most and one[start] == two[start]:
        start += 1
    end = 0
    while end < most - start and one[-1 - end] == two[-1 - end]:
        end += 1
    return start, end


def _one_value(words: list[Word]) -> bool:
    """Whether it is one word for certain, and no flag."""
    if len(words) != 1 or words[0].splits:
        return False
    first = words[0].text.pieces[0] if words[0].text.pieces else None
    return isinstance(first, Lit) and not first.value.startswith("-")


def _first_case(
    m: Machine, given: list[Fragment]
) -> tuple[int, Case, tuple[Piece, ...], tuple[Piece, ...]] | None:
    """The first value in a text to be split that depends on the path, and what is around it."""
    for index, fragment in enumerate(given):
        if not fragment.splits or fragment.quoted:
            continue
        pieces = fragment.text.pieces
        for position, piece in enumerate(pieces):
            case = m.cases.get(piece.symbol) if isinstance(piece, Hole) else None
            if case is not None and len(case.yes) == len(case.no) == 1:
                return index, case, pieces[:position], pieces[position + 1 :]
    return None


def _fields(m: Machine, state: State, given: list[Fragment], word: nodes.Word) -> list[Word]:
    result: list[Word] = []
    for group in _around_vague(given):
        if isinstance(group, Word):
            result.append(group)
            continue
        if any(isinstance(fragment, VagueFragment) for fragment in group):
            result.append(Word(Text(p for f in group for p in f.text.pieces), True))
            continue
        for field in splitting.split_fields(group, variables.ifs(m, state)):
            result.extend(_field(m, state, field, word))
    return result


def _around_vague(given: list[Fragment]) -> list[list[Fragment] | Word]:
    """Take out the elements of unknown number that stand alone between two breaks."""
    groups: list[list[Fragment] | Word] = []
    current: list[Fragment] = []
    for index, fragment in enumerate(given):
        starts = index == 0 or fragment.breaks
        ends = index + 1 == len(given) or given[index + 1].breaks
        if starts and ends and isinstance(fragment, VagueFragment):
            if current:
                groups.append(current)
                current = []
            groups.append(Word(fragment.text, True, fragment.alternatives))
            continue
        current.append(fragment)
    if current:
        groups.append(current)
    return groups


def _field(m: Machine, state: State, field: Field, word: nodes.Word) -> list[Word]:
    pieces = tuple((f.text, f.quoted or _is_number(f.text)) for f in field.fragments)
    text = variables.bounded(m, field.text)
    if field.many:
        return [Word(text, True)]
    if state.opt("noglob"):
        return [Word(text)]
    extended = state.opt("extglob")
    globbing = patterns.has_glob(pieces, extglob=extended)
    if globbing is False:
        return [Word(text)]
    if globbing is None:
        return [Word(text, True)]
    return _glob(m, state, field, pieces, word)


def _is_number(text: Text) -> bool:
    """Whether it is a number that is not known, which holds nothing that a pattern could."""
    piece = text.pieces[0] if len(text.pieces) == 1 else None
    return isinstance(piece, Hole) and piece.symbol.startswith(NUMBERS)


def _glob(m: Machine, state: State, field: Field, pieces: Pieces, word: nodes.Word) -> list[Word]:
    """File names: known only for a folder of the tree that the script has not written into."""
    text = field.text
    found = _tree_matches(m, state, text, pieces)
    span = m.span(state, word.start, word.end)
    if found is None or not found:
        shown = text.known or "".join(p if isinstance(p, str) else "…" for p in text.key)
        name = f"files({symbol(text)})@{m.site(state, word.start)}"
        if state.opt("failglob"):
            exist = Predicate(name, "exist", None, f"files match {shown}", span)
            if not m.decide(state, m.logic.atom(exist)):
                raise ShellError(f"no match: {shown}", reported=True)
        m.globs[name] = pieces
        return [Word(hole(f"files that match {shown}", name, Origin(span)), True)]
    return [Word(t) for t in found]


def _tree_matches(m: Machine, state: State, text: Text, pieces: Pieces) -> list[Text] | None:
    path = tree_path(text)
    if path is None or not text.pieces or not isinstance(text.pieces[0], Hole):
        return None
    root, rest = text.pieces[0], Text(text.pieces[1:])
    if rest.known is None or any(mark in rest.known for mark in ("/../", "//")):
        return None
    folder = normal_tree_path(rest.known.lstrip("/").split("*")[0].rpartition("/")[0])
    if folder is None or not m.tree.is_dir(folder):
        return None
    prefix = "/" if rest.known.startswith("/") else ""
    names = list(m.tree.files(folder))
    inner = _without_first(pieces, len(prefix))
    matched = patterns.match_paths(
        inner, names, extglob=state.opt("extglob"), dotglob=state.opt("dotglob")
    )
    if matched is None:
        return None
    return [Text((root, Lit(prefix + name))) for name in matched]


def _without_first(pieces: Pieces, skip: int) -> Pieces:
    from verifier.shell.texts import cut

    first = pieces[0][0]
    rest = cut(first, 1 + skip) if len(first.pieces) > 1 else EMPTY
    if not rest.pieces and len(pieces) > 1 and skip and len(first.pieces) == 1:
        return ((cut(pieces[1][0], skip), pieces[1][1]), *pieces[2:])
    return ((rest, pieces[0][1]), *pieces[1:])


def fragments(
    m: Machine,
    state: State,
    parts: tuple[nodes.Part, ...],
    *,
    quoted: bool,
    single: bool,
    tilde: bool = False,
) -> list[Fragment]:
    """The parts of a word expanded. `single`: nothing will be split; lists are joined."""
    result: list[Fragment] = []
    for index, part in enumerate(parts):
        if isinstance(part, nodes.Literal):
            if tilde and index == 0 and not part.quoted and not quoted and part.value[:1] == "~":
                result.extend(_tilde(m, state, part, len(parts) == 1))
                continue
            if type(part) is _Tilde:
                result.extend(_tilde(m, state, part, index + 1 == len(parts)))
                continue
            if m.holes and "\ue000" in part.value:
                result.append(_refilled(m, state, part, quoted or single))
                continue
            origin = Origin(m.span(state, part.start, part.end))
            result.append(Fragment(lit(part.value, origin), quoted or part.quoted))
        elif isinstance(part, nodes.DoubleQuoted):
            result.extend(_double_quoted(m, state, part, single))
        elif isinstance(part, nodes.Parameter):
            result.extend(parameters.fragments(m, state, part, quoted=quoted, single=single))
        elif isinstance(part, nodes.CommandSubstitution):
            text = m.run_substitution(state, part.script, part.start)
            result.append(_result(m, state, text, quoted or single))
        elif isinstance(part, nodes.ArithmeticSubstitution):
            result.append(_arithmetic(m, state, part, quoted or single))
        elif isinstance(part, nodes.ProcessSubstitution):
            result.append(Fragment(process_substitution(m, state, part), quoted=True))
        else:
            span = m.span(state, part.start, part.end)
            text = hole(part.reason, f"bad:{m.site(state, part.start)}", Origin(span))
            m.unresolved(span, part.reason)
            if part.reason.endswith("bad substitution"):
                text = _bad_substitution(m, state, part.reason, text)
            elif part.reason.startswith("unexpected end"):
                # Of a here-document: bash finds out when it expands it.
                raise ShellError(part.reason, reported=True)
            result.append(Fragment(text, quoted, not quoted))
    return result


_OPERATOR = re.compile(r"\$\{(#?)([A-Za-z_][A-Za-z0-9_]*|[@*])(?:\[[^]]*\])?@", re.ASCII)


def _bad_substitution(m: Machine, state: State, reason: str, text: Text) -> Text:
    """Raises ShellError; a wrong `@` operator ends the shell, but only where there is a value."""
    match = _OPERATOR.match(reason)
    fatal = match is not None and (not match[1] or match[2] in "@*")
    if match is not None and not match[1] and variables.NAME.match(match[2]):
        value = variables.text_of_value(variables.lookup(m, state, match[2]))
        if value is None:
            return EMPTY
    raise ShellError(reason, fatal=fatal, reported=True)


def _refilled(m: Machine, state: State, part: nodes.Literal, quoted: bool) -> Fragment:
    """A literal of an evaluated text that had unknown parts."""
    from verifier.shell.processes import filled

    text = Text(filled(m, part.value))
    if quoted or part.quoted:
        return Fragment(text, quoted=True)
    return spread.splitting(m, state, text)


def _result(m: Machine, state: State, text: Text, quoted: bool) -> Fragment:
    text = m.resolve(state, text)
    return Fragment(text, quoted=True) if quoted else spread.splitting(m, state, text)


def _double_quoted(
    m: Machine, state: State, part: nodes.DoubleQuoted, single: bool
) -> list[Fragment]:
    if not any(is_list(p) for p in part.parts):
        inner = fragments(m, state, part.parts, quoted=True, single=single)
        return inner or [Fragment(EMPTY, quoted=True)]
    inner = []
    vanished = False
    for one in part.parts:
        given = fragments(m, state, (one,), quoted=True, single=single)
        vanished = vanished or (not given and is_list(one))
        inner.extend(given)
    # `"$@"` and `"$@$empty"` without elements make no field, but `"$@"""` and `"x$@"` do.
    return [] if vanished and not any(f.text.pieces for f in inner) else inner


def is_list(part: nodes.Part) -> bool:
    """Whether it is `$@` or the like."""
    return isinstance(part, nodes.Parameter) and (
        part.name == "@" or part.subscript == "@" or part.prefix == "@"
    )


def _arithmetic(
    m: Machine, state: State, part: nodes.ArithmeticSubstitution, quoted: bool
) -> Fragment:
    expression = arithmetic_text(m, state, part.expression)
    try:
        value = sums.evaluate(m, state, expression).value
    except variables.ReadOnly as error:
        raise ShellError(str(error), reported=True) from error
    span = m.span(state, part.start, part.end)
    value = with_step(value, span, "computed by $(( ))")
    return _result(m, state, value, quoted)


def process_substitution(m: Machine, state: State, part: nodes.ProcessSubstitution) -> Text:
    """The name of the pipe of `<( … )`; its content is kept under that name."""
    name = f"{SUBSTITUTED}{m.site(state, part.start)}"
    text = hole("name of a process substitution", name)
    state.set("!", Var(hole("process id of a process substitution", f"number:job:{name}")))
    if part.direction == "<":
        output = m.run_substitution(state, part.script, -part.start - 1)
        state.set_file(f"<{name}>", output)
    else:
        # It reads what the command is still going to write.
        before, mark = state.fds, m.streams
        m.streams += 1
        state.streams = {**state.streams, m.streams: Stream(None)}
        state.fds = {**before, 0: m.streams}
        m.run_substitution(state, part.script, -part.start - 1)
        state.fds = before
        state.streams = {n: s for n, s in state.streams.items() if n <= mark}
    return text


_NAME_END = re.compile("/")
_PREFIX_END = re.compile("[/:]")


def _tilde(m: Machine, state: State, part: nodes.Literal, whole: bool) -> list[Fragment]:
    """`~`, `~/x`, `~+`; other users' folders are holes. `whole`: nothing follows the part."""
    ending = _PREFIX_END if type(part) is _Tilde else _NAME_END
    name = ending.split(part.value, maxsplit=1)[0]
    after = part.value[len(name) :]
    origin = Origin(m.span(state, part.start, part.end))
    if not after and not whole:
        return [Fragment(Text((Lit(part.value, origin),)))]
    home = tilde_value(m, state, name)
    return (
        [Fragment(home, quoted=True), Fragment(Text((Lit(after, origin),)))]
        if after
        else [Fragment(home, quoted=True)]
    )


def tilde_value(m: Machine, state: State, name: str) -> Text:
    """What `~` or `~name` stands for."""
    variable = {"~": "HOME", "~+": "PWD", "~-": "OLDPWD"}.get(name)
    if variable is not None:
        folder = variables.text_of_value(variables.lookup(m, state, variable))
        if folder is not None:
            return folder
    return hole(f"home folder {name}", f"home({name})")


def text_of(
    m: Machine, state: State, word: nodes.Word, *, assignment: bool = False, tilde: bool = True
) -> Text:
    """A word where no splitting happens: an assignment, `case`, `[[ ]]`, a here-string."""
    parts = word.parts
    if assignment:
        parts = _assignment_tildes(parts)
    given = fragments(m, state, parts, quoted=False, single=True, tilde=tilde)
    if len(given) == 1:
        return m.resolve(state, given[0].text)
    pieces: list[Lit | Hole] = []
    for index, fragment in enumerate(given):
        if fragment.breaks and index:
            pieces.append(Lit(" "))
        pieces.extend(fragment.text.pieces)
    return m.resolve(state, Text(pieces))


def _assignment_tildes(parts: tuple[nodes.Part, ...], start: int = 0) -> tuple[nodes.Part, ...]:
    """Mark unquoted tildes at the value's start (`start` in the first part) and behind colons."""
    if not any(type(part) is nodes.Literal and "~" in part.value for part in parts):
        return parts
    result: list[nodes.Part] = []
    for index, part in enumerate(parts):
        if not isinstance(part, nodes.Literal) or part.quoted or "~" not in part.value:
            result.append(part)
            continue
        position = 0
        for match in re.finditer("(?<=:)~" if index or not start else "(?<=[:=])~", part.value):
            before = part.value[: match.start()]
            if ":" not in before and match.start() != start:
                continue
            result.append(_piece(part, position, match.start(), index == start == 0))
            position = match.start()
        result.append(_piece(part, position, len(part.value), index == start == 0))
    return tuple(p for p in result if not isinstance(p, nodes.Literal) or p.value or p.quoted)


def _piece(part: nodes.Literal, start: int, end: int, first: bool) -> nodes.Literal:
    value = part.value[start:end]
    kind = _Tilde if (start or first) and value.startswith("~") else nodes.Literal
    return kind(value, False, part.start + start, min(part.start + end, part.end))


def quoted_text(m: Machine, state: State, word: nodes.Word) -> Text:
    """A word expanded as inside double quotes: here-documents and arithmetic."""
    odd = any(map(is_joined, word.parts)) and elements.odd_ifs(m, state)
    given: list[Fragment] = []
    for part in word.parts:
        if odd and is_joined(part):
            # Bash splits such a list once more.
            text = hole("a list joined under another IFS", f"odd:{m.site(state, part.start)}")
            given.append(Fragment(text, True))
        else:
            given.extend(fragments(m, state, (part,), quoted=True, single=True))
    return m.resolve(state, Text(p for f in given for p in f.text.pieces))


def arithmetic_text(m: Machine, state: State, word: nodes.Word) -> Text:
    """An expression. Where anything in it is expanded, bash quotes what is special inside
    subscripts, as those of associative arrays are expanded again: the key in `m[$key]` may hold
    anything. It does not see that this breaks a subscript in the subscript of an indexed array."""
    brackets = any(isinstance(p, nodes.Literal) and "[" in p.value for p in word.parts)
    if not brackets or all(isinstance(p, nodes.Literal) for p in word.parts):
        return quoted_text(m, state, word)
    depth = 0
    pieces: list[Piece] = []
    for part in word.parts:
        text = quoted_text(m, state, nodes.Word((part,), word.start, word.end))
        if isinstance(part, nodes.Literal):
            text, depth = _nested_brackets(text, depth)
        elif depth:
            text = Text(
                Lit(_PROTECTED.sub(r"\\\g<0>", p.value), p.origin) if isinstance(p, Lit) else p
                for p in text.pieces
            )
        pieces.extend(text.pieces)
    return Text(pieces)


_PROTECTED = re.compile(r"""[\\"'$`\[\]]""")


def _nested_brackets(text: Text, depth: int) -> tuple[Text, int]:
    """The text with brackets inside of subscripts quoted, and how deep its end is in brackets."""
    known = text.known
    if known is None or ("[" not in known and "]" not in known):
        return text, depth
    characters: list[str] = []
    for character in known:
        if character == "[":
            depth += 1
            characters.append("\\[" if depth > 1 else "[")
        elif character == "]" and depth:
            depth -= 1
            characters.append("\\]" if depth else "]")
        else:
            characters.append(character)
    return lit("".join(characters), text.pieces[0].origin), depth


def subscript_again(m: Machine, state: State, subscript: Text, key: bool) -> Text:
    """A subscript in a text that is evaluated, such as `let 'm[$key]++'`. Raises ShellError.

    `key`: of an associative array; others are expanded as in double quotes.
    """
    known = subscript.known
    if known is None:
        return subscript
    from verifier.shell.syntax import parse

    if key:
        script = parse(nodes.Source("", f"x[{known}]="))
        command = script.commands[0] if len(script.commands) == 1 else None
        if isinstance(command, nodes.Simple) and len(command.assignments) == 1:
            inside = command.assignments[0].subscript
            if inside is not None and not command.words:
                return subscript_text(m, state, inside)
    else:
        script = parse(nodes.Source("", f': "{known}"'))
        command = script.commands[0] if len(script.commands) == 1 else None
        if isinstance(command, nodes.Simple) and len(command.words) == 2:
            word = command.words[1]
            if isinstance(word, nodes.Word):
                return text_of(m, state, word)
    raise ShellError(f"[{known}]: bad array subscript")


def check_index(state: State, name: str, word: nodes.Word, quotes: tuple[str, ...]) -> None:
    """The index of a list may hold none of these quotes: they are part of the expression.

    Raises NoNumber, as for `a['key']=v` where `a` was not declared with `-A`.
    """
    text = ""
    for part in word.parts:
        if isinstance(part, nodes.Literal) and part.quoted:
            text = text or state.frames[-1].source.text
            if text[part.start : part.start + 1] in quotes:
                raise variables.NoNumber(f"{name}: quotes in the index of a list")


def subscript_text(m: Machine, state: State, word: nodes.Word) -> Text:
    """A subscript: a word whose tildes are not expanded."""
    return text_of(m, state, word, tilde=False)


def is_joined(part: nodes.Part) -> bool:
    """Whether it is, or may end as, `$*` or the like."""
    if not isinstance(part, nodes.Parameter):
        return False
    inner = part.argument.parts if part.argument is not None else ()
    return "*" in (part.name, part.subscript, part.prefix) or any(map(is_joined, inner))


def plain(m: Machine, word: nodes.Word) -> str | None:
    """The characters of a word in which nothing is to be expanded and nothing is a pattern."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if type(part) is not nodes.Literal:
        return None
    as_it_is = not m.holes if part.quoted else _SPECIAL.isdisjoint(part.value)
    return part.value if as_it_is else None


def pattern_of(m: Machine, state: State, word: nodes.Word) -> Pieces:
    """A word as a pattern: texts, and whether each is quoted."""
    pieces: list[tuple[Text, bool]] = []
    for index, part in enumerate(word.parts):
        literal = isinstance(part, nodes.Literal | nodes.DoubleQuoted)
        for f in fragments(m, state, (part,), quoted=False, single=True, tilde=index == 0):
            # An unquoted expansion is a pattern; `single` has marked it quoted.
            is_quoted = f.quoted and literal
            pieces.append((m.resolve(state, f.text), is_quoted))
    return tuple(pieces)


__all__ = [
    "derived",
    "fragments",
    "join",
    "marked",
    "pattern_of",
    "plain",
    "quoted_text",
    "text_of",
    "words",
]
