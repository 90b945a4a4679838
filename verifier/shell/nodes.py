"""The syntax of a bash script as small immutable nodes.

`syntax.py` makes them, `evaluate.py` and `expand.py` run them. Every node carries `start` and
`end`, character offsets into its `Source` (end exclusive). Quoting is kept in the nodes, so
nothing later has to look at the text again.
Named tuples would do, but type checkers compare those field by field, which never ends on types as
recursive as these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from verifier.model.record import dataclass
from verifier.model.text import Span


def values(node: object) -> tuple[object, ...]:
    """The fields of a node in order, or the items of a tuple; nothing for anything else."""
    if isinstance(node, tuple):
        return node
    return tuple(getattr(node, name) for name in getattr(type(node), "__match_args__", ()))


class Source:
    """The text of one file (or of one `eval`ed string) and its line table."""

    __slots__ = (
        "_spans",
        "_starts",
        "column_offset",
        "line_offset",
        "memo",
        "path",
        "skew",
        "text",
    )

    def __init__(self, path: str, text: str, line_offset: int = 0, column_offset: int = 0) -> None:
        self.path = path
        self.text = text
        self.line_offset = line_offset
        """Added to line numbers: a string inside a file starts further down."""
        self.column_offset = column_offset
        """Added to columns of the first line."""
        self.skew: int | None = 0
        """Added to line numbers for the ones that bash counts; None: those are not known."""
        self.memo: dict[object, Any] = {}
        """What others have worked out about the text: it is kept no longer than the text."""
        self._starts: list[int] | None = None
        self._spans: dict[tuple[int, int | None], Span] = {}

    def span(self, start: int, end: int | None = None) -> Span:
        """Where `start` to `end` stands, in 1-based lines and columns."""
        found = self._spans.get((start, end))
        if found is None:
            line, column = self._place(start)
            end_line, end_column = self._place(start if end is None else end)
            found = Span(self.path, line, column, end_line, end_column)
            self._spans[start, end] = found
        return found

    def _place(self, offset: int) -> tuple[int, int]:
        if self._starts is None:
            self._starts = [0]
            position = self.text.find("\n")
            while position >= 0:
                self._starts.append(position + 1)
                position = self.text.find("\n", position + 1)
        index = bisect_right(self._starts, offset) - 1
        column = offset - self._starts[index] + 1 + (self.column_offset if index == 0 else 0)
        return index + 1 + self.line_offset, column


# --- words ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters as they stand after quote removal.

    `quoted` characters (from '…', $'…', \\x, or inside "…") are never split, globbed or
    brace- or tilde-expanded, and match literally in patterns.
    """

    value: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DoubleQuoted:
    """`"…"` or `$"…"`: one field even when empty (except around `$@`)."""

    parts: tuple[Part, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$x` or `${…}`.

    `operator` is "" or one of `- :- = := ? :? + :+ # ## % %% / // /# /% ^ ^^ , ,, :` (":" is a
    substring or slice) or `@Q @E @P @A @K @a @k @U @u @L`, or the undocumented
    `~ ~~` (swap case). `argument` is the word after it (pattern,
    default, offset); `argument2` the replacement or length, None when absent.
    `name` may be special: `@ * # ? - $ ! 0`, or a positional number.
    """

    name: str
    subscript: Word | str | None
    """"@" or "*" for all elements, else a word, None without brackets."""
    operator: str
    argument: Word | None
    argument2: Word | None
    length: bool
    """`${#x}`."""
    indirect: bool
    """`${!x}`; with subscript "@"/"*" and no operator it means the keys: `${!a[@]}`."""
    prefix: str
    """"@" or "*" for `${!name@}` / `${!name*}`: names that begin with `name`; else ""."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CommandSubstitution:
    """`$( … )` or backquotes; `script` is parsed already. `$(<file)` has one redirect."""

    script: Script
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ArithmeticSubstitution:
    """`$(( … ))` or `$[ … ]`: expand the word as if double-quoted, then evaluate."""

    expression: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ProcessSubstitution:
    """`<( … )` (direction "<") or `>( … )`."""

    direction: str
    script: Script
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BadPart:
    """A piece of a word that could not be understood; it becomes a hole with this reason."""

    reason: str
    start: int
    end: int


Part = (
    Literal
    | DoubleQuoted
    | Parameter
    | CommandSubstitution
    | ArithmeticSubstitution
    | ProcessSubstitution
    | BadPart
)


@dataclass(frozen=True, slots=True)
class Word:
    """One shell word before expansion."""

    parts: tuple[Part, ...]
    start: int
    end: int


# --- assignments and redirections ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayElement:
    """`word`, `[subscript]=word` or `[subscript]+=word` inside `( … )`."""

    subscript: Word | None
    append: bool
    value: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """`( … )` on the right of an assignment."""

    elements: tuple[ArrayElement, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name=value`, `name[subscript]+=value`, `name=( … )`.

    As an argument of `declare` and its kin the value may be an array too.
    """

    name: str
    subscript: Word | None
    append: bool
    value: Word | ArrayValue
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class HereDocument:
    """Body of `<<` or `<<-` (tabs already stripped). `quoted`: no expansion.

    In an unquoted body quotes are ordinary characters: `body` holds Literal, Parameter,
    CommandSubstitution and ArithmeticSubstitution parts, to be expanded as inside double quotes.
    """

    body: Word
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2>&1`, `> file`, `<<< word`, `<<EOF`.

    `operator` is one of `< > >> >| <> <& >& &> &>> << <<- <<<`. `descriptor` is the number as
    written, a variable name for `{fd}>`, or None.
    """

    descriptor: int | str | None
    operator: str
    target: Word | HereDocument
    start: int
    end: int


# --- commands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments, then words. Words after `declare`, `local`, `export`, `readonly`, `typeset`
    that have the form of an assignment are `Assignment` nodes."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`! a | b |& c`; also one command with `!` or `time`. `merged[i]` is true for `|&` after i.

    `commands` is empty for `!` or `time` alone."""

    commands: tuple[Node, ...]
    merged: tuple[bool, ...]
    negated: bool
    timed: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AndOr:
    """`a && b || c`: operators[i] stands between commands[i] and [i+1]; left-associative."""

    commands: tuple[Node, ...]
    operators: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Background:
    """`command &`."""

    command: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Script:
    """A list of commands separated by `;` or newlines."""

    commands: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Subshell:
    """`( … )`."""

    body: Script
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """`{ …; }`."""

    body: Script
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class If:
    """`branches` are (condition, body) for `if` and each `elif`."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words`; `words` None means `"$@"`. With `select` true it is a `select`."""

    name: str
    words: tuple[Word, ...] | None
    body: Script
    select: bool
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ForArithmetic:
    """`for ((init; test; step))`; an empty part is None."""

    init: Word | None
    test: Word | None
    step: Word | None
    body: Script
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class While:
    """`while` or (`until` true) `until`."""

    condition: Script
    body: Script
    until: bool
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CaseClause:
    """One `pattern | pattern) body ;;`; `terminator` is `;;`, `;&` or `;;&`."""

    patterns: tuple[Word, ...]
    body: Script
    terminator: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """`case word in … esac`."""

    word: Word
    clauses: tuple[CaseClause, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition. `body()` parses the body on first use and remembers it."""

    name: str
    body: Callable[[], Node]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`(( … ))`."""

    expression: Word
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CondUnary:
    """`-f word` and its kin inside `[[ ]]`; operator "" is a bare word (`-n`)."""

    operator: str
    operand: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CondBinary:
    """`a == b`, `a =~ re`, `a -lt b`, `a < b` inside `[[ ]]`. The right side keeps its quoting."""

    operator: str
    left: Word
    right: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CondNot:
    """`! expr`."""

    operand: CondExpr
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CondLogic:
    """`a && b` or `a || b`."""

    operator: str
    left: CondExpr
    right: CondExpr
    start: int
    end: int


CondExpr = CondUnary | CondBinary | CondNot | CondLogic


@dataclass(frozen=True, slots=True)
class Conditional:
    """`[[ … ]]`."""

    expression: CondExpr
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Coproc:
    """`coproc [NAME] command`."""

    name: str
    command: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bad:
    """A stretch that is not valid bash, or that the parser cannot read.

    Bash stops reading a script at a syntax error: commands before it ran, nothing after it does.
    """

    reason: str
    start: int
    end: int


Node = (
    Simple
    | Pipeline
    | AndOr
    | Background
    | Subshell
    | Group
    | If
    | For
    | ForArithmetic
    | While
    | Case
    | Function
    | Arithmetic
    | Conditional
    | Coproc
    | Bad
)
