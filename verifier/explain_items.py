"""What is explained together: an option with its values, a variable, a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from verifier.model.record import NamedTuple
from verifier.model.text import Hole, Lit, Origin, Text, Word


class Item(NamedTuple):
    """An option with its values, a variable or a file."""

    label: str
    texts: tuple[Text, ...]
    words: tuple[Word, ...]
    steps: tuple[Origin, ...]
    """Each step behind any of the texts once, the newest first."""


class Section(NamedTuple):
    """Neighbours that came the same way."""

    shared: tuple[Origin, ...]
    items: list[Item]


def options_of(argv: Sequence[Word]) -> list[Item]:
    """Options with their values, as a person would lay them out."""
    groups: list[list[Word]] = []
    name = argv[0].text.known or "" if argv else ""
    # The interpreter's own options belong to the program: `python3 -u -m module`.
    mark = "--" if name.rpartition("/")[2].startswith("python") else "-"
    for word in argv:
        first = word.text.pieces[0] if word.text.pieces else None
        flag = isinstance(first, Lit) and first.value.startswith(mark)
        # `--flag $X`: usually one word, where `"${ARGS[@]}"` is any number of them.
        value = isinstance(first, Hole) and first.input is not None
        apart = word.splits and not (value and groups and len(groups[-1]) == 1)
        if flag or not groups or apart or groups[-1][0].splits:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [
        item_of(" ".join(shown_word(w) for w in group), tuple(w.text for w in group), tuple(group))
        for group in groups
    ]


def item_of(label: str, texts: tuple[Text, ...], words: tuple[Word, ...] = ()) -> Item:
    """An item with the steps behind its texts."""
    return Item(label, texts, words, tuple(steps_of(texts)))


_WAYS = ("expanded from ", "element of ", "assigned to ", "printed by ")
"""How the steps begin that many arguments share."""


def sections_of(items: Sequence[Item]) -> list[Section]:
    """Items in order; what neighbours share is said once."""
    found: list[Section] = []
    for index, item in enumerate(items):
        keys = [key_of(step) for step in item.steps]
        if found and found[-1].shared:
            shared = [key_of(step) for step in found[-1].shared]
            if len(keys) > len(shared) and keys[: len(shared)] == shared:
                found[-1].items.append(item)
                continue
        common = 0
        if index + 1 < len(items):
            others = [key_of(step) for step in items[index + 1].steps]
            most = min(len(keys), len(others)) - 1
            while common < most and keys[common] == others[common]:
                common += 1
        while common and not item.steps[common - 1].how.startswith(_WAYS):
            common -= 1
        if not common and found and not found[-1].shared:
            found[-1].items.append(item)
        else:
            found.append(Section(item.steps[:common], [item]))
    return found


def steps_of(texts: Iterable[Text]) -> Iterator[Origin]:
    """Each step behind any piece of the texts once, the newest first."""
    seen: set[tuple[str, int, str]] = set()
    for text in texts:
        for piece in text.pieces:
            if piece.origin is None:
                continue
            for step in piece.origin.chain():
                if isinstance(piece, Hole) and step.how == "literal":
                    step = step._replace(how=piece.reason)
                if key_of(step) not in seen:
                    seen.add(key_of(step))
                    yield step


def key_of(step: Origin) -> tuple[str, int, str]:
    """Steps with the same key read the same."""
    return step.span.path, step.span.line, step.how


def shown_word(word: Word) -> str:
    """The word for people; `…`: it may be several."""
    return f"{word.text.display()} …" if word.splits else word.text.display() or "''"
