"""Makes text from a repository inert wherever it is printed.

Everything a pull request's author can write goes through one of these functions: `terminal` for
text output, `markdown` and `code` for the comment, `annotation_*` for workflow commands.
"""

from __future__ import annotations

import re
import unicodedata

MAX_INLINE = 600
MAX_CODE = 300

ZWSP = "\u200b"
"""Between a character that starts a link and what follows; it shows nothing."""

_MARKS = frozenset("✅❌➖")
# What CommonMark and GitHub give a meaning in the middle of a line. Without square brackets,
# parentheses and exclamation marks mean nothing; neither does `_` between letters.
_SPECIAL = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])")
_LINE_START = re.compile(r"(\d*)([#+=.)-])")
_MENTION = re.compile(r"@(?=\S)")
_ISSUE = re.compile(r"#(?=\d)|\bGH(?=-\d)", re.IGNORECASE)
_ADDRESS = re.compile(r":(?=//)|\bwww(?=\.)|(?<=\bmailto):|(?<=\bxmpp):", re.IGNORECASE)
# Of the names that are only digits two are emoji; `file.sh:12:` stays as it is, to be searched for.
_EMOJI = re.compile(r":(?=(?!(?!100:|1234:)\d+:)[\w+-]+:)")
# Inert inside code, but readers of the raw comment look for these.
_LAYOUT = re.compile(r"<(?=/?details|/?summary|!--)", re.IGNORECASE)
_BACKTICKS = re.compile("`+")


def visible(text: str) -> str:
    """One line without anything invisible: controls and direction marks are spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(c) for c in text)


def _shown(character: str) -> str:
    if character in "\n\t":
        return " "
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    # Cf holds the bidirectional controls, zero-width joiners and tags; Cs lone surrogates.
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def shortened(text: str, limit: int) -> str:
    """At most about `limit` characters, saying how many are left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def terminal(text: str, limit: int = 4000) -> str:
    """For a terminal: no escape sequences, no line breaks."""
    return visible(shortened(text, limit))


def terminal_lines(text: str) -> str:
    """Like `terminal`, but keeps line breaks and tabs."""
    return "\n".join(
        "\t".join(visible(part) for part in line.split("\t")) for line in text.split("\n")
    )


def markdown(text: str, limit: int = MAX_INLINE) -> str:
    """For running text of a comment. Pairs of single backquotes stay code."""
    pieces = shortened(text.strip(), limit).split("`")
    if len(pieces) % 2 == 0:
        pieces = ["`".join(pieces)]
    safe = "".join(code(p) if i % 2 else _prose(p) for i, p in enumerate(pieces))
    start = _LINE_START.match(safe)
    return safe if start is None else f"{start[1]}\\{safe[start.start(2) :]}"


def _prose(text: str) -> str:
    text = " ".join(_without_marks(visible(text)).split(" "))
    text = _MENTION.sub("@" + ZWSP, text)
    text = _ISSUE.sub(lambda m: m[0] + ZWSP, text)
    text = _ADDRESS.sub(lambda m: m[0] + ZWSP, text)
    text = _EMOJI.sub(":" + ZWSP, text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(lambda m: "\\" + m[0], text)


def code(text: str, limit: int = MAX_CODE) -> str:
    """A code span that cannot be left, on one line."""
    text = _code_line(text, limit)
    if not text.strip():
        return _prose(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def table_code(text: str, limit: int = MAX_CODE) -> str:
    """A code span inside a table, where a pipe would end the cell even within code."""
    return code(text, limit).replace("|", "\\|")


def code_block(lines: list[str], limit: int = MAX_CODE) -> str:
    """A fenced block that cannot be left; one visible line for each line given."""
    shown = [_code_line(line, limit) for line in lines]
    longest = max((len(run) for line in shown for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}text", *shown, fence))


def _code_line(text: str, limit: int) -> str:
    return _LAYOUT.sub("<" + ZWSP, _without_marks(visible(shortened(text, limit))))


def _without_marks(text: str) -> str:
    """Nobody but the verdict itself prints the verdict's marks."""
    return "".join(f"\\u{ord(c):04x}" if c in _MARKS else c for c in text)


def annotation_message(text: str) -> str:
    """The message part of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotation_property(text: str) -> str:
    """A property value of a workflow command."""
    return annotation_message(text).replace(":", "%3A").replace(",", "%2C")
