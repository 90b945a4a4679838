"""What a reader learns beside the settings: refusals, assumptions, and parts it could not read."""

from __future__ import annotations

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

    def refuse(self, sentence: str, span: Span | None = None) -> None:
        """The engine would not start; later reasons would never be seen."""
        if self.refused is None:
            self.refused = sentence
            self.refused_span = span or self.span

    def assume(self, sentence: str, span: Span | None = None) -> None:
        self._add(self.assumptions, sentence, span)

    def unknown(self, sentence: str, span: Span | None = None) -> None:
        self._add(self.unresolved, sentence, span)

    def _add(self, notes: list[Note], sentence: str, span: Span | None) -> None:
        note = Note(span=span or self.span, text=sentence)
        if note not in notes:
            notes.append(note)
