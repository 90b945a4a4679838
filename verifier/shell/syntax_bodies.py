"""Finds where the body of a function ends without reading it.

A sourced library defines many functions of which a script calls few; finding the ends takes a
fifth of the time of reading the bodies. Only bodies in the usual layout are found: a group whose
closing brace stands alone at the start of a line. Whatever might make that brace something else
(another brace that could close a group, a backquote, a `case` inside `$( )`, …) makes the answer
None, and the body is read at once.

Should the brace found close an inner group after all, the function's own brace is left over
further down and is a syntax error there; `syntax.parse` then reads the text again in full.
"""

from __future__ import annotations

import re

_COMMENT = r"(?<![^ \t\n;&|()])#[^\n\0]*"
_CODE = re.compile(
    r"'[^'\0]*'|\$'(?:[^'\\\0]|\\[^\0])*'|\\[^\0]|\$\(\(|\$\(|\$\{|\$[#?$!@*-]?|\""
    rf"|{_COMMENT}|<<<|<<|[{{}}()`]|\n(?=\}}\n)|'|\0|(?<![^ \t\n;&|(])case(?![^ \t\n\\])"
)
_DOUBLE = re.compile(r"\\[^\0]|\$\(\(|\$\(|\$\{|[\"`\0]")
_BRACED = re.compile(r"\\[^\0]|\$\(\(|\$\(|\$\{|'[^'\0]*'|['\"`}\0]")
_SUM = re.compile(r"\\[^\0]|\$\(\(|\$\(|\$\{|['\"`()\0]")
_RUNS = {"(": _CODE, '"': _DOUBLE, "{": _BRACED, "+": _SUM}
_DOCUMENT = re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z_]\w*)\2(?=[ \t\n;&|>)])", re.ASCII)
_PLAIN_LINE = re.compile(r"[^\n'\"\\`$#<(){}\0]*\n")


def end_of_body(text: str, start: int) -> int | None:
    """The offset behind the brace that closes the group at `start`, if that can be told."""
    stack: list[str] = []
    run = _CODE
    pos = start + 1
    while (match := run.search(text, pos)) is not None:
        token = match[0]
        pos = match.end()
        if token == "\0" or token == "`":
            return None
        first = token[0]
        if first == "$":
            if token in ("$(", "${", "$(("):
                stack.append("+" if token == "$((" else token[1])
                run = _run(stack)
        elif token == '"':
            if run is _DOUBLE:
                stack.pop()
                run = _run(stack)
            else:
                stack.append('"')
                run = _DOUBLE
        elif run is _CODE:
            if token == "\n" and not stack:
                return pos + 1
            after = _code(text, match, stack)
            if after is None:
                return None
            pos = after
            run = _run(stack)
        elif token == "}":
            stack.pop()
            run = _run(stack)
        elif token == "(":
            stack.append("+(")
        elif token == ")":
            if stack.pop() == "+":
                if text[pos] != ")":
                    return None
                pos += 1
            run = _run(stack)
        elif token == "'":
            return None
    return None


def _run(stack: list[str]) -> re.Pattern[str]:
    return _RUNS[stack[-1][0]] if stack else _CODE


def _code(text: str, match: re.Match[str], stack: list[str]) -> int | None:
    """Where to go on behind a token between words; None when it could mean too much."""
    token = match[0]
    pos = match.end()
    if token == "(":
        stack.append("(")
    elif token == ")":
        if stack:
            stack.pop()
    elif token == "<<":
        return None if stack else _behind_document(text, match.start())
    elif token == "case":
        return None if stack else pos
    elif token in ("'", "\n") or (token == "\\\n" and text[pos] == "#"):
        return None
    elif token in "{}":
        before, after = text[match.start() - 1], text[pos]
        if before in " \t\n;&|()" and after in " \t\n;&|()<>\0":
            return None
    return pos


def _behind_document(text: str, start: int) -> int | None:
    """The offset of the newline that ends a here-document with a plain first line."""
    match = _DOCUMENT.match(text, start)
    line = _PLAIN_LINE.match(text, match.end()) if match is not None else None
    if match is None or line is None:
        return None
    tabs, quote, delimiter = match.groups()
    close = re.compile(("^\t*" if tabs else "^") + re.escape(delimiter), re.MULTILINE)
    end = close.search(text, line.end())
    if end is None or text[end.end()] != "\n":
        return None
    if not quote and "\\\n" in text[line.end() : end.start()]:
        return None
    return end.end()
