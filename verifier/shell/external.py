"""External commands: pure ones are modelled, wrappers are opened, the rest is unknown."""

from __future__ import annotations

from verifier.model.command import program_name
from verifier.model.files import file_key
from verifier.model.record import replace
from verifier.model.text import EMPTY, Hole, Lit, Origin, Text, Word, hole, lit
from verifier.shell import commands, folders, locales, processes, redirect, variables, written
from verifier.shell.bycase import by_words
from verifier.shell.commands import wrappers
from verifier.shell.files import place
from verifier.shell.machine import Machine, input_text
from verifier.shell.simple import Plan
from verifier.shell.state import State, Var
from verifier.shell.texts import derived

# Commands that print nothing on standard output in their usual use.
SILENT = frozenset(
    "mkdir rm cp mv ln chmod chown touch sleep kill rmdir export sync truncate install".split()
)
# Commands that remove, move or make files.
CHANGING = frozenset("rm rmdir mv cp ln mkdir touch".split())
# Commands that may read standard input although nothing on their line says so.
READERS = frozenset(
    """ssh srun mpirun docker podman python python3 bash sh ffmpeg sudo tee cat xargs sort grep
    awk sed head tail wc tr cut uniq jq perl parallel""".split()
)
# Of these, some stop before the end of their input; what is left then is not modelled.
PARTIAL = frozenset("head grep egrep fgrep sed awk mawk gawk".split())


def run(m: Machine, state: State, plan: Plan, start: int, end: int) -> list[State]:
    """Run the external command that `plan` names (recorded already)."""
    argv = plan.argv
    name = argv[0].text.known if not argv[0].splits else None
    base = None if name is None else name.rsplit("/", 1)[-1]
    if base is not None:
        known = modelled(m, state, base, argv, start)
        if known is not None:
            return known
    inner = wrappers.peel(argv) if base is not None else None
    if inner is not None:
        return processes.run_inner(m, state, plan, inner, start, end)
    ran = written.run(m, state, argv[0].text, tuple(argv[1:]), start)
    if ran is not None:
        return ran
    helper = processes.helper_script(m, state, argv[0].text)
    if helper is not None:
        return processes.run_script(m, state, helper, argv[0].text, tuple(argv[1:]), start, ())
    if base is None and program_name(argv[0]) is None:
        _unknown_program(m, state, argv, start)
    unknown_effects(m, state, plan, base, start)
    return [state]


def _unknown_program(m: Machine, state: State, argv: list[Word], start: int) -> None:
    """Say that anything may run here, unless the words behind it name a server: then what is not
    known is taken for a wrapper, as other wrappers are that nobody knows."""
    exact = m.options.exact
    rest = [None if word.splits else word.text.known for word in argv[1:]]
    if exact is not None and rest and exact(["", *rest]):
        return
    shown = argv[0].text.display()
    what = f"which program {shown} names is not known; it may start a server"
    m.unresolved(m.span(state, start), what)


def modelled(
    m: Machine, state: State, base: str, argv: list[Word], start: int
) -> list[State] | None:
    path = folders.path_command(m, state, base, argv)
    if path is not None:
        redirect.emit(m, state, 1, path + lit("\n"))
        state.status = 0
        return [state]
    model = commands.model(base)
    if model is None:
        return None
    call = commands.Call(
        (),
        None,
        lambda name: redirect.read_file(m, state, name),
        lambda: environment(m, state),
        lambda name: _program_variable(m, state, name),
        lambda: locales.by_bytes(m, state, exported=True),
    )
    words = tuple(argv)
    result = by_words(m, state, model, call, words)
    stdin = redirect.stdin(state)
    if result is None and stdin is not None:
        # Only now is it known that the command reads its standard input.
        result = by_words(m, state, model, replace(call, stdin=stdin), words)
        if result is not None:
            redirect.set_stdin(state, None if base in PARTIAL else EMPTY)
    if result is None:
        return None
    if result.stdout.pieces:
        redirect.emit(m, state, 1, _printed(m, state, result.stdout, base, start))
    for write in result.writes:
        key = place(state.files, file_key(write.name, state.cwd))
        content = write.content
        if write.append:
            before = state.files.get(key)
            earlier = hole(f"earlier content of {key}", f"file:{key}")
            content = (before if before is not None else earlier) + content
        state.set_file(key, content)
    if result.status is None:
        state.status = m.pending(state, start, _shown(argv))
    else:
        state.status = result.status
    return [state]


def environment(m: Machine, state: State) -> dict[str, Text]:
    """Exported variables, those that came from outside included."""
    return {
        name: m.resolve(state, var.value)
        for name, var in state.vars.items()
        if var.exported and isinstance(var.value, Text)
    }


def _program_variable(m: Machine, state: State, name: str) -> Text | None:
    """What a program sees of a variable; None when it is not set for it."""
    var = state.vars.get(name)
    if var is not None and var.exported and isinstance(var.value, Text):
        return m.resolve(state, var.value)
    if name in variables.VOLATILE:
        raise commands.NotModelled(f"${name} differs from run to run")
    if var is not None and var.exported:
        raise commands.NotModelled(f"{name} has no value yet, but another may be visible")
    if m.options.closed or (var is not None and var.value is None):
        return None
    if var is not None:
        raise commands.NotModelled(f"{name} is set here but not exported")
    return input_text(name)


def _printed(m: Machine, state: State, text: Text, name: str, start: int) -> Text:
    from verifier.shell.machine import with_step

    return with_step(text, m.span(state, start), f"printed by {name}")


def _shown(argv: list[Word]) -> str:
    from verifier.shell.questions import shown_text

    shown = " ".join(" ".join(shown_text(word.text) for word in argv[:6]).split())
    if len(argv) > 6 or len(shown) > 80:
        shown = shown[:80] + "…"
    return f"`{shown}`"


def unknown_effects(m: Machine, state: State, plan: Plan, base: str | None, start: int) -> None:
    """What may have changed after a command that nobody knows."""
    argv = plan.argv
    site = m.site(state, start)
    shown = _shown(argv)
    state.status = m.pending(state, start, shown)
    if base not in SILENT or plan.writes or any(_verbose(word) for word in argv[1:]):
        unknown_output(m, state, shown, start, base, _computed(m, state, base, argv))
    if (base is None or base in READERS) and redirect.stdin(state) is not None:
        redirect.set_stdin(state, None)
    if base in CHANGING:
        from verifier.shell import filesystem

        if filesystem.run(m, state, base, argv, start):
            return
    if not state.background or base in ("sed", "yq", "jq", "patch"):
        _touched(state, argv, base, site)


def _verbose(word: Word) -> bool:
    """Whether it may be an option that makes a silent command talk."""
    known = word.text.known or ""
    return known.startswith("-") and "v" in known


_OF_WORDS = frozenset(("basename", "dirname", "echo", "expr", "printf", "seq"))
_OF_INPUT = frozenset(("cut", "head", "paste", "rev", "sort", "tail", "tr", "uniq", "wc"))
"""Programs that compute their output from their arguments alone, and from their input as well."""
_LOCALE = ("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_NUMERIC", "LANG")


def _computed(m: Machine, state: State, base: str | None, argv: list[Word]) -> list[Text] | None:
    """What the output of a pure function is computed from."""
    if base not in _OF_WORDS and base not in _OF_INPUT:
        return None
    if base == "echo" and state.opt("xpg_echo"):
        return None
    if base == "sort" and any(
        "R" in w.text.display() or "random" in w.text.display() for w in argv
    ):
        return None
    words = [
        derived("", "words", word.text) if word.splits else m.resolve(state, word.text)
        for word in argv[1:]
    ]
    if base in _OF_INPUT:
        stdin = redirect.stdin(state)
        named = base != "tr" and not all((word.known or "").startswith("-") for word in words)
        if stdin is None or named or any(word.splits for word in argv):
            return None  # other words may name files
        words.append(stdin)
    for name in _LOCALE:
        var = state.vars.get(name)
        if var is not None and isinstance(var.value, Text):
            words.append(lit(f"{name}=") + var.value)
    return words


def _output(
    m: Machine, reason: str, base: str, words: list[Text], origin: Origin, most: int = 3
) -> Text:
    """The output, named after what it is computed from; it depends on the path as that does."""
    for index, text in enumerate(words):
        case = m.cases.get(text.pieces[0].symbol) if most and _is_hole(text) else None  # type: ignore[union-attr]
        if case is None or not len(case.yes) == len(case.no) == 1:
            continue
        one, two = (
            _output(
                m,
                reason,
                base,
                [*words[:index], side[0].text, *words[index + 1 :]],
                origin,
                most - 1,
            )
            for side in (case.yes, case.no)
        )
        return m.case(case.test, one, two, reason, origin)
    known = _known_output(base, words)
    return known or hole(reason, derived("", base, *words).holes[0].symbol, origin)


def _known_output(base: str, words: list[Text]) -> Text | None:
    """The output on a path on which all words are known."""
    model = commands.model(base)
    if model is None or base not in _OF_WORDS or any(word.known is None for word in words):
        return None
    try:
        return model(commands.Call((lit(base), *words))).stdout
    except commands.NotModelled:
        return None


def _is_hole(text: Text) -> bool:
    return len(text.pieces) == 1 and isinstance(text.pieces[0], Hole)


def unknown_output(
    m: Machine,
    state: State,
    shown: str,
    start: int,
    base: str | None = None,
    computed: list[Text] | None = None,
) -> None:
    """Anything may have been written to standard output and standard error."""
    origin = Origin(m.span(state, start))
    if base is None or computed is None:
        output = hole(f"output of {shown}", f"output:{m.site(state, start)}", origin)
    else:
        output = _output(m, f"output of {shown}", base, computed, origin)
    for descriptor in (1, 2):
        _emit_unknown(m, state, descriptor, output)


def _emit_unknown(m: Machine, state: State, descriptor: int, output: Text) -> None:
    number = state.fds.get(descriptor)
    if number is None:
        return
    stream = state.streams.get(number)
    if stream is None or stream.null:
        return
    before = state.files.get(stream.file) if stream.file is not None else stream.text
    if before is not None and before.pieces and before.pieces[-1] == output.pieces[0]:
        return
    redirect.emit(m, state, descriptor, output)


def _touched(state: State, argv: list[Word], base: str | None, site: str) -> None:
    """A known file that is named on the line of an unknown command may have changed."""
    if not state.files:
        return
    previous = ""
    for word in argv[1:]:
        text = word.text
        key = place(state.files, file_key(text, state.cwd))
        if key in state.files and not _reads(previous, base):
            reason = f"{key} may have been changed by {base or 'a command'}"
            state.set_file(key, hole(reason, f"file:{key}:{site}"))
        previous = text.known or ""


_READING = frozenset(
    """cat chmod cmp cut diff du file fold grep head ln ls md5sum mkdir nl od paste readlink
    realpath rev sha1sum sha256sum source stat tac tail test wc xxd""".split()
)
"""Commands that change no file whose name they are given."""


def _reads(option: str, base: str | None) -> bool:
    """Whether the word before says that the file is only read."""
    if base in _READING:
        return True
    words = ("config", "options", "template", "yaml", "json", "args", "file", "log")
    return option.startswith("--") and any(word in option for word in words)


__all__ = ["Lit", "Var", "run"]
