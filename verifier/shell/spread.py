"""What a value becomes in a word: one text, several elements, or something that is split."""

from __future__ import annotations

from verifier.model.text import EMPTY, Lit, Text, Word, lit
from verifier.shell import nodes, questions, variables
from verifier.shell.elements import Found, has_empty_ifs, join_words, list_separator, odd_ifs
from verifier.shell.files import PLACES
from verifier.shell.machine import Machine, with_step
from verifier.shell.splitting import Fragment
from verifier.shell.state import State
from verifier.shell.texts import derived


class VagueFragment(Fragment):
    """An element that stands for any number of elements."""

    alternatives: tuple[tuple[Word, ...], ...] | None = None


def fragments_of(
    m: Machine, state: State, p: nodes.Parameter, found: Found, quoted: bool, single: bool
) -> list[Fragment]:
    """The fragments of a word that a value becomes."""
    span = m.span(state, p.start, p.end)
    how = f"expanded from ${p.name}"
    if found is None:
        found = EMPTY
    if isinstance(found, Text):
        text = with_step(m.resolve(state, found), span, how)
        if quoted or single:
            return [Fragment(text, quoted=True)]
        return [splitting(m, state, text)]
    words = [word for item in found.items for word in m.resolve_word(state, item)]
    if single or (quoted and found.star):
        separator = list_separator(m, state) if found.star else lit(" ")
        text = join_words(m, words, separator)
        if not found.star and (p.operator or p.indirect) and len(words) > 1 and odd_ifs(m, state):
            # Bash takes a blank or the first character of IFS, by the operator and the place.
            text = derived("a list joined under another IFS", f"odd{p.operator}", text)
        return [Fragment(with_step(text, span, how), quoted=True)]
    result: list[Fragment] = []
    odd = p.operator or p.indirect or (found.star and m.substituting)
    if not quoted and len(words) > 1 and odd and has_empty_ifs(m, state):
        # Some of these are one word, and some are not: `$*` is one where a command is substituted
        # in an assignment.
        text = derived("a list under an empty IFS", f"odd{p.operator}", *(w.text for w in words))
        return [VagueFragment(text, False, True)]
    for index, word in enumerate(words):
        text = with_step(word.text, span, how)
        if word.splits:
            vague = VagueFragment(text, False, True, index > 0)
            vague.alternatives = word.alternatives
            result.append(vague)
        elif quoted:
            result.append(Fragment(text, True, False, index > 0))
        else:
            result.append(splitting(m, state, text)._replace(breaks=index > 0))
    return result


def splitting(m: Machine, state: State, text: Text) -> Fragment:
    """An unquoted result; one that is a number for certain is one word whatever its digits, and
    so is a path by assumption."""
    if text.known is None and all(
        isinstance(p, Lit) or p.symbol.startswith((*questions.NUMBERS, *PLACES))
        for p in text.pieces
    ):
        ifs = variables.ifs(m, state)
        known = " \t\n" if ifs is None else ifs.known
        if known is not None and not any(c in known for c in "-0123456789"):
            literal = "".join(p.value for p in text.pieces if isinstance(p, Lit))
            if not any(c in known or c in "*?[\\" for c in literal):
                if any(p.symbol.startswith(PLACES) for p in text.holes) and m.place:
                    reason = "the folders around the script have no blanks in their names"
                    m.assume(m.place[0].span(m.place[1]), reason)
                return Fragment(text, quoted=True)
    return Fragment(text, splits=True)
