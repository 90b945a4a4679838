"""One reading of one command: find the version, inject arguments, let the engine's reader work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from verifier.engines.assemble import Found, launch
from verifier.engines.context import Context
from verifier.engines.log import Log
from verifier.engines.pieces import Arg, hole_name, reason
from verifier.engines.recognise import Entry
from verifier.engines.shellwords import split
from verifier.engines.sources import ReadFile, Surroundings
from verifier.engines.versions import Version, of_image, parse
from verifier.model.command import Command
from verifier.model.launch import Launch

if TYPE_CHECKING:
    from verifier.policy import Policy


def read(
    command: Command,
    args: Sequence[Arg],
    entry: Entry,
    policy: Policy,
    image: str | None = None,
    read_file: ReadFile | None = None,
) -> Launch:
    """The launch of one argument vector."""
    log = Log(command.span)
    given = list(args[entry.arguments :])
    context = Context(
        entry=entry,
        arguments=[*given, *_injected(command, given, entry, policy, log)],
        around=Surroundings(command, read_file),
        log=log,
        version=_version(entry, policy, image),
    )
    reader: Callable[[Context], Found] = import_module(f"verifier.engines.{entry.engine}").read
    found = reader(context)
    log.close()
    return launch(found, entry, command, args, log)


def _version(entry: Entry, policy: Policy, image: str | None) -> Version | None:
    named = policy.engine_versions.get(entry.engine)
    if named is not None:
        return parse(named)
    return None if image is None else of_image(image, entry.engine)


def _injected(
    command: Command, given: Sequence[Arg], entry: Entry, policy: Policy, log: Log
) -> list[Arg]:
    """Words of the policy's argument variables that the command line does not hold already."""
    out: list[Arg] = []
    for name in policy.argument_variables.get(entry.engine, ()):
        text = command.env.get(name)
        if text is None or not text:
            continue
        words = split(text)
        if words is None:
            log.unknown(f"{name} has a quote that is not closed", text.span)
        elif words and not _contains(given, words, text):
            out.extend(words)
            log.assume(f"the words of {name} are arguments of the server", text.span)
            if text.known is None and any(word.open for word in words):
                log.unknown(
                    f"{name} holds {hole_name(text)}, which may be any arguments: {reason(text)}",
                    text.span,
                )
    return out


def _contains(given: Sequence[Arg], words: Sequence[Arg], text: object) -> bool:
    """Whether the command line holds these words, or the unsplit variable, already."""
    texts = [word.text for word in words]
    if any(arg.text == text for arg in given):
        return True
    for start in range(len(given) - len(texts) + 1):
        if [arg.text for arg in given[start : start + len(texts)]] == texts:
            return True
    return False
