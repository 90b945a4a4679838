"""Tokens of an awk program."""

from __future__ import annotations

import re

from verifier.model.record import NamedTuple
from verifier.shell.commands import NotModelled


class Token(NamedTuple):
    """`kind` is number, text, regex, name, call (of a function), a word, or an operator."""

    kind: str
    value: str


KEYWORDS = frozenset(
    "BEGIN END if else while do for in next exit break continue delete print printf".split()
)
FUNCTIONS = frozenset("length substr index split tolower toupper sprintf int sqrt sub gsub".split())
_REFUSED = frozenset(
    """getline function func return nextfile switch case default BEGINFILE ENDFILE system close
    fflush match rand srand sin cos atan2 exp log gensub strftime systime mktime strtonum and or
    xor compl lshift rshift asort asorti patsplit isarray typeof dcgettext dcngettext
    bindtextdomain include load namespace mkbool""".split()
)

_TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t]|\\\n)+|\#[^\n]*)
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"(?:[^"\\\n]|\\[^\n])*")
    |(?P<operator>\n|\+\+|--|&&|\|\||==|!=|<=|>=|[-+*/%^]=|!~|[-+*/%^!<>~=?:,;(){}$]|\[|\])
    """,
    re.VERBOSE,
)
_REGEX = re.compile(r"/((?:[^/\\\n\[]|\\[^\n]|\[\^?\]?(?:[^\]\\\n/]|\\[^\n])*\])+)/")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}


def _unescaped(value: str) -> str:
    def replace(match: re.Match[str]) -> str:
        found = _ESCAPES.get(match[1])
        if found is None:
            raise NotModelled(f"\\{match[1]} in a text of awk")
        return found

    return re.sub(r"\\(.)", replace, value)


def tokens(program: str) -> list[Token]:
    """All tokens, newlines included, and an `end`. Raises NotModelled."""
    found: list[Token] = []
    position = 0
    while position < len(program):
        last = found[-1] if found else Token("newline", "")
        value_before = last.kind in ("number", "text", "name", "regex") or last.value in (
            ")", "]", "$", "++", "--", "length",
        )  # fmt: skip
        if program[position] == "/" and not value_before:
            regex = _REGEX.match(program, position)
            if regex is None:
                raise NotModelled("this awk program")
            found.append(Token("regex", regex[1].replace("\\/", "/")))
            position = regex.end()
            continue
        match = _TOKEN.match(program, position)
        if match is None:
            raise NotModelled("this awk program")
        position = match.end()
        kind = match.lastgroup
        value = match.group()
        if kind == "number":
            _check_number(value, program[position : position + 1])
            found.append(Token("number", value))
        elif kind == "text":
            found.append(Token("text", _unescaped(value[1:-1])))
        elif kind == "name":
            found.append(_name(value, program[position : position + 1]))
        elif kind == "operator":
            found.append(Token("newline" if value == "\n" else value, value))
    return [*found, Token("end", "")]


def _check_number(value: str, follower: str) -> None:
    if re.match(r"0[0-9]", value) or re.match(r"[A-Za-z_.]", follower):
        raise NotModelled("a number of awk with a base")


def _name(value: str, follower: str) -> Token:
    if value in _REFUSED:
        raise NotModelled(f"{value} of awk")
    if value in KEYWORDS or value in FUNCTIONS:
        return Token(value, value)
    return Token("call" if follower == "(" else "name", value)
