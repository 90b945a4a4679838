"""The Perl expressions of `grep -P` that Python's engine reads in the same way."""

from __future__ import annotations

import re

from verifier.shell.commands import NotModelled
from verifier.shell.commands.regular import Expression
from verifier.shell.ereg import CLASSES

_TOKEN = re.compile(
    r"""(?P<escape>\\(?:[dDwWsSbBtn]|[^\sA-Za-z0-9]))
    |(?P<bracket>\[\^?\]?(?:\[:[a-z]+:\]|\\(?:[dwstn]|[^\sA-Za-z0-9])|[^\[\]\\])*\])
    |(?P<open>\((?:\?(?::|=|!|<=|<!))?)|(?P<close>\))
    |(?P<repeat>(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})\??)
    |(?P<keep>\\K)|(?P<other>[|^$.]|[A-Za-z0-9 _:;,'"=<>@%&!~#/-])""",
    re.VERBOSE | re.ASCII,
)


def perl(source: str, *, nocase: bool = False) -> Expression:
    """Translate an expression; what stands behind `\\K` is the group "kept". Raises NotModelled."""
    out: list[str] = []
    holds = [False]
    """For each open group: whether it holds a repetition without a limit."""
    repeats = position = 0
    ahead = 0
    """How deep in groups a look ahead stands; 0 when there is none."""
    closed = kept = False
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is None:
            raise NotModelled("this Perl expression")
        position = match.end()
        kind, text = match.lastgroup, match.group()
        repeating = False
        if ahead and kind != "close" and len(holds) == ahead:
            # PCRE2 10.42 takes a look ahead at the start for what must follow.
            raise NotModelled("a look ahead before the end of a Perl expression")
        if kind == "open":
            ahead = ahead or (len(holds) if text in ("(?=", "(?!") else 0)
            holds.append(False)
        elif kind == "close":
            if len(holds) == 1:
                raise NotModelled("this Perl expression")
            repeating = holds.pop()
            holds[-1] = holds[-1] or repeating
        elif kind == "repeat":
            if text[0] in "*+" or text.rstrip("?").endswith(",}"):
                if closed:
                    raise NotModelled("a repetition inside a repetition")
                repeats += 1
                holds[-1] = True
        elif kind == "keep":
            if kept or len(holds) > 1:
                raise NotModelled("this Perl expression")
            kept, text = True, "(?P<kept>"
        elif kind == "bracket":
            text = _bracket(text)
        elif text == "|" and len(holds) == 1 and (kept or "\\K" in source):
            raise NotModelled("alternatives around \\K")
        elif text == "$":
            text = r"\Z"
        out.append(text)
        closed = repeating
    if len(holds) > 1:
        raise NotModelled("this Perl expression")
    flags = re.ASCII | (re.IGNORECASE if nocase else 0)
    try:
        pattern = re.compile("".join(out) + (")" if kept else ""), flags)
    except (re.error, OverflowError) as error:
        raise NotModelled("this Perl expression") from error
    return Expression(pattern, pattern.groups, repeats, True, False)


def _bracket(text: str) -> str:
    def named(match: re.Match[str]) -> str:
        if match[1] not in CLASSES:
            raise NotModelled("this class of a regular expression")
        return CLASSES[match[1]]

    inside = text[1:-1]
    start = 1 if inside.startswith("^") else 0
    if inside[start : start + 1] == "]":
        inside = inside[:start] + "\\" + inside[start:]
    return "[" + re.sub(r"\[:([a-z]+):\]", named, inside) + "]"
