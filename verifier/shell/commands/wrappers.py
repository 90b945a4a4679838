"""Commands that run another command: env, exec, nohup, timeout, srun, mpirun, docker run, …"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.model.record import NamedTuple
from verifier.model.text import Lit, Text, Word, lit
from verifier.shell.commands.batches import Batching
from verifier.shell.commands.wrapper_options import SPECS, Spec
from verifier.shell.texts import cut


class Inner(NamedTuple):
    """The command inside a wrapper.

    `words` is its argv. `assignments` are set in its environment before it runs (in order);
    `removed` are taken out; `clean` means it starts from an empty one (`env -i`), but for the
    names in `passed`. `script` is the text of `bash -c text`, whose `words` are then
    `$0 $1 …`; `script_file` the file of `bash file …` (words as for `-c`); `stdin_script` a
    shell that reads its script from standard input. `shell_options` are the options given to
    that shell ("errexit", "nounset", "pipefail", "xtrace", …). `container`: it runs in another
    environment (docker, podman, srun with a container). `stdin_words`: arguments from standard
    input follow (xargs), in groups as `batching` says. `uncertain` is None, or says why this
    reading may be wrong.
    """

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Text], ...] = ()
    removed: tuple[str, ...] = ()
    clean: bool = False
    script: Text | None = None
    script_file: Text | None = None
    shell_options: tuple[str, ...] = ()
    container: bool = False
    stdin_words: bool = False
    batching: Batching = Batching()
    uncertain: str | None = None
    passed: tuple[str, ...] = ()
    stdin_script: bool = False


class _Reading:
    """Walks over the words of a wrapper."""

    def __init__(self, words: Sequence[Word], position: int = 1) -> None:
        self.words = tuple(words)
        self.position = position
        self.options: list[tuple[str, Text | None]] = []
        self.doubt: str | None = None

    @property
    def rest(self) -> tuple[Word, ...]:
        return self.words[self.position :]

    def doubtful(self, reason: str) -> None:
        self.doubt = self.doubt or reason

    def values(self, *names: str) -> list[Text]:
        """The values given to an option, in order."""
        return [value for name, value in self.options if name in names and value is not None]

    def given(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def next_text(self) -> Text | None:
        """The next word as an option's value."""
        if self.position >= len(self.words):
            self.doubtful("the value of the last option is missing")
            return None
        word = self.words[self.position]
        self.position += 1
        if word.splits:
            self.doubtful(f"{word.text.display()} may be any number of words")
        return word.text

    def read_options(self, spec: Spec) -> None:
        """Read options up to the first word that is none."""
        while self.position < len(self.words):
            word = self.words[self.position]
            head = _head(word.text)
            if word.splits and not head.startswith("-"):
                if spec.positionals or "=" in head or not self.skip_unknown(word):
                    return
                continue
            if not head.startswith("-") or word.text.known == "-":
                return
            if word.text.known == "--":
                self.position += 1
                return
            if head.startswith("--") or spec.single_dash:
                self.long(spec, word.text, head)
            else:
                self.short(spec, word.text, head)

    def skip_unknown(self, word: Word) -> bool:
        """A word such as `$OPTIONS`: options, when a word follows that can be the command."""
        following = self.words[self.position + 1 :]
        if not following:
            return False
        self.doubtful(f"{word.text.display()} may hold options, or the command")
        self.position += 1
        return True

    def long(self, spec: Spec, text: Text, head: str) -> None:
        self.position += 1
        name, equals, _ = head.partition("=")
        if not equals and text.known is None:
            self.doubtful(f"the option {text.display()} is not known in full")
            return
        if equals:
            known = name in spec.flags or name in spec.valued or name in spec.optional
            if not known and not spec.any_long:
                self.doubtful(f"the option {name} is not known")
            self.options.append((name, cut(text, len(name) + 1)))
        elif name in spec.valued:
            self.options.append((name, self.next_text()))
            for _ in range(spec.valued[name] - 1):
                self.options.append((name, self.next_text()))
        else:
            if name not in spec.flags and name not in spec.optional:
                if spec.single_dash and name[:2] in spec.attached:
                    self.options.append((name[:2], cut(text, 2)))
                    return
                self.doubtful(f"the option {name} is not known")
            self.options.append((name, None))

    def short(self, spec: Spec, text: Text, head: str) -> None:
        self.position += 1
        for index in range(1, len(head)):
            name = "-" + head[index]
            if name in spec.valued:
                attached = cut(text, index + 1)
                self.options.append((name, attached if attached else self.next_text()))
                return
            if name in spec.optional:
                self.options.append((name, cut(text, index + 1)))
                return
            if name not in spec.flags and not (spec.digits and name[1].isdigit()):
                self.doubtful(f"the option {name} is not known")
            self.options.append((name, None))
        if text.known is None:
            self.doubtful(f"the option {text.display()} is not known in full")

    def positional(self) -> Text | None:
        """One word before the command, such as a duration."""
        if self.position >= len(self.words):
            return None
        word = self.words[self.position]
        if word.splits:
            self.doubtful(f"{word.text.display()} may be any number of words")
        self.position += 1
        return word.text

    def assignments(self) -> list[tuple[str, Text]]:
        """NAME=VALUE words."""
        found = []
        while self.position < len(self.words):
            word = self.words[self.position]
            name, equals, _ = _head(word.text).partition("=")
            if not equals or not name:
                if word.splits and self.skip_unknown(word):
                    continue
                break
            if word.splits:
                self.doubtful(f"{word.text.display()} may be any number of words")
            found.append((name, cut(word.text, len(name) + 1)))
            self.position += 1
        return found


def _head(text: Text) -> str:
    """The known characters before the first hole."""
    values = []
    for piece in text.pieces:
        if not isinstance(piece, Lit):
            break
        values.append(piece.value)
    return "".join(values)


def peel(words: Sequence[Word]) -> Inner | None:
    """Take one wrapper off. None when `words[0]` is not a wrapper or runs no command.

    An unknown option makes the result `uncertain`; its `words` are then the best guess that
    starts at a word which does not look like an option, or empty.
    """
    if not words or words[0].splits or words[0].text.known is None:
        return None
    name = words[0].text.known.rsplit("/", 1)[-1]
    special = _SPECIAL.get(name)
    if special is not None:
        return special(_Reading(words))
    spec = SPECS.get(name)
    if spec is None:
        return None
    reading = _Reading(words)
    if spec.subcommand and not _subcommand(reading, spec):
        return None
    reading.read_options(spec)
    if reading.given(*spec.no_command):
        return None
    for _ in range(spec.positionals):
        reading.positional()
    return _inner(reading)


def _subcommand(reading: _Reading, spec: Spec) -> bool:
    if not reading.rest or reading.rest[0].text.known != spec.subcommand:
        return False
    reading.position += 1
    return True


def _inner(reading: _Reading, **fields: object) -> Inner | None:
    if not reading.rest:
        return None if reading.doubt is None else Inner((), uncertain=reading.doubt)
    return Inner(reading.rest, uncertain=reading.doubt)._replace(**fields)  # type: ignore[arg-type]


def _env(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["env"])
    clean = reading.given("-i", "--ignore-environment")
    if reading.rest and reading.rest[0].text.known == "-":
        reading.position += 1
        clean = True
    removed = [value.known for value in reading.values("-u", "--unset")]
    split = reading.values("-S", "--split-string")
    if split:
        _split_string(reading, split[-1])
    assignments = reading.assignments()
    if any(name is None for name in removed):
        reading.doubtful("a variable that env removes is not known")
    return _inner(
        reading,
        assignments=tuple(assignments),
        removed=tuple(name for name in removed if name is not None),
        clean=clean,
    )


def _split_string(reading: _Reading, text: Text) -> None:
    if text.known is None or set(text.known) & set("\\'\"$#"):
        reading.doubtful("the string that env -S splits is not plain")
        return
    origin = text.pieces[0].origin if text.pieces else None
    words = tuple(Word(lit(part, origin)) for part in text.known.split())
    reading.words = (*reading.words[: reading.position], *words, *reading.rest)


def _sudo(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["sudo"])
    if reading.given("-l", "--list", "-v", "--validate", "-k", "-K", "-e", "--edit"):
        return None
    assignments = reading.assignments()
    if not reading.given("-E", "--preserve-env"):
        reading.doubtful("sudo may not pass the environment on")
    return _inner(reading, assignments=tuple(assignments))


def _mpirun(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["mpirun"])
    passed: list[tuple[str, Text]] = []
    for value in reading.values("-x"):
        name, equals, _ = _head(value).partition("=")
        if equals:
            passed.append((name, cut(value, len(name) + 1)))
    pairs = reading.values("-genv", "-env", "--genv", "--env")
    for first, second in zip(pairs[::2], pairs[1::2], strict=False):
        if first.known is not None:
            passed.append((first.known, second))
    if any(word.text.known == ":" for word in reading.rest):
        reading.doubtful("it starts more than one program")
    return _inner(reading, assignments=tuple(passed))


def _srun(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["srun"])
    assignments: list[tuple[str, Text]] = []
    clean = False
    for value in reading.values("--export"):
        names = _head(value).split(",")
        if value.known is None:
            # What a part that is not known holds may be more of the list.
            reading.doubtful("the variables that srun exports are not known")
            names.pop()
        clean = bool(names) and not names[0].startswith("ALL") and value.known is not None
        for item in names:
            name, equals, given = item.partition("=")
            if equals:
                assignments.append((name, lit(given)))
    container = reading.given("--container-image", "--container-name", "--container")
    if reading.given("--multi-prog"):
        reading.doubtful("it starts more than one program")
    passed = tuple(
        name for value in reading.values("--export") for name in (value.known or "").split(",")
    )
    return _inner(
        reading,
        assignments=tuple(assignments),
        clean=clean,
        container=container,
        passed=tuple(name for name in passed if name and "=" not in name and name != "NONE"),
    )


def _docker(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["docker"])
    action = reading.positional()
    if action is not None and action.known == "container":
        action = reading.positional()
    if action is None or action.known not in ("run", "exec"):
        return None
    reading.options.clear()
    reading.read_options(SPECS["docker run"])
    image = reading.positional()
    if image is None:
        return None
    assignments: list[tuple[str, Text]] = []
    passed: list[str] = []
    for value in reading.values("-e", "--env"):
        name, equals, _ = _head(value).partition("=")
        if equals:
            assignments.append((name, cut(value, len(name) + 1)))
        elif value.known is not None:
            passed.append(value.known)
        else:
            reading.doubtful("a variable given to the container is not known")
    if reading.given("--env-file"):
        reading.doubtful("the container reads variables from a file")
    entry = reading.values("--entrypoint")
    words = reading.rest
    if entry and entry[-1]:
        words = (Word(entry[-1]), *words)
    elif not words or _head(words[0].text).startswith("-"):
        reading.doubtful("the command is in the image")
        words = ()
    return Inner(
        words,
        tuple(assignments),
        clean=action.known == "run",
        container=True,
        uncertain=reading.doubt,
        passed=tuple(passed),
    )


def _xargs(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["xargs"])
    batching = _batching(reading)
    if reading.given("-a", "--arg-file"):
        reading.doubtful("xargs reads its words from a file")
    if not reading.rest:
        return Inner(
            (Word(lit("echo")),), stdin_words=True, batching=batching, uncertain=reading.doubt
        )
    inner = _inner(reading, stdin_words=True)
    return None if inner is None else inner._replace(batching=batching)


_DELIMITERS = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\\\": "\\"}


def _batching(reading: _Reading) -> Batching:
    def last(*names: str) -> str | None:
        """The value; "" when it is not given, None when it is not known."""
        values = reading.values(*names)
        return values[-1].known if values else ""

    replace, delimiter = last("-I", "-i", "--replace"), last("-d", "--delimiter")
    words, lines = last("-n", "--max-args"), last("-L", "--max-lines")
    if None in (replace, delimiter, words, lines):
        reading.doubtful("xargs has an unknown option")
    if reading.given("-l", "-e", "-E", "-s", "-x", "-i", "--replace", "--eof", "--max-chars"):
        reading.doubtful("xargs groups its input in a way that is not modelled")
    if sum(bool(option) for option in (replace, words, lines)) > 1:
        reading.doubtful("xargs groups its input in several ways")
    if (words and not words.isdigit()) or (lines and not lines.isdigit()):
        reading.doubtful("xargs takes a number")
        words = lines = ""
    if delimiter:
        delimiter = _DELIMITERS.get(delimiter, delimiter)
        if len(delimiter) > 1:
            reading.doubtful("xargs splits at an unusual delimiter")
    if reading.given("-0", "--null"):
        delimiter = "\0"
    return Batching(
        delimiter[:1] if delimiter else None,
        replace or None,
        int(words) if words else None,
        int(lines) if lines else None,
        not reading.given("-r", "--no-run-if-empty"),
    )


_LETTERS = {
    "e": "errexit", "u": "nounset", "x": "xtrace", "v": "verbose", "f": "noglob", "a": "allexport",
    "n": "noexec", "m": "monitor", "h": "hashall", "B": "braceexpand", "E": "errtrace",
    "T": "functrace", "C": "noclobber", "b": "notify", "k": "keyword", "t": "onecmd",
    "p": "privileged", "P": "physical", "H": "histexpand",
}  # fmt: skip


def _shell(reading: _Reading) -> Inner | None:
    """bash, sh, dash: a string, a file, or standard input."""
    options: list[str] = []
    command = stdin = False
    while reading.position < len(reading.words):
        word = reading.words[reading.position]
        value = word.text.known
        if word.splits and reading.position + 1 < len(reading.words):
            reading.skip_unknown(word)
            continue
        if value is None or len(value) < 2 or value[0] not in "-+":
            break
        reading.position += 1
        if value == "--":
            break
        if value.startswith("--"):
            if value in ("--rcfile", "--init-file"):
                reading.next_text()
            elif value not in _SHELL_LONG:
                reading.doubtful(f"the option {value} is not known")
            continue
        for letter in value[1:]:
            if letter == "c" and value[0] == "-":
                command = True
            elif letter == "s":
                stdin = True
            elif letter in "oO":
                name = reading.next_text()
                if name is not None and name.known is not None and value[0] == "-":
                    options.append(name.known)
            elif letter in _LETTERS:
                if value[0] == "-":
                    options.append(_LETTERS[letter])
            elif letter not in "lirD":
                reading.doubtful(f"the option -{letter} is not known")
    return _shell_inner(reading, options, command, stdin)


_SHELL_LONG = (
    "--login",
    "--norc",
    "--noprofile",
    "--posix",
    "--noediting",
    "--verbose",
    "--restricted",
)


def _shell_inner(reading: _Reading, options: list[str], command: bool, stdin: bool) -> Inner | None:
    shell_options = tuple(options)
    if not command and (stdin or not reading.rest):
        words = (reading.words[0], *reading.rest)
        return Inner(words, shell_options=shell_options, stdin_script=True, uncertain=reading.doubt)
    if not reading.rest:
        return Inner((), uncertain="the script after -c is missing")
    first = reading.rest[0]
    if first.splits:
        reading.doubtful(f"{first.text.display()} may be any number of words")
    if command:
        reading.position += 1
        words = reading.rest or (reading.words[0],)
        return Inner(words, script=first.text, shell_options=shell_options, uncertain=reading.doubt)
    return Inner(
        reading.rest, script_file=first.text, shell_options=shell_options, uncertain=reading.doubt
    )


def _exec(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["exec"])
    return _inner(reading, clean=reading.given("-c"))


def _flock(reading: _Reading) -> Inner | None:
    reading.read_options(SPECS["flock"])
    reading.positional()
    if reading.rest and reading.rest[0].text.known in ("-c", "--command"):
        reading.position += 1
        if not reading.rest:
            return None
        return Inner((Word(lit("sh")),), script=reading.rest[0].text, uncertain=reading.doubt)
    return _inner(reading)


_SPECIAL: dict[str, Callable[[_Reading], Inner | None]] = {
    "env": _env,
    "sudo": _sudo,
    "mpirun": _mpirun,
    "mpiexec": _mpirun,
    "mpiexec.hydra": _mpirun,
    "orterun": _mpirun,
    "srun": _srun,
    "docker": _docker,
    "podman": _docker,
    "nerdctl": _docker,
    "xargs": _xargs,
    "bash": _shell,
    "sh": _shell,
    "dash": _shell,
    "ash": _shell,
    "exec": _exec,
    "flock": _flock,
}
