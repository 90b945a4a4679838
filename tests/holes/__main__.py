"""`python -m tests.holes FOLDER [GLOB...]`: what is not known of the servers that scripts launch.

Prints one line for each unknown part of an argument, a variable or a named file, in the open
world, and says whether it is a true input, a choice that conditions decide, or a gap of ours.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.holes.classify import Kind, Unknown, opaque_tests, unknowns
from verifier.facts import Reading, read_recipe
from verifier.model.context import RecipeFacts
from verifier.policy import Policy
from verifier.sources.local import LocalTree

SCRIPTS = "benchmarks/single_node/**/*.sh"
SLOWEST = 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.holes", description=__doc__)
    parser.add_argument("folder", type=Path, help="root of a benchmark tree")
    parser.add_argument("globs", nargs="*", default=[SCRIPTS], help=f"default: {SCRIPTS}")
    parser.add_argument("--all", action="store_true", help="also print inputs and choices")
    arguments = parser.parse_args()
    tree, policy = LocalTree(str(arguments.folder)), Policy()
    paths = {path for glob in arguments.globs for path in arguments.folder.glob(glob)}
    totals: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    times: list[tuple[float, str]] = []
    for path in sorted(paths):
        name = path.relative_to(arguments.folder).as_posix()
        totals["scripts"] += 1
        before = time.process_time()
        try:
            recipes = read_recipe(name, tree, policy, Reading(branches=True))
        except Exception as error:
            totals["crashes"] += 1
            print(f"{name}: crash: {type(error).__name__}: {error}")
            continue
        times.append((time.process_time() - before, name))
        for recipe in recipes:
            report(recipe, arguments.all, totals, reasons)
    print("\n".join(f"{count:6} {kind}" for kind, count in totals.items()))
    for reason, count in reasons.most_common():
        print(f"{count:6} times: {reason}")
    for seconds, name in sorted(times, reverse=True)[:SLOWEST]:
        print(f"{seconds:6.2f} s {name}")
    return 1 if totals["crashes"] else 0


def report(
    recipe: RecipeFacts, everything: bool, totals: Counter[str], reasons: Counter[str]
) -> None:
    """Print the lines of one script; the ways of one launch share theirs."""
    totals["launches"] += len(recipe.launches)
    totals["launch sites"] += len({launch.span for launch in recipe.launches})
    for note in recipe.unresolved:
        totals["not read to the end"] += 1
        reasons[f"not read: {note.text}"] += 1
        print(f"{note.span}: not read to the end: {note.text}")
    seen: set[str] = set()
    for launch in recipe.launches:
        lines = [_line(unknown) for unknown in unknowns(launch, recipe.branches)]
        for kind, line, reason in lines:
            if line in seen:
                continue
            seen.add(line)
            totals[kind.value] += 1
            if kind is Kind.GAP:
                reasons[reason] += 1
            if everything or kind is Kind.GAP:
                print(f"{launch.span}: {line}")
        opaque = list(opaque_tests(launch))
        totals["launches under a condition that is not told in full"] += bool(opaque)
        for test in opaque:
            if test not in seen:
                seen.add(test)
                print(f"{launch.span}: when: {test}")
        alternatives = len(launch.when.alternatives)
        totals["launches under one conjunction"] += alternatives == 1
        totals["alternatives of conditions"] += alternatives


def _line(unknown: Unknown) -> tuple[Kind, str, str]:
    place = "" if unknown.span is None else f" at {unknown.span}"
    shown = f"{unknown.kind.value}: {unknown.where}: {unknown.reason} [{unknown.symbol}]{place}"
    return unknown.kind, shown, unknown.reason


if __name__ == "__main__":
    sys.exit(main())
