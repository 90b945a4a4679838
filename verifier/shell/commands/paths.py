"""basename and dirname."""

from __future__ import annotations

from verifier.model.text import EMPTY, Hole, Text, lit
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import Options, known, like
from verifier.shell.texts import cut, length


def _tail(text: Text) -> str:
    """The known characters behind the last hole."""
    values: list[str] = []
    for piece in reversed(text.pieces):
        if isinstance(piece, Hole):
            break
        values.append(piece.value)
    return "".join(reversed(values))


def base(text: Text, suffix: str = "") -> Text:
    """The last component of a path."""
    tail = _tail(text)
    stripped = tail.rstrip("/")
    if text.holes and "/" not in stripped:
        raise NotModelled(text.holes[0].reason)
    if not stripped:
        return like("/", text) if tail else text
    end = length(text) - (len(tail) - len(stripped))
    name = stripped[stripped.rfind("/") + 1 :]
    if suffix and name != suffix and name.endswith(suffix):
        end -= len(suffix)
        name = name[: -len(suffix)]
    return cut(text, end - len(name), end)


def folder(text: Text) -> Text:
    """Everything before the last component."""
    tail = _tail(text)
    stripped = tail.rstrip("/")
    slash = stripped.rfind("/")
    before = stripped[: slash + 1].rstrip("/") if slash >= 0 else ""
    if text.holes and not before:
        raise NotModelled(text.holes[0].reason)
    if slash < 0:
        return like("/" if tail and not stripped else ".", text)
    if not before:
        return like("/", text)
    return cut(text, 0, length(text) - (len(tail) - len(before)))


def _is_refused(call: Call, letters: str) -> bool:
    """Whether the first word is an option that the command does not have."""
    first = call.argv[1].known if len(call.argv) > 1 else None
    return first is not None and first[:1] == "-" and first[1:2] not in ("", "-", *letters)


def basename(call: Call) -> Result:
    if _is_refused(call, "asz"):
        return Result(status=1)
    options = Options(
        call.argv[1:], "az", "s", {"--multiple": "a", "--suffix": "s", "--zero": "z"}, permute=False
    )
    names = options.operands
    suffix = options.value("s")
    if options.has("z") or not names:
        raise NotModelled("this use of basename")
    if not options.has("a") and suffix is None and len(names) > 1:
        if len(names) > 2:
            raise NotModelled("more operands than basename takes")
        names, suffix = names[:1], names[1]
    ending = "" if suffix is None else known(suffix)
    output = EMPTY
    for name in names:
        output += base(name, ending) + lit("\n")
    return Result(output)


def dirname(call: Call) -> Result:
    if _is_refused(call, "z"):
        return Result(status=1)
    options = Options(call.argv[1:])
    if not options.operands:
        raise NotModelled("dirname without a path")
    output = EMPTY
    for name in options.operands:
        output += folder(name) + lit("\n")
    return Result(output)


MODELS: dict[str, Model] = {"basename": basename, "dirname": dirname}
