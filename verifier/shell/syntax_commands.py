"""Commands: simple ones, pipelines, lists, and every compound form."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from verifier.model.record import replace
from verifier.shell.lexer import END, Fault
from verifier.shell.nodes import (
    AndOr,
    Arithmetic,
    Background,
    Bad,
    Case,
    CaseClause,
    Coproc,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Literal,
    Node,
    Part,
    Pipeline,
    Script,
    Subshell,
    While,
    Word,
)
from verifier.shell.syntax_bodies import end_of_body
from verifier.shell.syntax_relocate import Ready
from verifier.shell.syntax_simple import Simples

_KEYWORD = re.compile(r"(?:[a-z]+|[{}!]|\[\[)(?=[ \t\n;&|()<>\0])")
_SPLIT_KEYWORD = re.compile(r"(?:[a-z{}!\[]|\\\n)+(?=[ \t\n;&|()<>\0])")
_CLOSERS = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}"))
_WORD = re.compile(r"(?:[^ \t\n;&|()<>\\\0]|\\[^\0])+")
_EXTGLOB = re.compile(r"\bshopt\s+(?:-q\s+)?-([su])[^\n;&|]*\bextglob\b")
_TIME_OPTION = re.compile(r"(?:[ \t]|\\\n)+-(p|-)(?=[ \t\n;&|()<>\0])")


class Deferred:
    """The body of a function, read when it is first used."""

    def __init__(self, parser: Commands, begin: int, end: int) -> None:
        self._parser = parser
        self._extglob = parser.extglob
        self._range = begin, end
        self._node: Node | None = None

    def __call__(self) -> Node:
        if self._node is None:
            self._node = self._parser.separate(self._extglob).body_at(*self._range)
        return self._node


class Commands(Simples):
    """Reads scripts."""

    lazy = 0
    """How many bodies may still be looked at in vain in order to leave them for later."""
    deferring = False
    """Whether one was."""

    def separate(self, extglob: bool) -> Commands:
        """Another reader of the same text."""
        other = type(self)("", 0, extglob)
        other.text, other.size, other.continued = self.text, self.size, self.continued
        return other

    # --- whole texts -------------------------------------------------------------------------

    def units(self) -> Script:
        """The whole text, read the way bash reads it: line by line up to the first error."""
        commands: list[Node] = []
        watched = "extglob" in self.text
        while True:
            if self.skip_newlines() == END:
                break
            start = self.pos
            try:
                commands += self.settled(self._unit)
            except (Fault, RecursionError) as fault:
                commands.append(self._bad(fault, start))
                break
            if watched:
                for match in _EXTGLOB.finditer(self.text, start, self.pos):
                    self.extglob = match[1] == "s"
        return Script(tuple(commands), 0, self.size)

    def _bad(self, fault: Fault | RecursionError, start: int) -> Bad:
        if isinstance(fault, RecursionError):
            return Bad("nested too deeply", start, self.size)
        return Bad(fault.reason, min(fault.offset, self.size), self.size)

    def _unit(self) -> list[Node]:
        """Commands up to the newline that lets bash run them."""
        commands: list[Node] = []
        while True:
            node = self.and_or()
            self.skip()
            operator, end = self.operator()
            if operator == "&":
                node = Background(node, node.start, end)
            commands.append(node)
            if operator in (";", "&"):
                self.pos = end
                operator = self.skip()
                if operator not in ("\n", END):
                    continue
            if operator == "\n":
                self.newline()
                return commands
            if self.text[self.pos] != END:
                self.unexpected()
            if self.pending and self.pending[0].newline != self.pos:
                self.newline()
            self.pending.clear()
            return commands

    def substitution(self, opener: int, start: int) -> Script:
        self.deeper()
        pending, self.pending = self.pending, []
        outside, self.substituting = self.substituting, True
        self.pos = start
        script = self.sequence(")", opener, empty=True)
        if self.pending:
            self.fault("here-document inside `$( )' ends behind it", self.pending[0].operator)
        self.pos += 1
        self.pending, self.substituting = pending, outside
        self.depth -= 1
        return script

    def apart(self, body: str) -> Script:
        if self.depth > 100:
            self.fault("nested too deeply")
        return type(self)(body, self.depth + 1, self.extglob).units()

    # --- lists -------------------------------------------------------------------------------

    def sequence(self, closer: str, opened: int, *others: str, empty: bool = False) -> Script:
        """Commands up to a closing word or operator, which is left to the caller.

        `opened` is where the construct began, for the message when it is not closed.
        """
        commands: list[Node] = []
        char = self.skip_newlines()
        start = self.pos
        while True:
            if char == END:
                self.unclosed(closer, opened)
            if char in ");":
                found, _ = self.operator()
            else:
                found = self.keyword() or ""
            if found and (found == closer or found in others):
                break
            if found in _CLOSERS or (found and char in ");"):
                self.unexpected()
            node = self.and_or()
            self.skip()
            operator, end = self.operator()
            if operator == "&":
                self.pos = end
                node = Background(node, node.start, end)
            elif operator == ";":
                self.pos = end
            elif operator == "|" or operator == "(":
                self.unexpected()
            commands.append(node)
            char = self.skip_newlines()
        if not commands and not empty:
            self.unexpected()
        return Script(tuple(commands), start, commands[-1].end if commands else start)

    def and_or(self) -> Node:
        first = self.pipeline()
        self.skip()
        operator, end = self.operator()
        if operator not in ("&&", "||"):
            return first
        commands = [first]
        operators: list[str] = []
        while operator in ("&&", "||"):
            operators.append(operator)
            self.pos = end
            self.skip_newlines()
            commands.append(self.pipeline())
            self.skip()
            operator, end = self.operator()
        return AndOr(tuple(commands), tuple(operators), first.start, commands[-1].end)

    def pipeline(self) -> Node:
        start = self.pos
        negated = timed = False
        prefix = self.keyword() if self.text[start] in "!t" else None
        while prefix in ("!", "time"):
            self.word()
            end = self.pos
            if prefix == "!":
                negated = not negated
            else:
                timed = True
                while (option := _TIME_OPTION.match(self.text, self.pos)) is not None:
                    self.pos = end = option.end()
                    if option[1] == "-":
                        break
            if self.skip() in ";\n&)" + END:
                return Pipeline((), (), negated, timed, start, end)
            prefix = self.keyword()
        commands = [self.command()]
        merged: list[bool] = []
        while self.skip() == "|":
            operator, end = self.operator()
            if operator == "||":
                break
            merged.append(operator == "|&")
            self.pos = end
            self.skip_newlines()
            if self.keyword() == "!":
                self.unexpected()
            commands.append(self.command())
        if len(commands) == 1 and not negated and not timed:
            return commands[0]
        return Pipeline(tuple(commands), tuple(merged), negated, timed, start, commands[-1].end)

    def keyword(self) -> str | None:
        """The reserved word, or what looks like one, at the position; it is not passed."""
        match = _KEYWORD.match(self.text, self.pos)
        if match is not None:
            return match[0]
        if not self.continued:
            return None
        match = _SPLIT_KEYWORD.match(self.text, self.pos)
        return None if match is None else match[0].replace("\\\n", "")

    def expect(self, *words: str) -> str:
        """Pass one of these reserved words."""
        found = self.keyword()
        if found not in words:
            self.unexpected()
        self.word()
        return found or ""

    # --- one command -------------------------------------------------------------------------

    def command(self) -> Node:
        start = self.pos
        char = self.text[start]
        if char == "(":
            return self._nested(self._subshell, start)
        keyword = self.keyword()
        if keyword is not None:
            compound = self._COMPOUND.get(keyword)
            if compound is not None:
                self.word()
                self.deeper()
                node = compound(self, start)
                self.depth -= 1
                return node
            if keyword in _CLOSERS or keyword == "in":
                self.unexpected()
        node_or_name = self.simple()
        if isinstance(node_or_name, str):
            return self._nested(lambda begin: self._function_body(node_or_name, begin), start)
        return node_or_name

    def _nested(self, read: Callable[[int], Node], start: int) -> Node:
        self.deeper()
        node = read(start)
        self.depth -= 1
        return node

    def _subshell(self, start: int) -> Node:
        """`( … )`, or `(( … ))` when the parentheses close together."""
        inner = self.after_continuations(start + 1)
        if self.text[inner] == "(":
            self.pos = inner
            expression = self.arithmetic()
            close = self.after_continuations(self.pos)
            if self.text[close] == ")":
                self.pos = close + 1
                redirects, end = self.finish()
                return Arithmetic(expression, redirects, start, end)
        self.pos = start + 1
        body = self.sequence(")", start)
        self.pos += 1
        redirects, end = self.finish()
        return Subshell(body, redirects, start, end)

    def _brace_group(self, start: int) -> Node:
        body = self.sequence("}", start)
        self.expect("}")
        redirects, end = self.finish()
        return Group(body, redirects, start, end)

    def _if(self, start: int) -> Node:
        branches: list[tuple[Script, Script]] = []
        otherwise = None
        word = "if"
        while word != "fi":
            if word == "else":
                otherwise = self.sequence("fi", start)
            else:
                condition = self.sequence("then", start)
                self.expect("then")
                branches.append((condition, self.sequence("fi", start, "elif", "else")))
            word = self.expect("fi", "elif", "else")
        redirects, end = self.finish()
        return If(tuple(branches), otherwise, redirects, start, end)

    def _while(self, start: int) -> Node:
        until = self.text[start] == "u"
        condition = self.sequence("do", start)
        body = self._do(start)
        redirects, end = self.finish()
        return While(condition, body, until, redirects, start, end)

    def _do(self, start: int, braces: bool = False) -> Script:
        """`do … done`, or `{ … }` where bash takes that too."""
        opener = self.expect("do", "{") if braces else self.expect("do")
        closer = "done" if opener == "do" else "}"
        body = self.sequence(closer, start)
        self.expect(closer)
        return body

    def _for(self, start: int) -> Node:
        char = self.skip()
        if char == "(" and self.text[start] == "f":
            return self._for_arithmetic(start)
        begin = self.pos
        if self.word() is None:
            self.unexpected()
        name = self.text[begin : self.pos].replace("\\\n", "")
        char = self.skip()
        words: list[Word] | None = None
        if char == ";" and self.operator()[0] == ";":
            self.pos += 1
            self.skip_newlines()
        else:
            self.skip_newlines()
            if self.keyword() == "in":
                self.word()
                words = self._for_words()
        body = self._do(start, braces=True)
        redirects, end = self.finish()
        return For(
            name,
            None if words is None else tuple(words),
            body,
            self.text[start] == "s",
            redirects,
            start,
            end,
        )

    def _for_words(self) -> list[Word]:
        words = []
        while self.skip() not in ";\n":
            word = self.word()
            if word is None:
                self.unexpected()
            words.append(word)
        if self.operator()[0] not in (";", "\n"):
            self.unexpected()
        if self.text[self.pos] == ";":
            self.pos += 1
        self.skip_newlines()
        return words

    def _for_arithmetic(self, start: int) -> Node:
        opener = self.after_continuations(self.pos + 1)
        if self.text[opener] != "(":
            self.unexpected()
        self.pos = opener
        sections: list[Word | None] = []
        begin = opener + 1
        parts: list[Part] = []
        self.pos += 1
        depth = 1
        while depth:
            self.loose(parts, _FOR_RUN, "();")
            char = self.text[self.pos]
            self.pos += 1
            depth += 1 if char == "(" else -1 if char == ")" else 0
            if not depth or (char == ";" and depth == 1):
                section = Word(tuple(parts), begin, self.pos - 1)
                blank = not self.text[begin : self.pos - 1].strip(" \t\n")
                sections.append(None if blank else section)
                parts = []
                begin = self.pos
            else:
                parts.append(Literal(char, True, self.pos - 1, self.pos))
        close = self.after_continuations(self.pos)
        if self.text[close] != ")":
            self.unexpected()
        if len(sections) != 3:
            self.fault("syntax error: `for ((…))' takes three expressions", opener)
        self.pos = close + 1
        if self.skip() == ";" and self.operator()[0] == ";":
            self.pos += 1
        self.skip_newlines()
        body = self._do(start, braces=True)
        redirects, end = self.finish()
        return ForArithmetic(sections[0], sections[1], sections[2], body, redirects, start, end)

    def _case(self, start: int) -> Node:
        self.skip()
        word = self.word()
        if word is None:
            self.unexpected()
        self.skip_newlines()
        self.expect("in")
        clauses: list[CaseClause] = []
        while True:
            if self.skip_newlines() == END:
                self.unclosed("esac", start)
            if self.keyword() == "esac":
                self.word()
                break
            clauses.append(self._clause(start))
            if not clauses[-1].terminator:
                clauses[-1] = replace(clauses[-1], terminator=";;")
                self.expect("esac")
                break
        redirects, end = self.finish()
        return Case(word, tuple(clauses), redirects, start, end)

    def _clause(self, opened: int) -> CaseClause:
        start = self.pos
        if self.text[start] == "(":
            self.pos += 1
        patterns: list[Word] = []
        while True:
            self.skip()
            pattern = self.word()
            if pattern is None:
                self.unexpected()
            patterns.append(pattern)
            self.skip()
            operator, end = self.operator()
            if operator not in ("|", ")"):
                self.unexpected()
            self.pos = end
            if operator == ")":
                break
        body = self.sequence("esac", opened, ";;", ";&", ";;&", empty=True)
        terminator, end = self.operator()
        if terminator in (";;", ";&", ";;&"):
            self.pos = end
        else:
            terminator, end = "", self.pos
        return CaseClause(tuple(patterns), body, terminator, start, end)

    def _conditional(self, start: int) -> Node:
        return self.conditional(start)

    # --- functions ---------------------------------------------------------------------------

    def _function(self, start: int) -> Node:
        """`function name [()] body`."""
        self.skip()
        match = _WORD.match(self.text, self.pos)
        if match is None:
            self.unexpected()
        self.pos = match.end()
        name = match[0].replace("\\\n", "")
        if self.skip() == "(":
            after = self.pos + 1
            close = self.after_blanks(after)
            if self.text[close] == ")":
                self.pos = close + 1
        return self._function_body(name, start)

    def _function_body(self, name: str, start: int) -> Node:
        """A compound command, the position being behind the function's name and `()`."""
        char = self.skip_newlines()
        lazy = self.deferred(name, start)
        if lazy is not None:
            return lazy
        keyword = self.keyword()
        if char == "(":
            body = self._subshell(self.pos)
        elif keyword in self._COMPOUND and keyword not in ("function", "coproc"):
            begin = self.pos
            self.word()
            body = self._COMPOUND[keyword](self, begin)
        else:
            self.unexpected()
        return Function(name, Ready(body), start, body.end)

    def deferred(self, name: str, start: int) -> Function | None:
        """A function whose body, at the position, need not be read now."""
        if not self.lazy or self.depth > 1 or self.pending or self.substituting:
            return None
        begin = self.pos
        end = end_of_body(self.text, begin) if self.keyword() == "{" else None
        if end is None:
            self.lazy -= 1
            return None
        self.pos = end
        self.deferring = True
        return Function(name, Deferred(self, begin, end), start, end)

    def body_at(self, begin: int, end: int) -> Node:
        """The deferred body between these offsets; `Bad` when it is not one group."""
        self.pos = begin
        try:
            node = self.settled(self.command)
        except (Fault, RecursionError) as fault:
            return self._bad(fault, begin)
        return node if self.pos == end else Bad("the function's end was not found", begin, end)

    def _coproc(self, start: int) -> Node:
        """`coproc name compound`, `coproc compound` or `coproc simple command`."""
        self.skip()
        begin = self.pos
        name = "COPROC"
        if self.text[begin] != "(" and self.keyword() not in self._COMPOUND:
            match = _WORD.match(self.text, begin)
            if match is not None:
                self.pos = match.end()
                self.skip()
                if self.text[self.pos] == "(" or self.keyword() in self._COMPOUND:
                    name = match[0]
                else:
                    self.pos = begin
        command = self.command()
        return Coproc(name, command, start, command.end)

    _COMPOUND: ClassVar[dict[str, Callable[[Commands, int], Node]]] = {
        "if": _if,
        "while": _while,
        "until": _while,
        "for": _for,
        "select": _for,
        "case": _case,
        "{": _brace_group,
        "[[": _conditional,
        "function": _function,
        "coproc": _coproc,
    }


_FOR_RUN = re.compile(r"[^();\"'$`\\\0]+")
