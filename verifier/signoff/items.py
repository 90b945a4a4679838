"""Task-list items of a checklist, well formed or not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from verifier.model.record import dataclass
from verifier.signoff.visible import Line

Box = Literal["ticked", "open", "malformed"]

_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?P<bullet>[-*+•–—]|\d{1,9}[.)])?(?P<gap>[ \t\u00a0]*)"
    r"(?P<box>\\?\[(?P<inside>[^\]\[]{0,3})\\?\])(?P<after>.*)$"
)
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item. `depth` counts surrounding items, by indentation."""

    line: int
    box: Box
    written: str
    """The box as written, such as `[x]` or `- []`."""
    text: str
    depth: int = 0


def _kind(match: re.Match[str]) -> Box:
    """GitHub makes a task of bullet, blank, `[ ]`, `[x]` or `[X]`, blank; nothing else."""
    spaced = bool(match["gap"]) and set(match["gap"]) <= {" ", "\t"}
    proper = match["bullet"] in ("-", "*", "+") or (match["bullet"] or "")[-1:] in (".", ")")
    after = match["after"]
    if not (proper and spaced and after[:1] in (" ", "\t", "") and match["box"][0] == "["):
        return "malformed"
    if match["inside"] in ("x", "X"):
        return "ticked"
    return "open" if match["inside"] == " " else "malformed"


def _is_item(match: re.Match[str]) -> bool:
    """A short bracket that is no link, and stands where a box would."""
    if match["after"][:1] in ("(", "[", ":"):
        return False
    return match["bullet"] is not None or len(match["inside"].strip()) <= 1


def items_of(lines: Iterable[Line]) -> tuple[Item, ...]:
    """Every item of these lines; lines that continue an item are part of its text."""
    found: list[Item] = []
    indents: list[int] = []
    open_item = False
    previous = 0
    for number, line in lines:
        adjacent = number == previous + 1
        previous = number
        match = _ITEM.match(line)
        if match is None or not _is_item(match):
            if open_item and adjacent and not _BULLET.match(line) and not _HEADING.match(line):
                last = found[-1]
                found[-1] = Item(
                    line=last.line,
                    box=last.box,
                    written=last.written,
                    text=f"{last.text} {line.strip()}",
                    depth=last.depth,
                )
            else:
                open_item = False
            continue
        indent = len(match["indent"].expandtabs(4))
        while indents and indents[-1] >= indent:
            indents.pop()
        found.append(
            Item(
                line=number,
                box=_kind(match),
                written=line[match.end("indent") : match.end("box")],
                text=match["after"].strip(),
                depth=len(indents),
            )
        )
        indents.append(indent)
        open_item = True
    return tuple(found)
