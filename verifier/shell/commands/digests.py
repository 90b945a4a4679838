"""base64 and the checksums of coreutils."""

from __future__ import annotations

import base64 as codec
import binascii
import hashlib

from verifier.model.text import Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import Options, all_input, content, known, like, number
from verifier.shell.commands.common import standard_input as _stdin


def _bytes(text: Text) -> bytes:
    return known(text).encode("utf-8", "surrogateescape")


def base64(call: Call) -> Result:
    options = Options(
        call.argv[1:], "di", "w", {"--decode": "d", "--wrap": "w", "--ignore-garbage": "i"}
    )
    if options.has("i") or len(options.operands) > 1:
        raise NotModelled("this use of base64")
    text = all_input(call, options.operands)
    data = _bytes(text)
    if options.has("d"):
        try:
            plain = codec.b64decode(data.replace(b"\n", b""), validate=True)
        except (binascii.Error, ValueError) as error:
            raise NotModelled("base64 reports an error") from error
        if b"\0" in plain:
            raise NotModelled("a NUL in a text")
        return Result(like(plain.decode("utf-8", "surrogateescape"), text))
    width = options.value("w")
    columns = 76 if width is None else number(width)
    encoded = codec.b64encode(data).decode()
    if not columns:
        return Result(like(encoded, text))
    lines = [encoded[i : i + columns] for i in range(0, len(encoded), columns)]
    return Result(like("".join(line + "\n" for line in lines), text))


def checksum(call: Call) -> Result:
    options = Options(call.argv[1:])
    name = (call.argv[0].known or "").rsplit("/", 1)[-1]
    lines: list[str] = []
    names: list[Text | None] = [*options.operands] or [None]
    for operand in names:
        shown = "-" if operand is None else known(operand)
        if "\\" in shown or "\n" in shown:
            raise NotModelled("a name that is escaped")
        text = _stdin(call) if operand is None else content(call, operand)
        digest = hashlib.new(name.removesuffix("sum"), _bytes(text), usedforsecurity=False)
        lines.append(f"{digest.hexdigest()}  {shown}\n")
    return Result(like("".join(lines), call.argv[0]))


MODELS: dict[str, Model] = {
    "base64": base64,
    **dict.fromkeys(("md5sum", "sha1sum", "sha256sum", "sha512sum"), checksum),
}
