"""The command line: arguments in, exit code out. Every command is imported when it runs."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from verifier.cli_arguments import USAGE, UsageError, help_text, parse
from verifier.cli_output import PASSED, UNDECIDED, USAGE_ERROR, InputError, say

if TYPE_CHECKING:
    from argparse import Namespace

INTERRUPTED = 130
"""128 + SIGINT, as shells count."""

_MODULES = {
    "judge": "verifier.cli_judge",
    "launches": "verifier.cli_launches",
    "explain": "verifier.cli_launches",
    "golden": "verifier.cli_catalogue",
    "checks": "verifier.cli_catalogue",
    "policy": "verifier.cli_catalogue",
    "points": "verifier.cli_points",
    "diff": "verifier.cli_points",
    "strip": "verifier.cli_strip",
    "smoke": "verifier.cli_pull",
    "pr": "verifier.cli_pull",
    "signoff": "verifier.cli_pull",
}


def entry() -> None:
    """What the `verify` program runs."""
    # Syntax trees and facts live until the end, and an evaluation leaves no cycles behind: looking
    # for garbage after every 700 new objects finds next to none.
    gc.set_threshold(1_000_000, 10, 5)
    code = main(sys.argv[1:])
    # Otherwise the interpreter searches everything once more before it exits.
    gc.freeze()
    sys.exit(code)


def main(argv: Sequence[str]) -> int:
    """Run one command line; never lets an exception out."""
    try:
        if not argv:
            sys.stderr.write(help_text())
            return USAGE_ERROR
        code = _run(parse(argv))
        sys.stdout.flush()
        return code
    except UsageError as error:
        sys.stderr.write(USAGE)
        say(str(error))
        return USAGE_ERROR
    except InputError as error:
        say(str(error))
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; keep the interpreter from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNDECIDED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else PASSED
    except Exception as error:
        return _crashed(argv, error)


def _run(options: Namespace) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if options.verbose:
        import logging

        # Only our own: libraries would print addresses that carry a signature.
        logging.basicConfig(format="%(name)s: %(message)s")
        logging.getLogger("verifier").setLevel(logging.DEBUG)
    module = import_module(_MODULES[options.command])
    code: int = getattr(module, options.command)(options)
    return code


def _crashed(argv: Sequence[str], error: Exception) -> int:
    """One sentence for a defect of the verifier itself, and never a clean exit."""
    if "-v" in argv or "--verbose" in argv:
        import traceback

        traceback.print_exc()
    say(
        f"internal error ({type(error).__name__}: {error}); nothing was judged. "
        "Please report it; -v shows where it happened"
    )
    return UNDECIDED
