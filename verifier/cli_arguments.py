"""The command line's grammar."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from verifier import __version__
from verifier.reports.style import width_for

FORMATS = ("text", "json", "markdown", "sarif", "github")
COMMANDS = {
    "launches": "what a file launches, with every argument and variable",
    "explain": "how each value of a launch came about, line by line",
    "golden": "list, show or look up golden acceptance lengths",
    "checks": "the catalogue of checks, or one check",
    "policy": "the effective policy and where each value comes from",
    "points": "the points of the master configs",
    "diff": "what a range of commits changes in what is launched",
    "strip": "a script or recipe without forced acceptance",
    "smoke": "the bundled smoke-test changes, expected against actual",
    "pr": "judge a pull request through the GitHub API",
    "signoff": "what the GitHub workflow runs",
}

USAGE = """\
usage: verify PATH...                     judge scripts, recipes or folders
       verify --base REV [--head REV]     judge what a commit range changes
       verify --points                    judge every point of the master configs
       verify COMMAND ...                 see below
"""
_HELP = """\

commands:
{commands}

common options (before or after the command):
  --root DIR             tree that sources and policy come from
                         (default: the git root, else the file's folder)
  --policy FILE          policy instead of verifier.yaml at the root
  --check SLUG|N         only this check (repeatable)
  --format FORMAT        text, json, markdown, sarif or github (default: text)
  --output FILE          write the result to a file
  --env NAME=VALUE       value of an input variable (repeatable)
  --closed               every input that --env does not give is unset
  --thinking on|off      thinking mode of recipes that set none
  --jobs N               processes for many files (default: one per core)
  --color WHEN           auto, always or never (default: auto)
  -v, --verbose          say more on standard error; tracebacks of crashes
  --version, -h, --help

exit codes: 0 passed, 1 rejected, 2 wrong usage, policy or path,
            3 something could not be judged
"""

# Common options that take a value: needed to find the command among the arguments.
_VALUED = frozenset(
    {
        "--root",
        "--policy",
        "--check",
        "--format",
        "--output",
        "--env",
        "--thinking",
        "--jobs",
        "--color",
        "--base",
        "--head",
    }
)


class UsageError(Exception):
    """The arguments make no sense together; the message says which and why."""


def _formatter(prog: str) -> argparse.HelpFormatter:
    # Without a width argparse loads `shutil` to find one, and it asks for each option.
    return argparse.HelpFormatter(prog, width=width_for(sys.stdout))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments with `command` set; "judge" is the default command.

    Raises `UsageError`. SystemExit only for --help and --version.
    """
    command, rest = _command(argv)
    parser = _parser(command)
    options = parser.parse_intermixed_args(rest)
    options.command = command
    options.env = _pairs(options.env)
    return options


def _command(argv: Sequence[str]) -> tuple[str, list[str]]:
    """The command named by the first argument that is no option, and the other arguments."""
    index = 0
    while index < len(argv):
        argument = argv[index]
        if argument == "--":
            break
        if argument in _VALUED:
            index += 2
        elif argument.startswith("-") and argument != "-":
            index += 1
        else:
            if argument in COMMANDS:
                return argument, [*argv[:index], *argv[index + 1 :]]
            break
    return "judge", list(argv)


def _parser(command: str) -> argparse.ArgumentParser:
    name = "verify" if command == "judge" else f"verify {command}"
    parser = _Parser(prog=name, add_help=False, allow_abbrev=False, formatter_class=_formatter)
    if command == "judge":
        parser.format_help = help_text  # type: ignore[method-assign]
    else:
        parser.description = COMMANDS[command]
        parser.epilog = "Common options: verify --help"
    _add_common(parser, hidden=command != "judge")
    _ADD[command](parser)
    return parser


def help_text() -> str:
    """`verify --help`."""
    commands = "\n".join(f"  {name:<22} {text}" for name, text in COMMANDS.items())
    return USAGE + _HELP.format(commands=commands)


def _add_common(parser: argparse.ArgumentParser, *, hidden: bool) -> None:
    def add(*names: str, **settings: object) -> None:
        if hidden:
            settings["help"] = argparse.SUPPRESS
        parser.add_argument(*names, **settings)  # type: ignore[arg-type]

    parser.add_argument("-h", "--help", action="help", help="show this help")
    add("--version", action="version", version=f"verify {__version__}")
    add("-v", "--verbose", action="store_true")
    add("--root", metavar="DIR")
    add("--policy", metavar="FILE")
    add("--check", metavar="SLUG|N", action="append")
    add("--format", choices=FORMATS, default="text")
    add("--output", metavar="FILE")
    add("--env", metavar="NAME=VALUE", action="append", default=[])
    add("--closed", action="store_true")
    add("--thinking", choices=("on", "off"))
    add("--jobs", metavar="N", type=_positive)
    add("--color", choices=("auto", "always", "never"), default="auto")


def _judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*")
    parser.add_argument("--base", metavar="REV")
    parser.add_argument("--head", metavar="REV")
    parser.add_argument("--points", action="store_true")


def _launches(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE")
    parser.add_argument(
        "--command",
        dest="globs",
        metavar="GLOB",
        action="append",
        help="every command whose name matches, at any depth, instead of servers (repeatable)",
    )
    parser.add_argument(
        "--args-only", action="store_true", help="with --command: leave out the command's name"
    )


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE[:LINE]")


def _golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "show", "lookup"))
    parser.add_argument("names", metavar="CURVE | PREFIX METHOD N", nargs="*")
    parser.add_argument("--draft-model", metavar="M", help="name of the draft model")
    parser.add_argument(
        "--draft-sample-method", metavar="S", help="greedy or probabilistic draft sampling"
    )


def _checks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", nargs="?")


def _policy(parser: argparse.ArgumentParser) -> None:
    del parser  # the common options are all it has


def _points(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("keys", metavar="KEY", nargs="*")


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("range", metavar="BASE..HEAD")


def _strip(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE")


def _smoke(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("slugs", metavar="SLUG", nargs="*")


def _pr(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", metavar="NUMBER", type=_positive)
    parser.add_argument("--repo", metavar="OWNER/NAME", required=True)
    parser.add_argument("--publish", action="store_true", help="post the comment and the status")
    parser.add_argument("--snapshot", metavar="FILE", help="save what GitHub answered")
    parser.add_argument("--from-snapshot", metavar="FILE", help="replay it without network")


def _signoff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--event", metavar="FILE", required=True, help="the event's payload")


_ADD = {
    "judge": _judge,
    "launches": _launches,
    "explain": _explain,
    "golden": _golden,
    "checks": _checks,
    "policy": _policy,
    "points": _points,
    "diff": _diff,
    "strip": _strip,
    "smoke": _smoke,
    "pr": _pr,
    "signoff": _signoff,
}


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 1 or more")
    return int(text)


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE texts as a mapping; the last one of a name wins, as in a shell."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isascii() or not name.isidentifier():
            raise UsageError(f"argument --env: {text!r} does not have the form NAME=VALUE")
        pairs[name] = value
    return pairs
