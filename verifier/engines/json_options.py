"""Options whose value is a JSON object: read strictly, else loosely and refused.

vLLM 0.33.0 `vllm/engine/arg_utils.py`: `_expand_json_human_readable_numbers` lets `8k` stand for a
number in the objects that pydantic reads; `union_dict_and_str` reads JSON only between braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from verifier.engines import json_text
from verifier.engines.log import Log
from verifier.engines.numbers import human_int
from verifier.engines.options import Reader
from verifier.engines.pieces import Arg, joined, known_text, prefix
from verifier.engines.tables import Option
from verifier.model.launch import Value
from verifier.model.text import Span, Text, lit

_FRAGMENT = re.compile(r"\s*['\"]?[A-Za-z_][\w.-]*['\"]?\s*:.*", re.DOTALL)
_STRINGS = re.compile(r'("(?:[^"\\]|\\.)*")')
_HUMAN = re.compile(r"\b\d+(?:\.\d+)?[kKmMgGtT]\b")


def is_json(option: Option) -> bool:
    """Whether the option's value is read as JSON."""
    return option.kind in ("json", "opt:json")


def value(text: Text, spelled: str, log: Log, span: Span | None = None) -> Value:
    """The value of an option that takes JSON; its text when it cannot be read."""
    known = text.known
    if known is not None:
        if known in ("", "None"):
            return None
        text = _expanded(text, known)
    try:
        return json_text.read(text)
    except json_text.Unknowable:
        return text
    except json_text.JsonError as error:
        found, sentence = loosely(text, spelled, str(error))
        log.refuse(sentence, text.span or span)
        return text if found is None else found


def loosely(text: Text, spelled: str, error: str) -> tuple[Value, str]:
    """(the object that was meant, or None; why the engine refuses the text)."""
    shown = text.display()
    found: Value = None
    try:
        found = json_text.read_loosely(text)
    except (json_text.JsonError, json_text.Unknowable):
        found = None
    if not isinstance(found, Mapping):
        found = None
    if found is not None and not any(quote in shown for quote in "'\""):
        return found, (
            f"the shell removed the quotes of {spelled} {shown}; quote it "
            "(single quotes around the whole object)"
        )
    return found, f"{spelled} `{shown}` is not valid JSON: {error}"


def _expanded(text: Text, known: str) -> Text:
    """The text with `8k` outside strings written out."""
    if not _HUMAN.search(known):
        return text
    parts = _STRINGS.split(known)
    for index in range(0, len(parts), 2):
        parts[index] = _HUMAN.sub(lambda match: str(human_int(match.group())), parts[index])
    again = "".join(parts)
    return text if again == known else lit(again)


# Objects whose braces the shell expanded into several words


def rejoined(
    args: Sequence[Arg], reader: Reader, takes_object: Callable[[Option], bool]
) -> list[Arg]:
    """Put the words of one expanded object together again; the text then reads `{a:b,c:d}`."""
    out: list[Arg] = []
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        option, explicit = _shape(arg, reader)
        if option is None or not takes_object(option):
            out.append(arg)
            continue
        if explicit is not None:
            parts = [explicit]
            while index < len(args) and _fragment(parts[0]):
                again, more = _shape(args[index], reader)
                if again is not option or more is None or not _fragment(more):
                    break
                parts.append(more)
                index += 1
            name = prefix(arg.text).split("=")[0]
            joint = known_text(f"{name}=", arg.text)
            out.append(arg if len(parts) == 1 else Arg(joint + _braced(parts)))
            continue
        out.append(arg)
        parts = []
        while index < len(args) and _fragment(args[index].text):
            parts.append(args[index].text)
            index += 1
        if parts:
            out.append(Arg(_braced(parts)))
    return out


def _shape(arg: Arg, reader: Reader) -> tuple[Option | None, Text | None]:
    if not prefix(arg.text).startswith("-"):
        return None, None
    quiet = Reader(reader.table, Log(), abbreviations=reader.abbreviations, version=reader.version)
    shape = quiet.shape(arg)
    return shape.option, shape.explicit


def _fragment(text: Text) -> bool:
    """A word like `method:mtp`, what brace expansion leaves of one pair."""
    start = prefix(text)
    return not start.startswith(("-", "{")) and bool(_FRAGMENT.fullmatch(start))


def _braced(parts: list[Text]) -> Text:
    return known_text("{", parts[0]) + joined(parts, ",") + known_text("}", parts[-1])
