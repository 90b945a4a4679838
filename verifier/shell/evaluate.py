"""What commands a script would run, without running anything."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from verifier.model.command import Branch, Evaluation, Note
from verifier.model.text import NOWHERE, Hole, Lit, Span, Text, Word, hole, lit
from verifier.model.tree import Tree, Unreadable
from verifier.shell import nodes, run
from verifier.shell.diagrams import TooManyConditions
from verifier.shell.files import CALLED_FROM
from verifier.shell.machine import LimitReached, Machine
from verifier.shell.options import Options
from verifier.shell.processes import parsed
from verifier.shell.record import Recorder, command
from verifier.shell.recursion import deep
from verifier.shell.state import Frame, State, Var
from verifier.shell.teller import Teller


def evaluate(path: str, tree: Tree, options: Options | None = None) -> Evaluation:
    """Evaluate a script of the tree. Never raises for anything that the script holds."""
    options = options if options is not None else Options()
    start = Span(path, 1)
    try:
        data = tree.read(path)
    except Unreadable as error:
        return Evaluation(path=path, commands=(), unresolved=(Note(span=start, text=str(error)),))
    if data is None:
        missing = Note(span=start, text=f"{path} is not in {tree.name}")
        return Evaluation(path=path, commands=(), unresolved=(missing,))
    recorder = Recorder()
    machine = Machine(tree, options, recorder)
    recorder.logic = machine.logic
    run.connect(machine)
    try:
        with deep():
            source, script = parsed(path, data)
            _run(machine, source, script)
            return _evaluation(path, machine)
    finally:
        machine.close()


def _evaluation(path: str, m: Machine) -> Evaluation:
    teller = Teller(m.logic, m.limits.alternatives)
    commands = tuple(
        command(entry, place, m.logic, teller) for place, entry in enumerate(m.recorder.entries())
    )
    branches: Mapping[str, Branch] = {}
    if m.options.branches:
        from verifier.shell.branches import branches_of

        branches = branches_of(m, commands, teller)
    return Evaluation(
        path=path,
        commands=commands,
        assumptions=tuple(m.assumptions.values()),
        unresolved=tuple(m.notes.values()),
        branches=branches,
        ended=_ended(m),
    )


def _ended(m: Machine) -> Note | None:
    """Where a script ends with an error, unless a program before has failed; the last such place
    counts, because what comes before it was passed."""
    logic = m.logic
    for span, status, condition in reversed(m.recorder.ends):
        with suppress(TooManyConditions):
            if logic.forget(condition, logic.gates) == 1:
                known = isinstance(status, int) and status != 0
                text = f"the script ends here with status {status}"
                return Note(span=span, text=text) if known else None
    return None


def _run(m: Machine, source: nodes.Source, script: nodes.Script) -> None:
    state = initial(m, source)
    m.places.append((source, 0))
    try:
        if m.run_unit(script, state):
            m.recorder.ends.clear()  # it may also come to its last line
    except LimitReached as limit:
        _stopped(m, limit.name)
    except RecursionError:
        _stopped(m, "depth")
    except TooManyConditions:
        _stopped(m, "conditions")


def _stopped(m: Machine, name: str) -> None:
    place = m.place
    span = place[0].span(place[1]) if place is not None else NOWHERE
    m.recorder.flush()
    value = getattr(m.limits, name)
    m.unresolved(span, f"evaluation stopped here: more than {value} (limit: {name})", final=True)


def initial(m: Machine, source: nodes.Source) -> State:
    """The state in which the script starts."""
    state = State()
    called = Hole("the folder that the script is called from", CALLED_FROM)
    path = Text((called, Lit(source.path)))
    state.frames = (Frame("script", source, "main", path, ""),)
    options = m.options
    if options.arguments or options.closed:
        state.args = tuple(Word(lit(value)) for value in options.arguments)
    else:
        state.args = (Word(hole("arguments of the script", "arguments"), True),)
    state.vars = {
        name: Var(lit(v) if isinstance(v, str) else v, exported=True, inherited=True)
        for name, v in options.env.items()
    }
    return state
