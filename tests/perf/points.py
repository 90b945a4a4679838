"""Prints how long points take: all of a tree, and those that a change can reach.

    python -m tests.perf.points [FOLDER]...

Times are given beside the time of one script alone in the same run, because times of different
machines do not compare. With FOLDER (a benchmark tree) its points are measured as well.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.perf.bench import ENV, LIBRARY, median, program
from tests.perf.script import recipe

SCRIPTS = 12
CONCS = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256)
FOLDER = "benchmarks/single_node/agentic"
ENTRY = """\
m{n}-fp4-b200-vllm:
  image: vllm/vllm-openai:v1
  model: deepseek-ai/DeepSeek-V4-Pro
  model-prefix: m{n}
  runner: b200-dgxc
  precision: fp4
  framework: vllm
  multinode: false
  scenarios:
    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - {{tp: 8, spec-decoding: mtp, conc-list: {concs}}}
"""


class Cost(NamedTuple):
    """Of one command and the processes that it starts."""

    wall: float
    cpu: float
    peak: int
    """Megabytes of its largest process."""


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    verify = program("verify")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        script = tree(root)
        alone = median([verify, str(script)], 5)
        count = SCRIPTS * len(CONCS) * 2
        print(f"one script: {alone * 1000:.0f} ms; {count} points of {SCRIPTS} such scripts:")
        points = measured([verify, "--points", "--root", str(root), "--jobs", "1"])
        say(points, alone, count)
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "one")
        for what, path, edit in (
            ("one script", script, "\n# end\nexport ADDED=1\n"),
            ("a function of the library that nobody calls", root / LIB, "\nextra() { :; }\n"),
            ("what the library does when it is read", root / LIB, "\nexport ADDED=1\n"),
        ):
            path.write_text(path.read_text() + edit)
            git(root, "-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", what)
            print(f"launch diff of an edit of {what}:")
            diff = [verify, "diff", "HEAD~1..HEAD", "--root", str(root), "--jobs", "1"]
            say(measured(diff), alone)
    for folder in arguments:
        print(f"points of {Path(folder).name}, two processes:")
        say(measured([verify, "--points", "--root", folder, "--jobs", "2"]), alone)
    return 0


LIB = "benchmarks/benchmark_lib.sh"


def tree(root: Path) -> Path:
    """A benchmark tree with a config; the path of one script."""
    (root / FOLDER).mkdir(parents=True)
    (root / "configs").mkdir()
    (root / LIB).write_text(LIBRARY)
    entries = []
    for index in range(SCRIPTS):
        (root / FOLDER / f"m{index}_fp4_b200_vllm_mtp.sh").write_text(recipe())
        entries.append(ENTRY.format(n=index, concs=list(CONCS)))
    (root / "configs" / "nvidia-master.yaml").write_text("".join(entries))
    return root / FOLDER / "m0_fp4_b200_vllm_mtp.sh"


def git(root: Path, *arguments: str) -> None:
    """Run git in a tree."""
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def measured(command: Sequence[str]) -> Cost:
    """One run, in the operating system's account of that child."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        start = time.perf_counter()
        subprocess.run(
            command, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        wall = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        os.write(write, f"{wall} {cpu} {used.ru_maxrss // 1024}".encode())
        os._exit(0)
    os.close(write)
    told = os.read(read, 200).split()
    os.close(read)
    os.waitpid(child, 0)
    return Cost(float(told[0]), float(told[1]), int(told[2]))


def say(cost: Cost, alone: float, count: int = 0) -> None:
    """A line with times, the ratio to one script alone, and memory."""
    each = f", {cost.cpu / count * 1000:.1f} ms a point" if count else ""
    print(
        f"  {cost.wall:.2f} s, {cost.cpu:.2f} s of processor{each}, {cost.wall / alone:.0f} times "
        f"one script, peak {cost.peak} MB"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
