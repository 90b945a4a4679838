"""Values for variables that an evaluation left open, put into all that came out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from verifier.model.command import Command, Evaluation, Note, Write
from verifier.model.condition import ALWAYS, NEVER, Atom, Condition, InputIs, of
from verifier.model.record import replace
from verifier.model.text import EMPTY, Hole, Lit, Piece, Text, Word, lit

_PREFIX = "input:"
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_EXPRESSION = re.compile(r"[0-9()+\-*/%<>=!&|^~?: ]+")
_QUOTED = re.compile(r"printf:%\.Noneq\((.*)\)")
_PLAIN = re.compile(r"[A-Za-z0-9_./:=@%+-]+")
_UNSPLIT = re.compile(r"[A-Za-z0-9_=-]+")
_COMPARED = re.compile(r"(ge|numeq):(.*):(-?[0-9]+)", re.DOTALL)
_EQUAL = re.compile(r"eq:(.*):'([^'\\\\]*)'", re.DOTALL)


class NotKnown(Exception):
    """Something depends on an open variable in a way that is not followed here."""


def opened(values: Mapping[str, tuple[str, ...]]) -> dict[str, Text]:
    """Variables as the evaluator takes them: set to one of these values, it is not said which."""
    return {
        name: Text((Hole(_reason(name), f"{_PREFIX}{name}", choices=choices),))
        for name, choices in values.items()
    }


def _reason(name: str) -> str:
    return f"the point's {name}"


def filled(evaluation: Evaluation, values: Mapping[str, str]) -> Evaluation:
    """The evaluation for one value of every open variable. Raises `NotKnown`."""
    return _Filling(values).evaluation(evaluation)


class _Nothing:
    """No variable is needed: the names are gone from the expression."""

    def get(self, name: str, subscript: Text | None) -> Text | None:
        raise NotKnown(name)

    def set(self, name: str, subscript: Text | None, value: Text) -> None:
        raise NotKnown(name)

    def is_associative(self, name: str) -> bool:
        raise NotKnown(name)

    def expanded(self, subscript: Text, key: bool) -> Text:
        raise NotKnown(subscript.display())


class _Filling:
    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        names = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        self._mention = re.compile(rf"\$?{_PREFIX}({names})(?![A-Za-z0-9_])")
        self._shown = {f"<{_reason(name)}>": value for name, value in values.items()}
        self._texts: dict[int, tuple[Text, Text]] = {}
        self._conditions: dict[int, tuple[Condition, Condition]] = {}

    def evaluation(self, found: Evaluation) -> Evaluation:
        return replace(
            found,
            commands=tuple(self._commands(found.commands)),
            assumptions=tuple(self._notes(found.assumptions)),
            unresolved=tuple(self._notes(found.unresolved)),
        )

    def _commands(self, commands: Iterable[Command]) -> Iterator[Command]:
        for command in commands:
            when = self.condition(command.when)
            if when.never:
                continue
            yield replace(
                command,
                argv=tuple(self.word(word) for word in command.argv),
                when=when,
                env={name: self.text(text) for name, text in command.env.items()},
                files={self.file(name): self.text(text) for name, text in command.files.items()},
                stdin=None if command.stdin is None else self.text(command.stdin),
                writes=tuple(
                    Write(path=self.text(w.path), append=w.append) for w in command.writes
                ),
                cwd=None if command.cwd is None else self.text(command.cwd),
            )

    def _notes(self, notes: Iterable[Note]) -> Iterator[Note]:
        for note in notes:
            when = self.condition(note.when)
            if not when.never:
                yield replace(note, text=self.prose(note.text), when=when)

    def word(self, word: Word) -> Word:
        """One word stays one word only when no IFS that a script may use splits it."""
        text = self.text(word.text)
        alternatives = word.alternatives
        if alternatives is not None:
            alternatives = tuple(tuple(self.word(w) for w in way) for way in alternatives)
        if not word.splits or (text is word.text and alternatives == word.alternatives):
            return word if text is word.text else Word(text, word.splits, alternatives)
        if alternatives is None and text.known is not None and _UNSPLIT.fullmatch(text.known):
            return Word(text)
        raise NotKnown(word.text.display())

    def text(self, text: Text) -> Text:
        if text.known is not None:
            return text
        # Texts are shared between commands; keeping them keeps their identities apart.
        found = self._texts.get(id(text))
        if found is None:
            pieces = [self.piece(piece) for piece in text.pieces]
            same = all(a is b for a, b in zip(pieces, text.pieces, strict=True))
            found = self._texts[id(text)] = (text, text if same else Text(pieces))
        return found[1]

    def piece(self, piece: Piece) -> Piece:
        if isinstance(piece, Lit):
            return piece
        if self._mention.search(piece.symbol):
            return Lit(self.value(piece.symbol), piece.origin)
        reason = self.prose(piece.reason)
        return piece if reason == piece.reason else piece._replace(reason=reason)

    def prose(self, text: str) -> str:
        """A sentence that shows open values."""
        for shown, value in self._shown.items():
            text = text.replace(shown, value)
        return text

    def file(self, name: str) -> str:
        """A file's name in which open variables show by their symbols."""
        if _PREFIX not in name:
            return name
        for variable, value in self._values.items():
            name = name.replace(f"<{_PREFIX}{variable}>", value)
        if self._mention.search(name):
            raise NotKnown(name)
        return name

    def value(self, symbol: str) -> str:
        """What an unknown value is, by its name. Raises `NotKnown`."""
        whole = self._mention.fullmatch(symbol)
        if whole is not None:
            return self._values[whole[1]]
        quoted = _QUOTED.fullmatch(symbol)
        if quoted is not None:
            inner = self.value(quoted[1])
            if _PLAIN.fullmatch(inner):
                return inner  # %q leaves it as it is
            raise NotKnown(symbol)
        if symbol.startswith("arith:"):
            return self.arithmetic(symbol.removeprefix("arith:"))
        raise NotKnown(symbol)

    def arithmetic(self, expression: str) -> str:
        from verifier.shell import arithmetic

        def number(match: re.Match[str]) -> str:
            value = self._values[match[1]]
            if not _INTEGER.fullmatch(value):
                raise NotKnown(expression)
            return f"({value})" if value.startswith("-") else value

        plain = self._mention.sub(number, expression.replace("arith:", ""))
        if not _EXPRESSION.fullmatch(plain):
            raise NotKnown(expression)
        try:
            found = arithmetic.evaluate(lit(plain), _Nothing()).value.known
        except arithmetic.ExpressionError as error:
            raise NotKnown(expression) from error
        if found is None:
            raise NotKnown(expression)
        return found

    def condition(self, condition: Condition) -> Condition:
        if condition.always or condition.never:
            return condition
        found = self._conditions.get(id(condition))
        if found is None:
            found = self._conditions[id(condition)] = (condition, self._decided(condition))
        return found[1]

    def _decided(self, condition: Condition) -> Condition:
        alternatives: dict[frozenset[Atom], None] = {}
        for conjunction in condition.alternatives:
            answers = [(atom, self.truth(atom)) for atom in conjunction]
            if all(answer is not False for _, answer in answers):
                alternatives[frozenset(a for a, answer in answers if answer is None)] = None
        if not alternatives:
            return NEVER
        if frozenset() in alternatives:
            return ALWAYS
        return of(alternatives) if len(alternatives) > 1 else Condition(tuple(alternatives))

    def truth(self, atom: Atom) -> bool | None:
        """Whether an atom holds; None when it asks for something else."""
        if isinstance(atom, InputIs):
            if atom.name not in self._values:
                return None
            return (self._values[atom.name] == atom.value) == atom.holds
        if not self._mention.search(atom.key):
            return None
        equal = _EQUAL.fullmatch(atom.key)
        if equal is not None:
            return (self.value(equal[1]) == equal[2]) == atom.holds
        compared = _COMPARED.fullmatch(atom.key)
        if compared is None:
            raise NotKnown(atom.key)
        value = self.value(compared[2])
        if not _INTEGER.fullmatch(value):
            raise NotKnown(atom.key)
        bound = int(compared[3])
        return (int(value) >= bound if compared[1] == "ge" else int(value) == bound) == atom.holds


def unknown_parts(commands: Iterable[Command]) -> frozenset[str]:
    """What is not known about some commands: values, numbers of words, tests. As for people:
    the names that tell two unknown values apart are made anew in every evaluation."""
    return frozenset(_unknown(commands))


def _unknown(commands: Iterable[Command]) -> Iterator[str]:
    for command in commands:
        for word in command.argv:
            if word.splits:
                yield f"words of {word.text.display()}"
        for text in (
            *(word.text for word in command.argv),
            *command.env.values(),
            command.cwd or EMPTY,
        ):
            yield from unknown_values(text)
        for conjunction in command.when.alternatives:
            for atom in conjunction:
                yield atom.name if isinstance(atom, InputIs) else atom.text


def unknown_values(text: Text) -> Iterator[str]:
    """Kind and reason of every hole."""
    for hole in text.holes:
        kind = hole.symbol.partition(":")[0].partition("(")[0]
        yield f"{kind}: {hole.reason}"
