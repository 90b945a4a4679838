"""`python -m tests.differential --examples N [--seed S] [--keep FOLDER]`: count wrong values and holes."""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.differential.compare import claims, compare, may_stop
from tests.differential.real import Bash
from tests.differential.scripts import scripts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for scripts with wrong values")
    parser.add_argument("--holes", action="store_true", help="print scripts with holes")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # hypothesis warns of the length of the strategies' texts
    counts: Counter[str] = Counter()
    bash = Bash()

    @seed(arguments.seed)
    @settings(
        max_examples=arguments.examples,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(scripts)
    def check(script: str) -> None:
        actual = bash.run(script, {})
        counts["scripts"] += 1
        if actual is None:
            counts["no end"] += 1
            return
        try:
            evaluation = claims(script, bash.environment({}), closed=True)
        except Exception:
            counts["crashed"] += 1
            report(script, traceback.format_exc())
            return
        stops = may_stop(script, evaluation, surprised=bash.surprised)
        verdict = compare(evaluation, actual, may_stop=stops)
        counts["commands"] += verdict.commands
        counts["holes"] += verdict.holes
        counts["scripts with holes"] += verdict.holes > 0
        if verdict.wrong is not None:
            counts["wrong"] += 1
            report(script, verdict.wrong)
        elif arguments.holes and verdict.holes:
            print(script, file=sys.stderr)
            for command in evaluation.commands:
                print("   ", [w.text.display() for w in command.argv], file=sys.stderr)
            print("   ", evaluation.unresolved, "\n-------", file=sys.stderr)

    def report(script: str, problem: str) -> None:
        print(f"--- {problem}", file=sys.stderr)
        if arguments.keep is not None:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            path = arguments.keep / f"{arguments.seed}-{counts['scripts']}.sh"
            path.write_text(
                script + f"\n# {problem}\n".replace("\n", "\n# ").rstrip("# "), encoding="utf-8"
            )

    try:
        check()
    finally:
        bash.close()
    for kind in (
        "scripts",
        "commands",
        "wrong",
        "crashed",
        "holes",
        "scripts with holes",
        "no end",
    ):
        print(f"{kind}: {counts[kind]}")
    return 1 if counts["wrong"] or counts["crashed"] else 0


raise SystemExit(main())
