"""What a sign-off says, from its text alone."""

from __future__ import annotations

import hashlib
import re

from verifier.model.pull import Remark
from verifier.model.record import dataclass
from verifier.signoff.items import Item, items_of
from verifier.signoff.visible import (
    Line,
    lines_of,
    readable,
    visible_lines,
    without_code_spans,
)

PHRASE = "As a PR reviewer and CODEOWNER"
MARKER = "<!-- codeowner-signoff-verify"
"""How every verdict comment begins."""

_DETAILS = re.compile(
    r"[ ]{0,3}(?:#{1,6}[ \t]*)?[*_]{0,3}additional[ \t]+details?(?:[ \t]+section)?"
    r"[*_]{0,3}[ \t]*(?::[*_]{0,3}|(?=$))(?P<rest>.*)$",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"[ ]{0,3}[*_]{0,3}signed(?:[ -]off[ -]by)?[*_]{0,3}[ \t]*:[*_]{0,3}[ \t]*(?P<name>.*)$",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?")
_PLACEHOLDER_LOGIN = re.compile(r"fill[_ -]?in|your[_ -]|github[_ -]?username", re.IGNORECASE)
_ANGLE = re.compile(r"<(?!https?:)[^<>\n]{1,80}>")
_HTML = re.compile(r"<(?:/?[a-z]+(?:\s[^<>]*)?/?|!--.*?--)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The line `Signed: …`."""

    line: int
    written: str
    login: str | None
    """The account it names, when it names one in code quotes, with @ or as a single word."""
    placeholder: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOffText:
    """A sign-off read to the end."""

    phrase_line: int | None
    """Where the phrase stands; None when it is not said (absent, quoted, in code, hidden)."""
    items: tuple[Item, ...]
    details: tuple[Line, ...]
    """Lines of the detail section, without its heading; empty lines left out."""
    details_line: int | None
    signature: Signature | None

    @property
    def malformed(self) -> tuple[Item, ...]:
        """Items whose box GitHub would not show as a box."""
        return tuple(item for item in self.items if item.box == "malformed")

    @property
    def detail_text(self) -> str:
        return "\n".join(line.text for line in self.details)


def read(text: str) -> SignOffText:
    """A sign-off, or a checklist template, from its text. Never raises."""
    lines = visible_lines(text)
    phrase = next((n for n, t in lines if PHRASE.lower() in _words(without_code_spans(t))), None)
    heading = next((i for i, line in enumerate(lines) if _DETAILS.match(line.text)), None)
    signature = _signature(lines)
    end = len(lines)
    if signature is not None:
        index = next(i for i, line in enumerate(lines) if line.number == signature.line)
        if heading is not None and index > heading:
            end = index
    details: list[Line] = []
    if heading is not None:
        match = _DETAILS.match(lines[heading].text)
        rest = match["rest"].strip() if match else ""
        if rest:
            details.append(Line(lines[heading].number, rest))
        details.extend(lines[heading + 1 : end])
    return SignOffText(
        phrase_line=phrase,
        # A list inside the detail section is no checklist, unless nothing stands before it.
        items=items_of(lines[:heading]) or items_of(lines),
        details=tuple(details),
        details_line=None if heading is None else lines[heading].number,
        signature=signature,
    )


def _words(text: str) -> str:
    return " ".join(readable(text).lower().split())


def _signature(lines: list[Line]) -> Signature | None:
    """The last line that signs."""
    for number, text in reversed(lines):
        match = _SIGNED.match(text)
        if match is None:
            continue
        written = match["name"].strip()
        bare = written.strip("`*_ \t").removeprefix("@").strip("`*_ \t.")
        placeholder = not bare or bool(_PLACEHOLDER_LOGIN.search(bare))
        login = bare if _LOGIN.fullmatch(bare) and not placeholder else None
        return Signature(line=number, written=written, login=login, placeholder=placeholder)
    return None


def details_without_placeholder(
    signoff: SignOffText, template: SignOffText | None = None
) -> tuple[Line, ...]:
    """The detail section's own lines: what the template already says, and placeholders in angle
    brackets, are not among them."""
    given = {_plain(line.text) for line in template.details} if template else set()
    kept = []
    for line in signoff.details:
        rest = _ANGLE.sub("", _HTML.sub("", line.text))
        plain = _plain(rest)
        if plain and plain not in given:
            kept.append(Line(line.number, rest))
    return tuple(kept)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", readable(text)).lower().strip()


def why_no_signoff(remark: Remark) -> str | None:
    """One sentence saying why a remark is no sign-off, or None when it is one."""
    if remark.bot:
        return f"its author {remark.author} is a bot, and only a person signs off"
    if any(MARKER in line for line in lines_of(remark.body)[:1]):
        return "it is a verdict comment, and a verdict is no sign-off"
    if read(remark.body).phrase_line is None:
        if PHRASE.lower() in _words(remark.body):
            return f"it holds “{PHRASE}” only inside a quote, code or hidden text"
        return f"it does not contain “{PHRASE}”"
    return None


def fingerprint(text: str) -> str:
    """Hash of a text after normalising line ends and trailing blanks: same hash, same content."""
    normal = "\n".join(line.rstrip() for line in lines_of(text)).strip()
    return hashlib.sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()[:16]
