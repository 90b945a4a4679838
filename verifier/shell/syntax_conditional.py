"""`[[ … ]]`."""

from __future__ import annotations

from verifier.shell.nodes import (
    CondBinary,
    CondExpr,
    Conditional,
    CondLogic,
    CondNot,
    CondUnary,
    Word,
)
from verifier.shell.syntax_redirects import Redirects
from verifier.shell.syntax_words import REGEX_RUN, WORD_STOPS, merged

_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(
    ("=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef")
)
_REGEX_STOPS = WORD_STOPS.replace("|", "")


class Conditionals(Redirects):
    """Reads conditional commands by bash's own little grammar."""

    def conditional(self, start: int) -> Conditional:
        """The position is behind `[[`."""
        expression = self._or()
        if self.skip_newlines() == "\0":
            self.unclosed("]]", start)
        if not self._at_close():
            self.unexpected()
        self.pos += 2
        redirects, end = self.finish()
        return Conditional(expression, redirects, start, end)

    def _at_close(self) -> bool:
        text, pos = self.text, self.pos
        return text.startswith("]]", pos) and (text[pos + 2] in WORD_STOPS)

    def _or(self) -> CondExpr:
        left = self._and()
        while self._operator("||"):
            right = self._and()
            left = CondLogic("||", left, right, left.start, right.end)
        return left

    def _and(self) -> CondExpr:
        left = self._term()
        while self._operator("&&"):
            right = self._term()
            left = CondLogic("&&", left, right, left.start, right.end)
        return left

    def _operator(self, operator: str) -> bool:
        self.skip()
        found, end = self.operator()
        if found != operator:
            return False
        self.pos = end
        return True

    def _term(self) -> CondExpr:
        char = self.skip_newlines()
        start = self.pos
        if char == "(":
            return self._inner(start)
        if self._at_close():
            self.fault("syntax error in conditional expression: unexpected token `]]'")
        word = self.word()
        if word is None:
            self.unexpected()
        raw = self.text[start : self.pos]
        if raw == "!":
            self.deeper()
            operand = self._term()
            self.depth -= 1
            return CondNot(operand, start, operand.end)
        if raw in _UNARY:
            self.skip()
            return self._unary(raw, start)
        return self._binary(word)

    def _inner(self, start: int) -> CondExpr:
        self.pos += 1
        self.deeper()
        inner = self._or()
        self.depth -= 1
        if self.skip() != ")":
            self.unexpected()
        self.pos += 1
        self.skip_newlines()
        return inner

    def _unary(self, operator: str, start: int) -> CondExpr:
        operand = None if self._at_close() else self.word()
        if operand is None:
            self.fault(f"unexpected argument to conditional unary operator `{operator}'")
        self.skip_newlines()
        return CondUnary(operator, operand, start, operand.end)

    def _binary(self, left: Word) -> CondExpr:
        char = self.skip()
        start = self.pos
        if char in "<>":
            operator = char
            self.pos += 1
        elif char in "&|)" or self._at_close():
            return CondUnary("", left, left.start, left.end)
        else:
            self.word()
            operator = self.text[start : self.pos]
            if operator not in _BINARY:
                self.fault("conditional binary operator expected", start)
        self.skip()
        right = None if self._at_close() else self._right(operator)
        if right is None:
            self.fault(f"unexpected argument to conditional binary operator `{operator}'")
        self.skip_newlines()
        return CondBinary(operator, left, right, left.start, right.end)

    def _right(self, operator: str) -> Word | None:
        """The right side: patterns may be extended, expressions may hold blanks in brackets."""
        if operator == "=~":
            return self._expression()
        extglob = self.extglob
        self.extglob = extglob or operator in ("=", "==", "!=")
        word = self.word()
        self.extglob = extglob
        return word

    def _expression(self) -> Word | None:
        start = self.pos
        parts = self.parts(REGEX_RUN, _REGEX_STOPS)
        while self.text[self.pos] == "(":
            self.grouped(parts)
            parts += self.parts(REGEX_RUN, _REGEX_STOPS)
        return Word(merged(parts), start, self.pos) if self.pos > start else None
