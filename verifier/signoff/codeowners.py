"""Who owns a path, as GitHub reads a CODEOWNERS file.

Semantics from GitHub's documentation ("About code owners"): the last matching pattern wins and
owners do not accumulate; paths are case-sensitive; a pattern without owners takes them away; a
line that cannot be read is skipped and the rest counts; `!`, `[ ]` and an escaped `#` do not work.
Where gitignore differs the documentation's own examples decide: `/apps/github` covers what is below
a folder of that name, `docs/*` does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from verifier.model.record import dataclass, field

LOCATIONS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks, first found first."""
MAX_BYTES = 3 * 1024 * 1024
"""GitHub does not load a larger file: then nobody owns anything."""

_OWNER = re.compile(
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*)(?:/[A-Za-z0-9._-]+)?(?:\[bot\])?|[^\s@]+@[^\s@]+\.[^\s@]+"
)
_CATCH_ALL = frozenset({"*", "**", "/**", "**/*", "/**/*", "/"})


@dataclass(frozen=True)
class Rule:
    """One line that counts."""

    line: int
    pattern: str
    """Without escapes."""
    owners: tuple[str, ...]
    """As written: `@user`, `@org/team` or an e-mail address."""
    expression: re.Pattern[str] = field(repr=False, compare=False)

    @property
    def catch_all(self) -> bool:
        """Whether the pattern covers every path."""
        return self.pattern in _CATCH_ALL

    @property
    def users(self) -> frozenset[str]:
        """Accounts, lower case, without @."""
        return frozenset(o[1:].lower() for o in self.owners if o[0] == "@" and "/" not in o)

    @property
    def teams(self) -> tuple[str, ...]:
        """`org/team`, lower case."""
        return tuple(o[1:].lower() for o in self.owners if o[0] == "@" and "/" in o)

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(o for o in self.owners if o[0] != "@")


@dataclass(frozen=True)
class Owners:
    """A CODEOWNERS file."""

    rules: tuple[Rule, ...]
    problems: tuple[tuple[int, str], ...] = ()
    """(line, reason) of every line that was skipped."""

    def of(self, path: str) -> Rule | None:
        """The last rule that matches `path`, or None."""
        for rule in reversed(self.rules):
            if rule.expression.fullmatch(path):
                return rule
        return None

    @cached_property
    def users(self) -> frozenset[str]:
        """Every account the file names."""
        return frozenset(user for rule in self.rules for user in rule.users)

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """Every team the file names, in order."""
        return tuple(dict.fromkeys(team for rule in self.rules for team in rule.teams))


def parse(text: str) -> Owners:
    """The rules of a file. Lines that GitHub would skip are problems; nothing raises."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Owners((), ((1, "the file is larger than 3 MB, which GitHub does not load"),))
    rules: list[Rule] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        fields = _fields(line.rstrip("\r"))
        if not fields:
            continue
        pattern, *owners = fields
        reason = _refused(pattern) or next(
            (f"{owner!r} is no owner" for owner in owners if not _OWNER.fullmatch(owner)), None
        )
        if reason:
            problems.append((number, reason))
            continue
        plain = re.sub(r"\\(.)", r"\1", pattern)
        rules.append(Rule(number, plain, tuple(owners), expression(pattern)))
    return Owners(tuple(rules), tuple(problems))


def _fields(line: str) -> list[str]:
    """Words of a line; a backslash keeps a blank inside its word, `#` begins a comment."""
    fields: list[str] = []
    word = ""
    index = 0
    while index < len(line):
        character = line[index]
        if character == "\\" and index + 1 < len(line):
            word += line[index : index + 2]
            index += 2
            continue
        if character == "#" and not word:
            break
        if character in " \t":
            if word:
                fields.append(word)
            word = ""
        else:
            word += character
        index += 1
    if word:
        fields.append(word)
    return fields


def _refused(pattern: str) -> str | None:
    """Why GitHub does not read this pattern, or None."""
    if pattern.startswith("!"):
        return "a pattern cannot be negated with !"
    if pattern.startswith("\\#"):
        return "a pattern cannot begin with an escaped #"
    if re.search(r"(?<!\\)[\[\]]", pattern):
        return "a pattern cannot have a character range"
    if pattern.endswith("\\") and not pattern.endswith("\\\\"):
        return "a pattern cannot end with a backslash"
    if re.search(r"[^/]\*\*|\*\*[^/]", pattern):
        return "** must stand between slashes"
    return None


def expression(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression over paths without a leading slash."""
    anchored = "/" in pattern[:-1]
    segments = pattern.removeprefix("/").split("/")
    folder_only = segments[-1] == "" and len(segments) > 1
    if folder_only:
        segments.pop()
    if segments == [""]:
        return re.compile(r".*", re.DOTALL)
    if not anchored and segments[0] != "**":
        segments.insert(0, "**")
    out = ""
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "**":
            out += ".+" if last else "(?:.*/)?"
            continue
        out += _segment(segment)
        if not last:
            out += "/"
        elif folder_only:
            out += "/.*"
        elif segment != "*":
            out += "(?:/.*)?"
    return re.compile(out, re.DOTALL)


def _segment(segment: str) -> str:
    """One part between slashes; `*` alone needs a name of at least one character."""
    if segment == "*":
        return "[^/]+"
    out = ""
    index = 0
    while index < len(segment):
        character = segment[index]
        if character == "\\" and index + 1 < len(segment):
            index += 1
            out += re.escape(segment[index])
        elif character == "*":
            out += "[^/]*"
        elif character == "?":
            out += "[^/]"
        else:
            out += re.escape(character)
        index += 1
    return out


def mention(owners: Iterable[str]) -> str:
    """Owners for a message; nobody is notified because the report breaks every @."""
    return ", ".join(owners) or "nobody"
