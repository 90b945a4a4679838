"""The checklist template, and which of its items a sign-off has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from verifier.model.record import dataclass
from verifier.signoff.items import Item
from verifier.signoff.text import SignOffText, read
from verifier.signoff.visible import lines_of, readable

THRESHOLD = 0.6
"""Two items are the same when at least this share of their words agrees, in order."""

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_URL = re.compile(r"https?://\S+")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+template\b", re.IGNORECASE)
_ANY_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "below",
        "by",
        "can",
        "for",
        "from",
        "has",
        "have",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "not",
        "of",
        "on",
        "or",
        "please",
        "that",
        "the",
        "their",
        "there",
        "this",
        "to",
        "upstream",
        "verified",
        "verify",
        "was",
        "with",
        "you",
    ]
)


def template_of(document: str) -> str | None:
    """The fenced block below the heading `Template`; where none comes before the first item, all
    that is below the heading. None when there is neither."""
    lines = lines_of(document)
    start = next((i for i, line in enumerate(lines) if _HEADING.match(line)), None)
    if start is None:
        return None
    level = len(lines[start].lstrip().partition(" ")[0])
    body: list[str] = []
    for line in lines[start + 1 :]:
        heading = _ANY_HEADING.match(line)
        if heading and len(heading[1]) <= level:
            break
        fence = _FENCE.match(line)
        if fence and not any("[" in other for other in body):
            return _fenced(lines, lines.index(line, start + 1), fence[1])
        body.append(line)
    text = "\n".join(body).strip("\n")
    return text if "[" in text else None


def _fenced(lines: list[str], start: int, fence: str) -> str | None:
    """The lines of a fenced block, or None when it is not closed."""
    for end in range(start + 1, len(lines)):
        match = _FENCE.match(lines[end])
        if match and match[1].startswith(fence) and not lines[end].strip(" `~"):
            return "\n".join(lines[start + 1 : end])
    return None


def words(text: str) -> list[str]:
    """Words that count when items are compared: links by their text, no marks, lower case."""
    plain = _URL.sub(" ", _LINK.sub(r"\1", readable(text)))
    return re.findall(r"[^\W_]+", plain.lower())


def similarity(one: Sequence[str], two: Sequence[str]) -> float:
    """Share of words that agree in order, 0 to 1."""
    if not one or not two:
        return 0.0
    matcher = SequenceMatcher(None, list(one), list(two), autojunk=False)
    return matcher.ratio()


@dataclass(frozen=True, slots=True)
class Match:
    """A template item and the sign-off's item for it, if any."""

    wanted: Item
    found: Item | None
    closest: float
    """Similarity of the found item, or of the nearest one that was too far."""


def match_items(template: Sequence[Item], given: Sequence[Item]) -> tuple[Match, ...]:
    """Each template item with at most one item of the sign-off, best pairs first."""
    wanted = [words(item.text) for item in template]
    offered = [words(item.text) for item in given[:500]]
    pairs = []
    for i, one in enumerate(wanted):
        for j, two in enumerate(offered):
            score = 1.0 if one == two else _quick(one, two)
            if score >= THRESHOLD:
                pairs.append((-score, abs(i - j), i, j))
    pairs.sort()
    chosen: dict[int, tuple[int, float]] = {}
    taken: set[int] = set()
    for negative, _, i, j in pairs:
        if i not in chosen and j not in taken:
            chosen[i] = (j, -negative)
            taken.add(j)
    matches = []
    for i, item in enumerate(template):
        if i in chosen:
            index, score = chosen[i]
            matches.append(Match(item, given[index], score))
        else:
            free = [offered[j] for j in range(len(offered)) if j not in taken]
            nearest = max((_quick(wanted[i], other) for other in free), default=0.0)
            matches.append(Match(item, None, nearest))
    return tuple(matches)


def _quick(one: Sequence[str], two: Sequence[str]) -> float:
    """Similarity, without the costly part where the words in common cannot reach the threshold."""
    total = len(one) + len(two)
    if not total or len(two) > 1000:
        return 0.0
    common = sum((Counter(one) & Counter(two)).values())
    if 2 * common / total < THRESHOLD:
        return 2 * common / total
    return similarity(one, two)


def explanation(
    item: Item, template: SignOffText, details: Sequence[tuple[int, str]], strict: bool
) -> int | None:
    """The line of the detail section that explains why `item` is not ticked, or None.

    A line explains an item when it is a sentence (three words beside links) and shares a word
    with it that at most two items of the template have; two such words when `strict`.
    """
    counts = Counter(word for other in template.items for word in set(_content(other.text)))
    rare = {word for word in _content(item.text) if counts[word] <= 2}
    needed = min(2 if strict else 1, len(rare))
    for number, text in details:
        said = _content(text)
        if needed and len(words(text)) >= 3 and len(rare & set(said)) >= needed:
            return number
    return None


def _content(text: str) -> list[str]:
    return [_stem(word) for word in words(text) if word not in _STOP and len(word) > 1]


def _stem(word: str) -> str:
    """Enough to make `evals` and `eval`, `patches` and `patch`, `waivers` and `waiver` one."""
    for ending in ("es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            if ending == "s" or stem.endswith(("ch", "sh", "x", "ss")):
                return stem
    return word


def read_template(document: str) -> SignOffText | None:
    """The template of a checklist document, or None when it has no template or no items."""
    text = template_of(document)
    if text is None:
        return None
    template = read(text)
    return template if template.items else None
