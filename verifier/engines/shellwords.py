"""Words of a variable whose text a launcher hands to a shell, such as `EXTRA_VLLM_ARGS`.

Quotes and backslashes count, as for `shlex.split` and `eval`; an unquoted hole may be any number
of words.
"""

from __future__ import annotations

from verifier.engines.pieces import Arg
from verifier.model.text import Hole, Lit, Piece, Text

_BLANK = " \t\n\r"


def split(text: Text) -> list[Arg] | None:
    """The words; None when a quote is not closed."""
    words: list[Arg] = []
    pieces: list[Piece] = []
    started = is_open = False
    quote = ""
    escaped = False

    def finish() -> None:
        nonlocal pieces, started, is_open
        if started:
            words.append(Arg(Text(pieces), is_open))
        pieces, started, is_open = [], False, False

    for piece in text.pieces:
        if isinstance(piece, Hole):
            started = True
            is_open = is_open or not quote
            pieces.append(piece)
            continue
        for char in piece.value:
            if escaped:
                if quote == '"' and char not in '"\\$`\n':
                    pieces.append(Lit("\\", piece.origin))
                pieces.append(Lit(char, piece.origin))
                escaped = False
            elif char == "\\" and quote != "'":
                escaped = started = True
            elif quote:
                if char == quote:
                    quote = ""
                else:
                    pieces.append(Lit(char, piece.origin))
            elif char in "'\"":
                quote, started = char, True
            elif char in _BLANK:
                finish()
            else:
                started = True
                pieces.append(Lit(char, piece.origin))
    finish()
    return None if quote or escaped else [_compact(word) for word in words]


def _compact(word: Arg) -> Arg:
    """Neighbouring characters of one origin as one piece."""
    out: list[Piece] = []
    for piece in word.text.pieces:
        last = out[-1] if out else None
        if isinstance(piece, Lit) and isinstance(last, Lit) and last.origin is piece.origin:
            out[-1] = Lit(last.value + piece.value, last.origin)
        else:
            out.append(piece)
    return word._replace(text=Text(out))
