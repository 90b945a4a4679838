"""What all parts of one evaluation share: conditions, unknown values, notes and the recorder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from verifier.model.command import Note
from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Lit, Origin, Piece, Span, Text, Word, lit, single
from verifier.shell.logic import INPUT, Logic, Predicate
from verifier.shell.state import Body, Formula, Pending, State, Status, Var
from verifier.shell.texts import digest

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.shell import nodes
    from verifier.shell.options import Limits, Options
    from verifier.shell.record import Recorder
    from verifier.shell.relevance import Calls

    Place = tuple[nodes.Source, int]

T = TypeVar("T")
_FUNCTION_SETS = 16
"""Sets of functions whose calls are remembered."""


ANY_ROUND = 1 << 40
"""The number of a round that stands for any of a loop's; it comes after those that are decided."""


class Fork(Exception):
    """The command that is running can go several ways: run it again under each condition."""

    def __init__(self, conditions: list[int]) -> None:
        super().__init__()
        self.conditions = conditions


class LimitReached(Exception):
    """Evaluation stops here; `name` is the limit in `Limits`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ShellError(Exception):
    """Bash would print this message and end the command (`fatal`: the shell) with `status`.

    `reported`: of those that end the shell under `set -e`, even where a failure is expected.
    """

    def __init__(
        self, message: str, status: int = 1, fatal: bool = False, reported: bool = False
    ) -> None:
        super().__init__(message)
        self.status = status
        self.fatal = fatal
        self.reported = reported


class Case(NamedTuple):
    """A value that depends on a formula."""

    test: int
    yes: tuple[Word, ...]
    no: tuple[Word, ...]


class Changes:
    """What the rounds of an unknown loop were seen to change."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """Variables, and what kind of value they get."""
        self.files: dict[str, dict[str, None]] = {}
        """For each execution of the loop."""
        self.descriptors: set[int] = set()
        self.args = False
        self.folder = False


class Machine:
    """One evaluation of one script."""

    run_substitution: Callable[[State, nodes.Script, int], Text]
    """Runs `$( … )` on a state and gives its output; set by the evaluator."""
    run_node: Callable[[nodes.Node, State], list[State]]
    """Runs a command on a state that it may change; gives the states of all paths after it."""
    run_list: Callable[[nodes.Script, State], list[State]]
    """The same for a list of commands."""
    run_paths: Callable[[nodes.Script, list[State]], list[State]]
    """The same on several paths."""
    run_unit: Callable[[nodes.Script, State], list[State]]
    """The same for a whole script or string."""

    def __init__(self, tree: Tree, options: Options, recorder: Recorder) -> None:
        self.tree = tree
        self.options = options
        self.limits: Limits = options.limits
        self.logic = Logic(options.limits.conditions)
        self.recorder = recorder
        self.notes: dict[tuple[str, str, int], Note] = {}
        self.assumptions: dict[tuple[str, str, int], Note] = {}
        self.cases: dict[str, Case] = {}
        """By the symbol of the hole that stands for the value."""
        self.perhaps_unset: dict[str, tuple[int, Text | None]] = {}
        """Of these: under which condition it is no value at all, and the value otherwise."""
        self.about_drafts: dict[str, bool] = {}
        """Which of them speak of speculative decoding, as far as that has been asked."""
        self.stops = 0
        """How many paths have ended the script."""
        self.steps = 0
        self.words = 0
        """How many words have been expanded."""
        self.depth = 0
        self.streams = 0
        self.substitutions = 0
        self.inside = 0
        """How many processes around the running command go on when it exits."""
        self.tries = 0
        self.places: list[tuple[nodes.Source, int]] = []
        """Where every running text goes on, the innermost last."""
        self.holes: dict[str, Hole] = {}
        """By the placeholder that stands for them in an evaluated text."""
        self.globs: dict[str, tuple[tuple[Text, bool], ...]] = {}
        """The pattern of each word that stands for files, by its symbol."""
        self.place: tuple[nodes.Source, int] | None = None
        """The command that is running."""
        self.running: nodes.Node | None = None
        """The same as a node."""
        self.substituting: list[tuple[Place | None, nodes.Node | None, nodes.Script]] = []
        """The command that each running substitution belongs to, and its own commands."""
        self.jobs: dict[str, tuple[int | None, tuple[int, int]]] = {}
        """The status of each process in the background, and which process started it."""
        self.follows_last = False
        """Whether anything reads `$_`."""
        self.loops: dict[tuple[str, int], Changes] = {}
        """What the rounds of each unknown loop were seen to change."""
        self.undecided: set[tuple[object, ...]] = set()
        """Places of loops, and conditions there, whose first round did not say how they go on."""
        self.rounds: tuple[tuple[int, int], ...] = ()
        """Each surrounding loop of the function: where it stands, and which round it is in."""
        self.end = 0
        """Where the command ends that runs last."""
        self.exported: tuple[dict[str, Var], Mapping[str, Text]] | None = None
        """Variables, and which of them programs see: see `report`."""
        self.environment: (
            tuple[Mapping[str, Text], object, Mapping[str, Text], tuple[object, ...]] | None
        ) = None
        """The last of these, a condition, and what they are there."""
        self._calls: dict[int, Calls] = {}
        self._resolved: dict[tuple[object, ...], Text | None] = {}

    def close(self) -> None:
        """Let go of everything: the machine refers to itself, and waiting for a search for garbage
        costs more than a small evaluation."""
        self.__dict__.clear()

    @contextmanager
    def process(self) -> Iterator[None]:
        """Around what runs in a process of its own: where it exits, this one goes on."""
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    # --- places ---

    def span(self, state: State, start: int, end: int | None = None) -> Span:
        """The place of a node of the file that is running."""
        return state.frames[-1].source.span(start, end)

    def at(self, state: State, node: nodes.Node) -> None:
        """The command is running, or goes on behind one inside it."""
        self.place = (state.frames[-1].source, node.start)
        self.running = node

    def site(self, state: State, start: int) -> str:
        """A name for one execution of one node: calls and loop rounds included."""
        frame = state.frames[-1]
        rounds = "".join(f"#{n}" for _, n in self.rounds)
        return f"{frame.site}:{start}{rounds}"

    def of_round(self, state: State, number: int) -> re.Pattern[str]:
        """Finds the names of what was executed in this round of the innermost loop."""
        rounds = "".join(f"#{n}" for _, n in (*self.rounds[:-1], (0, number)))
        return re.compile(rf"{re.escape(state.frames[-1].site)}:\d+{rounds}(?!\d)")

    def order(self, state: State) -> tuple[int, ...]:
        """The place of the running command in the order of execution, the same on all paths.

        A command runs when all in it has been expanded, so places are those of ends.
        """
        rounds = (part for loop in self.rounds for part in loop)
        return (*state.frames[-1].order, *rounds, self.end)

    def unresolved(self, span: Span, text: str, final: bool = False) -> None:
        """Report a place where evaluation stopped short; `final`: it did not go on at all."""
        note = Note(span=span, text=text, final=final)
        self.notes.setdefault((text, span.path, span.line), note)

    def assume(self, span: Span, text: str) -> None:
        """Report an assumption."""
        self.assumptions.setdefault((text, span.path, span.line), Note(span=span, text=text))

    # --- functions ---

    def calls(self, functions: dict[str, Body]) -> Calls:
        """What these functions read and call; worked out once per set of functions."""
        from verifier.shell.relevance import Calls

        found = self._calls.get(id(functions))
        if found is None:
            if len(self._calls) >= _FUNCTION_SETS:
                self._calls.clear()
            found = self._calls[id(functions)] = Calls(functions)
        return found

    def in_library(self, state: State) -> bool:
        """Whether a function of a file that the script sources is running."""
        frame = state.frames[-1]
        return frame.kind == "function" and frame.source.path != self._script(state)

    def calls_library(self, state: State, command: nodes.Node) -> bool:
        """Whether the command calls a function of a file that the script sources."""
        name = literal_name(command)
        body = state.functions.get(name) if name is not None else None
        return body is not None and body.source.path != self._script(state)

    def _script(self, state: State) -> str:
        return next(f.source.path for f in reversed(state.frames) if f.kind == "script")

    # --- decisions ---

    def decide(self, state: State, test: int) -> bool:
        """Whether `test` holds on this path; raises Fork when both can be."""
        yes, no = self.logic.split(state.cond, test)
        if no == 0:
            return True
        if yes == 0:
            return False
        raise Fork([yes, no])

    def attempt(self, state: State, action: Callable[[State], T]) -> list[tuple[State, T]]:
        """Run `action` on copies of `state` until every way it can fork has been taken."""
        results: list[tuple[State, T]] = []
        work = [state.cond]
        tries = 0
        while work:
            trial = state.copy()
            trial.cond = work.pop()
            tries += 1
            if tries > 2 * self.limits.forks:
                raise LimitReached("forks")
            self.tries = tries
            mark = self.recorder.begin()
            try:
                result = action(trial)
            except Fork as fork:
                self.recorder.rollback(mark)
                work.extend(reversed(fork.conditions))
                continue
            except BaseException:
                self.recorder.commit(mark)
                raise
            self.recorder.commit(mark)
            results.append((trial, result))
        return results

    def success(self, state: State, status: Status | None = None) -> int:
        """The formula that says the (last) status is zero."""
        if status is None:
            status = state.status
        if isinstance(status, int):
            return 1 if status == 0 else 0
        if isinstance(status, Formula):
            return status.success
        return self.logic.atom(
            Predicate(
                status.key, "succeeds", None, status.text, status.place[0].span(status.place[1])
            )
        )

    def pending(self, state: State, start: int, text: str) -> Pending:
        """The unknown status of the command at `start`."""
        source = state.frames[-1].source
        return Pending(f"status:{self.site(state, start)}", f"{text} succeeds", (source, start))

    def decided_words(self, state: State, words: tuple[Word, ...], number: int) -> tuple[Word, ...]:
        """The words, the first `number` of them told apart by path; may raise Fork."""
        result: list[Word] = []
        pending = list(reversed(words))
        while pending and len(result) < number:
            word = pending.pop()
            case = self.words_case(word)
            if case is None or self.tries > self.limits.forks:
                result.append(word)
            else:
                chosen = case.yes if self.decide(state, case.test) else case.no
                pending.extend(reversed(chosen))
        return (*result, *reversed(pending))

    def words_case(self, word: Word) -> Case | None:
        """What a word of unknown number depends on."""
        if not word.splits or len(word.text.pieces) != 1:
            return None
        piece = word.text.pieces[0]
        return self.cases.get(piece.symbol) if isinstance(piece, Hole) else None

    # --- unknown values ---

    def case(
        self, test: int, yes: Text, no: Text, reason: str, origin: Origin | None = None
    ) -> Text:
        """The value that is `yes` where `test` holds and `no` elsewhere."""
        if test == 1 or yes == no:
            return yes
        if test == 0:
            return no
        choices = _choices((yes, no), self.limits.choices)
        if choices is None:
            start, end = _shared(yes.pieces, no.pieces)
            if start or end:
                left, right = yes.pieces, no.pieces
                inner = self.case(
                    test,
                    Text(left[start : len(left) - end]),
                    Text(right[start : len(right) - end]),
                    reason,
                    origin,
                )
                return Text((*left[:start], *inner.pieces, *left[len(left) - end :]))
        name = self.case_name("case", test, (yes.key, no.key))
        self.cases[name] = Case(test, (Word(yes),), (Word(no),))
        return Text((Hole(reason, name, origin, choices=choices),))

    def case_name(self, kind: str, test: int, content: object) -> str:
        """A short symbol: spelled out, nested cases would grow without bound."""
        return f"{kind}({self.logic.fingerprint(test)},{digest(content)})"

    def case_words(
        self,
        test: int,
        yes: tuple[Word, ...],
        no: tuple[Word, ...],
        reason: str,
        origin: Origin | None = None,
    ) -> Word:
        """Any number of words: `yes` where `test` holds, `no` elsewhere."""
        keys = tuple(tuple((w.text.key, w.splits) for w in words) for words in (yes, no))
        name = self.case_name("cases", test, keys)
        self.cases[name] = Case(test, yes, no)
        alternatives = _alternatives(yes, no, self.limits.choices)
        return Word(Text((Hole(reason, name, origin),)), True, alternatives)

    def resolve(self, state: State, text: Text) -> Text:
        """The text with every hole filled that this path's condition decides."""
        if text.known is not None or not self.logic.predicates:
            return text
        pieces: list[Piece] = []
        changed = False
        for piece in text.pieces:
            if isinstance(piece, Hole):
                found = self.resolve_hole(state.cond, piece)
                if found is not None:
                    pieces.extend(found.pieces)
                    changed = True
                    continue
            pieces.append(piece)
        return Text(pieces) if changed else text

    def resolve_hole(self, cond: int, piece: Hole) -> Text | None:
        """What a hole stands for under `cond` when that says more than the hole does."""
        if piece.symbol not in self.cases:
            subject = INPUT + piece.input if piece.input is not None else piece.symbol
            if not self.logic.asks_about(subject, cond):
                return None
            cond = self.logic.known(cond, subject)
            if cond == 1:
                return None
        key = (cond, piece.symbol, piece.default, self.logic.known_here)
        if key in self._resolved:
            found = self._resolved[key]
        else:
            found = self._resolve_hole(cond, piece)
            self._resolved[key] = found
        if found is not None and piece.origin is not None:
            return Text(_with_origin(p, piece.origin) for p in found.pieces)
        return found

    def _resolve_hole(self, cond: int, piece: Hole) -> Text | None:
        from verifier.shell import questions

        logic = self.logic
        asked = logic.asked(cond)
        case = self.cases.get(piece.symbol)
        if case is not None and len(case.yes) == len(case.no) == 1:
            if not asked & logic.support(case.test):
                return None
            if logic.implies(cond, case.test):
                chosen = case.yes[0].text
            elif logic.rules_out(cond, case.test):
                chosen = case.no[0].text
            else:
                return None
            return Text(
                q
                for p in chosen.pieces
                for q in (
                    (self.resolve_hole(cond, p) or Text((p,))).pieces
                    if isinstance(p, Hole)
                    else (p,)
                )
            )
        subject = INPUT + piece.input if piece.input is not None else piece.symbol
        settled = logic.value_of(cond, subject)
        if settled is not None:
            value = settled[0]
            if value is None or (value == "" and piece.or_empty):
                value = piece.default
            return lit(value) if value else EMPTY
        if logic.told_elsewhere(subject):
            values = logic.known_values(subject)
            if piece.default is not None:
                values = [*values, piece.default]
            for value in values:
                shown = value or ""
                test = questions.hole_equals(self, piece, shown)
                if asked & logic.support(test) and logic.implies(cond, test):
                    return lit(shown) if shown else EMPTY
        if piece.input is not None and piece.default is not None:
            null = questions.input_null(self, piece.input, piece.or_empty)
            if asked & logic.support(null) and logic.rules_out(cond, null):
                return input_text(piece.input)
        return None

    def resolve_word(self, state: State, word: Word) -> tuple[Word, ...]:
        """A word of unknown number as the words this path's condition makes of it."""
        if not word.splits:
            text = self.resolve(state, word.text)
            return (word,) if text is word.text else (Word(text),)
        case = self.words_case(word)
        if case is None or not self.logic.asked(state.cond) & self.logic.support(case.test):
            return (word,)
        if self.logic.implies(state.cond, case.test):
            chosen = case.yes
        elif self.logic.rules_out(state.cond, case.test):
            chosen = case.no
        else:
            return (word,)
        return tuple(inner for w in chosen for inner in self.resolve_word(state, w))


def input_text(name: str, origin: Origin | None = None) -> Text:
    """The value of an input variable."""
    return Text((Hole(f"{name} is an input", INPUT + name, origin, input=name),))


def defaulted(name: str, default: str, or_empty: bool, origin: Origin | None = None) -> Text:
    """`${name-default}` or, with `or_empty`, `${name:-default}` of an input."""
    mark = ":-" if or_empty else "-"
    return Text(
        (
            Hole(
                f"{name} is an input (default {default!r})" if default else f"{name} is an input",
                f"{INPUT}{name}{mark}{default}",
                origin,
                input=name,
                default=default,
                or_empty=or_empty,
            ),
        )
    )


def literal_name(command: nodes.Node) -> str | None:
    """The first word of a simple command when it is written out."""
    words: tuple[object, ...] = getattr(command, "words", ())
    parts: tuple[object, ...] = getattr(words[0], "parts", ()) if words else ()
    value: object = getattr(parts[0], "value", None) if len(parts) == 1 else None
    return value if isinstance(value, str) else None


def _one_hole(pieces: tuple[Piece, ...]) -> bool:
    return len(pieces) == 1 and isinstance(pieces[0], Hole)


def _with_origin(piece: Piece, origin: Origin) -> Piece:
    return piece if piece.origin is not None else piece._replace(origin=origin)


def _shared(one: tuple[Piece, ...], two: tuple[Piece, ...]) -> tuple[int, int]:
    """How many pieces two texts have in common at their start and at their end."""
    most = min(len(one), len(two))
    start = 0
    while start < most and _says(one[start]) == _says(two[start]):
        start += 1
    end = 0
    while end < most - start and _says(one[-1 - end]) == _says(two[-1 - end]):
        end += 1
    return start, end


def _says(piece: Piece) -> tuple[bool, str]:
    return (False, piece.value) if isinstance(piece, Lit) else (True, piece.symbol)


def _choices(texts: tuple[Text, ...], limit: int) -> tuple[str, ...] | None:
    values: dict[str, None] = {}
    for text in texts:
        if text.known is not None:
            values[text.known] = None
            continue
        if not _one_hole(text.pieces):
            return None
        inner = text.pieces[0]
        assert isinstance(inner, Hole)
        if inner.choices is None:
            return None
        values.update(dict.fromkeys(inner.choices))
    return tuple(values) if len(values) <= limit else None


def _alternatives(
    yes: tuple[Word, ...], no: tuple[Word, ...], limit: int
) -> tuple[tuple[Word, ...], ...] | None:
    result: list[tuple[Word, ...]] = []
    for words in (yes, no):
        sequences: list[tuple[Word, ...]] = [()]
        for word in words:
            if word.alternatives is None:
                sequences = [(*s, word) for s in sequences]
            else:
                sequences = [(*s, *a) for s in sequences for a in word.alternatives]
            if len(sequences) > limit:
                return None
        result.extend(sequences)
    unique = tuple(dict.fromkeys(result))
    return unique if len(unique) <= limit else None


def with_step(text: Text, span: Span, how: str) -> Text:
    """The text with one more step of its history on every piece."""
    if len(text.pieces) == 1:
        return single(_one_step(text.pieces[0], span, how))
    return Text(_one_step(piece, span, how) for piece in text.pieces)


def _one_step(piece: Piece, span: Span, how: str) -> Piece:
    origin = Origin(span, how, piece.origin)
    if isinstance(piece, Lit):
        return Lit(piece.value, origin)
    return Hole(
        piece.reason,
        piece.symbol,
        origin,
        piece.input,
        piece.default,
        piece.or_empty,
        piece.choices,
    )
