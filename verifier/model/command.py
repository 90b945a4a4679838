"""A command that a script would run, as the shell evaluator reports it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from verifier.model.condition import ALWAYS, Condition
from verifier.model.record import NamedTuple, dataclass, field
from verifier.model.text import Lit, Span, Text, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A file that a command's redirection (or `tee`, `cp`, `mv`, `sed -i`) would write."""

    path: Text
    append: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command in the order of execution; wrappers such as `timeout` give one for themselves
    and one for the command they run.

    A function call is a command too (`kind` "function"), followed by the commands in its body.
    """

    argv: tuple[Word, ...]
    """Name first, duplicates kept: the engine decides which one wins."""
    span: Span
    kind: Literal["external", "function", "builtin"] = "external"
    when: Condition = ALWAYS
    """Under which inputs, if the script gets that far: what an earlier program must have done for
    the script not to end (`curl … || exit 1`) is left out."""
    order: int = 0
    """Position in the order of execution; commands on different paths may share one."""
    env: Mapping[str, Text] = field(default_factory=dict)
    """What the script exported or prefixed; inherited inputs are not listed. Neither this nor
    `files` is filled in for well-known helpers such as `cp`, unless the caller asked for them."""
    files: Mapping[str, Text] = field(default_factory=dict)
    """Files the script wrote so far and their content, by path as the script names it."""
    stdin: Text | None = None
    """Here-document, here-string or known pipe input."""
    writes: tuple[Write, ...] = ()
    background: bool = False
    cwd: Text | None = None
    """None: the folder the script was started in."""
    calls: tuple[Span, ...] = ()
    """Where surrounding functions, sourced files and helper scripts were called, outer first."""

    @property
    def name(self) -> str | None:
        """Basename of argv[0], or None when it is unknown. The folder need not be known."""
        return program_name(self.argv[0]) if self.argv else None


def program_name(word: Word) -> str | None:
    """Basename of a command's first word, None when it is unknown. The folder need not be known."""
    if word.splits:
        return None
    end = ""
    for piece in reversed(word.text.pieces):
        if not isinstance(piece, Lit):
            return end.rpartition("/")[2] if "/" in end else None
        end = piece.value + end
    return end.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something the reader of a verdict must know: an assumption, or a part that was not read."""

    span: Span
    text: str
    when: Condition = ALWAYS
    final: bool = False
    """Nothing after this place was read."""


class Branch(NamedTuple):
    """A value that depends on the path: words where a condition holds, and words elsewhere."""

    when: Condition
    then: tuple[Word, ...]
    otherwise: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All that evaluating one script yields."""

    path: str
    commands: tuple[Command, ...]
    assumptions: tuple[Note, ...] = ()
    unresolved: tuple[Note, ...] = ()
    """Places where evaluation stopped short: what follows may hide a launch."""
    branches: Mapping[str, Branch] = field(default_factory=dict)
    """What the holes of commands stand for that depend on the path, by symbol; only when asked."""
    ended: Note | None = None
    """Where a script whose inputs are all known ends with an error."""
