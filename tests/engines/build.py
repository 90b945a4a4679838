"""Commands from plain argument lists, so that these tests need no shell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.engines import read_launch
from verifier.model.command import Command
from verifier.model.launch import Launch, Speculation
from verifier.model.text import Hole, Lit, Origin, Span, Text, Word, lit
from verifier.policy import Policy

SPAN = Span("script.sh", 12, 1, 12, 40)
POLICY = Policy()


def text(value: str) -> Text:
    """Known characters with `<name>` standing for an unknown input."""
    pieces: list[Lit | Hole] = []
    rest = value
    while "<" in rest and ">" in rest:
        before, _, rest = rest.partition("<")
        name, _, rest = rest.partition(">")
        pieces.append(Lit(before, Origin(SPAN)))
        pieces.append(Hole(f"{name} is an input", f"input:{name}", Origin(SPAN), input=name))
    pieces.append(Lit(rest, Origin(SPAN)))
    return Text(pieces)


def command(
    argv: Sequence[str | Word],
    env: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> Command:
    return Command(
        argv=tuple(Word(text(a)) if isinstance(a, str) else a for a in argv),
        span=SPAN,
        env={name: text(value) for name, value in (env or {}).items()},
        files={name: text(value) for name, value in (files or {}).items()},
    )


def launch(
    *argv: str | Word,
    env: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
    policy: Policy = POLICY,
    image: str | None = None,
) -> Launch:
    found = read_launch(command(argv, env, files), policy, image=image)
    assert found is not None, argv
    return found


def speculation(found: Launch) -> Speculation:
    assert found.speculation is not None
    return found.speculation


def open_word(value: str, *alternatives: Sequence[str]) -> Word:
    """An unquoted expansion; with alternatives, every word list it can be."""
    listed = tuple(tuple(Word(lit(word)) for word in each) for each in alternatives) or None
    return Word(text(value), splits=True, alternatives=listed)
