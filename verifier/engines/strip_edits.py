"""Where a text spells forced acceptance, and the edits that take it out.

Spellings: JSON keys (plain, with escaped quotes, spliced shell strings), YAML keys, dotted
options, ATOM's options, environment variables in assignments, exports, prefixes and mappings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.model.record import NamedTuple

_KEYS = r"synthetic_acceptance_(?:length|rates?)|synthetic-acceptance-(?:length|rates?)"
_QUOTE = r"(?:\\?[\"'])?"
_PAIR = re.compile(rf"{_QUOTE}(?:{_KEYS}){_QUOTE}[ \t]*:[ \t]*")
_METHOD = re.compile(
    r"(rejection[_-]sample[_-]method\\?[\"']?(?:[ \t]*[:=]|[ \t])[ \t]*\\?[\"']?)synthetic\b"
)
_VARIABLES = (
    r"(?:SGLANG_SIMULATE_ACC_\w+|SGLANG_DSPARK_SIMULATE_FOLD|TILERT_SIMULATE_ACC_\w+"
    r"|TLLM_\w*FORCE_NUM_ACCEPTED_TOKENS)"
)
_ASSIGNED = re.compile(rf"(?<![\w$\{{.-]){_VARIABLES}=")
_YAML_VARIABLE = re.compile(rf"(?:^[ \t]*(?:- )?[\"']?{_VARIABLES}[\"']?[ \t]*:.*(?:\n|\Z))+", re.M)
_ATOM_KEYS = r"spec[_-]decode[_-]acceptance[_-](?:length|rate)"
_YAML_KEY = re.compile(rf"^[ \t]*[\"']?(?:{_KEYS}|{_ATOM_KEYS})[\"']?[ \t]*:.*(?:\n|\Z)", re.M)
_OPTION = re.compile(
    rf"(?:--speculative[-_]config|-sc)\.(?:{_KEYS})(?=[ \t=])|--(?:{_ATOM_KEYS})(?=[ \t=])"
)
_KEYWORD = re.compile(r"(?:export|declare(?:[ \t]+-\w+)*|typeset|readonly|local)[ \t]+\Z")


class Edit(NamedTuple):
    """Replace the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def edits(path: str, text: str) -> list[Edit]:
    """All edits of a file, in order."""
    is_yaml = path.endswith((".yaml", ".yml"))
    hidden = list(_comments(text))
    found = sorted(
        edit
        for edit in _all(text, is_yaml)
        if not any(start <= edit.start < end for start, end in hidden)
    )
    return found if is_yaml else list(_filled(text, found))


def _all(text: str, is_yaml: bool) -> Iterator[Edit]:
    for match in _METHOD.finditer(text):
        yield Edit(match.end() - len("synthetic"), match.end(), "block")
    for match in _YAML_KEY.finditer(text):
        if _is_block_line(text, match.start(), match.end()):
            yield Edit(match.start(), match.end(), "")
    formats = [] if is_yaml else list(_formats(text))
    for match in _PAIR.finditer(text):
        edit = _pair(text, match)
        yield edit
        for each in formats:
            if each.start <= edit.start and edit.end <= each.end:
                yield from each.without(edit)
    for match in _YAML_VARIABLE.finditer(text):
        yield _mapping_line(text, match) if is_yaml else Edit(match.start(), match.end(), "")
    for match in _OPTION.finditer(text):
        yield _option(text, match)
    if not is_yaml:
        yield from _statements(text)


_OPENS = re.compile(r"(?:\b(?:then|do|else)|[{(])[ \t]*(?:#.*)?\Z")
_CLOSES = re.compile(r"(?:fi|done|else|elif)\b|[})]|;;")


def _filled(text: str, found: list[Edit]) -> Iterator[Edit]:
    """A `:` in the place of the only statements of an `if`, loop or function."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    lines = text.splitlines()
    number = {start: index for index, start in enumerate(starts)}
    gone = {
        number[edit.start]: edit
        for edit in found
        if edit.start in number and not edit.text and edit.end in number
    }
    for edit in found:
        index = number.get(edit.start, -1)
        if gone.get(index) is not edit:
            yield edit
            continue
        before = _neighbour(lines, gone, index, -1)
        after = _neighbour(lines, gone, index, 1)
        first = not any(_between(lines, gone, index))
        if first and _OPENS.search(before) and _CLOSES.match(after.strip()):
            indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
            yield edit._replace(text=f"{indent}:\n")
        else:
            yield edit


def _neighbour(lines: list[str], gone: dict[int, Edit], index: int, step: int) -> str:
    """The nearest line that stays and is neither blank nor a comment."""
    index += step
    while 0 <= index < len(lines):
        line = lines[index].strip()
        if index not in gone and line and not line.startswith("#"):
            return lines[index]
        index += step
    return ""


def _between(lines: list[str], gone: dict[int, Edit], index: int) -> Iterator[int]:
    """Lines before this one, back to one that stays, that are taken out too."""
    index -= 1
    while index >= 0 and (index in gone or not lines[index].strip()):
        if index in gone:
            yield index
        index -= 1


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Whole-line comments, and comments after a blank outside quotes on one line."""
    at = 0
    for line in text.splitlines(keepends=True):
        quote = ""
        for index, char in enumerate(line):
            if quote:
                quote = "" if char == quote else quote
            elif char in "'\"":
                quote = char
            elif char == "#" and (index == 0 or line[index - 1] in " \t"):
                yield at + index, at + len(line)
                break
        at += len(line)


# JSON and YAML pairs


def _pair(text: str, match: re.Match[str]) -> Edit:
    """A pair inside braces, with the comma before it or else after it."""
    end = _value_end(text, match.end())
    start = match.start()
    before = re.search(r",[ \t\r\n]*\Z", text[:start])
    if before is not None:
        return Edit(before.start(), end, "")
    after = re.match(r"[ \t\r\n]*,[ \t]*", text[end:])
    return Edit(start, end + (after.end() if after else 0), "")


_CLOSERS = {"${": "}", "$(": ")", "[": "]", "{": "}", "(": ")"}


def _value_end(text: str, at: int) -> int:
    """Where a value ends: at the comma or brace of its own level, or the end of the line."""
    stack: list[str] = []
    last = at
    while at < len(text):
        two, one = text[at : at + 2], text[at]
        if stack and one == stack[-1]:
            stack.pop()
        elif two in _CLOSERS:
            stack.append(_CLOSERS[two])
            at += 1
        elif one in _CLOSERS:
            stack.append(_CLOSERS[one])
        elif not stack and one in ",}]\n":
            break
        at += 1
        if one not in " \t":
            last = at
    return last


def _is_block_line(text: str, start: int, end: int) -> bool:
    """A YAML line of its own: outside braces, and its value ends with the line."""
    line = text[start:end]
    return line.rstrip().endswith(",") is False and text.count("{", 0, start) == text.count(
        "}", 0, start
    )


def _mapping_line(text: str, match: re.Match[str]) -> Edit:
    """A line of a mapping; a mapping that becomes empty is written `{}`."""
    indent = len(match.group()) - len(match.group().lstrip())
    before = text[: match.start()]
    lines = before.splitlines(keepends=True)
    parent = lines[-1] if lines else ""
    following = text[match.end() :].splitlines()
    beside = following[0] if following else ""
    lonely = (
        parent.rstrip().endswith(":")
        and len(parent) - len(parent.lstrip()) < indent
        and (not beside.strip() or len(beside) - len(beside.lstrip()) < indent)
    )
    if lonely:
        start = match.start() - (len(parent) - len(parent.rstrip()))
        return Edit(start, match.end(), " {}\n")
    return Edit(match.start(), match.end(), "")


# Arguments of printf


_PRINTF = re.compile(r"\bprintf[ \t]+(?:-v[ \t]+\w+[ \t]+)?(?:--[ \t]+)?(?:\\\r?\n[ \t]*)?")
_CONVERSION = re.compile(r"%(?:%|[-+ #0]*(\*|\d*)(?:\.(\*|\d*))?[a-zA-Z])")
_BETWEEN = re.compile(r"(?:[ \t]|\\\r?\n)+")


class _Format(NamedTuple):
    """The format of a `printf` in the text, and the places of its arguments."""

    start: int
    end: int
    conversions: tuple[int, ...]
    """Where the format takes an argument, in order."""
    arguments: tuple[tuple[int, int], ...]
    """From the end of the word before to the end of the argument."""

    def without(self, edit: Edit) -> Iterator[Edit]:
        """Drop the arguments of what an edit drops; a surplus one would repeat the format."""
        if len(self.conversions) != len(self.arguments):
            return
        for at, (start, end) in zip(self.conversions, self.arguments, strict=True):
            if edit.start <= at < edit.end:
                yield Edit(start, end, "")


def _formats(text: str) -> Iterator[_Format]:
    for match in _PRINTF.finditer(text):
        start, end = match.end(), _word_end(text, match.end())
        conversions = tuple(
            found.start()
            for found in _CONVERSION.finditer(text, start, end)
            if found.group() != "%%"
            for _ in range(1 + found.group().count("*"))
        )
        arguments: list[tuple[int, int]] = []
        at = end
        while (blanks := _BETWEEN.match(text, at)) is not None:
            word = _word_end(text, blanks.end())
            if word == blanks.end() or text[blanks.end()] == "#":
                break
            arguments.append((at, word))
            at = word
        yield _Format(start, end, conversions, tuple(arguments))


# Options and statements


def _option(text: str, match: re.Match[str]) -> Edit:
    """An option and its value, with the blanks before it, or with its whole line."""
    at = match.end()
    at += 1 if text[at] == "=" else len(re.match(r"[ \t]*", text[at:])[0])  # type: ignore[index]
    end = _word_end(text, at)
    start = match.start()
    line_start = text.rfind("\n", 0, start) + 1
    continued = re.match(r"[ \t]*\\?\r?\n", text[end:])
    if not text[line_start:start].strip() and continued is not None:
        return Edit(line_start, end + continued.end(), "")
    blanks = re.search(r"[ \t]+\Z", text[line_start:start])
    return Edit(start - (len(blanks[0]) if blanks else 0), end, "")


def _word_end(text: str, at: int) -> int:
    """The end of a shell word, by quotes and expansions."""
    stack: list[str] = []
    quote = ""
    while at < len(text):
        char = text[at]
        if quote == "'":
            quote = "" if char == "'" else quote
        elif char == "\\":
            at += 1
        elif stack and char == stack[-1]:
            stack.pop()
        elif text[at : at + 2] in ("${", "$("):
            stack.append("}" if text[at + 1] == "{" else ")")
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif not stack and (char in " \t\r\n;&|)<>" or char == "`"):
            break
        at += 1
    return at


def _statements(text: str) -> Iterator[Edit]:
    """Assignments of the variables: whole statements, or one word among others."""
    for match in _ASSIGNED.finditer(text):
        start, end = match.start(), _word_end(text, match.end())
        line_start = text.rfind("\n", 0, start) + 1
        head = text[line_start:start]
        tail = re.match(r"[ \t]*(?:;[ \t]*)?(?:#[^\n]*)?(?:\r?\n|\Z)", text[end:])
        keyword = _KEYWORD.search(head)
        bare = head[: keyword.start()] if keyword else head
        last = tail is not None or bool(re.match(r"[ \t]*(?:[;&|)]|\Z)", text[end:]))
        blanks = re.search(r"[ \t]+\Z", head)
        if tail is not None and not bare.strip():
            yield Edit(line_start, end + tail.end(), "")
        elif keyword is not None and last:
            yield Edit(line_start + keyword.start(), end, ":")
        elif last and _STATEMENT.search(head):
            yield Edit(start, end, ":")
        elif last:
            yield Edit(start - (len(blanks[0]) if blanks else 0), end, "")
        else:
            after = re.match(r"[ \t]*(?:\\\r?\n[ \t]*)?", text[end:])
            yield Edit(start, end + (after.end() if after else 0), "")


_STATEMENT = re.compile(r"(?:\b(?:then|do|else)|[{(;]|&&|\|\|)[ \t]*\Z")
