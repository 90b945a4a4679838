"""Prints how long `verify` takes beside ShellCheck on the same files, start-up included.

    python -m tests.perf.bench [FOLDER]

Times of different machines do not compare; the ratios of one run do. With FOLDER (a benchmark
tree, such as a checkout of a real one) its scripts are measured as well.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.perf.script import recipe

ROUNDS = 7
SCRIPTS = 60
ONE = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
# An installed program has its bytecode; a checkout gets it in the first round.
ENV = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
LIBRARY = "#!/usr/bin/env bash\n" + "".join(
    f'helper_{n}() {{\n    local value=${{1:-{n}}}\n    echo "$value"\n}}\n' for n in range(200)
)


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    verify, shellcheck = program("verify"), program("shellcheck")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        one = tree(root, SCRIPTS)
        print(f"one script of {len(recipe().splitlines())} lines, median of {ROUNDS}:")
        ours, theirs = compare([verify, str(one)], [shellcheck, str(one)])
        report(ours, theirs)
        peak([verify, str(one)])
        print(f"a tree of {SCRIPTS} such scripts, one process each:")
        scripts = [str(path) for path in sorted(root.rglob("agentic/*.sh"))]
        ours, theirs = compare([verify, "--jobs", "1", *scripts], [shellcheck, *scripts], 3)
        report(ours, theirs)
        peak([verify, "--jobs", "1", *scripts])
        growth(verify, root)
    for folder in arguments:
        real(verify, shellcheck, Path(folder))
    return 0


def real(verify: str, shellcheck: str, folder: Path) -> None:
    """The scripts of a tree that is at hand."""
    scripts = [str(path) for path in sorted(folder.glob("benchmarks/single_node/**/*.sh"))]
    print(f"{len(scripts)} scripts of {folder.name}, one process each:")
    root = ["--root", str(folder), "--jobs", "1"]
    ours, theirs = compare([verify, *root, *scripts], [shellcheck, *scripts], 1)
    report(ours, theirs)
    peak([verify, *root, *scripts])


def growth(verify: str, root: Path) -> None:
    """Time against length: a script of twice the length should take about twice as long."""
    times = []
    for blocks in (25, 50, 100):
        path = root / f"benchmarks/single_node/agentic/dsv4_growth{blocks}_vllm_mtp.sh"
        path.write_text(recipe(blocks))
        times.append((blocks * 16, median([verify, str(path)], 3)))
    empty = median([verify, "--version"], 3)
    steps = ", ".join(f"{lines} lines {(t - empty) * 1000:.0f} ms" for lines, t in times)
    print(f"beyond start-up ({empty * 1000:.0f} ms): {steps}")


def tree(root: Path, count: int) -> Path:
    """A benchmark tree with `count` scripts; the path of one."""
    one = root / ONE
    one.parent.mkdir(parents=True)
    (root / "benchmarks" / "benchmark_lib.sh").write_text(LIBRARY)
    (root / ".git").mkdir()
    one.write_text(recipe())
    for index in range(count - 1):
        (one.parent / f"dsv4_fp4_b200_vllm{index}_mtp.sh").write_text(recipe())
    return one


def program(name: str) -> str:
    """The program beside this interpreter, else on the PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not installed: pip install -e '.[test]'")
    return found


def compare(
    ours: Sequence[str], theirs: Sequence[str], rounds: int = ROUNDS
) -> tuple[float, float]:
    """Median seconds of two commands, run in turns so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for command, seen in ((ours, times[0]), (theirs, times[1])):
            seen.append(once(command))
    return statistics.median(times[0]), statistics.median(times[1])


def median(command: Sequence[str], rounds: int) -> float:
    """Median seconds of a command."""
    return statistics.median(once(command) for _ in range(rounds))


def once(command: Sequence[str]) -> float:
    """Seconds of one run. The exit code says what was found and does not matter here."""
    start = time.perf_counter()
    subprocess.run(
        command, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return time.perf_counter() - start


def report(ours: float, theirs: float) -> None:
    """The two times and their ratio."""
    print(
        f"  verify {ours * 1000:.0f} ms, shellcheck {theirs * 1000:.0f} ms: "
        f"verify takes {ours / theirs:.2f} of shellcheck's time"
    )


def peak(command: Sequence[str]) -> None:
    """Peak memory of one run, from the operating system's account of that child."""
    child = os.fork()
    if child == 0:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"  peak memory {kilobytes / 1024:.0f} MB", flush=True)
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
