"""What a shell knows at one moment, on one path through the script.

`State` objects are copied where paths part. Everything they hold is immutable or copied when it
changes, so that a copy costs one small object.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Span, Text, Word, hole, lit
from verifier.shell import nodes


class Array(NamedTuple):
    """An indexed array. An element with `splits` stands for an unknown number of elements."""

    items: tuple[Word, ...] = ()
    indices: tuple[int, ...] | None = None
    """Of the items; None for 0, 1, 2, …"""
    least: int = 0
    """With elements of unknown number: how many there are at least."""

    @property
    def vague(self) -> bool:
        """Whether the number of elements is unknown."""
        return any(item.splits for item in self.items)

    def pairs(self) -> list[tuple[int, Text]]:
        """Index and value of every element. Only for arrays that are not vague."""
        indices = self.indices if self.indices is not None else range(len(self.items))
        return [(index, item.text) for index, item in zip(indices, self.items, strict=True)]


class Table(NamedTuple):
    """An associative array, or one whose keys are not known (`vague` says why)."""

    items: tuple[tuple[str, Text], ...] = ()
    vague: str | None = None

    def get(self, key: str) -> Text | None:
        """The value under `key`, None when there is none."""
        for name, value in self.items:
            if name == key:
                return value
        return None


Value = Text | Array | Table | None


class Var(NamedTuple):
    """A shell variable. `value` None: declared (or unset by the script) without a value."""

    value: Value = None
    exported: bool = False
    readonly: bool = False
    integer: bool = False
    case: str = ""
    """"l", "u" or "c" for `declare -l`, `-u` and `-c`."""
    nameref: bool = False
    array: str = ""
    """"a" or "A" once declared as an array."""
    inherited: bool = False
    """It came with the environment."""
    temporary: bool = False
    """It was assigned before a command, for its run."""
    lasting: bool = False
    """Temporary, but kept when the command is over: it was exported or made readonly."""
    mixed: bool = False
    """Its attributes are not the same on all paths."""


UNSET = Var()


class Body(NamedTuple):
    """A function."""

    node: nodes.Function
    source: nodes.Source
    exported: bool = False
    """Shells that it starts know it too."""
    imported: bool = False
    """It came with the environment."""


class Flow(NamedTuple):
    """Why a path leaves the place it is at."""

    kind: str
    """break, continue, return, exit; end, of a text with a syntax error; or discard: an expansion
    failed, and bash goes on with the next command of the script (with `levels` 2) or of the text
    that `eval` runs"""
    levels: int = 1


class Pending(NamedTuple):
    """The unknown status of a command; `key` identifies this run of it."""

    key: str
    text: str
    place: tuple[nodes.Source, int]


class Formula(NamedTuple):
    """The status of a test: zero where `success` holds, else `code` (None: some other number)."""

    success: int
    code: int | None = 1


Status = int | Pending | Formula


class Frame(NamedTuple):
    """A running script, sourced file or function."""

    kind: str
    """script, source, function"""
    source: nodes.Source
    name: str
    """FUNCNAME."""
    path: Text
    """BASH_SOURCE."""
    site: str
    """Identifies this call among all others on the path."""
    call: Span | None = None
    """Where it was called."""
    string: bool = False
    """`bash -c`."""
    order: tuple[int, ...] = ()
    """The call's place in the order of execution."""
    line: int | None = None
    """The line of the call as bash counts."""


_DEFAULT_OPTIONS = frozenset(
    """braceexpand checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges
    globskipdots hashall hostcomplete interactive-comments interactive_comments patsub_replacement
    progcomp promptvars sourcepath""".split()
)
"""What is on when a script starts."""


class State:
    """One path."""

    __slots__ = (
        "args",
        "background",
        "cond",
        "conditional",
        "cwd",
        "fds",
        "files",
        "flow",
        "frames",
        "functions",
        "getopts",
        "locals",
        "loops",
        "options",
        "status",
        "streams",
        "subshell",
        "traps",
        "vars",
    )

    def __init__(self) -> None:
        self.vars: dict[str, Var] = {}
        self.functions: dict[str, Body] = {}
        self.args: tuple[Word, ...] = ()
        self.options: frozenset[str] = _DEFAULT_OPTIONS
        self.status: Status = 0
        self.cond: int = 1
        self.flow: Flow | None = None
        self.cwd: Text | None = None
        self.files: dict[str, Text | None] = {}
        """Content by `file_key`; None: removed."""
        self.fds: dict[int, int | None] = {0: None, 1: None, 2: None}
        """Which stream a descriptor reads or writes; None: the terminal's."""
        self.streams: dict[int, Stream] = {}
        self.frames: tuple[Frame, ...] = ()
        self.locals: tuple[dict[str, Var | None], ...] = ()
        """For each running function what its `local` variables hid, and below it what the
        assignments before its call hid."""
        self.loops: int = 0
        """How many loops are around in this function and process: what `break` can leave."""
        self.conditional: bool = False
        """Where a failure is expected, so `set -e` does not apply."""
        self.background: bool = False
        self.subshell: int = 0
        self.getopts: int = 1
        self.traps: dict[str, tuple[Text, int]] = {}
        """What a failing command runs, and where that was said."""

    def copy(self) -> State:
        """The same path, to go on in another way."""
        other = State.__new__(State)
        # Written out: a loop over the names costs several times as much, and this is hot.
        other.args = self.args
        other.background = self.background
        other.cond = self.cond
        other.conditional = self.conditional
        other.cwd = self.cwd
        other.fds = self.fds
        other.files = self.files
        other.flow = self.flow
        other.frames = self.frames
        other.functions = self.functions
        other.getopts = self.getopts
        other.locals = self.locals
        other.loops = self.loops
        other.options = self.options
        other.status = self.status
        other.streams = self.streams
        other.subshell = self.subshell
        other.traps = self.traps
        other.vars = self.vars
        return other

    # --- variables ---

    def set(self, name: str, var: Var) -> None:
        """Bind a variable in the scope it is visible in."""
        self.vars = {**self.vars, name: var}

    def drop(self, name: str) -> None:
        """Forget that the script ever touched a variable."""
        self.vars = {n: v for n, v in self.vars.items() if n != name}

    def set_file(self, key: str, content: Text | None) -> None:
        """Record what a file holds from now on."""
        self.files = {**self.files, key: content}

    def opt(self, name: str) -> bool:
        """Whether a `set -o` or `shopt` option is on."""
        return name in self.options

    def set_opt(self, name: str, on: bool) -> None:
        """Turn an option on or off."""
        self.options = self.options | {name} if on else self.options - {name}


class Stream(NamedTuple):
    """A pipe, a captured output or an opened file."""

    text: Text | None = EMPTY
    """What was written so far, or is left to read; None: unknown."""
    file: str | None = None
    """`file_key` of the file that it is written to."""
    null: bool = False
    """/dev/null."""
    ended: str = ""
    """Why nothing more can be known about it."""


def dense(texts: list[Text] | tuple[Text, ...]) -> Array:
    """An array with these elements."""
    return Array(tuple(Word(text) for text in texts))


def words_array(words: tuple[Word, ...]) -> Array:
    """An array of words, some of which may stand for any number of elements."""
    sure = sum(1 for word in words if not word.splits)
    return Array(words, None, sure)


def scalar(var: Var) -> Text | None:
    """What `$name` gives: element 0 of an array."""
    value = var.value
    if isinstance(value, Array):
        if not value.items:
            return None
        if value.items[0].splits:
            word = value.items[0]
            return hole("first element of an array of unknown length", f"first({_sym(word.text)})")
        if value.indices is not None and value.indices[0] != 0:
            return None
        return value.items[0].text
    if isinstance(value, Table):
        if value.vague is not None:
            return hole(value.vague, f"element({value.vague},0)")
        return value.get("0")
    return value


def _sym(text: Text) -> str:
    return "".join(part if isinstance(part, str) else part[0] for part in text.key)


def exported(state: State) -> Mapping[str, Text]:
    """Variables that the script exported, with their values."""
    return {
        name: var.value
        for name, var in state.vars.items()
        if var.exported
        and isinstance(var.value, Text)
        and not var.inherited
        and not is_own_input(name, var.value)
    }


def is_own_input(name: str, value: Value) -> bool:
    """Whether the variable still has the value that it came with."""
    if not isinstance(value, Text) or len(value.pieces) != 1:
        return False
    piece = value.pieces[0]
    return isinstance(piece, Hole) and piece.input == name and piece.default is None


def text(value: str) -> Text:
    """A known text without an origin."""
    return lit(value)
