"""Exit codes, messages and where results go."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable

from verifier.reports.escape import terminal
from verifier.reports.style import PLAIN, Style, style_for, width_for

PASSED = 0
"""Every check passed or does not apply."""
REJECTED = 1
"""At least one check failed; outranks `UNDECIDED`."""
USAGE_ERROR = 2
"""Wrong usage, policy or input path."""
UNDECIDED = 3
"""Something could not be judged: unresolved, unreadable, a crash."""


class InputError(Exception):
    """Something the user gave cannot be used; the message names it and says why."""

    def __init__(self, message: str, code: int = USAGE_ERROR) -> None:
        super().__init__(message)
        self.code = code


def say(message: str) -> None:
    """A diagnostic on standard error."""
    sys.stderr.write(f"verify: {terminal(message)}\n")


def deliver(text: str, options: Namespace) -> None:
    """The result: to standard output, or to the file of --output."""
    if options.output is None:
        sys.stdout.write(text)
        return
    try:
        with open(options.output, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    except OSError as error:
        raise InputError(f"cannot write {options.output}: {error.strerror}") from None


def look(options: Namespace) -> tuple[Style, int]:
    """Colours and width for text output."""
    if options.output is not None:
        return (Style(True) if options.color == "always" else PLAIN), 80
    return style_for(sys.stdout, options.color), width_for(sys.stdout)


def formats(options: Namespace, *allowed: str) -> str:
    """The chosen format. Raises `InputError` when the command has no such output."""
    chosen: str = options.format
    if chosen not in allowed:
        raise InputError(
            f"argument --format: verify {options.command} prints {' or '.join(allowed)}, "
            f"not {chosen}"
        )
    return chosen


def cores(options: Namespace) -> int:
    """How many processes to use."""
    return options.jobs or os.cpu_count() or 1


def progress(what: str) -> Callable[[int, int], None] | None:
    """A progress line on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        end = "\r\x1b[K" if done == total else ""
        sys.stderr.write(f"\r{what}: {done} of {total}{end}")
        sys.stderr.flush()

    return show
