"""Which files a command changes, as its arguments say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.model.command import Command
from verifier.model.record import NamedTuple
from verifier.model.text import EMPTY, Hole, Lit, Text, lit

_WRITERS = frozenset(
    "sed perl tee cp mv ln install rsync rm unlink truncate curl wget tar unzip dd".split()
)


class Effect(NamedTuple):
    """One file or folder that a command changes."""

    target: Text
    how: str
    """For people: "`sed -i` edits"."""


def effects(command: Command) -> Iterator[Effect]:
    """Targets of redirections and of the commands that write files."""
    for write in command.writes:
        yield Effect(write.path, f"`{command.name or 'a command'}` writes")
    name = command.name
    if name not in _WRITERS:
        return
    words = [word.text for word in command.argv[1:]]
    if name == "sed" and any(_is_in_place(word) for word in words):
        yield from (Effect(target, "`sed -i` edits") for target in _sed_files(words))
    elif name == "perl" and any(_short(word, "i") for word in words):
        yield from (Effect(target, "`perl -i` edits") for target in _operands(words, "-e -E -I"))
    elif name == "tee":
        yield from (Effect(target, "`tee` writes") for target in _operands(words))
    elif name in ("cp", "mv", "ln", "install", "rsync"):
        yield from _copies(name, words)
    elif name in ("rm", "unlink", "truncate"):
        yield from (Effect(target, f"`{name}` removes") for target in _operands(words, "-s -r"))
    elif name in ("curl", "wget"):
        for option in ("-o", "--output", "-O", "--output-document", "-P", "--directory-prefix"):
            yield from (Effect(t, f"`{name}` downloads to") for t in _values(words, option))
    elif name in ("tar", "unzip"):
        for option in ("-C", "--directory", "-d"):
            yield from (Effect(t, f"`{name}` unpacks into") for t in _values(words, option))
    elif name == "dd":
        for word in words:
            if _known_start(word).startswith("of="):
                yield Effect(_after(word, 3), "`dd` writes")


def _copies(name: str, words: Sequence[Text]) -> Iterator[Effect]:
    for option in ("-t", "--target-directory"):
        for target in _values(words, option):
            yield Effect(target, f"`{name}` puts files into")
            return
    operands = list(_operands(words, "-m -o -g -S -e --exclude --include"))
    if len(operands) < 2:
        return
    target = operands[-1]
    yield Effect(target, f"`{name}` writes")
    if target.known is not None and "." in target.known.rsplit("/", 1)[-1]:
        return
    # Into a folder the file keeps its name, and some names count by themselves.
    slash = "" if target.known is not None and target.known.endswith("/") else "/"
    for source in operands[:-1]:
        base = source.known.rsplit("/", 1)[-1] if source.known else ""
        if base not in ("", ".", ".."):
            yield Effect(target + lit(f"{slash}{base}"), f"`{name}` writes")


def _operands(words: Sequence[Text], with_value: str = "") -> Iterator[Text]:
    """Arguments that are no options and no values of the options `with_value`."""
    skip = False
    only_operands = False
    for word in words:
        start = _known_start(word)
        if skip:
            skip = False
        elif only_operands or not start.startswith("-") or word.known == "-":
            yield word
        elif word.known == "--":
            only_operands = True
        elif word.known in with_value.split():
            skip = True


def _values(words: Sequence[Text], option: str) -> Iterator[Text]:
    for index, word in enumerate(words):
        if word.known == option and index + 1 < len(words):
            yield words[index + 1]
        elif _known_start(word).startswith(f"{option}=") and option.startswith("--"):
            yield _after(word, len(option) + 1)
        elif len(option) == 2 and _known_start(word).startswith(option) and word.known != option:
            yield _after(word, 2)


def _sed_files(words: Sequence[Text]) -> list[Text]:
    """Files of a `sed` command: without `-e` or `-f` the first operand is the program."""
    scripted = any(w.known in ("-e", "-f") or _starts(w, "--expression", "--file") for w in words)
    operands = list(_operands(words, "-e -f -l --expression --file"))
    return operands if scripted else operands[1:]


def _is_in_place(word: Text) -> bool:
    return _starts(word, "--in-place") or _short(word, "i")


def _short(word: Text, letter: str) -> bool:
    """Whether a bundle of one-letter options holds `letter`."""
    start = _known_start(word)
    if len(start) < 2 or start[0] != "-" or start[1] == "-":
        return False
    bundle = start[1:].split(letter, 1)[0] if letter in start[1:] else None
    return bundle is not None and (bundle == "" or bundle.isalpha()) and "e" not in bundle


def _starts(word: Text, *prefixes: str) -> bool:
    return _known_start(word).startswith(prefixes)


def _known_start(word: Text) -> str:
    return word.key[0] if word.key and isinstance(word.key[0], str) else ""


def _after(word: Text, count: int) -> Text:
    pieces: list[Lit | Hole] = []
    for piece in word.pieces:
        if isinstance(piece, Lit) and count > 0:
            pieces.append(Lit(piece.value[count:], piece.origin))
            count -= len(piece.value)
        else:
            pieces.append(piece)
    return Text(pieces) if pieces else EMPTY
