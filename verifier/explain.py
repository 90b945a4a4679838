"""How each value of a launch came about, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from verifier.enclosing import Arm, Enclosing
from verifier.explain_items import (
    Item,
    Section,
    item_of,
    key_of,
    options_of,
    sections_of,
    shown_word,
    steps_of,
)
from verifier.model.command import Branch, Command
from verifier.model.condition import ALWAYS, Atom, Condition, InputIs
from verifier.model.launch import Launch
from verifier.model.text import Hole, Origin, Span, Text, Word
from verifier.reports.conditions import as_words
from verifier.reports.escape import terminal
from verifier.reports.style import PLAIN, Style
from verifier.reports.text import place, wrapped

MAX_STEPS = 12
MAX_LINES = 120
"""Of the values of one item that depend on the path."""
MAX_ROWS = 12
MAX_DEPTH = 4
"""Branches inside each other that are printed."""
MAX_CONDITION_LINES = 8


def explain(
    launches: Sequence[Launch | Command],
    source: Callable[[str], str | None],
    line: int | None = None,
    style: Style = PLAIN,
    width: int = 80,
    branches: Mapping[str, Branch] | None = None,
) -> str:
    """Every launch with the chain of lines behind each argument and variable.

    With `line`: launches that start there, else the arguments that this line has a part in.
    `branches` says what values stand for that depend on the path.
    """
    writer = _Writer(source, style, width, branches or {})
    blocks = [b for launch in launches if (b := writer.launch(launch, line)) is not None]
    return "\n\n".join(blocks) + "\n" if blocks else ""


class _Writer:
    def __init__(
        self,
        source: Callable[[str], str | None],
        style: Style,
        width: int,
        branches: Mapping[str, Branch],
    ) -> None:
        self._source = source
        self._style = style
        self._width = width
        self._branches = branches
        self._files: dict[str, list[str]] = {}
        self._written: Mapping[str, Text] = {}
        """Files that the script has written."""
        self._enclosing = Enclosing(source)
        self._own: tuple[Arm, ...] = ()
        """Branches around the launch and around the calls that lead to it."""

    # --- launches ---

    def launch(self, launch: Launch | Command, line: int | None) -> str | None:
        command = launch.command if isinstance(launch, Launch) else launch
        span = command.span
        self._written = command.files
        self._own = tuple(
            arm for at in (*command.calls, span) for arm in self._enclosing.around(at)
        )
        whole = line is None or span.line <= line <= max(span.end_line, span.line)
        whole = whole or any(call.line == line for call in command.calls)
        arguments = options_of(launch.argv)
        variables = [item_of(f"{n}={v.display()}", (v,)) for n, v in command.env.items()]
        if isinstance(launch, Launch):
            from verifier.shell.files import named_files

            files = named_files(command).items()
            variables += [item_of(f"file {name}", (content,)) for name, content in files]
        if not whole:
            assert line is not None
            arguments, variables = (
                [item for item in items if self._has_part(item, line)]
                for items in (arguments, variables)
            )
            if not arguments and not variables and not self._leads_to(command, line):
                return None
        head = self._style.bold(place(span))
        if isinstance(launch, Launch):
            head += f": {launch.engine}" + (f" ({launch.role})" if launch.role else "")
        lines = [head, *self._circumstances(command)]
        for section in (*sections_of(arguments), *sections_of(variables)):
            lines.extend(self._section(section))
        return "\n".join(lines)

    def _leads_to(self, command: Command, line: int) -> bool:
        """Whether a test on the line, or a branch that begins there, decides on the launch."""
        spans = (*_tests(command.when), *(arm.head for arm in self._own))
        return any(span.line == line for span in spans)

    def _has_part(self, item: Item, line: int) -> bool:
        """Whether the line, or a branch that begins there, is among those behind the item."""
        steps = list(item.steps)
        tests: list[Span] = []
        for branch in self._branches_of(item.texts):
            tests.extend(_tests(branch.when))
            steps.extend(steps_of(word.text for word in (*branch.then, *branch.otherwise)))
        return any(_covers(step, line) for step in steps) or any(
            place.line == line
            for place in (
                *tests,
                *(
                    arm.head
                    for step in steps
                    for arm in self._enclosing.around(step.span)
                    if arm not in self._own
                ),
            )
        )

    def _branches_of(self, texts: Iterable[Text]) -> Iterator[Branch]:
        seen: set[str] = set()
        waiting = list(texts)
        while waiting:
            for hole in waiting.pop().holes:
                branch = self._branches.get(hole.symbol)
                if branch is not None and hole.symbol not in seen:
                    seen.add(hole.symbol)
                    yield branch
                    waiting.extend(word.text for word in (*branch.then, *branch.otherwise))

    def _circumstances(self, command: Command) -> Iterator[str]:
        """Where it was called from, and under which condition."""
        for call in command.calls:
            yield f"  {self._style.dim('called at')} {place(call)}: {self._quoted(call)}"
        written = self._written.get(command.span.path)
        if written is not None and written.span is not None:
            place_of = place(written.span)
            yield f"  {self._style.dim('written at')} {place_of}: {self._quoted(written.span)}"
        for arm in self._own:
            yield f"  {_ARMS[arm.kind]} {place(arm.head)}: {self._quoted(arm.head)}"
        when = as_words(command.when)
        if when is None:
            return
        yield from wrapped(f"when {when}", self._width, "  ")
        spans = dict.fromkeys(
            (span.path, span.line)
            for span in _tests(command.when)
            if command.span.line != span.line
        )
        for count, (path, line) in enumerate(sorted(spans)):
            if count == MAX_CONDITION_LINES:
                yield f"    … {len(spans) - count} more lines"
                break
            span = Span(path, line)
            yield f"    {place(span)}: {self._quoted(span)}"

    # --- values ---

    def _section(self, section: Section) -> Iterator[str]:
        if section.shared:
            yield f"  {self._style.dim('by way of')}"
            yield from self._steps_lines(section.shared, "    ", self._own)
        around = self._around(section.shared)
        for item in section.items:
            yield f"  {self._style.bold(terminal(item.label, 400))}"
            own = item.steps[len(section.shared) :]
            yield from self._steps_lines(own, "    ", around)
            lines = self._sides(item, around)
            yield from islice(lines, MAX_LINES)
            if next(lines, None) is not None:
                yield f"    … and more than {MAX_LINES} lines"

    def _around(self, steps: Sequence[Origin]) -> tuple[Arm, ...]:
        arms = (arm for step in steps for arm in self._enclosing.around(step.span))
        return (*self._own, *arms)

    def _steps_lines(
        self, steps: Sequence[Origin], indent: str, known: tuple[Arm, ...]
    ) -> Iterator[str]:
        """Steps with their source lines; those of one line together. `known`: branches that the
        reader has been told of."""
        told = set(known)
        rows: list[tuple[Span, list[str]]] = []
        for step in steps[:MAX_STEPS]:
            span = step.span
            if rows and (rows[-1][0].path, rows[-1][0].line) == (span.path, span.line):
                if step.how not in rows[-1][1]:
                    rows[-1][1].append(step.how)
            else:
                rows.append((span, [step.how]))
        for span, hows in rows:
            said = [how for how in hows if how != "literal"] or hows
            yield f"{indent}{place(span)}: {terminal(', '.join(said))}"
            quoted = self._quoted(span)
            if quoted:
                yield f"{indent}  {self._style.dim('| ' + quoted)}"
            for arm in self._enclosing.around(span):
                if arm not in told:
                    told.add(arm)
                    yield f"{indent}  {_ARMS[arm.kind]} {place(arm.head)}: {self._quoted(arm.head)}"
        if len(steps) > MAX_STEPS:
            yield f"{indent}… {len(steps) - MAX_STEPS} earlier steps"

    def _sides(self, item: Item, around: tuple[Arm, ...]) -> Iterator[str]:
        known = (*around, *self._around(item.steps))
        behind = {key_of(step) for step in item.steps}
        for hole in dict.fromkeys(h.symbol for text in item.texts for h in text.holes):
            branch = self._branches.get(hole)
            if branch is not None:
                yield from self._branch(branch, "    ", known, behind, 1)

    def _branch(
        self,
        branch: Branch,
        indent: str,
        known: tuple[Arm, ...],
        behind: set[tuple[str, int, str]],
        depth: int,
    ) -> Iterator[str]:
        """Each value with its condition and its own chain; the first row that holds counts."""
        rows = _in_order(self._rows(branch))
        for number, (when, words) in enumerate(rows):
            if number == MAX_ROWS:
                yield f"{indent}… {len(rows) - number} more values"
                return
            said = as_words(when)
            start = "else where" if number else "where"
            head = "else: " if said is None else f"{start} {said}: "
            yield from self._side(head, words, indent, known, behind, depth)

    def _rows(self, branch: Branch, limit: int = 40) -> list[tuple[Condition, tuple[Word, ...]]]:
        """The values of a branch and of those that are all of one of its sides."""
        rows: list[tuple[Condition, tuple[Word, ...]]] = []
        for condition, words in ((branch.when, branch.then), (ALWAYS, branch.otherwise)):
            inner = self._only_branch(words)
            if inner is None or limit <= 0:
                rows.append((condition, words))
            else:
                rows += [(condition.also(c), w) for c, w in self._rows(inner, limit // 2)]
        return rows

    def _only_branch(self, words: tuple[Word, ...]) -> Branch | None:
        if len(words) != 1 or len(words[0].text.pieces) != 1:
            return None
        piece = words[0].text.pieces[0]
        return self._branches.get(piece.symbol) if isinstance(piece, Hole) else None

    def _side(
        self,
        said: str,
        words: tuple[Word, ...],
        indent: str,
        known: tuple[Arm, ...],
        behind: set[tuple[str, int, str]],
        depth: int,
    ) -> Iterator[str]:
        texts = tuple(word.text for word in words)
        shown = terminal(" ".join(shown_word(word) for word in words), 400) or "nothing"
        yield from wrapped(f"{said}{shown}", self._width, indent, indent + "  ")
        quoted = {key[:2] for key in behind}
        steps = [
            step
            for step in steps_of(texts)
            if key_of(step) not in behind
            and (step.how != "literal" or (step.span.path, step.span.line) not in quoted)
        ]
        yield from self._steps_lines(steps, indent + "  ", known)
        if depth >= MAX_DEPTH:
            return
        known = (*known, *self._around(steps))
        behind = behind | {key_of(step) for step in steps}
        for symbol in dict.fromkeys(hole.symbol for text in texts for hole in text.holes):
            deeper = self._branches.get(symbol)
            if deeper is not None:
                yield from self._branch(deeper, indent + "  ", known, behind, depth + 1)

    def _quoted(self, span: Span) -> str:
        """The source line, without what surrounds it."""
        lines = self._files.get(span.path)
        if lines is None:
            text = self._source(span.path)
            if text is None and span.path in self._written:
                lines = self._written[span.path].display().split("\n")  # of this launch only
            else:
                lines = self._files[span.path] = (text or "").split("\n")
        return terminal(lines[span.line - 1].strip(), 120) if 0 < span.line <= len(lines) else ""


_ARMS = {
    "if": "in the branch of",
    "else": "in the else branch of",
    "case": "in the branch of",
    "loop": "in the loop of",
}


def _in_order(
    rows: Sequence[tuple[Condition, tuple[Word, ...]]],
) -> list[tuple[Condition, tuple[Word, ...]]]:
    """Without what the rows before have taken already."""
    result: list[tuple[Condition, tuple[Word, ...]]] = []
    taken: list[frozenset[Atom]] = []
    for condition, words in rows:
        left = tuple(c for c in condition.alternatives if not any(t <= c for t in taken))
        if left:
            taken += left
            result.append((Condition(left), words))
    while len(result) > 1 and _said(result[-1][1]) == _said(result[-2][1]):
        del result[-2]  # the last row says the same of what is left
    return result


def _said(words: tuple[Word, ...]) -> tuple[object, ...]:
    return tuple((word.text.key, word.splits) for word in words)


def _covers(step: Origin, line: int) -> bool:
    """Whether the line has a part in the step; an assignment of many lines has its parts' steps."""
    span = step.span
    last = max(span.end_line, span.line) if step.how == "literal" else span.line
    return span.line <= line <= last


def _tests(condition: Condition) -> Iterator[Span]:
    """Where the tests of a condition stand, as far as they have a place."""
    for conjunction in condition.alternatives:
        for atom in conjunction:
            if not isinstance(atom, InputIs) and atom.span.path:
                yield atom.span
