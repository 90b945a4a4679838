"""What `[ … ]`, `test` and `[[ … ]]` say, as formulas."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.model.files import file_key
from verifier.model.text import Text, Word
from verifier.shell import arithmetic, ereg, locales, nodes, patterns, questions, sums, variables
from verifier.shell.diagrams import FALSE, TRUE
from verifier.shell.files import is_sure, is_symbolic, linked, place, tree_path
from verifier.shell.logic import Predicate
from verifier.shell.machine import Fork, Machine, ShellError
from verifier.shell.state import Array, State, Table, Var, dense
from verifier.shell.texts import symbol

FILE_TESTS = frozenset("-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S".split())
UNARY = FILE_TESTS | {"-n", "-z", "-o", "-v", "-R", "-t"}
NUMERIC = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
BINARY = NUMERIC | {"=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", "-a", "-o"}


class UsageError(Exception):
    """The test is malformed: status 2."""


class OperandError(Exception):
    """An operand of `-eq` and its kin is no arithmetic expression: the test is false."""


# --- [ … ] ---------------------------------------------------------------------------------


class Bracket:
    """The arguments of one `[` command."""

    def __init__(self, m: Machine, state: State, args: list[Word], start: int) -> None:
        self._m = m
        self._state = state
        self._args = args
        self._start = start

    def formula(self) -> int:
        """Whether the test holds. Raises UsageError."""
        return self._of(self._args)

    def _of(self, args: list[Word]) -> int:
        m = self._m
        known = [None if w.splits else w.text.known for w in args]
        size = len(args)
        if size == 0:
            return FALSE
        if size == 1:
            return m.logic.no(questions.is_empty(m, args[0].text))
        if size == 2:
            if known[0] == "!":
                return m.logic.no(self._of(args[1:]))
            return self._unary(known[0], args[1])
        if size == 3:
            if known[1] in BINARY:
                return self._binary(args[0], known[1] or "", args[2])
            if known[0] == "!":
                return m.logic.no(self._of(args[1:]))
            if known[0] == "(" and known[2] == ")":
                return self._of(args[1:2])
            raise UsageError("binary operator expected")
        if size == 4:
            if known[0] == "!":
                return m.logic.no(self._of(args[1:]))
            if known[0] == "(" and known[3] == ")":
                return self._of(args[1:3])
        result, rest = self._or(args)
        if rest:
            raise UsageError("too many arguments")
        return result

    def _or(self, args: list[Word]) -> tuple[int, list[Word]]:
        result, rest = self._and(args)
        while rest and rest[0].text.known == "-o":
            right, rest = self._and(rest[1:])
            result = self._m.logic.either(result, right)
        return result, rest

    def _and(self, args: list[Word]) -> tuple[int, list[Word]]:
        result, rest = self._term(args)
        while rest and rest[0].text.known == "-a":
            right, rest = self._term(rest[1:])
            result = self._m.logic.both(result, right)
        return result, rest

    def _term(self, args: list[Word]) -> tuple[int, list[Word]]:
        if not args:
            raise UsageError("argument expected")
        first = args[0].text.known
        if first == "!":
            result, rest = self._term(args[1:])
            return self._m.logic.no(result), rest
        if first == "(":
            result, rest = self._or(args[1:])
            if not rest or rest[0].text.known != ")":
                raise UsageError("`)' expected")
            return result, rest[1:]
        second = args[1].text.known if len(args) > 1 else None
        if len(args) > 2 and second in BINARY - {"-a", "-o"}:
            return self._binary(args[0], second or "", args[2]), args[3:]
        if len(args) > 1 and first in UNARY:
            return self._unary(first, args[1]), args[2:]
        return self._of(args[:1]), args[1:]

    def _unary(self, operator: str | None, operand: Word) -> int:
        m = self._m
        if operator not in UNARY:
            raise UsageError("unary operator expected")
        result = unary(m, self._state, operator, operand.text, self._start)
        if operand.splits:
            # Without a word the operator is a text of its own, and not empty.
            self._one_word(operand)
            return m.logic.either(questions.is_empty(m, operand.text), result)
        return result

    def _binary(self, left: Word, operator: str, right: Word) -> int:
        m, state = self._m, self._state
        present = TRUE
        for word in (left, right):
            if word.splits:
                # Without a word the test is malformed, which is a failure too.
                self._one_word(word)
                empty = questions.is_empty(m, word.text)
                present = m.logic.both(present, m.logic.no(empty))
        one, two = m.resolve(state, left.text), m.resolve(state, right.text)
        if operator in NUMERIC:
            result = integers(m, operator, one, two)
        elif operator in ("=", "=="):
            result = questions.same(m, one, two)
        elif operator == "!=":
            result = m.logic.no(questions.same(m, one, two))
        elif operator in ("<", ">"):
            # Unlike `[[`, `[` takes no notice of the locale.
            result = ordered(m, operator, one, two, by_bytes=True)
        elif operator in ("-a", "-o"):
            combine = m.logic.both if operator == "-a" else m.logic.either
            result = combine(
                m.logic.no(questions.is_empty(m, one)), m.logic.no(questions.is_empty(m, two))
            )
        else:
            result = two_files(m, state, operator, one, two, self._start)
        return m.logic.both(present, result)

    def _one_word(self, word: Word) -> None:
        shown = questions.shown_text(word.text)
        span = self._m.span(self._state, self._start)
        self._m.assume(span, f"{shown}, unquoted in a test, holds no blanks")


def integers(m: Machine, operator: str, left: Text, right: Text) -> int:
    """`[ a -lt b ]`. Raises UsageError when one is no integer."""
    try:
        a, b = arithmetic.test_integer(left), arithmetic.test_integer(right)
    except arithmetic.ExpressionError as error:
        raise UsageError(str(error)) from error
    symbols = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
    name = symbols[operator]
    if a is not None and b is not None:
        return TRUE if questions.holds(name, a, b) else FALSE
    if a is not None:
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(name, name)
        return questions.truth(m, arithmetic.Comparison(mirrored, right, left), strict=True)
    return questions.truth(m, arithmetic.Comparison(name, left, right), strict=True)


_PLAIN = re.compile(r"[a-z0-9]*\Z")


def ordered(m: Machine, operator: str, left: Text, right: Text, by_bytes: bool) -> int:
    """`a < b`, in the locale's order told only where all locales agree."""
    if left == right:
        return FALSE
    one, two = left.known, right.known
    if one is not None and two is not None:
        if by_bytes or (_PLAIN.match(one) and _PLAIN.match(two)):
            return TRUE if (locales.key(one) < locales.key(two)) == (operator == "<") else FALSE
    shown = f"{questions.shown_text(left)} {operator} {questions.shown_text(right)}"
    name = f"order:{operator}:{symbol(left)!r},{symbol(right)!r}"
    span = left.span or right.span
    from verifier.model.text import NOWHERE

    return m.logic.atom(Predicate(name, "holds", None, shown, span or NOWHERE))


# --- shared ----------------------------------------------------------------------------------


def unary(m: Machine, state: State, operator: str, text: Text, start: int) -> int:
    """`-n x`, `-f x`, `-v x`, …"""
    text = m.resolve(state, text)
    if operator == "-z":
        return questions.is_empty(m, text)
    if operator == "-n":
        return m.logic.no(questions.is_empty(m, text))
    if operator == "-v":
        return is_set(m, state, text, start)
    if operator == "-o" and text.known is not None:
        return TRUE if state.opt(text.known) else FALSE
    if operator == "-R" and text.known is not None:
        var = state.vars.get(text.known)
        if var is not None or m.options.closed:
            return TRUE if var is not None and var.nameref and var.value is not None else FALSE
    if operator in FILE_TESTS:
        found = file_test(m, state, operator, text)
        if found is not None:
            return TRUE if found else FALSE
    return _at_site(m, state, f"{operator} {questions.shown_text(text)}", start)


def _at_site(m: Machine, state: State, shown: str, start: int) -> int:
    """A test of the world outside: it may differ the next time it is made."""
    site = m.site(state, start)
    return m.logic.atom(Predicate(f"world:{site}", shown, None, shown, m.span(state, start)))


def file_test(m: Machine, state: State, operator: str, text: Text) -> bool | None:
    """A test of a file that the script wrote or that the tree holds; None when unknown."""
    if text.known == "":
        return False
    key = file_key(text, state.cwd)
    if operator in ("-L", "-h"):
        content = state.files.get(key)
        if linked(content) is not None:
            return is_symbolic(content)
    key = place(state.files, key)
    if state.files.get(f"{key}/") is not None:
        # A folder that the script has made.
        return True if operator in ("-e", "-d", "-a") else False if operator == "-f" else None
    if key in state.files:
        content = state.files[key]
        if content is None:
            return False
        content = m.resolve(state, content)
        if not is_sure(content):
            return None
        if operator in ("-e", "-f", "-a", "-r"):
            return True
        if operator == "-s" and (content.known is not None or content.pieces):
            return bool(content.known) if content.known is not None else None
        return False if operator in ("-d", "-L", "-h", "-S", "-p", "-b", "-c") else None
    path = tree_path(text)
    if path is None:
        return None
    if m.tree.is_dir(path):
        if operator in ("-e", "-d", "-a"):
            return True
        return False if operator == "-f" else None
    if path in m.tree.files(path.rpartition("/")[0]):
        if operator in ("-e", "-f", "-a", "-r"):
            return True
        return False if operator == "-d" else None
    return None


def two_files(m: Machine, state: State, operator: str, left: Text, right: Text, start: int) -> int:
    """`a -nt b` and its kin."""
    shown = f"{questions.shown_text(left)} {operator} {questions.shown_text(right)}"
    return _at_site(m, state, shown, start)


def is_set(m: Machine, state: State, name: Text, start: int) -> int:
    """`-v name`."""
    from verifier.shell import elements, fetching

    known = name.known
    if known is None:
        return _at_site(m, state, f"-v {questions.shown_text(name)}", start)
    base, bracket, rest = known.partition("[")
    if bracket and rest[:-1] in ("@", "*"):
        found = fetching.fetch(m, state, base, rest[:-1])
        if isinstance(found, elements.Elements):
            return m.logic.no(questions.equals(m, elements.count(m, found.items), "0"))
    elif bracket:
        value = variables.lookup(m, state, base)
        try:
            subscript = variables.subscript(m, state, base, rest[:-1])
        except ShellError:
            return FALSE
        if isinstance(value, Table):
            found = elements.table_element(m, base, value, subscript)
        else:
            found = elements.array_element(m, state, base, value, subscript)
    else:
        found = fetching.fetch(m, state, base, None)
    if found is None:
        return FALSE
    assert isinstance(found, Text)
    return m.logic.no(variables.unset_where(m, base, found))


# --- [[ … ]] -------------------------------------------------------------------------------


def conditional(m: Machine, state: State, expression: nodes.CondExpr) -> int:
    """A `[[ ]]` expression."""
    if isinstance(expression, nodes.CondNot):
        return m.logic.no(conditional(m, state, expression.operand))
    if isinstance(expression, nodes.CondLogic):
        left = conditional(m, state, expression.left)
        return short_circuit(
            m, state, expression.operator, left, lambda: conditional(m, state, expression.right)
        )
    from verifier.shell import expand

    if isinstance(expression, nodes.CondUnary):
        if expression.operator == "-v":
            text = expand.arithmetic_text(m, state, expression.operand)
        else:
            text = expand.text_of(m, state, expression.operand)
        return unary(m, state, expression.operator or "-n", text, expression.start)
    return _binary(m, state, expression)


def short_circuit(
    m: Machine, state: State, operator: str, left: int, right: Callable[[], int]
) -> int:
    """`left && right` or `left || right`: the right side is seen only where it is evaluated."""
    yes, no = m.logic.split(state.cond, left)
    part, rest = (yes, no) if operator == "&&" else (no, yes)
    if part == 0:
        return left
    saved = state.cond
    state.cond = part
    try:
        second = right()
    except Fork as fork:
        raise Fork([*fork.conditions, rest] if rest else fork.conditions) from None
    finally:
        state.cond = saved
    if rest == 0:
        return second
    return m.logic.both(left, second) if operator == "&&" else m.logic.either(left, second)


def _binary(m: Machine, state: State, test: nodes.CondBinary) -> int:
    from verifier.shell import expand

    left = expand.text_of(m, state, test.left)
    operator = test.operator
    if operator in ("=", "==", "!="):
        pieces = expand.pattern_of(m, state, test.right)
        result = pattern_test(m, state, left, pieces, extglob=True)
        return m.logic.no(result) if operator == "!=" else result
    if operator == "=~":
        return _regex(m, state, left, expand.pattern_of(m, state, test.right), test)
    right = expand.text_of(m, state, test.right)
    if operator in NUMERIC:
        try:
            return questions.truth(m, sums.compare(m, state, operator, left, right))
        except ShellError as error:
            if error.fatal or (error.reported and state.opt("errexit")):
                raise
            raise OperandError(str(error)) from error
    if operator in ("<", ">"):
        by_bytes = locales.by_bytes(m, state)
        return ordered(m, operator, m.resolve(state, left), m.resolve(state, right), by_bytes)
    return two_files(m, state, operator, left, right, test.start)


def pattern_test(
    m: Machine, state: State, text: Text, pieces: expand_pieces, *, extglob: bool
) -> int:
    """Whether a text matches a pattern."""
    text = m.resolve(state, text)
    nocase = state.opt("nocasematch")
    whole = Text(p for t, _ in pieces for p in t.pieces)
    if not nocase:
        if all(quoted for t, quoted in pieces if t.pieces):
            return questions.same(m, text, whole)
        if whole.known is not None and is_literal(pieces, extglob):
            return questions.equals(m, text, unescaped(pieces))
    pattern = patterns.compile_pattern(pieces, extglob=extglob, nocase=nocase)
    try:
        found = patterns.matches(pattern, text)
    except patterns.TooComplex:
        found = None
    if found is not None:
        return TRUE if found else FALSE

    def decide(value: str | None) -> bool | None:
        from verifier.model.text import lit

        try:
            return patterns.matches(pattern, lit(value or ""))
        except patterns.TooComplex:
            return None

    described = "".join(f"{symbol(t)!r}" if quoted else symbol(t) for t, quoted in pieces)
    shown_pattern = questions.shown_text(whole)
    shown = f"{questions.shown_text(text)} matches {shown_pattern}"
    kind = f"match:{described}:{extglob}:{nocase}"
    return questions.ask(m, text, kind, shown, decide)


expand_pieces = tuple[tuple[Text, bool], ...]


def is_literal(pieces: expand_pieces, extglob: bool) -> bool:
    """Whether a pattern matches one text only."""
    return patterns.has_glob(pieces, extglob=extglob) is False


def unescaped(pieces: expand_pieces) -> str:
    """The one text that a literal pattern matches."""
    result = []
    for text, quoted in pieces:
        known = text.known or ""
        result.append(known if quoted else re.sub(r"\\(.)", r"\1", known, flags=re.DOTALL))
    return "".join(result)


def _regex(
    m: Machine, state: State, text: Text, pieces: expand_pieces, test: nodes.CondBinary
) -> int:
    text = m.resolve(state, text)
    whole = Text(p for t, _ in pieces for p in t.pieces)
    shown = f"{questions.shown_text(text)} =~ {questions.shown_text(whole)}"
    nocase = state.opt("nocasematch")
    compiled = None
    if whole.known is not None:
        compiled = ereg.compile_ereg([(t.known or "", q) for t, q in pieces], nocase=nocase)
    rematch = f"BASH_REMATCH of {m.site(state, test.start)}"
    if compiled is None:
        state.set("BASH_REMATCH", Var(_unknown_array(rematch)))
        described = "".join(f"{symbol(t)!r}" if q else symbol(t) for t, q in pieces)
        return questions.ask(m, text, f"regex:{described}:{nocase}", shown, lambda _: None)
    chosen = compiled
    if text.known is None:
        state.set("BASH_REMATCH", Var(_unknown_array(rematch)))

        def decide(value: str | None) -> bool | None:
            return ereg.search(chosen, value or "") is not None

        return questions.ask(m, text, f"regex:{compiled.pattern}:{nocase}", shown, decide)
    match = ereg.search(compiled, text.known)
    if match is None:
        state.set("BASH_REMATCH", Var(dense([])))
        return FALSE
    if ereg.captures_may_differ(compiled):
        state.set("BASH_REMATCH", Var(_unknown_array(rematch)))
    else:
        from verifier.model.text import lit

        groups = [match.group(0), *(g or "" for g in match.groups())]
        state.set("BASH_REMATCH", Var(dense([lit(g) for g in groups])))
    return TRUE


def _unknown_array(reason: str) -> Array:
    from verifier.model.text import hole

    return Array((Word(hole(reason, reason), True),))


__all__ = ["Bracket", "ShellError", "UsageError", "conditional", "pattern_test"]
