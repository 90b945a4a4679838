"""What a reader learns beside the settings: refusals, assumptions, and parts it could not read."""

from __future__ import annotations

from verifier.engines.pieces import Arg, hole_name, reason
from verifier.model.command import Note
from verifier.model.text import NOWHERE, Span


class Log:
    """Collects while one launch is read. The first refusal is the one an engine would give."""

    def __init__(self, span: Span = NOWHERE) -> None:
        self.span = span
        self.refused: str | None = None
        self.refused_span: Span | None = None
        self.assumptions: list[Note] = []
        self.unresolved: list[Note] = []
        self._noted: set[tuple[int, Span, str]] = set()
        self.single: dict[str, Span | None] = {}
        """Values without quotes that are taken as one word, by the name to call them."""

    def refuse(self, sentence: str, span: Span | None = None) -> None:
        """The engine would not start; later reasons would never be seen."""
        if self.refused is None:
            self.refused = sentence
            self.refused_span = span or self.span

    def assume(self, sentence: str, span: Span | None = None) -> None:
        self._add(self.assumptions, sentence, span)

    def unknown(self, sentence: str, span: Span | None = None) -> None:
        self._add(self.unresolved, sentence, span)

    def any_arguments(self, arg: Arg) -> None:
        """A list of arguments that is not known."""
        self.unknown(f"{hole_name(arg.text)} may hold any arguments: {reason(arg.text)}", arg.span)

    def one_word(self, arg: Arg) -> None:
        """A value that the shell would split if it held blanks, or drop if it were empty."""
        for hole in arg.text.holes:
            name = f"${hole.input}" if hole.input else f"`{arg.text.display()}`"
            self.single.setdefault(name, arg.span)

    def one_value(self, arg: Arg) -> Arg:
        """The argument as the one value of an option, said so when it may be more."""
        if arg.open and arg.listed:
            self.any_arguments(arg)
        elif arg.open:
            self.one_word(arg)
        return arg._replace(open=False)

    def close(self) -> None:
        """Say once what was taken for granted about values without quotes."""
        if self.single:
            names = ", ".join(self.single)
            self.assume(
                f"{names} without quotes: taken as one word each, not empty and without blanks"
                if len(self.single) > 1
                else f"{names} without quotes is taken as one word, not empty and without blanks",
                next(iter(self.single.values())),
            )

    def _add(self, notes: list[Note], sentence: str, span: Span | None) -> None:
        key = (id(notes), span or self.span, sentence)
        if key not in self._noted:
            self._noted.add(key)
            notes.append(Note(span=span or self.span, text=sentence))
