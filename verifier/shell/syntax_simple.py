"""Simple commands: assignments, words, redirections."""

from __future__ import annotations

import re

from verifier.shell.lexer import END, Fault
from verifier.shell.nodes import (
    ArrayElement,
    ArrayValue,
    Assignment,
    BadPart,
    Literal,
    Redirect,
    Simple,
    Word,
)
from verifier.shell.syntax_conditional import Conditionals
from verifier.shell.syntax_relocate import relocate
from verifier.shell.syntax_words import WORD_RUN, WORD_STOPS, merged

_PLAIN = re.compile(r"([^ \t\n;&|<>()$`'\"\\\0#=][^ \t\n;&|<>()$`'\"\\\0]*)(?=[ \t\n;&|)\0])[ \t]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?=)|(?=\[))")
_SPLIT_ASSIGNMENT = re.compile(r"([A-Za-z_](?:\\\n|[A-Za-z0-9_])*)(?:(\+?(?:\\\n)*=)|(?=\[))")
_EQUALS = re.compile(r"\+?=")
_FUNCTION = re.compile(r"(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\)")
_DECLARING = frozenset(("declare", "local", "export", "readonly", "typeset"))
_HOLDING = frozenset(("alias", "eval", "let"))


class Simples(Conditionals):
    """Reads simple commands."""

    def after_blanks(self, pos: int) -> int:
        saved, self.pos = self.pos, pos
        self.skip()
        result, self.pos = self.pos, saved
        return result

    def simple(self) -> Simple | str:
        """A simple command; the name alone when `()` behind it makes it a function."""
        text = self.text
        start = end = self.pos
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirects: list[Redirect] = []
        declaring = holding = False
        while True:
            pos = self.pos
            if words and not (declaring or holding):
                match = _PLAIN.match(text, pos)
                if match is not None:
                    self.pos = match.end()
                    end = match.end(1)
                    words.append(Word((Literal(match[1], False, pos, end),), pos, end))
                    continue
            char = self.skip()
            pos = self.pos
            if char in ";\n|)" + END:
                break
            if char in "<>&0123456789{":
                redirect = self.redirect()
                if redirect is not None:
                    redirects.append(redirect)
                    end = redirect.end
                    continue
                if char == "&":
                    break
            if not words:
                assignment = self._assignment(pos)
                if assignment is not None:
                    assignments.append(assignment)
                    end = self.pos
                    continue
            elif declaring or holding:
                argument = self._declared(pos) if declaring else self._held_array(pos)
                if argument is not None:
                    words.append(argument)
                    end = self.pos
                    continue
            word = self.word()
            if word is None:
                if char == "(" and len(words) == 1 and not assignments and not redirects:
                    return self._function_name(start, end)
                self.unexpected()
            words.append(word)
            end = self.pos
            if len(words) == 1:
                name = text[pos:end]
                declaring = name in _DECLARING
                holding = name in _HOLDING
                if text[end] == "(" and not assignments and not redirects:
                    return self._function_name(start, end)
        if not (assignments or words or redirects):
            self.unexpected()
        return Simple(tuple(assignments), tuple(words), tuple(redirects), start, end)

    def _function_name(self, start: int, end: int) -> str:
        match = _FUNCTION.match(self.text, end)
        if match is None:
            self.pos = self.text.index("(", end)
            self.unexpected()
        self.pos = match.end()
        return self.text[start:end].replace("\\\n", "")

    def _assignment(self, start: int) -> Assignment | None:
        """An assignment in front of a command; None leaves the position alone."""
        match = _ASSIGNMENT.match(self.text, start)
        if match is None and self.continued:
            match = _SPLIT_ASSIGNMENT.match(self.text, start)
        if match is None:
            return None
        operator = match[2]
        self.pos = match.end()
        subscript = None
        if operator is None:
            subscript = self.subscript()
            equals = _EQUALS.match(self.text, self.pos)
            if equals is None:
                self.pos = start
                return None
            operator = equals[0]
            self.pos = equals.end()
        name = match[1].replace("\\\n", "")
        value = self._value()
        return Assignment(name, subscript, operator[0] == "+", value, start, self.pos)

    def _declared(self, start: int) -> Assignment | None:
        """An argument of `declare` and its kin that has the form of an assignment."""
        match = _ASSIGNMENT.match(self.text, start)
        if match is None:
            return None
        return self._declared_element(start) if match[2] is None else self._assignment(start)

    def _declared_element(self, start: int) -> Assignment | None:
        """`name[subscript]=value` as an argument, where a blank ends the word in any case."""
        self.word()
        end = self.pos
        self.pos = start
        inner = type(self)(self.text[start:end], self.depth, self.extglob)
        try:
            assignment = inner._assignment(0)
        except Fault:
            return None
        if assignment is None or inner.pos < inner.size:
            return None
        self.pos = end
        return relocate(assignment, range(start, end + 1))

    def _held_array(self, start: int) -> Word | None:
        """`name=( … )` behind `eval`, `let` or `alias`, which bash hands on as one word."""
        match = _ASSIGNMENT.match(self.text, start)
        if match is None or self.text[match.end()] != "(":
            return None
        self._assignment(start)
        return Word(
            (BadPart("array as an argument of this builtin", start, self.pos),), start, self.pos
        )

    def _value(self) -> Word | ArrayValue:
        start = self.after_continuations(self.pos)
        if self.text[start] == "(":
            self.pos = start
            array = self._array()
            if self.text[self.pos] in WORD_STOPS and self.text[self.pos] != "(":
                return array
            self.word()
            return Word((BadPart("text behind an array", start, self.pos),), start, self.pos)
        self.pos = start
        parts = self.parts(WORD_RUN, WORD_STOPS)
        return Word(merged(parts), start, self.pos)

    def _array(self) -> ArrayValue:
        start = self.pos
        self.pos += 1
        self.deeper()
        elements: list[ArrayElement] = []
        while (char := self.skip_newlines()) != ")":
            if char == END:
                self.unclosed(")", start)
            elements.append(self._element(char))
        self.depth -= 1
        self.pos += 1
        return ArrayValue(tuple(elements), start, self.pos)

    def _element(self, char: str) -> ArrayElement:
        start = self.pos
        if char == "[":
            subscript = self.subscript()
            equals = _EQUALS.match(self.text, self.pos)
            if equals is not None:
                self.pos = equals.end()
                begin = self.pos
                parts = self.parts(WORD_RUN, WORD_STOPS)
                value = Word(merged(parts), begin, self.pos)
                if self.text[self.pos] == "(":
                    self.unexpected()
                return ArrayElement(subscript, equals[0] == "+=", value, start, self.pos)
            self.pos = start
        word = self.word()
        if word is None:
            self.unexpected()
        return ArrayElement(None, False, word, start, self.pos)
