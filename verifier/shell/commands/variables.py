"""envsubst and printenv: what programs make of the environment."""

from __future__ import annotations

import re

from verifier.model.text import EMPTY, Lit, Piece, Text
from verifier.shell.commands import Call, Model, NotModelled, Result
from verifier.shell.commands.common import Options, known, like, standard_input

_REFERENCE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})", re.ASCII)


def envsubst(call: Call) -> Result:
    """GNU gettext's: `$NAME` and `${NAME}`, of those that the argument mentions if there is one."""
    options = Options(call.argv[1:])
    if len(options.operands) > 1:
        raise NotModelled("several formats of envsubst")
    wanted: set[str] | None = None
    if options.operands:
        wanted = {m[1] or m[2] for m in _REFERENCE.finditer(known(options.operands[0]))}
    pieces: list[Piece] = []
    for piece in standard_input(call).pieces:
        if not isinstance(piece, Lit):
            # It may hold references, or the end of one.
            raise NotModelled(piece.reason)
        position = 0
        for match in _REFERENCE.finditer(piece.value):
            name = match[1] or match[2]
            if wanted is not None and name not in wanted:
                continue
            pieces.append(Lit(piece.value[position : match.start()], piece.origin))
            value = call.variable(name)
            pieces.extend(() if value is None else value.pieces)
            position = match.end()
        pieces.append(Lit(piece.value[position:], piece.origin))
    return Result(Text(p for p in pieces if not isinstance(p, Lit) or p.value))


def printenv(call: Call) -> Result:
    """Of one variable."""
    options = Options(call.argv[1:])
    if len(options.operands) != 1:
        raise NotModelled("printenv of all variables")
    value = call.variable(known(options.operands[0]))
    if value is None:
        return Result(EMPTY, 1)
    if value.known is None:
        raise NotModelled("a variable that may be unset")
    return Result(value + like("\n", options.operands[0]))


MODELS: dict[str, Model] = {"envsubst": envsubst, "printenv": printenv}
